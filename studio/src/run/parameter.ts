// A parameter of the model as its text gives it: a number, perhaps with a unit, that a slider may move.
import { angleUnits, lengthUnits } from "../model/units";
import type { Node } from "../toml/syntax";
import { findSlot, type Toml } from "../toml/tree";
import { numberText } from "../toml/write";

export interface Written {
  value: number;
  /** What stands after the number, with the blank before it. */
  unit: string;
  /** Whether it is a text in quotes. */
  quoted: boolean;
}

/** Reads `0.3`, `"60 deg"`; nothing if it is a formula or another kind of value. */
export function written(text: string): Written | undefined {
  const plain = /^[-+]?[\d_]*\.?[\d_]+(?:[eE][-+]?\d+)?$/.exec(text);
  if (plain) return { value: Number(text.replace(/_/g, "")), unit: "", quoted: false };
  const match = /^(["'])\s*([-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)(\s*[A-Za-z%°µ/][^"']*)?\1$/.exec(text);
  return match ? { value: Number(match[2]), unit: match[3] ?? "", quoted: true } : undefined;
}

/** The same with another number. */
export const rewritten = ({ unit, quoted }: Written, value: number) => (quoted ? `"${numberText(value, 6)}${unit}"` : tomlNumber(value));

/** A number that TOML reads as one of the same kind: 2 would be an integer, which models take as well. */
const tomlNumber = (value: number) => numberText(value, 6);

/** The range of a slider: what the parameter states, else half to one and a half of the value, or around zero. */
export function rangeOf(value: number, [min, max]: Ends = [undefined, undefined]): [number, number] {
  const [a, b] = value === 0 ? [-1, 1] : [0.5 * value, 1.5 * value];
  return [min ?? Math.min(a, b), max ?? Math.max(a, b)];
}

/** The ends of the range that a parameter states, in the unit of its value. */
export type Ends = readonly [number | undefined, number | undefined];

export interface Parameter {
  /** The number in the text: of {value = ..., min = ..., max = ...} the value. */
  node: Node;
  written: Written;
  ends: Ends;
}

const factorOf = (unit: string): number | undefined => (unit ? lengthUnits[unit] ?? angleUnits[unit] : 1);

/** Another number of the parameter in the unit of its value; nothing if it is a formula or the unit is not known here. */
function endIn(unit: string, end: Written | undefined): number | undefined {
  if (!end || end.unit.trim() === unit.trim()) return end?.value;
  const [from, to] = [factorOf(end.unit.trim()), factorOf(unit.trim())];
  return from && to && (end.value * from) / to;
}

/** The parameter of that name; nothing if a slider cannot move it. */
export function parameterIn(toml: Toml, name: string): Parameter | undefined {
  const slot = findSlot(toml, ["parameters", name]);
  const textOf = (node: Node | undefined) => node && written(toml.text.slice(node.from, node.to));
  const node = slot?.table ? slot.table.node("value") : slot?.node;
  const value = textOf(node);
  if (!node || !value) return undefined;
  const end = (key: string) => endIn(value.unit, textOf(slot?.table?.node(key)));
  return { node, written: value, ends: [end("min"), end("max")] };
}
