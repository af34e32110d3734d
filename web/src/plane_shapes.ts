// The parts of a mechanism as a textbook draws them, on a canvas in pixels.
import { stagesOf } from "./data";
import type { Shape, Tie, Vec3 } from "./data";
import type { Colours } from "./theme";

export type Point = [number, number];

/** What drawing needs of a canvas; a drawing of lines offers the same, see save/svg_sheet.ts. */
export type Sheet = Pick<CanvasRenderingContext2D,
  "fillStyle" | "strokeStyle" | "lineWidth" | "lineJoin" | "lineCap" | "globalAlpha" | "font" | "textBaseline" |
  "beginPath" | "moveTo" | "lineTo" | "arc" | "closePath" | "fill" | "stroke" | "fillRect" | "strokeRect" |
  "save" | "restore" | "translate" | "rotate" | "fillText" | "strokeText" | "measureText">;

/** The canvas, the mapping from points of a body or of the ground to pixels, and sizes in pixels. */
export interface Pen<S = CanvasRenderingContext2D> {
  c: S;
  to(p: Vec3): Point;
  scale: number; // pixels per metre
  bar: number; // thickness of a bar [pixels]
  colours: Colours;
}

/** A colour with some of the panel behind it. */
export const faint = (colour: string, share: number) => `color-mix(in srgb, ${colour} ${share}%, transparent)`;

export function drawShape(pen: Pen<Sheet>, shape: Shape, colour: string) {
  const { c, bar } = pen;
  c.lineJoin = c.lineCap = "round";
  switch (shape.type) {
    case "link":
    case "plate":
      return drawBars(pen, shape.points.map(pen.to), colour, shape.type === "plate");
    case "disc":
    case "sphere":
      return drawDisc(pen, shape.at, shape.radius, colour, shape.type === "disc" && shape.hollow === true, shape.type === "disc" && shape.bearing === true);
    case "box":
      return drawBox(pen, shape, colour);
    case "guide":
      return drawGuide(pen, shape);
    case "pin":
      return drawPin(pen, pen.to(shape.at));
    case "ground":
      return drawSupport(pen, pen.to(shape.at));
    case "mass":
      return drawCentre(pen, pen.to(shape.at), bar * 0.7, colour);
    case "solid":
      return drawSolid(pen, shape, colour);
  }
}

/** The near side of a solid, with its outline and its edges. */
function drawSolid(pen: Pen<Sheet>, shape: Extract<Shape, { type: "solid" }>, colour: string) {
  const { c } = pen;
  const flat = shape.points.map(pen.to);
  const side = (k: number) => {
    const [a, b, d] = [0, 1, 2].map((n) => shape.points[shape.triangles[k + n]]);
    return (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]);
  };
  c.beginPath();
  for (let k = 0; k < shape.triangles.length; k += 3) {
    if (!(side(k) > 0)) continue;
    for (let n = 0; n < 3; ++n) {
      const [x, y] = flat[shape.triangles[k + n]];
      n ? c.lineTo(x, y) : c.moveTo(x, y);
    }
    c.closePath();
  }
  // A thin line in the same colour closes the seams between triangles.
  c.fillStyle = c.strokeStyle = `color-mix(in srgb, ${colour} 42%, ${pen.colours.panel})`;
  c.lineWidth = 0.5;
  c.fill();
  c.stroke();
  c.strokeStyle = colour;
  c.lineWidth = 1.5;
  c.beginPath();
  const edges = shape.edges ?? [];
  for (let k = 0; k < edges.length; k += 2) {
    c.moveTo(...flat[edges[k]]);
    c.lineTo(...flat[edges[k + 1]]);
  }
  c.stroke();
}

function drawBars(pen: Pen<Sheet>, points: Point[], colour: string, closed: boolean) {
  const { c, bar } = pen;
  c.beginPath();
  points.forEach(([x, y], k) => (k ? c.lineTo(x, y) : c.moveTo(x, y)));
  if (closed) c.closePath();
  // Two strokes, the outline and the body on it, give a rounded bar with an edge.
  c.strokeStyle = colour;
  c.lineWidth = bar;
  c.stroke();
  c.strokeStyle = `color-mix(in srgb, ${colour} 42%, ${pen.colours.panel})`;
  c.lineWidth = Math.max(1, bar - 3);
  c.stroke();
  if (closed) {
    c.fillStyle = faint(colour, 30);
    c.fill();
  }
}

