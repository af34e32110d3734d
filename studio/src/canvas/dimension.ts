// A length that is typed: the second place moves along the line.
import { movePlace } from "../model/change";
import type { Editing } from "../model/editing";
import { distancesFrom } from "../model/names";
import { literal, quantityText } from "../model/units";
import type { Xy } from "../model/sketch";

/** Makes the distance of two places a given one, and the direction from a to b as well if there is an angle; false if
 * formulas give them. */
export function setLength(e: Editing, places: ReadonlyMap<string, Xy>, a: string, b: string, length: number | undefined, angle?: number): boolean {
  const [p, q] = [places.get(a), places.get(b)];
  if (!p || !q) return false;
  // A place that is given by distances has the length itself in the text.
  for (const [from, to] of [[a, b], [b, a]]) {
    const given = distancesFrom(e.toml, from).find((d) => d.place === to);
    const node = given?.table.node(from);
    const old = literal(node);
    if (node && old && length !== undefined && angle === undefined) {
      e.replace(node, quantityText(length, old.unit));
      return true;
    }
  }
  const now = Math.hypot(q[0] - p[0], q[1] - p[1]);
  const l = length ?? now;
  const direction = angle ?? Math.atan2(q[1] - p[1], q[0] - p[0]);
  return movePlace(e, b, [p[0] + l * Math.cos(direction), p[1] + l * Math.sin(direction)]);
}
