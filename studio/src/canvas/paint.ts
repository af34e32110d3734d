// Draws the canvas: photo, grid, mechanism, and the marks of editing.
import { drawPin, drawShape, drawTie, type Pen, type Point } from "../../../web/src/plane_shapes";
import type { Scene } from "../../../web/src/data";
import { transformed } from "../../../web/src/motion";
import { colours, seriesColour } from "../../../web/src/theme";
import { lieOnLine, sketchedBodies, type Xy } from "../model/sketch";
import { literal } from "../model/units";
import { pointAt, type Now } from "./geometry";
import { drawPhoto } from "./photo";
import type { Stage } from "./stage";

export const colourOf = (scene: Scene, body: number) => scene.bodies[body - 1]?.colour ?? seriesColour(body - 1);

export function drawGrid({ c }: Pen, stage: Stage) {
  const { camera } = stage;
  const { line, snap } = stage.grid();
  const palette = colours();
  const [x0, y0] = camera.toWorld([0, camera.height]);
  const [x1, y1] = camera.toWorld([camera.width, 0]);
  const lines = (step: number, colour: string, alpha: number) => {
    c.strokeStyle = colour;
    c.globalAlpha = alpha;
    c.lineWidth = 1;
    c.beginPath();
    for (let k = Math.ceil(x0 / step); k * step <= x1; ++k) {
      const x = Math.round(camera.toPixels([k * step, 0])[0]) + 0.5;
      c.moveTo(x, 0), c.lineTo(x, camera.height);
    }
    for (let k = Math.ceil(y0 / step); k * step <= y1; ++k) {
      const y = Math.round(camera.toPixels([0, k * step])[1]) + 0.5;
      c.moveTo(0, y), c.lineTo(camera.width, y);
    }
    c.stroke();
    c.globalAlpha = 1;
  };
  if (snap * camera.scale > 9) lines(snap, palette.line, 0.55);
  lines(line, palette.line, 1);
  // The axes.
  c.strokeStyle = palette.soft;
  c.globalAlpha = 0.35;
  c.beginPath();
  const [ox, oy] = camera.toPixels([0, 0]).map((v) => Math.round(v) + 0.5);
  c.moveTo(ox, 0), c.lineTo(ox, camera.height);
  c.moveTo(0, oy), c.lineTo(camera.width, oy);
  c.stroke();
  c.globalAlpha = 1;
}

/** The length of a piece of the grid, bottom left. */
function drawScale(pen: Pen, stage: Stage) {
  const { c } = pen;
  const { camera } = stage;
  const { line } = stage.grid();
  const y = camera.height - 14;
  c.strokeStyle = colours().soft;
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(14, y - 4), c.lineTo(14, y), c.lineTo(14 + line * camera.scale, y), c.lineTo(14 + line * camera.scale, y - 4);
  c.stroke();
  stage.label(pen, stage.words(line), [22 + line * camera.scale, y - 3], colours().soft);
}

function drawBodies(pen: Pen, stage: Stage, now: Now): Point[] {
  const { c } = pen;
  const pins: Point[] = [];
  const some = stage.context.selection.value.some((i) => i.section === "bodies");
  now.scene.bodies.forEach((body, k) => {
    const pose = now.pose(k + 1);
    if (!pose.x.every(Number.isFinite)) return;
    const on: Pen = { ...pen, to: (p) => stage.camera.toPixels(transformed(pose, p)) };
    const selected = stage.isSelected("bodies", body.name);
    const hovered = stage.hover?.section === "bodies" && stage.hover.name === body.name;
    if (selected || hovered) {
      c.save();
      c.shadowColor = colours().accent;
      c.shadowBlur = selected ? 11 : 6;
    }
    if (some && !selected && now.start) c.globalAlpha = 0.8;
    for (const shape of body.shapes)
      if (shape.type === "pin") pins.push(on.to(shape.at));
      else drawShape(on, shape, colourOf(now.scene, k + 1));
    c.globalAlpha = 1;
    if (selected || hovered) c.restore();
  });
  return pins;
}