function drawDisc(pen: Pen<Sheet>, at: Vec3, radius: number, colour: string, hollow: boolean, bearing: boolean) {
  const { c } = pen;
  const [x, y] = pen.to(at);
  const r = radius * pen.scale;
  c.strokeStyle = colour;
  c.beginPath();
  // The line lies outside a hollow and inside a disc, so that the two touch in the drawing when they do.
  if (hollow) {
    c.lineWidth = Math.max(2, pen.bar * 0.35);
    c.arc(x, y, r + c.lineWidth / 2, 0, 2 * Math.PI);
    if (bearing) {
      c.fillStyle = pen.colours.panel;
      c.fill();
    }
    c.stroke();
    return;
  }
  c.lineWidth = 2;
  c.arc(x, y, Math.max(2, r - 1), 0, 2 * Math.PI);
  c.fillStyle = faint(colour, 26);
  c.fill();
  c.stroke();
  // A radius shows the rotation.
  const [ex, ey] = pen.to([at[0] + radius, at[1], at[2]]);
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(ex, ey);
  c.lineWidth = 1.5;
  c.stroke();
}

function drawBox(pen: Pen<Sheet>, shape: Extract<Shape, { type: "box" }>, colour: string) {
  const { c } = pen;
  const [ux, uy] = unitInPlane(shape.x);
  const [l, w] = [shape.size[0] / 2, shape.size[1] / 2];
  const corners = [[l, w], [-l, w], [-l, -w], [l, -w]].map(([a, b]) =>
    pen.to([shape.at[0] + a * ux - b * uy, shape.at[1] + a * uy + b * ux, 0]));
  c.beginPath();
  corners.forEach(([x, y], k) => (k ? c.lineTo(x, y) : c.moveTo(x, y)));
  c.closePath();
  c.fillStyle = `color-mix(in srgb, ${colour} 42%, ${pen.colours.panel})`;
  c.fill();
  c.strokeStyle = colour;
  c.lineWidth = 2;
  c.stroke();
}

function unitInPlane(x: Vec3): Point {
  const length = Math.hypot(x[0], x[1]) || 1;
  return [x[0] / length, x[1] / length];
}

/** A rail with hatching under it. */
function drawGuide(pen: Pen<Sheet>, shape: Extract<Shape, { type: "guide" }>) {
  const [ux, uy] = unitInPlane(shape.x);
  const end = (k: number) => pen.to([shape.at[0] + k * shape.length * ux, shape.at[1] + k * shape.length * uy, 0]);
  drawHatchedLine(pen, end(-0.5), end(0.5), 0);
}

function drawHatchedLine(pen: Pen<Sheet>, a: Point, b: Point, offset: number) {
  const { c } = pen;
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 0)) return;
  let [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  if (ux < 0) [ux, uy, a] = [-ux, -uy, b];
  // The right-hand side of a line from left to right is below it.
  const [nx, ny] = [-uy, ux];
  c.save();
  c.translate(nx * offset, ny * offset);
  c.strokeStyle = pen.colours.soft;
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(a[0], a[1]);
  c.lineTo(a[0] + ux * length, a[1] + uy * length);
  c.stroke();
  c.lineWidth = 1;
  c.beginPath();
  const gap = 6;
  for (let s = gap; s <= length; s += gap) {
    c.moveTo(a[0] + ux * s, a[1] + uy * s);
    c.lineTo(a[0] + ux * (s - gap) + nx * gap, a[1] + uy * (s - gap) + ny * gap);
  }
  c.stroke();
  c.restore();
}

/** A pin joint on the ground: a triangle on hatched ground. */
function drawSupport(pen: Pen<Sheet>, [x, y]: Point) {
  const { c, bar } = pen;
  const s = Math.max(9, bar * 0.95);
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(x - s, y + s * 1.5);
  c.lineTo(x + s, y + s * 1.5);
  c.closePath();
  c.fillStyle = pen.colours.panel;
  c.fill();
  c.strokeStyle = pen.colours.soft;
  c.lineWidth = 1.5;
  c.stroke();
  drawHatchedLine(pen, [x - s * 1.6, y + s * 1.5], [x + s * 1.6, y + s * 1.5], 0);
}

