// One quantity against another, as SVG: phase plots and work-precision diagrams; linear or logarithmic axes.
import { h, svg } from "./dom";
import { powerOfTen, tenTo, ticks, ticksOf } from "./format";
import { cssColour, type Colour } from "./body_colours";
import { onPaper } from "./theme";

export interface XySeries {
  name: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  colour: Colour;
  marks?: boolean;
  right?: boolean; // measured on a second axis, at the right
  size?: number; // radius of the marks
  dash?: string;
  line?: boolean; // false: marks only
}

export interface XyOptions {
  series: XySeries[];
  xLabel: string;
  yLabel: string;
  log?: boolean;
  label: string;
  include?: [number, number]; // a point that must be seen
  logX?: boolean; // logarithmic along x alone
  rightLabel?: string;
  xRange?: [number, number]; // the axis ends there
  title?: string; // above the drawing, for pictures that stand alone; as is the legend
  legend?: boolean;
}

interface Axis {
  low: number;
  high: number;
  to(v: number): number; // to [0, 1]
  marks: { at: number; text: string }[];
}

export function axisOf(values: number[], log: boolean, about: number, ends?: [number, number]): Axis {
  const sound = values.filter((v) => Number.isFinite(v) && (!log || v > 0));
  let low = Math.min(...extremes(sound, Math.min));
  let high = Math.max(...extremes(sound, Math.max));
  if (!sound.length) [low, high] = log ? [0.1, 1] : [-1, 1];
  if (log) {
    let [a, b] = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
    if (a === b) b = a + 1;
    const stride = Math.max(1, Math.ceil((b - a) / about));
    const marks = [];
    for (let e = a; e <= b; e += stride) marks.push({ at: (e - a) / (b - a), text: powerOfTen(e) });
    return { low: tenTo(a), high: tenTo(b), to: (v) => (Math.log10(v) - a) / (b - a), marks };
  }
  const margin = high > low ? 0.05 * (high - low) : Math.abs(low) * 0.1 || 1;
  [low, high] = ends ?? [low - margin, high + margin];
  const { values: at, increment } = ticksOf(low, high, about);
  const text = ticks(at, increment);
  const to = (v: number) => (v - low) / (high - low);
  return { low, high, to, marks: at.map((v, k) => ({ at: to(v), text: text[k] })) };
}

// Spreading a long array into a call would overflow the stack.
function extremes(values: number[], pick: (...v: number[]) => number): number[] {
  return values.length ? [values.reduce((a, b) => pick(a, b))] : [];
}

/** How a point of a series lies on the drawing. */
export type To = (x: number, y: number) => [number, number];

const dot = (s: XySeries) =>
  svg("circle", s.line === false
    ? { r: 8, fill: "none", stroke: "var(--accent)", "stroke-width": 2.5, visibility: "hidden" }
    : { r: 5, fill: cssColour(s.colour), stroke: "var(--panel)", "stroke-width": 2, visibility: "hidden" });

