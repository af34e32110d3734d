// The arrows of a mechanism: reactions, applied forces and moments, velocities.  All numbers are channels.
import { between, type Channels, type Load, type Place, type RunReport, type Vec3 } from "./data";
import { bearingRadius } from "./exaggerate";
import { rotation, transformed, type Motion } from "./motion";

export type ArrowKind = "reaction" | "applied" | "velocity";

export interface Arrow {
  kind: ArrowKind;
  moment: boolean;
  name: string;
  /** Where the arrow begins, in a drawing whose gaps are enlarged by that factor. */
  at(row: number, exaggerate?: number): Vec3;
  vector(row: number): Vec3;
}

type Part = (row: number) => number;
const zero: Part = () => 0;
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a: Vec3, b: Vec3, f = 1): Vec3 => [a[0] + f * b[0], a[1] + f * b[1], a[2] + f * b[2]];
function unitOf(v: Vec3): Vec3 {
  const length = Math.hypot(...v);
  return length > 0 ? [v[0] / length, v[1] / length, v[2] / length] : [0, 0, 0];
}

export function arrowsOf(report: RunReport, motion: Motion, channels: Channels): Arrow[] {
  const { scene } = report;
  const part = (name: string): Part | undefined => {
    const channel = name ? channels.get(name) : undefined;
    return channel && ((row) => between(channel.values, Math.min(row, channel.values.length - 1)));
  };
  /** The vector of these channels; undefined if none of them exists. */
  const vectorOf = (names: string[]): Arrow["vector"] | undefined => {
    const parts = names.map(part);
    if (!parts.some(Boolean)) return undefined;
    const [x, y, z] = parts.map((p) => p ?? zero);
    return (row) => [x(row), y(row), z(row)];
  };
  const axes = (stem: string, letter: string) => ["x", "y", "z"].map((axis) => `${stem}${letter}${axis}`);
  const all: Arrow[] = [];
  const add = (kind: ArrowKind, moment: boolean, name: string, at: Arrow["at"], vector: Arrow["vector"] | undefined) => {
    if (vector) all.push({ kind, moment, name, at, vector });
  };

  for (const joint of scene.joints) {
    // The reaction acts on the second body, or on the first if the second is the ground.
    const on: Place = joint.j.body !== 0 ? joint.j : joint.i;
    const body = scene.bodies[on.body - 1]?.name ?? "ground";
    const stem = `${joint.name}.on_${body}.`;
    const at = (row: number) => motion.at(on, row);
    add("reaction", false, `${joint.name} on ${body}`, at, vectorOf(axes(stem, "f")));
    add("reaction", true, `${joint.name} on ${body}`, at, vectorOf(scene.dim === 2 ? ["", "", `${stem}m`] : axes(stem, "m")));
  }

  /** The components in global axes. */
  const turned = (load: Load, row: number, v: Vec3): Vec3 => {
    if (!load.axes) return v;
    const inBody = transformed({ x: [0, 0, 0], turned: rotation(load.axes.turn) }, v);
    return transformed({ ...motion.pose(load.axes.body, row), x: [0, 0, 0] }, inBody);
  };
  for (const load of report.loads) {
    const gap = scene.gaps.find((g) => g.name === load.name && g.radius_i > 0);
    const point = load.point && vectorOf(load.point);
    const at: Arrow["at"] = (row, exaggerate = 1) => {
      if (point) return point(row);
      const place = motion.at(load.at, row);
      if (load.shift) return plus(place, minus(motion.at(load.shift, row), motion.pose(load.shift.body, row).x));
      if (!load.from) return place;
      const from = motion.at(load.from, row);
      const away = unitOf(minus(place, from));
      return gap ? plus(from, away, bearingRadius(gap, exaggerate)) : plus(place, away, load.reach);
    };
    const value = vectorOf(load.parts);
    const toward = load.toward;
    add("applied", load.moment, load.name, at, value && ((row) => {
      const v = value(row);
      const f = toward ? plus([0, 0, 0], unitOf(minus(motion.at(toward, row), motion.at(load.at, row))), v[0]) : turned(load, row, v);
      return plus([0, 0, 0], f, load.sign);
    }));
  }

  scene.bodies.forEach((body, k) => {
    add("velocity", false, body.name, (row) => motion.pose(k + 1, row).x, vectorOf(axes(`${body.name}.`, "v")));
  });
  for (const p of scene.points)
    add("velocity", false, p.name, (row) => motion.at(p, row), vectorOf(axes(`${p.name}.`, "v")));
  return all;
}

/** A length that six of seven arrows of a kind do not exceed over the motion.  Rounding does not count. */
export function usualLength(arrows: Arrow[], rows: number): number {
  const lengths: number[] = [];
  const stride = Math.max(1, Math.ceil((rows * arrows.length) / 20000));
  let longest = 0;
  for (const arrow of arrows)
    for (let row = 0; row < rows; row += stride) {
      const length = Math.hypot(...arrow.vector(row));
      if (!Number.isFinite(length) || !(length > 0)) continue;
      lengths.push(length);
      longest = Math.max(longest, length);
    }
  const sound = lengths.filter((l) => l > 1e-6 * longest).sort((a, b) => a - b);
  return sound.length ? sound[Math.floor((sound.length - 1) * 0.85)] : 0;
}
