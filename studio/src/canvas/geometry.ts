// Where the parts of the model are at present: at the start, in a row of a motion, or where a hand has dragged them.
import type { Scene, Shape, Vec3 } from "../../../web/src/data";
import { planarPose, transformed, type Pose } from "../../../web/src/motion";
import type { Checked, ModelInfo } from "../../../wasm/interface";
import type { Item, Shown } from "../context";
import { placeNames, sketchedBodies, writtenPlace, type Xy } from "../model/sketch";
import type { Toml } from "../toml/tree";

export interface Now {
  toml: Toml | undefined;
  scene: Scene;
  info: ModelInfo | undefined;
  answer: Checked | undefined;
  /** Of body k, 0 is the ground. */
  pose(body: number): Pose;
  places: Map<string, Xy>;
  /** Whether this is the start, so that places are where they are drawn. */
  start: boolean;
}

const ground: Pose = planarPose([0, 0, 0]);

/** The model from its text alone, for texts that the program does not accept yet. */
export function sketchedScene(toml: Toml): Scene {
  const at = (name: string): Vec3 | undefined => {
    const xy = writtenPlace(toml, name);
    return xy && [xy[0], xy[1], 0];
  };
  const scene: Scene = { dim: 2, size: 1, bodies: [], ground: [], ties: [], joints: [], points: [], gaps: [] };
  for (const { name, through } of sketchedBodies(toml)) {
    const points = through.map(at).filter((p): p is Vec3 => p !== undefined);
    if (name === "ground") scene.ground.push(...points.map((p): Shape => ({ type: "ground", at: p })));
    else scene.bodies.push({ name, shapes: points.length < 2 ? [] : [points.length > 2 ? { type: "plate", points } : { type: "link", points }] });
  }
  return scene;
}

/** Poses from an array as the library gives it. */
export function posesOf(dim: number, values: ArrayLike<number>): Pose[] {
  const width = dim === 2 ? 3 : 7;
  return Array.from({ length: values.length / width }, (_, k) => planarPose(Array.from({ length: 3 }, (_, n) => values[k * width + n])));
}

export interface Sources {
  toml: Toml | undefined;
  /** The newest answer that has a model, and whether it is about this text. */
  answer: Checked | undefined;
  fresh: boolean;
  shown: Shown | undefined;
  /** Where a hand has dragged the bodies. */
  dragged: Pose[] | undefined;
}

export function geometry({ toml, answer, fresh, shown, dragged }: Sources): Now {
  const info = answer?.model ?? undefined;
  const places = new Map<string, Xy>();
  for (const place of info?.places ?? []) places.set(place.name, [place.at[0], place.at[1]]);
  for (const name of toml ? placeNames(toml) : []) {
    const xy = writtenPlace(toml!, name);
    if (xy) places.set(name, xy);
  }
  if (toml) for (const name of [...places.keys()]) if (!toml.root.table("places")?.get(name)) places.delete(name);
  const common = { toml, info, answer, places };
  if (shown) return { ...common, scene: shown.scene, pose: (k) => shown.motion.pose(k, shown.row), start: false };
  if (info && (fresh || !toml)) {
    // A mechanism that cannot be assembled is drawn as it is written.
    const { assembled, given } = answer!;
    const poses = dragged ?? posesOf(info.dim, assembled.length ? assembled : given);
    return { ...common, scene: info.scene, pose: (k) => (k === 0 ? ground : poses[k - 1] ?? ground), start: !dragged };
  }
  return { ...common, scene: toml ? sketchedScene(toml) : { dim: 2, size: 1, bodies: [], ground: [], ties: [], joints: [], points: [], gaps: [] }, pose: () => ground, start: true };
}

export const pointAt = (now: Now, body: number, at: ArrayLike<number>): Vec3 => transformed(now.pose(body), [at[0], at[1], at[2] ?? 0]);

/** A global point in the axes of a body. */
export function localPoint(pose: Pose, [x, y]: Xy): [number, number] {
  const [dx, dy] = [x - pose.x[0], y - pose.x[1]];
  const A = pose.turned;
  return [A[0][0] * dx + A[1][0] * dy, A[0][1] * dx + A[1][1] * dy];
}

export function distanceToSegment(p: Xy, a: Xy, b: Xy): number {
  const [ux, uy] = [b[0] - a[0], b[1] - a[1]];
  const s = Math.min(1, Math.max(0, ((p[0] - a[0]) * ux + (p[1] - a[1]) * uy) / (ux * ux + uy * uy || 1)));
  return Math.hypot(p[0] - a[0] - s * ux, p[1] - a[1] - s * uy);
}