/** Points of interest and their names. */
function drawPoints(pen: Pen, stage: Stage, now: Now) {
  for (const point of now.scene.points) {
    const [x, y] = stage.camera.toPixels(pointAt(now, point.body, point.at));
    const { c } = pen;
    c.fillStyle = colourOf(now.scene, point.body);
    c.beginPath();
    c.arc(x, y, stage.isSelected("points", point.name) ? 6 : 4, 0, 2 * Math.PI);
    c.fill();
  }
}

/** Three quarters of a circle around a driven pin. */
function drawMotor({ c }: Pen, [x, y]: Point, bar: number, colour: string) {
  const r = Math.max(15, bar * 1.35);
  c.strokeStyle = c.fillStyle = colour;
  c.lineWidth = 2.2;
  c.beginPath();
  c.arc(x, y, r, -0.9, 2.6, false);
  c.stroke();
  const [hx, hy] = [x + r * Math.cos(-0.9), y + r * Math.sin(-0.9)];
  c.beginPath();
  c.moveTo(hx - 7, hy - 3), c.lineTo(hx + 3.5, hy - 6), c.lineTo(hx + 2.5, hy + 5);
  c.closePath();
  c.fill();
}

/** Marks of drivers and forces that have no shape of their own. */
function drawMarks(pen: Pen, stage: Stage, now: Now) {
  const palette = colours();
  for (const joint of now.scene.joints) {
    if (!joint.driver || now.scene.ties.some((t) => t.name === joint.name)) continue;
    const chosen = stage.isSelected("drivers", joint.name);
    drawMotor(pen, stage.camera.toPixels(pointAt(now, joint.i.body, joint.i.at)), stage.bar, chosen ? palette.accent : palette.applied);
  }
  const forces = now.toml?.root.table("forces");
  for (const force of now.info?.forces ?? []) {
    if (now.scene.ties.some((t) => t.name === force.name)) continue;
    const components = forces?.table(force.name)?.node("force");
    if (components?.kind !== "array") continue;
    const [fx, fy] = components.items.map((n) => literal(n, {})?.value ?? 0);
    const size = Math.hypot(fx, fy);
    const at = pointAt(now, force.j.body, force.j.at);
    const length = 62 / stage.camera.scale;
    const colour = stage.isSelected("forces", force.name) ? palette.accent : palette.applied;
    const [x, y] = stage.camera.toPixels(at);
    // A force of a formula has no direction before it is run.
    if (!(size > 0)) {
      stage.label(pen, force.name, [x + 10, y + 16], colour);
      continue;
    }
    const tip: Xy = [at[0] + (fx / size) * length, at[1] + (fy / size) * length];
    stage.drawArrow(pen, [at[0], at[1]], tip, colour);
    const end = stage.camera.toPixels(tip);
    stage.label(pen, `${force.name} ${Number(size.toPrecision(4))} N`, [end[0] + 8, end[1]], colour);
  }
}

