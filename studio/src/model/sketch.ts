// What the canvas sees of a text: places, the bodies through them and the joints at them.
import { literal, type Quantity } from "./units";
import { standsAtItsName } from "./names";
import type { Node } from "../toml/syntax";
import type { Table, Toml } from "../toml/tree";

export type Xy = readonly [number, number];

/** Joints by which bodies that meet in a place hold together. */
const pins = new Set(["revolute", "fixed"]);

/** The texts of an array, or the one text. */
export function namesIn(node: Node | undefined): string[] {
  if (node?.kind === "string") return [node.value];
  if (node?.kind !== "array") return [];
  return node.items.flatMap((n) => (n.kind === "string" ? [n.value] : []));
}

/** Two components that are numbers, with their units. */
export function literalXy(node: Node | undefined): [Quantity, Quantity] | undefined {
  if (node?.kind !== "array" || node.items.length !== 2) return undefined;
  const [x, y] = node.items.map((item) => literal(item));
  return x && y ? [x, y] : undefined;
}

export const placeNames = (toml: Toml) => toml.root.table("places")?.names ?? [];

/** Where a place is, if that is written in numbers. */
export function writtenPlace(toml: Toml, name: string): Xy | undefined {
  const xy = literalXy(toml.root.table("places")?.node(name));
  return xy && [xy[0].value, xy[1].value];
}

/** The unit that most lengths of places have; empty for plain numbers. */
export function usualUnit(toml: Toml): string | undefined {
  const counts = new Map<string, number>();
  const count = (node: Node | undefined) => {
    if (node?.kind === "array") node.items.forEach(count);
    const quantity = literal(node);
    if (quantity && quantity.value !== 0) counts.set(quantity.unit, (counts.get(quantity.unit) ?? 0) + 1);
  };
  const places = toml.root.table("places");
  for (const name of places?.names ?? []) count(places!.node(name));
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

export interface Sketched {
  name: string;
  table: Table | undefined;
  through: string[];
  /** The place of its shape. */
  at: string | undefined;
}

/** All bodies in the file's order, the ground among them if it has places. */
export function sketchedBodies(toml: Toml): Sketched[] {
  const bodies = toml.root.table("bodies");
  return (bodies?.names ?? []).map((name) => {
    const table = bodies!.table(name);
    return { name, table, through: namesIn(table?.node("through")), at: table?.text("at") };
  });
}

/** Bodies through a place, the ground first as the program does; and those whose shape is there. */
export function bodiesAt(toml: Toml, place: string): { through: string[]; shaped: string[] } {
  const all = sketchedBodies(toml);
  const through = all.filter((b) => b.through.includes(place)).map((b) => b.name);
  through.sort((a, b) => Number(b === "ground") - Number(a === "ground"));
  return { through, shaped: all.filter((b) => b.at === place && !b.through.length).map((b) => b.name) };
}

export interface PinAt {
  joint: string;
  type: string;
  /** The bodies that it names; without names it is for all that go through. */
  bodies: string[] | undefined;
  /** Whether it stands at several places, in a list. */
  listed: boolean;
}

/** The pins and welds at a place. */
export function pinsAt(toml: Toml, place: string): PinAt[] {
  const joints = toml.root.table("joints");
  return (joints?.names ?? []).flatMap((joint) => {
    const table = joints!.table(joint);
    const type = table?.text("type") ?? "";
    if (!table || !pins.has(type)) return [];
    const at = namesIn(table.node("at"));
    if (!at.includes(place) && !(joint === place && standsAtItsName(table))) return [];
    const bodies = table.get("bodies") ? namesIn(table.node("bodies")) : undefined;
    return [{ joint, type, bodies, listed: table.node("at")?.kind === "array" }];
  });
}

/** Whether points lie on a line; two do always, and points that are not known do not. */
export function lieOnLine([a, b, ...more]: readonly (Xy | undefined)[]): boolean {
  if (!more.length) return true;
  if (!a || !b) return false;
  const [ux, uy] = [b[0] - a[0], b[1] - a[1]];
  const size = Math.max(...[b, ...more].map((p) => (p ? Math.hypot(p[0] - a[0], p[1] - a[1]) : 0)));
  return more.every((p) => p && Math.abs((p[0] - a[0]) * uy - (p[1] - a[1]) * ux) <= 1e-7 * size * Math.hypot(ux, uy));
}