export function isInside(p: Xy, corners: readonly Xy[]): boolean {
  let inside = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [a, b] = [corners[i], corners[j]];
    if (a[1] > p[1] !== b[1] > p[1] && p[0] < ((b[0] - a[0]) * (p[1] - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside;
}

/** How far a point in the axes of its body is from a shape; zero within it. */
function distanceToShape(shape: Shape, p: Xy): number {
  const flat = (v: Vec3): Xy => [v[0], v[1]];
  const round = (points: Xy[], closed: boolean) => {
    let least = Infinity;
    for (let k = closed ? 0 : 1; k < points.length; ++k) least = Math.min(least, distanceToSegment(p, points.at(k - 1)!, points[k]));
    return least;
  };
  switch (shape.type) {
    case "link":
      return round(shape.points.map(flat), false);
    case "plate":
      return isInside(p, shape.points.map(flat)) ? 0 : round(shape.points.map(flat), true);
    case "disc":
    case "sphere": {
      const d = Math.hypot(p[0] - shape.at[0], p[1] - shape.at[1]);
      return shape.type === "disc" && shape.hollow ? Math.abs(d - shape.radius) : Math.max(0, d - shape.radius);
    }
    case "box": {
      const [ux, uy] = [shape.x[0], shape.x[1]];
      const [dx, dy] = [p[0] - shape.at[0], p[1] - shape.at[1]];
      return Math.hypot(Math.max(0, Math.abs(dx * ux + dy * uy) - shape.size[0] / 2), Math.max(0, Math.abs(-dx * uy + dy * ux) - shape.size[1] / 2));
    }
    case "guide":
      return distanceToSegment(p, [shape.at[0] - (shape.x[0] * shape.length) / 2, shape.at[1] - (shape.x[1] * shape.length) / 2], [shape.at[0] + (shape.x[0] * shape.length) / 2, shape.at[1] + (shape.x[1] * shape.length) / 2]);
    case "solid": {
      for (let k = 0; k < shape.triangles.length; k += 3) if (isInside(p, [0, 1, 2].map((n) => flat(shape.points[shape.triangles[k + n]])))) return 0;
      return Infinity;
    }
    default:
      return Math.hypot(p[0] - shape.at[0], p[1] - shape.at[1]);
  }
}

/** The body under a point, the last drawn first; 0 if there is none. */
export function bodyAt(now: Now, p: Xy, reach: number): number {
  let [best, least] = [0, reach];
  now.scene.bodies.forEach((body, k) => {
    const local = localPoint(now.pose(k + 1), p);
    for (const shape of body.shapes) {
      const d = distanceToShape(shape, local);
      if (d <= least && d < Infinity) [best, least] = [k + 1, d];
    }
  });
  return best;
}

export function placeAt(now: Now, p: Xy, reach: number): string | undefined {
  if (!now.start) return undefined;
  let best: string | undefined;
  for (const [name, at] of now.places) {
    const d = Math.hypot(at[0] - p[0], at[1] - p[1]);
    if (d <= reach) [best, reach] = [name, d];
  }
  return best;
}

/** The entry of the text that an element of the model comes from: a list of pins makes several. */
export function entryOf(now: Now, name: string): Item | undefined {
  const root = now.toml?.root;
  for (const section of ["joints", "drivers", "forces", "points", "bodies", "markers"])
    if (root?.table(section)?.get(name)) return { section, name };
  const joints = root?.table("joints")?.names ?? [];
  const stem = joints.filter((j) => name.startsWith(`${j}_`)).sort((a, b) => b.length - a.length)[0];
  return stem === undefined ? undefined : { section: "joints", name: stem };
}

/** What is under a point: a place, a spring or a rod, a driver or a force, a joint, a body. */
export function itemAt(now: Now, p: Xy, reach: number): Item | undefined {
  const place = placeAt(now, p, reach);
  if (place !== undefined) return { section: "places", name: place };
  for (const point of now.scene.points) {
    const at = pointAt(now, point.body, point.at);
    if (Math.hypot(at[0] - p[0], at[1] - p[1]) <= reach) return { section: "points", name: point.name };
  }
  for (const tie of now.scene.ties) {
    const [a, b] = [pointAt(now, tie.i.body, tie.i.at), pointAt(now, tie.j.body, tie.j.at)];
    if (distanceToSegment(p, [a[0], a[1]], [b[0], b[1]]) <= reach) return entryOf(now, tie.name);
  }
  for (const joint of now.scene.joints) {
    const at = pointAt(now, joint.i.body, joint.i.at);
    if (Math.hypot(at[0] - p[0], at[1] - p[1]) <= 0.8 * reach) return entryOf(now, joint.name);
  }
  const body = bodyAt(now, p, reach);
  if (body) return { section: "bodies", name: now.scene.bodies[body - 1].name };
  return undefined;
}

export interface Box {
  low: Xy;
  high: Xy;
}

/** The corners of everything. */
export function extent(now: Now): Box | undefined {
  const low: [number, number] = [Infinity, Infinity];
  const high: [number, number] = [-Infinity, -Infinity];
  const add = (p: ArrayLike<number>, r = 0) => {
    for (const k of [0, 1]) {
      if (!Number.isFinite(p[k])) return;
      low[k] = Math.min(low[k], p[k] - r);
      high[k] = Math.max(high[k], p[k] + r);
    }
  };
  for (const at of now.places.values()) add(at);
  now.scene.bodies.forEach((body, k) => {
    const pose = now.pose(k + 1);
    add(pose.x);
    for (const s of body.shapes) {
      if ("points" in s) s.points.forEach((p) => add(transformed(pose, p)));
      else add(transformed(pose, s.at), "radius" in s ? s.radius : s.type === "box" ? Math.max(s.size[0], s.size[1]) / 2 : 0);
    }
  });
  for (const s of now.scene.ground) if ("at" in s && s.type !== "box") add(s.at, s.type === "guide" ? s.length / 2 : 0);
  return Number.isFinite(low[0]) ? { low, high } : undefined;
}