function drawSeries(root: SVGSVGElement, s: XySeries, to: To) {
  let path = "";
  let down = false;
  const marks: SVGElement[] = [];
  for (let k = 0; k < s.x.length; ++k) {
    const [x, y] = to(s.x[k], s.y[k]);
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      down = false;
      continue;
    }
    path += `${down ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    down = true;
    if (s.marks) marks.push(svg("circle", { cx: x, cy: y, r: s.size ?? 4.5, fill: cssColour(s.colour) }, svg("title", {}, s.name)));
  }
  if (s.line !== false) root.append(svg("path", { d: path, fill: "none", stroke: cssColour(s.colour), "stroke-width": 1.6, "stroke-dasharray": s.dash ?? "" }));
  root.append(...marks);
}

/** The names of the curves in rows above the drawing; returns the height that they take. */
function drawLegend(root: SVGSVGElement, series: XySeries[], width: number, top: number): number {
  let [x, y] = [16, top + 14];
  for (const s of series) {
    const long = 34 + 7 * s.name.length;
    if (x > 16 && x + long > width) [x, y] = [16, y + 18];
    root.append(svg("line", { x1: x, x2: x + 22, y1: y - 4, y2: y - 4, stroke: cssColour(s.colour), "stroke-width": 2.2, "stroke-dasharray": s.dash ?? "" }),
      svg("text", { x: x + 28, y }, s.name));
    x += long;
  }
  return y + 8 - top;
}

/** A whole drawing of that size; `to` says where the points of each series lie. */
export function drawXy(options: XyOptions, w: number, t: number): { root: SVGSVGElement; to: To[]; xOf: (px: number) => number | undefined } {
  const { series, log = false, include, logX = log } = options;
  const root = svg("svg", { width: w, height: t, viewBox: `0 0 ${w} ${t}`, role: "img", "aria-label": options.label });
  let top = 10;
  if (options.title) root.append(svg("text", { x: w / 2, y: 22, "text-anchor": "middle", class: "figure-title" }, options.title)), (top = 34);
  if (options.legend) top += drawLegend(root, series, w, top);
  const right = series.filter((s) => s.right);
  const box = { left: 78, right: right.length ? 78 : 16, top, bottom: 44 };
  const [iw, it] = [Math.max(10, w - box.left - box.right), Math.max(10, t - box.top - box.bottom)];
  const all = (some: XySeries[], pick: "x" | "y") => [...some.flatMap((s) => Array.from(s[pick])), ...(include ? [include[pick === "x" ? 0 : 1]] : [])];
  const rows = Math.max(2, Math.round(it / 36));
  const xs = axisOf(all(series, "x"), logX, Math.max(2, Math.round(iw / 80)), options.xRange);
  const ys = axisOf(all(series.filter((s) => !s.right), "y"), log, rows);
  const zs = right.length ? axisOf(all(right, "y"), log, rows) : ys;
  const placed = (axis: Axis): To => (x, y) => [box.left + xs.to(x) * iw, box.top + (1 - axis.to(y)) * it];
  for (const m of xs.marks) {
    const x = box.left + m.at * iw;
    root.append(svg("line", { x1: x, x2: x, y1: box.top, y2: box.top + it, class: "grid" }),
      svg("text", { x, y: box.top + it + 17, "text-anchor": "middle" }, m.text));
  }
  for (const m of ys.marks) {
    const y = box.top + (1 - m.at) * it;
    root.append(svg("line", { x1: box.left, x2: box.left + iw, y1: y, y2: y, class: "grid" }),
      svg("text", { x: box.left - 8, y: y + 4, "text-anchor": "end" }, m.text));
  }
  if (right.length)
    for (const m of zs.marks) root.append(svg("text", { x: box.left + iw + 8, y: box.top + (1 - m.at) * it + 4, "text-anchor": "start" }, m.text));
  const upright = (x: number, text: string) => svg("text", { transform: `translate(${x} ${box.top + it / 2}) rotate(-90)`, "text-anchor": "middle", class: "label" }, text);
  root.append(svg("text", { x: box.left + iw / 2, y: t - 6, "text-anchor": "middle", class: "label" }, options.xLabel), upright(14, options.yLabel));
  if (right.length) root.append(upright(w - 8, options.rightLabel ?? ""));
  if (include) {
    const to = placed(ys);
    for (const [a, b] of [[[xs.low, include[1]], [xs.high, include[1]]], [[include[0], ys.low], [include[0], ys.high]]]) {
      const [[x1, y1], [x2, y2]] = [to(a[0], a[1]), to(b[0], b[1])];
      root.append(svg("line", { x1, y1, x2, y2, class: "grid axis" }));
    }
  }
  const to = series.map((s) => placed(s.right ? zs : ys));
  series.forEach((s, k) => drawSeries(root, s, to[k]));
  /** The number along x under a pixel; nothing beside the drawing. */
  const xOf = (px: number) => {
    const share = (px - box.left) / iw;
    if (share < 0 || share > 1) return undefined;
    return logX ? xs.low * (xs.high / xs.low) ** share : xs.low + share * (xs.high - xs.low);
  };
  return { root, to, xOf };
}

export class XyChart {
  readonly element = h("div", { class: "plot" });
  private marker: { dot: SVGCircleElement; to: To }[] = [];
  private now: [number, number][] = [];
  private xOf: (px: number) => number | undefined = () => undefined;

  constructor(readonly options: XyOptions) {
    let size = "";
    const resize = () => {
      const key = `${this.element.clientWidth} ${this.element.clientHeight}`;
      if (key === size || !this.element.clientWidth || !this.element.clientHeight) return;
      size = key;
      this.make();
    };
    new ResizeObserver(resize).observe(this.element);
    onPaper(resize, this.element);
  }

  /** Marks the present point of each series. */
  show(points: [number, number][]) {
    this.now = points;
    this.marker.forEach(({ dot, to }, k) => {
      const p = points[k];
      const sound = p !== undefined && p.every(Number.isFinite);
      dot.setAttribute("visibility", sound ? "visible" : "hidden");
      if (!sound) return;
      const [x, y] = to(p[0], p[1]);
      dot.setAttribute("cx", x.toFixed(2));
      dot.setAttribute("cy", y.toFixed(2));
    });
  }

  /** The number along x under a pointer of the page. */
  xAt(clientX: number): number | undefined {
    return this.xOf(clientX - this.element.getBoundingClientRect().left);
  }

  private make() {
    const { root, to, xOf } = drawXy(this.options, this.element.clientWidth, this.element.clientHeight);
    this.xOf = xOf;
    this.marker = this.options.series.map((s, k) => ({ dot: dot(s), to: to[k] }));
    root.append(...this.marker.map((m) => m.dot));
    this.element.replaceChildren(root);
    this.show(this.now);
  }
}
