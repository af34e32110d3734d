// What the two views of a mechanism, in the plane and in space, have in common.
import type { Arrow, ArrowKind } from "./arrows";
import { usualLength } from "./arrows";
import { roundBelow, unit, number } from "./format";
import type { Motion } from "./motion";
import type { RunReport, Vec3 } from "./data";

export interface ViewSettings {
  names: boolean;
  centre: boolean;
  arrows: Record<ArrowKind, boolean>;
  arrowSize: number;
  traces: Set<string>;
}

export interface View {
  element: HTMLElement;
  draw(row: number): void;
  fit(): void;
}

export type MakeView = (report: RunReport, motion: Motion, arrows: Arrow[], settings: ViewSettings) => View;

/** A point whose path can be shown. */
export interface Tracer {
  name: string;
  at(row: number): Vec3;
  body: number;
}

export function tracersOf(motion: Motion): Tracer[] {
  const { scene } = motion;
  return [
    ...scene.points.map((p) => ({ name: p.name, body: p.body, at: (row: number) => motion.at(p, row) })),
    ...scene.bodies.map((b, k) => ({ name: b.name, body: k + 1, at: (row: number) => motion.pose(k + 1, row).x })),
  ];
}

/** The path of a point over all rows, at most so many of them. */
export function pathOf(tracer: Tracer, rows: number, most = 4000): Vec3[] {
  const stride = Math.max(1, Math.ceil(rows / most));
  const path: Vec3[] = [];
  for (let row = 0; row < rows; row += stride) path.push(tracer.at(row));
  if (rows > 0 && (rows - 1) % stride !== 0) path.push(tracer.at(rows - 1));
  return path;
}

/** How long arrows are drawn.  Peaks may be a hundred times what is usual: they are cut, and have two heads. */
export class ArrowScale {
  private readonly known = new Map<ArrowKind, number>();
  constructor(private readonly arrows: Arrow[], private readonly rows: number, private readonly size: number) {}

  private usual(kind: ArrowKind): number {
    let length = this.known.get(kind);
    if (length === undefined) this.known.set(kind, (length = usualLength(this.arrows, kind, this.rows)));
    return length;
  }
  /** Metres on the drawing per unit of the arrow. */
  factor(kind: ArrowKind, arrowSize: number): number {
    const usual = this.usual(kind);
    return usual > 0 ? (0.18 * this.size * arrowSize) / usual : 0;
  }
  /** An arrow on the drawing [m], and whether it was cut. */
  drawn(v: Vec3, factor: number): { v: Vec3; cut: boolean } {
    const length = Math.hypot(...v) * factor;
    const most = 0.6 * this.size;
    const cut = length > most;
    const f = cut ? (factor * most) / length : factor;
    return { v: [v[0] * f, v[1] * f, v[2] * f], cut };
  }
  /** A round quantity, its length on the drawing [m], and its text. */
  legend(kind: ArrowKind, arrowSize: number): { length: number; text: string } | undefined {
    const usual = this.usual(kind);
    if (!(usual > 0)) return undefined;
    const round = roundBelow(usual);
    return { length: round * this.factor(kind, arrowSize), text: `${number(round, 2)} ${unit(kind === "velocity" ? "m/s" : "N")}` };
  }
}

export const arrowKinds: { kind: ArrowKind; label: string; title: string }[] = [
  { kind: "reaction", label: "Reactions", title: "forces of the joints on the bodies" },
  { kind: "applied", label: "Applied forces", title: "springs, dampers, applied and measured forces" },
  { kind: "velocity", label: "Velocities", title: "velocities of points and centres of mass" },
];

/** Centre of mass of all bodies, as the program gives it. */
export function massCentre(motion: Motion): ((row: number) => Vec3) | undefined {
  const parts = ["x", "y", "z"].map((axis) => motion.channels.get(`mass_centre.${axis}`)?.values);
  const [x, y, z] = parts;
  if (!x || !y) return undefined;
  const value = (column: Float32Array | undefined, row: number) => {
    if (!column) return 0;
    const low = Math.floor(row);
    const share = row - low;
    return share === 0 ? column[low] : column[low] * (1 - share) + column[low + 1] * share;
  };
  return (row) => [value(x, row), value(y, row), value(z, row)];
}
