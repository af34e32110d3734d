// The rows of a sweep as the page sees them: columns, ranges that a person has chosen, colours of values.
import { doubles, floats } from "./data";

export interface SweepColumn {
  name: string; // with its unit, "crank.angle[rad]"
  varied: boolean;
  n: number;
  mean?: number;
  sd?: number;
  min?: number;
  q05?: number;
  q25?: number;
  median?: number;
  q75?: number;
  q95?: number;
  max?: number;
}

/** The form that mubody/sweep/write_sweep.cpp writes. */
export interface SweepReport {
  kind: "sweep";
  version: string;
  name: string;
  plan: string;
  statistics: {
    points: number;
    done: number;
    good: number;
    doubtful: number;
    failed: number;
    columns: SweepColumn[];
    reasons: { message: string; count: number; first: number }[];
  };
  every: number; // every n-th row is kept; 1: all
  index: string;
  outcome: string; // 0 good, 1 doubtful, 2 failed
  columns: { name: string; varied: boolean; data: string }[];
  model: { file: string; text: string };
}

export interface Axis {
  name: string;
  varied: boolean;
  values: Float64Array;
  low: number;
  high: number;
}

/** Lowest and highest finite value, kept apart even if all values are equal. */
export function extent(values: ArrayLike<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < values.length; ++k) {
    if (!Number.isFinite(values[k])) continue;
    low = Math.min(low, values[k]);
    high = Math.max(high, values[k]);
  }
  if (low > high) return [0, 1];
  const margin = high > low ? 0 : Math.abs(low) * 0.05 || 0.5;
  return [low - margin, high + margin];
}

export function axesOf(report: SweepReport): Axis[] {
  return report.columns.map(({ name, varied, data }) => {
    const values = doubles(data);
    const [low, high] = extent(values);
    return { name, varied, values, low, high };
  });
}

export const indicesOf = (report: SweepReport) => doubles(report.index);
export const outcomesOf = (report: SweepReport) => floats(report.outcome);

/** Ranges by axis; a row is chosen if each of its values lies within the range of its axis. */
export type Brushes = Map<number, [number, number]>;

export function chosen(axes: Axis[], brushes: Brushes, rows: number): Uint8Array {
  const yes = new Uint8Array(rows).fill(1);
  for (const [axis, [low, high]] of brushes) {
    const values = axes[axis].values;
    for (let k = 0; k < rows; ++k) if (!(values[k] >= low && values[k] <= high)) yes[k] = 0;
  }
  return yes;
}

/** From blue over green to yellow in equal steps of lightness, for a share in [0, 1]. */
const stops = [[68, 60, 150], [50, 105, 165], [30, 150, 140], [110, 190, 85], [240, 205, 40]];
export function shade(share: number): string {
  if (!Number.isFinite(share)) return "#888";
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2);
  const mix = stops[k].map((v, c) => Math.round(v + (at - k) * (stops[k + 1][c] - v)));
  return `rgb(${mix.join(" ")})`;
}

/** "crank.angle[rad]" as its name and its unit. */
export function parts(header: string): { name: string; unit: string } {
  const match = /^(.*)\[([^\]]*)\]$/.exec(header);
  return match ? { name: match[1], unit: match[2] } : { name: header, unit: "" };
}
