// Lengths and angles as they stand in a model, for what the canvas moves: numbers with and without a unit.
//
// Formulas are left to the program.  Factors are those of the program (test/browser compares them).
import type { Node } from "../toml/syntax";
import { numberText, quoted } from "../toml/write";

export const lengthUnits: Readonly<Record<string, number>> = { m: 1, cm: 1e-2, mm: 1e-3, in: 0.0254, ft: 0.3048, km: 1e3 };
export const angleUnits: Readonly<Record<string, number>> = { rad: 1, deg: Math.PI / 180, rev: 2 * Math.PI };

export interface Quantity {
  value: number;
  /** As written; empty for a plain number. */
  unit: string;
}

const written = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)\s*$/;

/** "12.5 mm" as a number in SI; undefined for anything else. */
export function quantityOf(text: string, units: Readonly<Record<string, number>>): Quantity | undefined {
  const match = written.exec(text);
  if (!match) return undefined;
  const factor = match[2] ? units[match[2]] : 1;
  return factor === undefined ? undefined : { value: Number(match[1]) * factor, unit: match[2] };
}

/** A value of the file, if it is a number or a number with a unit. */
export function literal(node: Node | undefined, units = lengthUnits): Quantity | undefined {
  if (node?.kind === "number") return { value: node.value, unit: "" };
  if (node?.kind === "string") return quantityOf(node.value, units);
  return undefined;
}

/** The same value in the given unit, as TOML. */
export function quantityText(value: number, unit: string, units = lengthUnits): string {
  const text = numberText(value / (unit ? units[unit] : 1));
  return unit && text !== "0" ? quoted(`${text} ${unit}`) : text;
}
