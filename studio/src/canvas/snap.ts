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
  /** Lengths that attract: those of links that are there. */
  lengths?: readonly number[];
  /** A place that does not attract, for it is the one that moves. */
  not?: string;
  /** With a key pressed nothing snaps. */
  free?: boolean;
}

export interface Snapped {
  at: Xy;
  place?: string;
  /** What it snapped to, in a word for the hint. */
  why: "" | "place" | "grid" | "angle" | "length";
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
  const grid: Xy = [rounded(x, o.step), rounded(y, o.step)];
  return (o.from && likeAnother([x, y], grid, o.from, o)) ?? { at: grid, why: "grid" };
}

/** A point near by at which a link is as long as another one, unless the point of the grid is. */
function likeAnother([x, y]: Xy, grid: Xy, from: Xy, { lengths = [], reach }: SnapOptions): Snapped | undefined {
  const [dx, dy] = [x - from[0], y - from[1]];
  const length = Math.hypot(dx, dy);
  const like = lengths.find((l) => Math.abs(l - length) < 0.3 * reach);
  if (like === undefined || length <= 2 * reach || Math.abs(Math.hypot(grid[0] - from[0], grid[1] - from[1]) - like) < 1e-9 * like) return undefined;
  return { at: [from[0] + (dx * like) / length, from[1] + (dy * like) / length], why: "length" };
}

/** The target of a place that is moved, as near as locks allow. */
export function lockedTarget(place: string, target: Xy, places: ReadonlyMap<string, Xy>, locks: readonly CanvasLock[]): Xy {
  const here = places.get(place);
  if (!here) return target;
  const [dx, dy] = lockedShift([place], [target[0] - here[0], target[1] - here[1]], places, locks);
  return [here[0] + dx, here[1] + dy];
}

/** The shift of places that are moved together, as near as locks to others allow: among themselves they keep all lengths and
 * angles. */
export function lockedShift(moved: readonly string[], shift: Xy, places: ReadonlyMap<string, Xy>, locks: readonly CanvasLock[]): Xy {
  let [dx, dy] = shift;
  let held = 0;
  for (const lock of locks) {
    if (lock.kind === "point") {
      if (moved.includes(lock.place)) return [0, 0];
      continue;
    }
    if (moved.includes(lock.a) === moved.includes(lock.b)) continue;
    const [here, from] = (moved.includes(lock.a) ? [lock.a, lock.b] : [lock.b, lock.a]).map((name) => places.get(name));
    if (!here || !from) continue;
    // Two locks leave nothing to move.
    if (++held > 1) return [0, 0];
    const [ux, uy] = [here[0] - from[0], here[1] - from[1]];
    const length = Math.hypot(ux, uy);
    const [wx, wy] = [ux + dx, uy + dy];
    const share = lock.kind === "length" ? length / Math.hypot(wx, wy) : (wx * ux + wy * uy) / (length * length);
    const to = lock.kind === "length" ? [wx * share, wy * share] : [ux * share, uy * share];
    [dx, dy] = Number.isFinite(share) ? [to[0] - ux, to[1] - uy] : [0, 0];
  }
  return [dx, dy];
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