/** Handles of places, with their names and locks. */
function drawPlaces(pen: Pen, stage: Stage, now: Now) {
  const { c } = pen;
  const palette = colours();
  const many = now.places.size > 40;
  for (const [name, at] of now.places) {
    const [x, y] = stage.camera.toPixels(at);
    const selected = stage.isSelected("places", name);
    const hovered = stage.hover?.section === "places" && stage.hover.name === name;
    if (selected || hovered) {
      c.strokeStyle = palette.accent;
      c.lineWidth = 2;
      c.beginPath();
      c.arc(x, y, 10, 0, 2 * Math.PI);
      c.stroke();
    }
    c.fillStyle = selected ? palette.accent : palette.ink;
    c.beginPath();
    c.arc(x, y, Math.min(2.6, Math.max(1.4, 0.2 * stage.bar)), 0, 2 * Math.PI);
    c.fill();
    if (!many || selected) stage.label(pen, name, [x + 9, y - 11], selected ? palette.accent : palette.soft);
    if (stage.locks.some((l) => l.kind === "point" && l.place === name)) stage.label(pen, "🔒", [x - 22, y - 11], palette.soft);
  }
  for (const lock of stage.locks) {
    if (lock.kind === "point") continue;
    const [a, b] = [now.places.get(lock.a), now.places.get(lock.b)];
    if (!a || !b) continue;
    const [x, y] = stage.camera.toPixels([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    stage.label(pen, lock.kind === "length" ? "🔒" : "🔒∠", [x, y + 14], palette.soft, "center");
  }
}

/** The sides of a selected body, of which the canvas shows the lengths; a click on one changes it. */
export function dimensionsOf(stage: Stage, now: Now): { a: string; b: string; at: Point; words: string }[] {
  const toml = stage.parsed();
  if (!toml || !now.start) return [];
  return sketchedBodies(toml).filter((b) => b.name !== "ground" && stage.isSelected("bodies", b.name)).flatMap((b) => {
    const n = b.through.length;
    const straight = lieOnLine(b.through.map((p) => now.places.get(p)));
    return b.through.slice(0, straight ? n - 1 : n).flatMap((name, k) => {
      const other = b.through[(k + 1) % n];
      const [p, q] = [now.places.get(name), now.places.get(other)];
      if (!p || !q) return [];
      const [x, y] = stage.camera.toPixels([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2]);
      const length = Math.hypot(q[0] - p[0], q[1] - p[1]);
      const [ux, uy] = length > 0 ? [(q[0] - p[0]) / length, (q[1] - p[1]) / length] : [1, 0];
      const side = ux >= 0 ? -1 : 1;
      return [{ a: name, b: other, at: [x + uy * side * 20, y + ux * side * 20] as Point, words: stage.words(length) }];
    });
  });
}

/** The size of bars in pixels, and of everything that goes with it. */
function barOf(stage: Stage, now: Now): number {
  const lengths = now.scene.bodies.flatMap((b) => b.shapes).flatMap((s) => (s.type === "link" ? [Math.hypot(...s.points[0].map((v, k) => v - s.points.at(-1)![k]))] : []));
  lengths.sort((a, b) => a - b);
  const usual = lengths[lengths.length >> 1] ?? 0.1;
  return Math.min(18, Math.max(4, 0.1 * usual * stage.camera.scale));
}

export function paint(c: CanvasRenderingContext2D, stage: Stage, drawTool: (pen: Pen) => void) {
  const { camera, context } = stage;
  const palette = colours();
  const now = stage.now();
  stage.bar = barOf(stage, now);
  const pen: Pen = { c, to: camera.toPixels, scale: camera.scale, bar: stage.bar, colours: palette };
  c.fillStyle = palette.panel;
  c.fillRect(0, 0, camera.width, camera.height);
  if (stage.photo) drawPhoto(c, camera, stage.photo);
  drawGrid(pen, stage);
  for (const shape of now.scene.ground) if (shape.type !== "pin") drawShape(pen, shape, palette.soft);
  for (const overlay of context.overlays.value) if (overlay.under) overlay.draw(pen);
  const pins = drawBodies(pen, stage, now);
  for (const tie of now.scene.ties) {
    const ends = [tie.i, tie.j].map((end) => camera.toPixels(pointAt(now, end.body, end.at)));
    const chosen = ["forces", "joints", "drivers"].some((section) => stage.isSelected(section, tie.name));
    drawTie(chosen ? { ...pen, colours: { ...palette, ink: palette.accent } } : pen, tie, ends[0], ends[1]);
  }
  for (const shape of now.scene.ground) if (shape.type === "pin") pins.push(camera.toPixels(shape.at));
  for (const pin of pins) drawPin(pen, pin);
  drawMarks(pen, stage, now);
  drawPoints(pen, stage, now);
  if (now.start) drawPlaces(pen, stage, now);
  for (const d of dimensionsOf(stage, now)) stage.label(pen, d.words, d.at, palette.accent, "center");
  for (const overlay of context.overlays.value) if (!overlay.under) overlay.draw(pen);
  drawScale(pen, stage);
  drawTool(pen);
}
