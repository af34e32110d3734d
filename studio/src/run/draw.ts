// What is drawn over the mechanism on the canvas while a motion is shown: arrows, paths, ghosts, instant centres.
import type { ArrowKind } from "../../../web/src/arrows";
import type { Vec3 } from "../../../web/src/data";
import { faint, drawArrow, drawMoment, drawShape, type Pen } from "../../../web/src/plane_shapes";
import { transformed, type Motion } from "../../../web/src/motion";
import { seriesColour, colours } from "../../../web/src/theme";
import { ArrowScale, families, pathOf, tracersOf } from "../../../web/src/view";
import type { Item } from "../context";
import { instantCentre, velocityOf } from "./measures";
import type { Run } from "./player";
import type { Xy } from "./target";

export interface Shows {
  arrows: Record<ArrowKind, boolean>;
  arrowSize: number;
  centres: boolean;
  paths: Set<string>;
  ghosts: boolean;
}

const scales = new WeakMap<Run, ArrowScale>();
const traces = new WeakMap<Run, Map<string, Vec3[]>>();

function scaleOf(run: Run): ArrowScale {
  let scale = scales.get(run);
  if (!scale) {
    const { low, high } = run.motion.extent();
    scales.set(run, (scale = new ArrowScale(run.arrows, run.motion, Math.max(high[0] - low[0], high[1] - low[1], 1e-9))));
  }
  return scale;
}

/** The path of a point or of a centre of mass, by its name. */
export function traceOf(run: Run, name: string): Vec3[] {
  let known = traces.get(run);
  if (!known) traces.set(run, (known = new Map()));
  let path = known.get(name);
  if (!path) {
    const tracer = tracersOf(run.motion).find((t) => t.name === name);
    known.set(name, (path = tracer ? pathOf(tracer, run.motion.times.length) : []));
  }
  return path;
}

export function drawArrows(pen: Pen, run: Run, row: number, shows: Shows) {
  const scale = scaleOf(run);
  for (const { kind, moment } of families) {
    const factor = shows.arrows[kind] ? scale.factor(kind, moment, shows.arrowSize) : 0;
    if (!factor) continue;
    for (const arrow of run.arrows) {
      if (arrow.kind !== kind || arrow.moment !== moment) continue;
      const at = arrow.at(row);
      const { v, cut } = scale.drawn(arrow.vector(row), moment, factor);
      if (moment) drawMoment(pen, pen.to(at), v[2] * pen.scale, pen.colours[kind], cut);
      else drawArrow(pen, pen.to(at), pen.to([at[0] + v[0], at[1] + v[1], 0]), pen.colours[kind], cut);
    }
  }
}

/** What the arrows of a kind mean, in words. */
export function legendOf(run: Run, shows: Shows): string[] {
  return families.flatMap(({ kind, moment, label }) => {
    const sample = shows.arrows[kind] ? scaleOf(run).legend(kind, moment, shows.arrowSize) : undefined;
    return sample ? [`${label}: an arrow ${Number((1000 * sample.length).toPrecision(2))} mm long is ${sample.text}`] : [];
  });
}

function polyline({ c, to }: Pen, points: readonly (Vec3 | Xy)[], colour: string, width: number, dash: number[] = []) {
  c.save();
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.setLineDash(dash);
  c.beginPath();
  let down = false;
  for (const [x, y] of points) {
    const [px, py] = to([x, y, 0]);
    if (!Number.isFinite(px + py)) down = false;
    else if (down) c.lineTo(px, py);
    else (down = true), c.moveTo(px, py);
  }
  c.stroke();
  c.restore();
}

const bodyColour = (motion: Motion, body: number) => motion.scene.bodies[body - 1]?.colour ?? seriesColour(Math.max(0, body - 1));

export function drawPaths(pen: Pen, run: Run, names: Iterable<string>, alpha = 0.8) {
  pen.c.globalAlpha = alpha;
  for (const name of names) {
    const tracer = tracersOf(run.motion).find((t) => t.name === name);
    if (tracer) polyline(pen, traceOf(run, name), bodyColour(run.motion, tracer.body), alpha < 0.5 ? 2.6 : 1.5);
  }
  pen.c.globalAlpha = 1;
}

export const drawTarget = (pen: Pen, target: readonly Xy[]) => polyline(pen, target, colours().accent, 2, [6, 5]);

/** The bodies of another run at a time. */
export function drawGhost(pen: Pen, other: Run, t: number) {
  const { motion } = other;
  const row = motion.rowOf(t);
  pen.c.globalAlpha = 0.2;
  motion.scene.bodies.forEach((body, k) => {
    if (!motion.knows(k + 1)) return;
    const pose = motion.pose(k + 1, row);
    const on: Pen = { ...pen, to: (p) => pen.to(transformed(pose, p)) };
    for (const shape of body.shapes) if (shape.type !== "pin") drawShape(on, shape, bodyColour(motion, k + 1));
  });
  pen.c.globalAlpha = 1;
}

/** The centres of all bodies as seen from the ground; of two selected bodies, also that of one seen from the other. */
export function drawCentres(pen: Pen, run: Run, row: number, selected: readonly Item[]) {
  const { scene } = run.motion;
  if (scene.dim !== 2) return;
  const pairs: [number, number][] = scene.bodies.map((_, k) => [k + 1, 0]);
  const chosen = selected.filter((i) => i.section === "bodies").map((i) => scene.bodies.findIndex((b) => b.name === i.name) + 1).filter((b) => b > 0);
  if (chosen.length === 2) pairs.push([chosen[0], chosen[1]]);
  const { c } = pen;
  c.font = "11px system-ui, sans-serif";
  c.textBaseline = "middle";
  for (const [a, b] of pairs) {
    const [va, vb] = [velocityOf(run.channels, scene, a, row), velocityOf(run.channels, scene, b, row)];
    const centre = va && vb && instantCentre(va, vb);
    if (!centre) continue;
    const [x, y] = pen.to([centre[0], centre[1], 0]);
    const colour = bodyColour(run.motion, a);
    c.strokeStyle = c.fillStyle = colour;
    c.lineWidth = 1.6;
    c.beginPath();
    c.arc(x, y, 5, 0, 2 * Math.PI);
    c.moveTo(x - 9, y), c.lineTo(x + 9, y);
    c.moveTo(x, y - 9), c.lineTo(x, y + 9);
    c.stroke();
    c.fillText(b ? `${scene.bodies[a - 1].name}/${scene.bodies[b - 1].name}` : scene.bodies[a - 1].name, x + 11, y - 9);
    // The ray to the centre of mass is across its velocity.
    c.save();
    c.strokeStyle = faint(colour, 45);
    c.setLineDash([3, 4]);
    c.lineWidth = 1;
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(...pen.to([va.x, va.y, 0]));
    c.stroke();
    c.restore();
  }
}
