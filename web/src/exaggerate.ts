// Play that can be seen: gaps drawn larger than they are, as mubody/picture/exaggerate.h does it.
import type { Gap, Place, Scene, Shape, Vec3 } from "./data";
import type { Motion } from "./motion";

const leastBearing = 1.6; // times the gap, so that a journal remains

/** The radius with which a bearing is drawn [m]. */
export const bearingRadius = (gap: Gap, times: number) => Math.max(gap.radius_i, leastBearing * times * (gap.radius_i - gap.radius_j));

/** The vector from the bearing to the journal, in the axes of the journal's body [m]. */
function offset(gap: Gap, motion: Motion, row: number): Vec3 {
  const [a, b] = [motion.at(gap.i, row), motion.at(gap.j, row)];
  const d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const { turned: A } = motion.pose(gap.j.body, row);
  return [0, 1, 2].map((k) => A[0][k] * d[0] + A[1][k] * d[1] + A[2][k] * d[2]) as Vec3;
}

/** The scene at one row with all gaps enlarged by the factor `times`. */
export function exaggerated(scene: Scene, motion: Motion, row: number, times: number): Scene {
  if (times === 1 || !scene.gaps.length) return scene;
  const changed: Scene = { ...scene, bodies: scene.bodies.map((b) => ({ ...b })) };
  const change = (body: number, to: (shape: Shape) => Shape) => {
    if (body === 0) changed.ground = changed.ground.map(to);
    else changed.bodies[body - 1].shapes = changed.bodies[body - 1].shapes.map(to);
  };
  for (const gap of scene.gaps) {
    const isAt = (p: Vec3, end: Place) => Math.hypot(p[0] - end.at[0], p[1] - end.at[1], p[2] - end.at[2]) <= 1e-9 * (scene.size + Math.hypot(...end.at));
    const shift = offset(gap, motion, row).map((v) => v * (times - 1)) as Vec3;
    const moved = (p: Vec3): Vec3 => (isAt(p, gap.j) ? [p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]] : p);
    const bearing = bearingRadius(gap, times);
    change(gap.i.body, (s) => (s.type === "disc" && s.hollow && s.radius === gap.radius_i && isAt(s.at, gap.i) ? { ...s, radius: bearing } : s));
    change(gap.j.body, (s) => {
      if (s.type === "link" || s.type === "plate") return { ...s, points: s.points.map(moved) };
      if (s.type === "disc" && s.radius === gap.radius_j && isAt(s.at, gap.j))
        return { ...s, at: moved(s.at), radius: bearing - times * (gap.radius_i - gap.radius_j) };
      return s.type === "pin" || s.type === "ground" || s.type === "mass" ? { ...s, at: moved(s.at) } : s;
    });
    const end = (p: Place): Place => (p.body === gap.j.body ? { ...p, at: moved(p.at) } : p);
    changed.ties = changed.ties.map((t) => ({ ...t, i: end(t.i), j: end(t.j) }));
  }
  return changed;
}

/** The factors by which gaps may be enlarged: 1, 2, 5, 10 ... until the largest is a fifth of the mechanism. */
export function choicesOf(scene: Scene, motion: Motion): number[] {
  if (!scene.gaps.length) return [];
  const rows = motion.times.length;
  let largest = 0;
  for (const gap of scene.gaps) {
    largest = Math.max(largest, gap.radius_i - gap.radius_j);
    for (let row = 0; row < rows; row += Math.max(1, Math.ceil(rows / 200))) {
      const size = Math.hypot(...offset(gap, motion, row));
      if (Number.isFinite(size)) largest = Math.max(largest, size);
    }
  }
  const all = [1];
  for (let power = 1; power <= 1e9; power *= 10)
    for (const lead of [2, 5, 10]) if (lead * power * largest <= 0.2 * scene.size * (1 + 1e-6)) all.push(lead * power);
  return largest > 0 ? all : [];
}
