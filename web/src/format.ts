// Numbers, units and ticks as people read them.
import type { ShownUnits } from "./data";

const minus = (text: string) => text.replace(/-/g, "\u2212");

/** A number with that many significant digits, without trailing zeros; "–" for what is not a number. */
export function number(x: number | null | undefined, digits = 6): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : minus("-∞");
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size < 1e-4 || size >= 1e7) {
    const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
    return minus(`${trimmed(mantissa)}e${Number(exponent)}`);
  }
  // An exponent from toPrecision is removed: 500 to one digit is not 5e2 here.
  return minus(trimmed(size >= 10 ** digits ? String(Number(x.toPrecision(digits))) : x.toPrecision(digits)));
}

function trimmed(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** A count with thin spaces between thousands. */
export const count = (n: number) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** "1 body", "3 bodies". */
export const counted = (n: number, one: string, many: string) => `${count(n)} ${n === 1 ? one : many}`;

/** m/s2 as m/s². */
export function unit(text: string): string {
  if (text === "1") return "";
  return text.replace(/\|/g, " or ").replace(/\^2/g, "²").replace(/(?<=[A-Za-z])2\b/g, "²").replace(/(?<=[A-Za-z])3\b/g, "³").replace(/\bN m\b/g, "N·m");
}

/** "12.5 N·m". */
export const quantity = (x: number, u: string, digits = 6) => (u && u !== "1" ? `${number(x, digits)} ${unit(u)}` : number(x, digits));

/** The same in the unit in which the page shows it. */
export function shownQuantity(units: ShownUnits | undefined, x: number, u: string, digits = 6): string {
  const to = units?.[u];
  return to ? quantity(x * to.factor, to.unit, digits) : quantity(x, u, digits);
}

/** A round number not above x: 1, 2 or 5 times a power of ten. */
export function roundBelow(x: number): number {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const power = 10 ** Math.floor(Math.log10(x));
  const lead = x / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

/** The labels of an axis: as many decimals as its increment needs, and never a negative zero. */
export function ticks(values: number[], increment: number): string[] {
  const largest = Math.max(...values.map(Math.abs), 0);
  if (largest > 0 && (largest >= 1e5 || largest < 1e-3)) {
    let digits = Math.max(0, Math.floor(Math.log10(largest)) - Math.floor(Math.log10(increment) + 1e-9));
    const lead = increment / 10 ** Math.floor(Math.log10(increment) + 1e-9);
    if (Math.abs(lead - Math.round(lead)) > 1e-6) ++digits;
    return values.map((v) => (Math.abs(v) < increment * 1e-6 ? "0" : exponential(v, Math.min(digits, 6))));
  }
  // Enough decimals that 0.25 does not become 0.3.
  let decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(increment) + 1e-9)));
  while (decimals < 12 && Math.abs(increment * 10 ** decimals - Math.round(increment * 10 ** decimals)) > 1e-6 * increment * 10 ** decimals) ++decimals;
  return values.map((v) => {
    const text = v.toFixed(decimals);
    return Number(text) === 0 ? "0" : minus(text);
  });
}

function exponential(v: number, digits: number): string {
  const [mantissa, exponent] = v.toExponential(digits).split("e");
  return minus(`${trimmed(mantissa)}e${Number(exponent)}`);
}

/** Round values from one end of a range to the other, about as many as `about`. */
export function ticksOf(low: number, high: number, about: number): { values: number[]; increment: number } {
  if (!(high > low)) return { values: [low], increment: Math.abs(low) || 1 };
  const rough = (high - low) / Math.max(1, about);
  const base = roundBelow(rough);
  const increment = rough / base > 1.5 && base * 2 < high - low ? base * (String(base)[0] === "2" ? 2.5 : 2) : base;
  const values: number[] = [];
  for (let k = Math.ceil(low / increment - 1e-9); k * increment <= high + increment * 1e-9; ++k)
    values.push(k * increment);
  return { values, increment };
}

/** 10 to a whole power, correctly rounded, which 10 ** e is not. */
export const tenTo = (exponent: number) => Number(`1e${exponent}`);

/** 10 to whole powers, as "10⁻³". */
export function powerOfTen(exponent: number): string {
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  if (exponent === 0) return "1";
  const text = [...String(Math.abs(exponent))].map((c) => digits[Number(c)]).join("");
  return `10${exponent < 0 ? "⁻" : ""}${text}`;
}

/** A text cut in the middle to at most `most` characters. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) * 0.6);
  return `${text.slice(0, head)}…${text.slice(text.length - (most - 1 - head))}`;
}
