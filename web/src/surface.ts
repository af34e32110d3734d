// Surfaces over two variables: a picture that is turned with the pointer, and a map with lines of equal height.
import { h, svg } from "./dom";
import { number, ticks, ticksOf } from "./format";
import { colours, onTheme } from "./theme";

export interface Surface {
  x: number[];
  y: number[];
  z: ArrayLike<number>; // row by row along y for each x
  xLabel: string;
  yLabel: string;
  zLabel: string;
}

export type Point = [number, number];

/** The lines on which a net of numbers has that level, as pairs of points in units of its cells. */
export function contour(z: ArrayLike<number>, nx: number, ny: number, level: number): [Point, Point][] {
  const lines: [Point, Point][] = [];
  const cross = (a: number, b: number) => (level - a) / (b - a);
  for (let i = 0; i + 1 < nx; ++i)
    for (let j = 0; j + 1 < ny; ++j) {
      const [a, b, c, d] = [z[i * ny + j], z[(i + 1) * ny + j], z[(i + 1) * ny + j + 1], z[i * ny + j + 1]];
      const at: Point[] = [];
      if (a < level !== b < level) at.push([i + cross(a, b), j]);
      if (b < level !== c < level) at.push([i + 1, j + cross(b, c)]);
      if (d < level !== c < level) at.push([i + cross(d, c), j + 1]);
      if (a < level !== d < level) at.push([i, j + cross(a, d)]);
      for (let k = 0; k + 1 < at.length; k += 2) lines.push([at[k], at[k + 1]]);
    }
  return lines;
}

/** The net at a place between its points, in units of its cells. */
export function between(z: ArrayLike<number>, nx: number, ny: number, x: number, y: number): number {
  const [i, j] = [Math.min(nx - 2, Math.floor(x)), Math.min(ny - 2, Math.floor(y))];
  const [a, b] = [x - i, y - j];
  const at = (m: number, n: number) => z[(i + m) * ny + j + n];
  return (1 - a) * ((1 - b) * at(0, 0) + b * at(0, 1)) + a * ((1 - b) * at(1, 0) + b * at(1, 1));
}

export function spread(z: ArrayLike<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < z.length; ++k) [low, high] = [Math.min(low, z[k]), Math.max(high, z[k])];
  return [low, high];
}

/** What differs by less than the round-off of its numbers is flat. */
export const isFlat = ([low, high]: [number, number]) => !(high - low > 2e-6 * Math.max(Math.abs(low), Math.abs(high)));

const mixed = (from: number[], to: number[], s: number) => from.map((v, k) => Math.round(v + s * (to[k] - v)));

