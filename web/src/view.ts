// The common part of the two views of a mechanism, in the plane and in space.
import type { Arrow, ArrowKind } from "./arrows";
import { usualLength } from "./arrows";
import { roundBelow, unit, number } from "./format";
import type { Motion } from "./motion";
import { between, type Channels, type RunReport, type Vec3 } from "./data";

export interface ViewSettings {
  names: boolean;
  centre: boolean;
  arrows: Record<ArrowKind, boolean>;
  arrowSize: number;
  exaggerate: number; // factor by which gaps are enlarged
  traces: Set<string>;
}

export interface View {
  element: HTMLElement;
  draw(row: number): void;
  fit(): void;
  /** To be called when the motion, or those beside it, were replaced. */
  renew(): void;
  /** The drawing as it stands, as an image and, where it is made of lines, as a drawing. */
  canvas?: HTMLCanvasElement;
  svg?(): string;
  /** Gives back what the browser has few of; the view is not drawn any more. */
  close?(): void;
  /** Where it is seen from, as numbers that lookFrom() takes; none if nobody has moved it. */
  outlook(): number[];
  lookFrom(outlook: number[]): void;
  /** Moves along with a point. */
  follow(at: Vec3): void;
}

export type MakeView = (report: RunReport, motion: Motion, channels: Channels, arrows: Arrow[], settings: ViewSettings) => View;

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

/** The path of a point over all rows, thinned to at most `most` of them.  Few rows are filled up: between them motions go
 *  along curves. */
export function pathOf(tracer: Tracer, rows: number, most = 4000): Vec3[] {
  const last = Math.max(0, rows - 1);
  const fine = Math.max(1, Math.min(20, Math.floor(1000 / Math.max(1, rows))));
  const stride = Math.max(1, Math.ceil(rows / most));
  const path: Vec3[] = [];
  if (rows > 0 && stride === 1) for (let k = 0; k <= last * fine; ++k) path.push(tracer.at(k / fine));
  if (stride === 1) return path;
  for (let row = 0; row < rows; row += stride) path.push(tracer.at(row));
  if (last % stride !== 0) path.push(tracer.at(last));
  return path;
}

/** The properties on which an arrow's scale depends. */
export interface Family {
  kind: ArrowKind;
  moment: boolean;
  label: string;
}

/** The lengths of drawn arrows; for a moment, an arc, the radius counts.  Peaks may be a hundred times the usual
 *  length: they are cut, and have two heads. */
export class ArrowScale {
  private readonly known = new Map<string, number>();
  constructor(private readonly arrows: Arrow[], private readonly motion: Motion, private readonly size: number) {}

  private usual(kind: ArrowKind, moment: boolean): number {
    const key = `${kind} ${moment}`;
    let length = this.known.get(key);
    if (length === undefined) {
      length = usualLength(this.arrows.filter((a) => a.kind === kind && a.moment === moment), this.motion.times.length);
      // A moment that is tiny beside the forces times the size of the mechanism is rounding only.
      if (moment && length <= 1e-9 * this.usual(kind, false) * this.size) length = 0;
      this.known.set(key, length);
    }
    return length;
  }
  /** Metres on the drawing per unit of the arrow. */
  factor(kind: ArrowKind, moment: boolean, arrowSize: number): number {
    const usual = this.usual(kind, moment);
    return usual > 0 ? ((moment ? 0.07 : 0.18) * this.size * arrowSize) / usual : 0;
  }
  /** An arrow on the drawing [m], and whether it was cut. */
  drawn(v: Vec3, moment: boolean, factor: number): { v: Vec3; cut: boolean } {
    const length = Math.hypot(...v) * factor;
    const most = (moment ? 0.2 : 0.6) * this.size;
    const cut = length > most;
    const f = cut ? (factor * most) / length : factor;
    return { v: [v[0] * f, v[1] * f, v[2] * f], cut };
  }
  /** A round quantity, its length or radius on the drawing [m], and its text. */
  legend(kind: ArrowKind, moment: boolean, arrowSize: number): { length: number; text: string } | undefined {
    const usual = this.usual(kind, moment);
    if (!(usual > 0)) return undefined;
    const round = roundBelow(usual);
    const u = kind === "velocity" ? "m/s" : moment ? "N m" : "N";
    return { length: round * this.factor(kind, moment, arrowSize), text: `${number(round, 2)} ${unit(u)}` };
  }
}

export const arrowKinds: { kind: ArrowKind; label: string; title: string }[] = [
  { kind: "reaction", label: "Reactions", title: "forces and moments of joints and drivers on bodies" },
  { kind: "applied", label: "Forces", title: "forces and moments of springs, bushings, contacts, tyres, and those applied or measured" },
  { kind: "velocity", label: "Velocities", title: "velocities of points and centres of mass" },
];

/** The families, each with a scale and a line in the legend. */
export const families: Family[] = [
  { kind: "reaction", moment: false, label: "reactions" },
  { kind: "reaction", moment: true, label: "moments of joints (radius)" },
  { kind: "applied", moment: false, label: "forces" },
  { kind: "applied", moment: true, label: "moments (radius)" },
  { kind: "velocity", moment: false, label: "velocities" },
];

/** Centre of mass of all bodies, as the program gives it. */
export function massCentre(channels: Channels): ((row: number) => Vec3) | undefined {
  const [x, y, z] = ["x", "y", "z"].map((axis) => channels.get(`mass_centre.${axis}`)?.values);
  if (!x || !y || x.length < 1) return undefined;
  return (row) => [between(x, row), between(y, row), z ? between(z, row) : 0];
}
