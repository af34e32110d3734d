// Which arrows there are: what joints do to bodies, forces applied, velocities.  All numbers are channels.
import { between, type Place, type RunReport, type Vec3 } from "./data";
import type { Motion } from "./motion";

export type ArrowKind = "reaction" | "applied" | "velocity";

export interface Arrow {
  kind: ArrowKind;
  name: string;
  unit: string;
  at(row: number): Vec3;
  vector(row: number): Vec3;
}

const zero = () => 0;

export function arrowsOf(report: RunReport, motion: Motion): Arrow[] {
  const channels = motion.channels;
  const part = (name: string) => {
    const channel = channels.get(name);
    return channel ? (row: number) => between(channel.values, Math.min(row, channel.values.length - 1)) : undefined;
  };
  const vectorOf = (stem: string, letter: string) => {
    const [x, y, z] = ["x", "y", "z"].map((axis) => part(stem + letter + axis));
    if (!x || !y) return undefined;
    return (row: number): Vec3 => [x(row), y(row), (z ?? zero)(row)];
  };
  const all: Arrow[] = [];
  const add = (kind: ArrowKind, name: string, unit: string, at: Arrow["at"], vector: Arrow["vector"] | undefined) => {
    if (vector) all.push({ kind, name, unit, at, vector });
  };
  const { scene } = report;

  for (const joint of scene.joints) {
    // On the second body, or on the first where the second is the ground.
    const on: Place = joint.j.body !== 0 ? joint.j : joint.i;
    const body = scene.bodies[on.body - 1]?.name ?? "ground";
    add("reaction", `${joint.name} on ${body}`, "N", (row) => motion.at(on, row), vectorOf(`${joint.name}.on_${body}.`, "f"));
  }

  for (const force of report.parts?.forces ?? []) {
    const own = part(`${force.name}.x`);
    const other = part(`${force.name}.y`);
    const height = part(`${force.name}.z`) ?? zero;
    if (force.type === "time_series" && own && other) {
      add("applied", force.name, "N", (row) => [own(row), other(row), height(row)], vectorOf(`${force.name}.`, "f"));
    } else if (force.type === "force") {
      add("applied", force.name, "N", (row) => motion.at(force.j, row), vectorOf(`${force.name}.`, "f"));
    } else if (force.type === "tyre") {
      const up = part(`${force.name}.force`);
      const axis = scene.dim === 2 ? 1 : 2;
      add("applied", force.name, "N", (row) => motion.at(force.j, row),
        up && ((row) => [0, 1, 2].map((k) => (k === axis ? up(row) : 0)) as Vec3));
    } else if (force.type === "spring") {
      // Of contacts the force has no such line, and its sign is another.
      const pull = part(`${force.name}.force`);
      if (pull) for (const [end, far] of [[force.i, force.j], [force.j, force.i]] as const) {
        if (end.body === 0) continue;
        add("applied", force.name, "N", (row) => motion.at(end, row), (row) => {
          const a = motion.at(end, row);
          const b = motion.at(far, row);
          const d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
          const length = Math.hypot(...d);
          return d.map((v) => (length > 0 ? (v / length) * pull(row) : 0)) as Vec3;
        });
      }
    }
  }

  scene.bodies.forEach((body, k) => {
    add("velocity", body.name, "m/s", (row) => motion.pose(k + 1, row).x, vectorOf(`${body.name}.`, "v"));
  });
  for (const point of scene.points)
    add("velocity", point.name, "m/s", (row) => motion.at(point, row), vectorOf(`${point.name}.`, "v"));
  return all;
}

/** A length that most arrows of a kind do not exceed over the motion: one of seven is longer. */
export function usualLength(arrows: Arrow[], kind: ArrowKind, rows: number): number {
  const lengths: number[] = [];
  const some = arrows.filter((a) => a.kind === kind);
  const stride = Math.max(1, Math.ceil((rows * some.length) / 20000));
  for (const arrow of some)
    for (let row = 0; row < rows; row += stride) {
      const length = Math.hypot(...arrow.vector(row));
      if (Number.isFinite(length) && length > 0) lengths.push(length);
    }
  lengths.sort((a, b) => a - b);
  return lengths.length ? lengths[Math.floor((lengths.length - 1) * 0.85)] : 0;
}
