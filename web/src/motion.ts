// The poses of bodies: positions and rotations from the table `bodies`.  Between its rows they go along cubic curves that
// have the recorded velocities at both ends, so that a motion of few rows is smooth and does not cut corners.
import { between, rowAt, type Place, type Scene, type Shape, type Vec3 } from "./data";

/** A source of columns: the channels of a run, or one mode. */
export interface Columns {
  times: Float64Array;
  get(name: string): { values: Float32Array } | undefined;
}

/** Position and rotation matrix, row by row. */
export interface Pose {
  x: Vec3;
  turned: [Vec3, Vec3, Vec3];
}

const still: Pose = { x: [0, 0, 0], turned: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] };

export function transformed(pose: Pose, s: Vec3): Vec3 {
  const { x, turned: A } = pose;
  return [
    x[0] + A[0][0] * s[0] + A[0][1] * s[1] + A[0][2] * s[2],
    x[1] + A[1][0] * s[0] + A[1][1] * s[1] + A[1][2] * s[2],
    x[2] + A[2][0] * s[0] + A[2][1] * s[1] + A[2][2] * s[2],
  ];
}

/** The rotation matrix of a quaternion, scalar first; of any length. */
export function rotation(e: number[]): Pose["turned"] {
  const length = Math.hypot(...e) || 1;
  const [a, b, c, d] = e.map((v) => v / length);
  return [
    [1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
    [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
    [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)],
  ];
}

/** The pose of a body from its coordinates. */
export function planarPose([x, y, angle]: number[]): Pose {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return { x: [x, y, 0], turned: [[c, -s, 0], [s, c, 0], [0, 0, 1]] };
}
export function spatialPose([x, y, z, ...e]: number[]): Pose {
  return { x: [x, y, z], turned: e.some((v) => v !== 0) ? rotation(e) : still.turned };
}

/** The names of the columns of a body. */
export const partsOf = (scene: Scene) => (scene.dim === 2 ? ["x", "y", "angle"] : ["x", "y", "z", "e0", "e1", "e2", "e3"]);

/** The names of the velocities that go with them: of the position, then the angular velocity. */
const ratesOf = (scene: Scene) => (scene.dim === 2 ? ["vx", "vy", "omega"] : ["vx", "vy", "vz", "wx", "wy", "wz"]);

/** Hermite's cubic between two values with slopes, at a share of a stretch of length h. */
export function cubic(a: number, b: number, slopeA: number, slopeB: number, h: number, share: number): number {
  const [s, r] = [share, 1 - share];
  return r * r * (1 + 2 * s) * a + s * s * (1 + 2 * r) * b + s * r * h * (r * slopeA - s * slopeB);
}

/** The rate of a quaternion of a body with that angular velocity in body axes, e' = e (0, w) / 2. */
export function quaternionRate([e0, e1, e2, e3]: number[], [x, y, z]: number[]): number[] {
  return [
    -0.5 * (x * e1 + y * e2 + z * e3),
    0.5 * (x * e0 + z * e2 - y * e3),
    0.5 * (y * e0 + x * e3 - z * e1),
    0.5 * (z * e0 + y * e1 - x * e2),
  ];
}

/** Of b and -b, which are one rotation, the one to which the rates lead from a. */
function nearer(a: number[], b: number[], wa: number[], wb: number[], h: number): number[] {
  const opposite = b.map((v) => -v);
  const [va, vb] = [quaternionRate(a, wa), quaternionRate(b, wb)];
  const missed = (sign: number) => Math.hypot(...a.map((v, k) => sign * b[k] - v - 0.5 * h * (va[k] + sign * vb[k])));
  return missed(1) <= missed(-1) ? b : opposite;
}

type Numbers = (Float32Array | undefined)[];

/** What columns say at a row; 0 where there is no column. */
const at = (columns: Numbers, row: number) => columns.map((c) => (c && c.length ? c[row] : 0));

export class Motion {
  times!: Float64Array;
  /** Other motions that are drawn faintly beside this one at the same time. */
  others: Motion[] = [];
  /** The poses of the bodies at rest, if this is the motion of a mode. */
  rest: Pose[] | undefined;
  /** The poses that a running program says, in place of those of the rows. */
  live: Pose[] | undefined;
  private columns!: Numbers[];
  private rates!: Numbers[];

  constructor(readonly scene: Scene, columns: Columns) {
    this.take(columns);
  }

  /** Replaces the motion by that of these columns. */
  take(columns: Columns) {
    const parts = partsOf(this.scene);
    this.columns = this.scene.bodies.map((b) => parts.map((p) => columns.get(`${b.name}.${p}`)?.values));
    const rates = ratesOf(this.scene);
    this.rates = this.scene.bodies.map((b) => rates.map((p) => columns.get(`${b.name}.${p}`)?.values));
    this.times = columns.times;
  }

  /** Whether there are numbers of a body. */
  knows(body: number): boolean {
    return body === 0 || (this.columns[body - 1]?.some((c) => c && c.length > 0) ?? false);
  }
  /** The row, with a fraction, that shows a time. */
  rowOf(t: number): number {
    return rowAt(this.times, t);
  }

  pose(body: number, row: number): Pose {
    if (body === 0) return still;
    if (this.live) return this.live[body - 1] ?? still;
    const values = this.smooth(body - 1, row) ?? this.straight(body - 1, row);
    return this.scene.dim === 2 ? planarPose(values) : spatialPose(values);
  }

  private straight(body: number, row: number): number[] {
    const columns = this.columns[body] ?? [];
    return partsOf(this.scene).map((_, k) => {
      const column = columns[k];
      return column && column.length ? between(column, row) : 0;
    });
  }

  /** The coordinates along cubics between two rows; nothing at a row, or where there are no velocities. */
  private smooth(body: number, row: number): number[] | undefined {
    const low = Math.floor(row);
    const share = row - low;
    const rates = this.rates[body];
    if (share === 0 || !rates?.every((r) => r && r.length > low + 1)) return undefined;
    const h = this.times[low + 1] - this.times[low];
    const [a, b] = [at(this.columns[body], low), at(this.columns[body], low + 1)];
    let [va, vb] = [at(rates, low), at(rates, low + 1)];
    if (this.scene.dim === 3) {
      b.splice(3, 4, ...nearer(a.slice(3), b.slice(3), va.slice(3), vb.slice(3), h));
      va = [...va.slice(0, 3), ...quaternionRate(a.slice(3), va.slice(3))];
      vb = [...vb.slice(0, 3), ...quaternionRate(b.slice(3), vb.slice(3))];
    }
    const values = a.map((_, k) => cubic(a[k], b[k], va[k], vb[k], h, share));
    return values.every(Number.isFinite) ? values : undefined;
  }

  at(place: Place, row: number): Vec3 {
    return transformed(this.pose(place.body, row), place.at);
  }

  /** The corners of everything that is seen over the whole motion, including the ground's shapes. */
  extent(most = 200): { low: Vec3; high: Vec3 } {
    const low: Vec3 = [Infinity, Infinity, Infinity];
    const high: Vec3 = [-Infinity, -Infinity, -Infinity];
    const add = (p: Vec3, r = 0) => {
      if (!p.every(Number.isFinite)) return;
      for (let k = 0; k < 3; ++k) {
        low[k] = Math.min(low[k], p[k] - r);
        high[k] = Math.max(high[k], p[k] + r);
      }
    };
    for (const shape of this.scene.ground) for (const [p, r] of cornersOf(shape)) add(p, r);
    const corners = this.scene.bodies.map((b) => b.shapes.flatMap(cornersOf));
    const rows = this.times.length;
    const frames = Math.min(rows, Math.max(2, Math.floor(most / Math.max(1, this.scene.bodies.length / 50))));
    for (let f = 0; f < frames; ++f) {
      const row = frames < 2 ? 0 : Math.round((f * (rows - 1)) / (frames - 1));
      corners.forEach((points, k) => {
        const pose = this.pose(k + 1, row);
        add(pose.x);
        for (const [p, r] of points) add(transformed(pose, p), r);
      });
      for (const { i, j } of this.scene.ties) for (const end of [i, j]) add(this.at(end, row));
    }
    if (!Number.isFinite(low[0])) return { low: [-1, -1, -1], high: [1, 1, 1] };
    return { low, high };
  }
}

type Corner = [Vec3, number];

function boxCorners({ at, x, axis, size }: Extract<Shape, { type: "box" }>): Vec3[] {
  const z: Vec3 = axis ?? [0, 0, 1];
  const y: Vec3 = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => {
    const [a, b, c] = size.map((side, axis) => (k & (1 << axis) ? 0.5 : -0.5) * side);
    return at.map((v, i) => v + a * x[i] + b * y[i] + c * z[i]) as Vec3;
  });
}

/** The corners of the box around points. */
function boundsOf(points: Vec3[]): Vec3[] {
  const low: Vec3 = [Infinity, Infinity, Infinity];
  const high: Vec3 = [-Infinity, -Infinity, -Infinity];
  for (const p of points)
    for (let a = 0; a < 3; ++a) {
      low[a] = Math.min(low[a], p[a]);
      high[a] = Math.max(high[a], p[a]);
    }
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0, 1, 2].map((a) => (k & (1 << a) ? high : low)[a]) as Vec3);
}

function cornersOf(shape: Shape): Corner[] {
  switch (shape.type) {
    case "link":
    case "plate":
      return shape.points.map((p) => [p, 0]);
    case "disc":
    case "sphere":
      return [[shape.at, shape.radius]];
    case "box":
      return boxCorners(shape).map((p) => [p, 0]);
    case "guide":
      return [-0.5, 0.5].map((k) => [shape.at.map((v, a) => v + k * shape.length * shape.x[a]) as Vec3, 0]);
    case "solid":
      return boundsOf(shape.points).map((p) => [p, 0]);
    default:
      return [[shape.at, 0]];
  }
}