export function drawPin(pen: Pen<Sheet>, [x, y]: Point) {
  const { c, bar } = pen;
  c.beginPath();
  c.arc(x, y, Math.max(2.5, bar * 0.27), 0, 2 * Math.PI);
  c.fillStyle = pen.colours.panel;
  c.fill();
  c.strokeStyle = pen.colours.ink;
  c.lineWidth = 1.5;
  c.stroke();
}

/** The sign for a centre of mass: a circle with two dark quarters. */
export function drawCentre(pen: Pen<Sheet>, [x, y]: Point, r: number, colour: string) {
  const { c } = pen;
  c.beginPath();
  c.arc(x, y, r, 0, 2 * Math.PI);
  c.fillStyle = pen.colours.panel;
  c.fill();
  c.fillStyle = colour;
  for (const begin of [0, Math.PI]) {
    c.beginPath();
    c.moveTo(x, y);
    c.arc(x, y, r, begin, begin + Math.PI / 2);
    c.closePath();
    c.fill();
  }
  c.beginPath();
  c.arc(x, y, r, 0, 2 * Math.PI);
  c.strokeStyle = colour;
  c.lineWidth = 1.5;
  c.stroke();
}

/** A spring, a damper, a cylinder or a rod between two points. */
export function drawTie(pen: Pen<Sheet>, tie: Tie, a: Point, b: Point) {
  const { c } = pen;
  const { kind } = tie;
  if (kind === "spiral") return drawSpiral(pen, a);
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (kind === "bush" || !(length > 3)) return drawBush(pen, a, b);
  if (kind === "cylinder") return drawCylinder(pen, tie, a, b);
  const [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  const at = (s: number, w: number): Point => [a[0] + ux * s - uy * w, a[1] + uy * s + ux * w];
  const width = Math.min(9, Math.max(4, pen.bar * 0.55));
  c.strokeStyle = pen.colours.ink;
  c.lineWidth = 1.5;
  c.lineJoin = "round";
  c.beginPath();
  if (kind === "rod") {
    c.lineWidth = Math.max(2.5, pen.bar * 0.3);
    c.moveTo(...a);
    c.lineTo(...b);
    c.stroke();
    return;
  }
  const go = (s: number, w: number) => c.lineTo(...at(s, w));
  c.moveTo(...a);
  if (kind === "damper") {
    // A piston on a rod in a cylinder that is open at its far end.
    go(length * 0.5, 0);
    c.moveTo(...at(length * 0.5, width * 0.75));
    go(length * 0.5, -width * 0.75);
    c.moveTo(...at(length * 0.36, width));
    go(length * 0.64, width);
    go(length * 0.64, -width);
    go(length * 0.36, -width);
    c.moveTo(...at(length * 0.64, 0));
  } else {
    const turns = 12;
    const begin = length * 0.12;
    const rest = length * 0.76;
    go(begin, 0);
    for (let k = 0; k < turns; ++k) go(begin + ((k + 0.5) * rest) / turns, k % 2 ? -width : width);
    go(begin + rest, 0);
  }
  c.lineTo(...b);
  c.stroke();
}

/** Barrel, tube and rod, one out of the other. */
function drawCylinder(pen: Pen<Sheet>, tie: Tie, a: Point, b: Point) {
  const { c, bar, colours } = pen;
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const [barrel, end] = stagesOf(tie, length / pen.scale).map((s) => s * pen.scale);
  const piece = (from: number, to: number, width: number, fill: string) => {
    const half = Math.max(1, width / 2);
    c.fillStyle = fill;
    c.fillRect(from, -half, to - from, 2 * half);
    c.strokeRect(from, -half, to - from, 2 * half);
  };
  c.save();
  c.translate(...a);
  c.rotate(Math.atan2(b[1] - a[1], b[0] - a[0]));
  c.strokeStyle = colours.ink;
  c.lineWidth = 1.2;
  piece(end, length, 0.36 * bar, colours.panel);
  if (tie.telescopic) piece(barrel, end, 0.58 * bar, colours.panel);
  piece(0, barrel, 0.85 * bar, colours.soft);
  c.restore();
}

/** A torsional spring around its pin. */
function drawSpiral(pen: Pen<Sheet>, [x, y]: Point) {
  const { c, bar } = pen;
  c.strokeStyle = pen.colours.ink;
  c.lineWidth = 1.5;
  c.beginPath();
  const steps = 60;
  for (let k = 0; k <= steps; ++k) {
    const angle = (4.5 * Math.PI * k) / steps;
    const r = bar * (0.6 + (0.9 * k) / steps);
    c.lineTo(x + r * Math.cos(angle), y - r * Math.sin(angle));
  }
  c.stroke();
}

/** Rubber around a pin: a ring on the first body, a dot on the second. */
function drawBush(pen: Pen<Sheet>, [x, y]: Point, [px, py]: Point) {
  const { c, bar } = pen;
  if (!Number.isFinite(x + y + px + py)) return;
  c.strokeStyle = pen.colours.soft;
  c.lineWidth = Math.max(2, bar * 0.3);
  c.beginPath();
  c.arc(x, y, Math.max(4, bar * 0.62), 0, 2 * Math.PI);
  c.stroke();
  c.fillStyle = pen.colours.ink;
  c.beginPath();
  c.arc(px, py, Math.max(2, bar * 0.22), 0, 2 * Math.PI);
  c.fill();
}

/** Three quarters of a circle with a head, counter-clockwise if the radius is positive. */
export function drawMoment(pen: Pen<Sheet>, [x, y]: Point, radius: number, colour: string, cut = false) {
  const { c } = pen;
  const r = Math.abs(radius);
  if (!(r > 3)) return;
  const side = radius > 0 ? -1 : 1; // pixels count downwards
  const begin = 0.25 * Math.PI * -side;
  const end = begin + side * 1.5 * Math.PI;
  const head = Math.min(11, r * 0.9);
  c.strokeStyle = c.fillStyle = colour;
  c.lineWidth = 2.2;
  c.beginPath();
  c.arc(x, y, r, begin, end - side * Math.min(0.6, (0.7 * head) / r), side < 0);
  c.stroke();
  for (const back of cut ? [0, head / r] : [0]) {
    const angle = end - side * back;
    const tip: Point = [x + r * Math.cos(angle), y + r * Math.sin(angle)];
    // The head follows the tangent where it begins, so that it stays on the circle.
    const before = angle - side * Math.min(1, head / r);
    const foot: Point = [x + r * Math.cos(before), y + r * Math.sin(before)];
    const [nx, ny] = [Math.cos(before), Math.sin(before)];
    c.beginPath();
    c.moveTo(...tip);
    c.lineTo(foot[0] + nx * head * 0.42, foot[1] + ny * head * 0.42);
    c.lineTo(foot[0] - nx * head * 0.42, foot[1] - ny * head * 0.42);
    c.closePath();
    c.fill();
  }
}

/** An arrow from a to b with a head, or two if it is cut; nothing if it is too short to be seen. */
export function drawArrow(pen: Pen<Sheet>, a: Point, b: Point, colour: string, cut = false) {
  const { c } = pen;
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 3)) return;
  const [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  const head = Math.min(11, length * 0.6);
  c.strokeStyle = c.fillStyle = colour;
  c.lineWidth = 2.2;
  c.beginPath();
  c.moveTo(...a);
  c.lineTo(b[0] - ux * head * 0.8, b[1] - uy * head * 0.8);
  c.stroke();
  for (const back of cut ? [0, head] : [0]) {
    const [x, y] = [b[0] - ux * back, b[1] - uy * back];
    c.beginPath();
    c.moveTo(x, y);
    c.lineTo(x - ux * head - uy * head * 0.4, y - uy * head + ux * head * 0.4);
    c.lineTo(x - ux * head + uy * head * 0.4, y - uy * head - ux * head * 0.4);
    c.closePath();
    c.fill();
  }
}
