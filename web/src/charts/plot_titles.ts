// The titles of plots that nobody has named.
import { shortened } from "../format";

/** What numbers of a unit are, several of them together. */
const quantities: Record<string, string> = {
  rad: "Angles", "rad/s": "Angular velocities", "rad/s2": "Angular accelerations",
  m: "Positions and lengths", "m/s": "Velocities", "m/s2": "Accelerations",
  N: "Forces", "N m": "Moments", J: "Energies", W: "Powers",
};

export const quantityOf = (unit: string) => quantities[unit] ?? `Numbers in ${unit}`;

/** The common beginning of names up to a dot; empty if there is none. */
export function stemOf(names: string[]): string {
  let stem = names[0] ?? "";
  for (const name of names) while (stem && !name.startsWith(stem)) stem = stem.slice(0, -1);
  return stem.slice(0, stem.lastIndexOf(".") + 1);
}

/** "tip: x, y", or "Angular velocities", or the names themselves. */
export function titleOf(names: string[], unitOf: (name: string) => string): string {
  if (names.length < 2) return shortened(names[0] ?? "nothing", 60);
  const stem = stemOf(names);
  if (stem) return shortened(`${stem.slice(0, -1)}: ${names.map((n) => n.slice(stem.length)).join(", ")}`, 60);
  const units = new Set(names.map(unitOf));
  const all = [...units].map((u) => quantities[u]);
  if (all.length <= 2 && all.every(Boolean)) return all.map((q, k) => (k ? q.toLowerCase() : q)).join(" and ");
  return shortened(names.join(", "), 60);
}
