// A parameter of the model as its text gives it: a number, perhaps with a unit, that a slider may move.
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

/** The range of a slider: half to one and a half of the value, or around zero. */
export function rangeOf(value: number): [number, number] {
  if (value === 0) return [-1, 1];
  const [a, b] = [0.5 * value, 1.5 * value];
  return a < b ? [a, b] : [b, a];
}
