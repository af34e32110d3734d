// What handles of the view in space may move and turn.
import type { Vec3 } from "../../../web/src/data";
import type { ModelInfo } from "../../../wasm/interface";
import { findSlot, findTable, parseToml } from "../toml/tree";

/** What a handle may hold. */
export type Held = { kind: "body"; name: string; body: number } | { kind: "marker"; name: string; body: number; at: Vec3; turn: Quaternion; turns: boolean; path: string[] };
/** Its scalar first. */
type Quaternion = readonly [number, number, number, number];

/** The bodies, and the markers that the text gives by a point: under [markers], and at the ends of joints.  Those with an
 * orientation can be turned. */
export function heldOf(model: ModelInfo, text: string): Held[] {
  const toml = parseToml(text);
  const all = new Map(model.bodies.map((b, k): [string, Held] => [b.name, { kind: "body", name: b.name, body: k + 1 }]));
  for (const e of [...model.joints, ...model.forces])
    for (const end of ["i", "j"] as const) {
      const own = [e.section, e.name, end];
      const named = findSlot(toml, own)?.node;
      const marker = named?.kind === "string" && findTable(toml, ["markers", named.value])?.get("body") ? named.value : undefined;
      const path = marker === undefined ? own : ["markers", marker];
      const table = findTable(toml, path);
      if (!table?.get("at")) continue;
      const { body, at, turn } = e[end];
      const name = marker ?? `${e.name}.${end}`;
      all.set(name, { kind: "marker", name, body, at: [...at, 0, 0].slice(0, 3) as Vec3, turn, turns: table.get("orientation") !== undefined, path });
    }
  return [...all.values()];
}