function channels(colour: string): number[] {
  const c = document.createElement("canvas").getContext("2d")!;
  c.fillStyle = colour;
  c.fillRect(0, 0, 1, 1);
  return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

/** Blue for low, through the panel's colour, to red for high. */
function scale(): (s: number) => number[] {
  const c = colours();
  const [low, middle, high] = [c.series[0], c.panel, c.series[1]].map(channels);
  return (s) => (s < 0.5 ? mixed(low, middle, 2 * s) : mixed(middle, high, 2 * s - 1));
}

export function map(s: Surface): HTMLElement {
  const [nx, ny] = [s.x.length, s.y.length];
  const box = { left: 70, right: 14, top: 10, bottom: 44, width: 520, height: 400 };
  const [w, t] = [box.width - box.left - box.right, box.height - box.top - box.bottom];
  const [low, high] = spread(s.z);
  const flat = isFlat([low, high]);
  const [across, up] = [240, 180]; // pixels
  const canvas = h("canvas", { width: across, height: up, class: "heat" });
  const paint = () => {
    const c = canvas.getContext("2d")!;
    const image = c.createImageData(across, up);
    const colour = scale();
    for (let i = 0; i < across; ++i)
      for (let j = 0; j < up; ++j) {
        const z = between(s.z, nx, ny, ((i + 0.5) / across) * (nx - 1), ((j + 0.5) / up) * (ny - 1));
        const [r, g, b] = colour(flat ? 0.5 : (z - low) / (high - low));
        image.data.set([r, g, b, 255], 4 * ((up - 1 - j) * across + i));
      }
    c.putImageData(image, 0, 0);
  };
  paint();
  onTheme(paint);

  const root = svg("svg", { viewBox: `0 0 ${box.width} ${box.height}`, role: "img", "aria-label": `map of ${s.zLabel}` });
  const to = ([i, j]: Point): Point => [box.left + (i / (nx - 1)) * w, box.top + (1 - j / (ny - 1)) * t];
  const levels = flat ? { values: [], increment: 1 } : ticksOf(low, high, 10);
  const names = ticks(levels.values, levels.increment);
  levels.values.forEach((level, k) => {
    const lines = contour(s.z, nx, ny, level);
    if (!lines.length) return;
    const path = lines.map(([a, b]) => `M${to(a).map((v) => v.toFixed(1)).join(" ")}L${to(b).map((v) => v.toFixed(1)).join(" ")}`).join("");
    const [lx, ly] = to(lines[Math.floor((lines.length * (1 + (k % 3))) / 4)][0]); // neighbours stand apart
    root.append(svg("path", { d: path, class: "contour" }), svg("text", { x: Math.min(lx + 2, box.left + w - 30), y: Math.max(ly - 2, box.top + 12), class: "level" }, names[k]));
  });
  const marks = (values: number[], along: "x" | "y") => {
    const ends: [number, number] = [values[0], values[values.length - 1]];
    const at = ticksOf(ends[0], ends[1], 6);
    const text = ticks(at.values, at.increment);
    at.values.forEach((v, k) => {
      const share = (v - ends[0]) / (ends[1] - ends[0]);
      const [x, y] = along === "x" ? [box.left + share * w, box.top + t] : [box.left, box.top + (1 - share) * t];
      root.append(along === "x" ? svg("line", { x1: x, x2: x, y1: y, y2: y + 5, class: "grid" }) : svg("line", { x1: x - 5, x2: x, y1: y, y2: y, class: "grid" }),
        svg("text", along === "x" ? { x, y: y + 19, "text-anchor": "middle" } : { x: x - 8, y: y + 4, "text-anchor": "end" }, text[k]));
    });
  };
  marks(s.x, "x");
  marks(s.y, "y");
  root.append(svg("rect", { x: box.left, y: box.top, width: w, height: t, fill: "none", stroke: "var(--edge)" }),
    svg("text", { x: box.left + w / 2, y: box.height - 5, "text-anchor": "middle" }, s.xLabel),
    svg("text", { transform: `translate(14 ${box.top + t / 2}) rotate(-90)`, "text-anchor": "middle" }, s.yLabel));
  const share = (v: number, whole: number) => `${(100 * v) / whole}%`;
  canvas.style.cssText = `left: ${share(box.left, box.width)}; top: ${share(box.top, box.height)}; width: ${share(w, box.width)}; height: ${share(t, box.height)}`;
  const readout = h("p", { class: "soft readout" }, `${s.zLabel}: lines of equal height; move over the picture to read values`);
  canvas.addEventListener("pointermove", (e) => {
    const where = canvas.getBoundingClientRect();
    const i = Math.min(nx - 1, Math.max(0, Math.round(((e.clientX - where.left) / where.width) * (nx - 1))));
    const j = Math.min(ny - 1, Math.max(0, Math.round((1 - (e.clientY - where.top) / where.height) * (ny - 1))));
    readout.textContent = `${s.xLabel} = ${number(s.x[i], 4)}, ${s.yLabel} = ${number(s.y[j], 4)}: ${s.zLabel} = ${number(s.z[i * ny + j], 6)}`;
  });
  return h("figure", { class: "map" }, h("div", { class: "plot heat-box" }, canvas, root), readout);
}

/** The surface in space, seen from above at an angle. */
export function relief(s: Surface): HTMLElement {
  const [nx, ny] = [s.x.length, s.y.length];
  const [low, high] = spread(s.z);
  const flat = isFlat([low, high]);
  const canvas = h("canvas", { class: "relief", role: "img", "aria-label": `surface of ${s.zLabel}`, tabindex: 0 });
  let [yaw, pitch] = [0.7, 0.55];

  function draw() {
    const [w, t] = [canvas.clientWidth, canvas.clientHeight];
    if (!w || !t) return;
    const ratio = window.devicePixelRatio || 1;
    [canvas.width, canvas.height] = [Math.round(w * ratio), Math.round(t * ratio)];
    const c = canvas.getContext("2d")!;
    c.scale(ratio, ratio);
    c.font = "12px system-ui, sans-serif";
    const ink = colours();
    const colour = scale();
    const size = 0.3 * Math.min(w, 1.15 * t);
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    /** To the screen, with the depth away from the viewer; coordinates from -1 to 1. */
    const to = (x: number, y: number, z: number): [number, number, number] => {
      const [a, b] = [cy * x - sy * y, sy * x + cy * y];
      return [w / 2 + size * a, t / 2 - 6 - size * (0.75 * z * cp - b * sp), b * cp + z * sp];
    };
    const height = (i: number, j: number) => (flat ? 0 : (2 * (s.z[i * ny + j] - low)) / (high - low) - 1);
    const at = (i: number, j: number) => to((2 * i) / (nx - 1) - 1, 1 - (2 * j) / (ny - 1), height(i, j));
    const line = (a: number[], b: number[], how: string) => {
      c.strokeStyle = how;
      c.beginPath();
      c.moveTo(a[0], a[1]);
      c.lineTo(b[0], b[1]);
      c.stroke();
    };
    // The floor, and its two edges in front with their labels.
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
    corners.forEach(([x, y], k) => line(to(x, y, -1), to(corners[(k + 1) % 4][0], corners[(k + 1) % 4][1], -1), ink.line));
    const front = (a: [number, number], b: [number, number]) => (to(a[0], a[1], -1)[1] > to(b[0], b[1], -1)[1] ? a : b);
    const label = (x: number, y: number, text: string, align: CanvasTextAlign) => {
      c.fillStyle = ink.soft;
      c.textAlign = align;
      c.fillText(text, x, y);
    };
    const side = front([0, -1], [0, 1])[1];
    const flank = front([-1, 0], [1, 0])[0];
    const along = (ends: [number[], number[]], text: [string, string], name: string) => {
      const mid = (ends[0][0] + ends[1][0]) / 2;
      const right = mid > w / 2;
      const align: CanvasTextAlign = right ? "left" : "right";
      const shift = right ? 8 : -8;
      label(ends[0][0] + shift, ends[0][1] + 14, text[0], align);
      label(ends[1][0] + shift, ends[1][1] + 14, text[1], align);
      label(mid + shift, (ends[0][1] + ends[1][1]) / 2 + 22, name, align);
    };
    along([to(-0.86, side, -1), to(0.86, side, -1)], [number(s.x[0], 3), number(s.x[nx - 1], 3)], s.xLabel);
    along([to(flank, 0.86, -1), to(flank, -0.86, -1)], [number(s.y[0], 3), number(s.y[ny - 1], 3)], s.yLabel);
    // The upright at the left.
    const [ux, uy] = corners.reduce((p, q) => (to(q[0], q[1], 0)[0] < to(p[0], p[1], 0)[0] ? q : p));
    line(to(ux, uy, -1), to(ux, uy, 1), ink.soft);
    if (!flat) {
      label(to(ux, uy, -1)[0] - 6, to(ux, uy, -1)[1], number(low, 3), "right");
      label(to(ux, uy, 1)[0] - 6, to(ux, uy, 1)[1] + 4, number(high, 3), "right");
    } else {
      label(to(ux, uy, 0)[0] - 6, to(ux, uy, 0)[1] + 4, number(low, 3), "right");
    }
    label(4, 14, s.zLabel, "left");
    // Cells from back to front.
    const cells: { i: number; j: number; depth: number }[] = [];
    for (let i = 0; i + 1 < nx; ++i) for (let j = 0; j + 1 < ny; ++j) cells.push({ i, j, depth: at(i, j)[2] + at(i + 1, j + 1)[2] });
    cells.sort((p, q) => p.depth - q.depth);
    for (const { i, j } of cells) {
      const points = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
      const [r, g, b] = colour((height(i, j) + height(i + 1, j + 1)) / 4 + 0.5);
      c.beginPath();
      points.forEach(([x, y], k) => (k ? c.lineTo(x, y) : c.moveTo(x, y)));
      c.closePath();
      c.fillStyle = `rgb(${r} ${g} ${b})`;
      c.fill();
      c.strokeStyle = c.fillStyle;
      c.stroke();
    }
    // Some of the lines of the net; those behind show through faintly.
    c.globalAlpha = 0.35;
    const stride = (n: number) => Math.max(1, Math.round((n - 1) / 12));
    for (let i = 0; i < nx; i += stride(nx)) for (let j = 0; j + 1 < ny; ++j) line(at(i, j), at(i, j + 1), ink.ink);
    for (let j = 0; j < ny; j += stride(ny)) for (let i = 0; i + 1 < nx; ++i) line(at(i, j), at(i + 1, j), ink.ink);
    c.globalAlpha = 1;
  }

  const turn = (dx: number, dy: number) => {
    yaw += dx;
    pitch = Math.min(1.5, Math.max(0.05, pitch + dy));
    draw();
  };
  canvas.addEventListener("pointerdown", (e) => canvas.setPointerCapture(e.pointerId));
  canvas.addEventListener("pointermove", (e) => e.buttons && turn(-e.movementX * 0.01, e.movementY * 0.01));
  canvas.addEventListener("keydown", (e) => {
    const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[e.key];
    if (!step) return;
    e.preventDefault();
    turn(step[0], step[1]);
  });
  new ResizeObserver(draw).observe(canvas);
  onTheme(draw);
  return h("figure", { class: "relief-box" }, canvas, h("p", { class: "soft readout" }, "drag, or use arrow keys, to turn it"));
}
