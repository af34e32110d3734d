// One quantity against another, as SVG: phase plots and work-precision diagrams; linear or logarithmic axes.
import { h, svg } from "./dom";
import { powerOfTen, tenTo, ticks, ticksOf } from "./format";
import { onPaper, seriesColour } from "./theme";

export interface XySeries {
  name: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  colour: number;
  marks?: boolean;
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
}

interface Axis {
  low: number;
  high: number;
  to(v: number): number; // to [0, 1]
  marks: { at: number; text: string }[];
}

export function axisOf(values: number[], log: boolean, about: number): Axis {
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
  [low, high] = [low - margin, high + margin];
  const { values: at, increment } = ticksOf(low, high, about);
  const text = ticks(at, increment);
  const to = (v: number) => (v - low) / (high - low);
  return { low, high, to, marks: at.map((v, k) => ({ at: to(v), text: text[k] })) };
}

// Spreading a long array into a call would overflow the stack.
function extremes(values: number[], pick: (...v: number[]) => number): number[] {
  return values.length ? [values.reduce((a, b) => pick(a, b))] : [];
}

export class XyChart {
  readonly element = h("div", { class: "plot" });
  private marker: { dot: SVGCircleElement; to: (x: number, y: number) => [number, number] }[] = [];
  private now: [number, number][] = [];

  constructor(private readonly options: XyOptions) {
    let size = "";
    const resize = () => {
      const key = `${this.element.clientWidth} ${this.element.clientHeight}`;
      if (key === size || !this.element.clientWidth || !this.element.clientHeight) return;
      size = key;
      this.make();
    };
    new ResizeObserver(resize).observe(this.element);
    onPaper(resize);
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

  private make() {
    const { series, log = false } = this.options;
    const [w, t] = [this.element.clientWidth, this.element.clientHeight];
    const box = { left: 78, right: 16, top: 10, bottom: 44 };
    const [iw, it] = [Math.max(10, w - box.left - box.right), Math.max(10, t - box.top - box.bottom)];
    const { include } = this.options;
    const all = (pick: "x" | "y") => [...series.flatMap((s) => Array.from(s[pick])), ...(include ? [include[pick === "x" ? 0 : 1]] : [])];
    const xs = axisOf(all("x"), log, Math.max(2, Math.round(iw / 80)));
    const ys = axisOf(all("y"), log, Math.max(2, Math.round(it / 36)));
    const to = (x: number, y: number): [number, number] => [box.left + xs.to(x) * iw, box.top + (1 - ys.to(y)) * it];
    const root = svg("svg", { width: w, height: t, viewBox: `0 0 ${w} ${t}`, role: "img", "aria-label": this.options.label });
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
    root.append(svg("text", { x: box.left + iw / 2, y: t - 6, "text-anchor": "middle", class: "label" }, this.options.xLabel),
      svg("text", { transform: `translate(14 ${box.top + it / 2}) rotate(-90)`, "text-anchor": "middle", class: "label" }, this.options.yLabel));
    if (include)
      for (const [a, b] of [[[xs.low, include[1]], [xs.high, include[1]]], [[include[0], ys.low], [include[0], ys.high]]]) {
        const [[x1, y1], [x2, y2]] = [to(a[0], a[1]), to(b[0], b[1])];
        root.append(svg("line", { x1, y1, x2, y2, class: "grid axis" }));
      }
    this.marker = [];
    for (const s of series) {
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
        if (s.marks) marks.push(svg("circle", { cx: x, cy: y, r: s.size ?? 4.5, fill: `var(--series-${s.colour % 12})` }, svg("title", {}, s.name)));
      }
      if (s.line !== false) root.append(svg("path", { d: path, fill: "none", stroke: `var(--series-${s.colour % 12})`, "stroke-width": 1.6, "stroke-dasharray": s.dash ?? "" }));
      root.append(...marks);
      const dot = svg("circle", s.line === false
        ? { r: 8, fill: "none", stroke: "var(--accent)", "stroke-width": 2.5, visibility: "hidden" }
        : { r: 5, fill: seriesColour(s.colour), stroke: "var(--panel)", "stroke-width": 2, visibility: "hidden" });
      root.append(dot);
      this.marker.push({ dot, to });
    }
    this.element.replaceChildren(root);
    this.show(this.now);
  }
}
