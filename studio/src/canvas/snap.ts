// To what a pointer snaps: places, the grid, round angles and lengths; and what locks leave it.
import type { Xy } from "../model/sketch";

/** What stays while a place is moved. */
export type CanvasLock = { kind: "point"; place: string } | { kind: "length" | "angle"; a: string; b: string };

export interface SnapOptions {
  places: ReadonlyMap<string, Xy>;
  /** Distance from which a place attracts, and step of the grid [m]. */
  reach: number;
  step: number;
  /** The other end of what is being drawn. */
  from?: Xy;
  /** A place that does not attract, for it is the one that moves. */
  not?: string;
  /** With a key pressed nothing snaps. */
  free?: boolean;
}

export interface Snapped {
  at: Xy;
  place?: string;
  /** What it snapped to, in a word for the hint. */
  why: "" | "place" | "grid" | "angle";
}

/** Level and upright lines are on the grid already. */
const roundAngles = [30, 45, 60, 120, 135, 150, 210, 225, 240, 300, 315, 330].map((a) => (a * Math.PI) / 180);

const rounded = (x: number, step: number) => Number((Math.round(x / step) * step).toPrecision(12));

export function snap([x, y]: Xy, o: SnapOptions): Snapped {
  let best: Snapped | undefined;
  let least = o.reach;
  for (const [place, at] of o.places) {
    const d = Math.hypot(at[0] - x, at[1] - y);
    if (place !== o.not && d <= least) [best, least] = [{ at, place, why: "place" }, d];
  }
  if (best) return best;
  if (o.free) return { at: [x, y], why: "" };
  if (o.from) {
    const [dx, dy] = [x - o.from[0], y - o.from[1]];
    const length = Math.hypot(dx, dy);
    const angle = Math.atan2(dy, dx);
    const near = roundAngles.reduce((best, a) => (Math.abs(Math.sin((angle - a) / 2)) < Math.abs(Math.sin((angle - best) / 2)) ? a : best));
    // Round angles attract from near by alone, for what lies on the grid has round numbers.
    if (length > 2 * o.reach && Math.abs(Math.sin(angle - near)) * length < 0.25 * o.reach) {
      const l = rounded(length * Math.cos(angle - near), o.step);
      return { at: [o.from[0] + l * Math.cos(near), o.from[1] + l * Math.sin(near)], why: "angle" };
    }
  }
  return { at: [rounded(x, o.step), rounded(y, o.step)], why: "grid" };
}

/** The target of a place that is moved, as near as locks allow. */
export function lockedTarget(place: string, target: Xy, places: ReadonlyMap<string, Xy>, locks: readonly CanvasLock[]): Xy {
  const here = places.get(place) ?? target;
  let at = target;
  let held = 0;
  for (const lock of locks) {
    if (lock.kind === "point") {
      if (lock.place === place) return here;
      continue;
    }
    const other = lock.a === place ? lock.b : lock.b === place ? lock.a : undefined;
    const from = other === undefined ? undefined : places.get(other);
    if (!from) continue;
    // Two locks leave nothing to move.
    if (++held > 1) return here;
    const [dx, dy] = [at[0] - from[0], at[1] - from[1]];
    const [ux, uy] = [here[0] - from[0], here[1] - from[1]];
    const length = Math.hypot(ux, uy);
    if (lock.kind === "length") {
      const now = Math.hypot(dx, dy);
      at = now > 0 ? [from[0] + (dx * length) / now, from[1] + (dy * length) / now] : here;
    } else {
      const s = length > 0 ? (dx * ux + dy * uy) / length : 0;
      at = length > 0 ? [from[0] + (s * ux) / length, from[1] + (s * uy) / length] : here;
    }
  }
  return at;
}

/** "120 mm @ 45", "120", "@ 30": a length [in the unit, if none is given] and an angle in degrees. */
export function typedDimension(text: string, unit: number, units: Readonly<Record<string, number>>): { length?: number; angle?: number } | undefined {
  const match = /^\s*(?:([+-]?[\d.]+(?:[eE][+-]?\d+)?)\s*([A-Za-z]*))?\s*(?:[@<,;]\s*([+-]?[\d.]+)\s*(?:deg|°)?)?\s*$/.exec(text);
  if (!match || (match[1] === undefined && match[3] === undefined)) return undefined;
  const factor = match[2] ? units[match[2]] : unit;
  const length = match[1] === undefined ? undefined : Number(match[1]) * (factor ?? NaN);
  const angle = match[3] === undefined ? undefined : (Number(match[3]) * Math.PI) / 180;
  if ((length !== undefined && !(length > 0)) || Number.isNaN(angle ?? 0)) return undefined;
  return { length, angle };
}
