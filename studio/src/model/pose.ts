// The start of a mechanism as it was left by a hand: places and positions that are written in numbers.
import type { Editing } from "./editing";
import { movePlace, poseBody } from "./change";
import { texts } from "./names";
import { bodiesAt, sketchedBodies, type Xy } from "./sketch";
import type { Toml } from "../toml/tree";

/** The body with which a place moves: one through it, or one that an element there is on. */
export function bodyOfPlace(toml: Toml, place: string): string | undefined {
  const { through, shaped } = bodiesAt(toml, place);
  if (through.includes("ground")) return "ground";
  const first = [...through, ...shaped][0];
  if (first) return first;
  for (const { path, key, node } of texts(toml)) {
    if (node.value !== place || !["at", "i", "j"].includes(key)) continue;
    const element = toml.root.table(path[0])?.table(path[1]);
    const body = element?.text("body");
    if (body) return body;
    const list = element?.node("bodies");
    const named = list?.kind === "array" ? list.items[key === "j" ? 1 : 0] : undefined;
    if (named?.kind === "string") return named.value;
  }
  return undefined;
}

/** A position and an angle: x, y, angle. */
export type Xya = readonly [number, number, number];

/** Writes the new start.  `before` and `after` are the poses of the bodies by name, `places` where places are before.
 * Returns what could not be written, since formulas give it. */
export function keepPose(e: Editing, places: ReadonlyMap<string, Xy>, before: ReadonlyMap<string, Xya>, after: ReadonlyMap<string, Xya>): string[] {
  const refused: string[] = [];
  for (const [name, at] of places) {
    const body = bodyOfPlace(e.toml, name);
    const [a, b] = [before.get(body ?? ""), after.get(body ?? "")];
    if (!a || !b) continue;
    const turn = b[2] - a[2];
    const [dx, dy] = [at[0] - a[0], at[1] - a[1]];
    const to: Xy = [b[0] + dx * Math.cos(turn) - dy * Math.sin(turn), b[1] + dx * Math.sin(turn) + dy * Math.cos(turn)];
    if (Math.hypot(to[0] - at[0], to[1] - at[1]) > 1e-10 && !movePlace(e, name, to)) refused.push(name);
  }
  for (const { name, through, at } of sketchedBodies(e.toml)) {
    const pose = after.get(name);
    if (!pose || through.length) continue;
    if (!at && !e.table("bodies", name)?.get("position")) refused.push(name);
    else poseBody(e, name, pose);
  }
  return refused;
}
