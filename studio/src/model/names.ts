// The names of a model: where each is defined and where it is used.
import type { Table, Toml } from "../toml/tree";
import type { Node } from "../toml/syntax";

/** Sections whose elements share one set of names. */
const named = ["bodies", "markers", "joints", "drivers", "forces", "points", "signals"];

/** Keys whose texts are names, and of what. */
const places = ["through", "at", "to", "i", "j", "com", "position", "between"];
const keysOf: Readonly<Record<string, readonly string[]>> = {
  places,
  bodies: ["bodies", "body", "in"],
  markers: ["marker", "i", "j", "in", "at"],
  joints: ["joint", "joints", "chords"],
};

/** A text somewhere in the model. */
export interface Use {
  /** From the root: section, element, keys. */
  path: string[];
  /** The key next to it, over arrays. */
  key: string;
  node: Extract<Node, { kind: "string" }>;
}

/** All texts of the model with their keys. */
export function texts(toml: Toml): Use[] {
  const out: Use[] = [];
  const look = (node: Node, path: string[]) => {
    if (node.kind === "string") out.push({ path, key: path.at(-1) ?? "", node });
    else if (node.kind === "array") node.items.forEach((item) => look(item, path));
    else if (node.kind === "inline") node.entries.forEach((e) => look(e.value, [...path, ...e.path.map((k) => k.name)]));
  };
  const walk = (table: Table, path: string[]) => {
    for (const slot of table.slots.values()) {
      const here = [...path, slot.name];
      if (slot.node) look(slot.node, here);
      else if (slot.list) slot.list.forEach((t) => walk(t, here));
      else if (slot.table) walk(slot.table, here);
    }
  };
  walk(toml.root, []);
  return out;
}

/** Whether a joint is where its name says, and at which pins of one name. */
export function standsAtItsName(joint: Table): boolean {
  return !["at", "i", "j"].some((key) => joint.get(key));
}

/** The texts that name this element. */
export function usesOf(toml: Toml, section: string, name: string): Use[] {
  const keys = keysOf[section] ?? [];
  return texts(toml).filter(({ path, key, node }) => node.value === name && keys.includes(key) && path[0] !== "parameters"
    && !(section === "places" && path[0] === "drivers" && key === "joint"));
}

/** The lengths of places that are given by distances from this one: their keys are names. */
export function distancesFrom(toml: Toml, name: string): { place: string; table: Table }[] {
  const all = toml.root.table("places");
  return (all?.names ?? []).flatMap((place) => {
    const table = all!.table(place)?.table("length");
    return table?.get(name) ? [{ place, table }] : [];
  });
}

/** The names of joints that a list of places stands for, which are those of the places. */
function listedJoints(toml: Toml): string[] {
  const joints = toml.root.table("joints");
  return (joints?.names ?? []).flatMap((name) => {
    const at = joints!.table(name)?.node("at");
    return at?.kind === "array" ? at.items.flatMap((n) => (n.kind === "string" ? [n.value] : [])) : [];
  });
}

/** Names that something has, and words of formulas. */
export function takenNames(toml: Toml): Set<string> {
  return new Set(["ground", "t", "pi", "e", ...named.flatMap((section) => toml.root.table(section)?.names ?? []), ...(toml.root.table("parameters")?.names ?? []), ...listedJoints(toml)]);
}

/** stem1, stem2, ...: the first that is free. */
export function freshName(toml: Toml, stem: string): string {
  const taken = takenNames(toml);
  for (let k = 1; ; ++k) if (!taken.has(`${stem}${k}`)) return `${stem}${k}`;
}

/** A, B, ..., Z, A1, B1, ...: letters that no place has and nothing else either. */
export function freshPlace(toml: Toml): string {
  const taken = new Set([...takenNames(toml), ...(toml.root.table("places")?.names ?? [])]);
  for (let k = 0; ; ++k) {
    const name = String.fromCharCode(65 + (k % 26)) + (k >= 26 ? Math.floor(k / 26) : "");
    if (!taken.has(name)) return name;
  }
}

export const goodName = (name: string) => /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name);
