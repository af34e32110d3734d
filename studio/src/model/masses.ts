// Masses from shapes, and shapes without.
import type { Editing } from "./editing";
import { lengthText } from "./draw";
import { lieOnLine, sketchedBodies, writtenPlace } from "./sketch";
import type { Table } from "../toml/tree";
import { numberText, quoted } from "../toml/write";

/** Usual densities [kg/m³]. */
export const materials: readonly { name: string; density: number }[] = [
  { name: "steel", density: 7850 }, { name: "aluminium", density: 2700 }, { name: "brass", density: 8500 }, { name: "titanium", density: 4430 },
  { name: "acrylic", density: 1180 }, { name: "PLA", density: 1240 }, { name: "oak", density: 700 },
];

/** A round number below a tenth of a length. */
function usualWidth(length: number): number {
  const tenth = length / 10;
  const power = 10 ** Math.floor(Math.log10(tenth));
  return Number(((tenth / power >= 5 ? 5 : tenth / power >= 2 ? 2 : 1) * power).toPrecision(2));
}

/** Whether the mass can follow from a shape. */
export const hasShape = (body: Table) => ["through", "shape", "shapes", "mesh"].some((key) => body.get(key));

function widthBetween(e: Editing, places: readonly string[]) {
  const ends = places.map((p) => writtenPlace(e.toml, p));
  const length = ends[0] && ends[1] ? Math.hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]) : 0.1;
  return usualWidth(length || 0.1);
}

/** What goes through two places and has a thickness is a flat bar. */
export function becomeBar(e: Editing, name: string, places: readonly string[]) {
  e.add(["bodies", name, "shape"], quoted("bar"));
  e.add(["bodies", name, "width"], lengthText(e, widthBetween(e, places)));
}

/** Whether what goes through these places is straight: two places, or more that lie on a line as far as it is known. */
export const isStraight = (e: Editing, places: readonly string[]) => lieOnLine(places.map((p) => writtenPlace(e.toml, p)));

/** The mass follows from the shape; a rod becomes a flat bar, a plate gets a thickness. */
export function useMaterial(e: Editing, name: string, density: number, mass: number | undefined) {
  const path = (key: string) => ["bodies", name, key];
  const table = e.table("bodies", name);
  const body = sketchedBodies(e.toml).find((b) => b.name === name);
  if (!table || !body || !hasShape(table)) return;
  const text = numberText(density);
  if (table.get("density")) return e.set(path("density"), text);
  if (table.get("mass")) {
    const node = table.node("mass")!;
    const key = table.get("mass")!.keys[0];
    e.make([{ from: key.from, to: key.to, insert: "density" }, { from: node.from, to: node.to, insert: text }]);
  } else e.add(path("density"), text);
  if (mass !== undefined && table.get("inertia")) e.remove(path("inertia"));
  if (body.through.length < 2 || table.get("shape")) return;
  const width = widthBetween(e, body.through);
  if (isStraight(e, body.through)) becomeBar(e, name, body.through);
  if (!e.table("bodies", name)!.get("thickness")) e.add(path("thickness"), lengthText(e, width / 4));
}

/** A mass in place of what followed from the shape. */
export function useMass(e: Editing, name: string, mass: number) {
  const density = e.slot("bodies", name, "density");
  if (!density?.node) return;
  const key = density.keys[0];
  e.make([{ from: key.from, to: key.to, insert: "mass" }, { from: density.node.from, to: density.node.to, insert: numberText(mass, 4) }]);
}
