// Channels over time, by uPlot: one axis for each unit, zoom by dragging, a line at the time that is shown.
import uPlot from "uplot";
import type { Colour } from "./body_colours";
import type { Channel } from "./data";
import { rowAt } from "./data";
import { powerOfTen, tenTo, ticks, unit } from "./format";
import { colours, onPaper, onTheme, paintOf } from "./theme";

export interface Series {
  channel: Channel;
  colour: Colour;
  dash?: number[];
  faint?: boolean; // the curve of another run
}

export interface TimePlotOptions {
  series: Series[];
  log?: boolean;
  picked?: (t: number) => void;
  zoomed?: (low: number, high: number) => void;
  label: string;
}

/** Numbers as uPlot wants them: what is not finite, or not positive on a logarithmic axis, is a gap. */
export function drawable(values: ArrayLike<number>, log: boolean): (number | null)[] | Float32Array {
  let sound = values instanceof Float32Array;
  for (let k = 0; sound && k < values.length; ++k) sound = Number.isFinite(values[k]) && (!log || values[k] > 0);
  if (sound) return values as Float32Array;
  return Array.from(values, (v) => {
    const size = log ? Math.abs(v) : v;
    return Number.isFinite(size) && (!log || size > 0) ? size : null;
  });
}

function dataOf(series: Series[], log: boolean): uPlot.AlignedData {
  const same = series.every((s) => s.channel.times === series[0].channel.times);
  if (same && series.length) return [series[0].channel.times, ...series.map((s) => drawable(s.channel.values, log))] as uPlot.AlignedData;
  return uPlot.join(series.map((s) => [Array.from(s.channel.times), drawable(s.channel.values, log)] as uPlot.AlignedData)) as uPlot.AlignedData;
}

/** A range that shows all values, wider where they are all the same. */
export function padded(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Values that vary only by rounding of 32-bit numbers are shown as constant.
  if (high - low <= 4e-7 * size) {
    const around = size > 0 ? 0.1 * size : 1;
    return [low - around, high + around];
  }
  const margin = 0.06 * (high - low);
  return [low - margin, high + margin];
}

/** The outline of a band around a curve: along its upper edge, and back along its lower one. */
export function outline({ times, values, band }: Channel): [number, number][] {
  const above: [number, number][] = [];
  const below: [number, number][] = [];
  if (!band?.times.length) return [];
  for (let k = 0; k < times.length; ++k) {
    const error = band.errors[Math.ceil(rowAt(band.times, times[k]))];
    if (!Number.isFinite(values[k]) || !Number.isFinite(error)) continue;
    above.push([times[k], values[k] + error]);
    below.push([times[k], values[k] - error]);
  }
  return [...above, ...below.reverse()];
}

function drawBands(u: uPlot, series: Series[]) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.globalAlpha = 0.22;
  for (const { channel, colour } of series) {
    ctx.beginPath();
    for (const [t, value] of outline(channel)) ctx.lineTo(u.valToPos(t, "x", true), u.valToPos(value, `y ${channel.unit}`, true));
    ctx.fillStyle = paintOf(colour);
    ctx.fill();
  }
  ctx.restore();
}

export class TimePlot {
  readonly element = document.createElement("div");
  private plot: uPlot | undefined;
  private readonly head = document.createElement("div");
  private t = 0;
  private quiet = false;

  constructor(private readonly options: TimePlotOptions) {
    this.element.className = "plot";
    this.element.setAttribute("role", "img");
    this.element.setAttribute("aria-label", options.label);
    this.head.className = "playhead";
    let size = "";
    const resize = () => {
      const [width, height] = [this.element.clientWidth, this.element.clientHeight];
      const now = `${width} ${height}`;
      if (now === size || !width || !height) return;
      size = now;
      if (this.plot) {
        this.plot.setSize({ width, height });
        this.place();
      } else this.make();
    };
    new ResizeObserver(resize).observe(this.element);
    onPaper(resize, this.element);
    onTheme(() => this.plot && this.make(), this.element);
  }

  /** The stretch of time that is shown; all of it before anything is drawn. */
  get range(): [number, number] {
    const { min, max } = this.plot?.scales.x ?? {};
    return [min ?? -Infinity, max ?? Infinity];
  }

  /** The line at time t. */
  show(t: number) {
    this.t = t;
    this.place();
  }

  zoom(low: number, high: number) {
    if (!this.plot) return;
    this.quiet = true;
    this.plot.setScale("x", { min: low, max: high });
    this.quiet = false;
    this.place();
  }

  private place() {
    if (!this.plot) return;
    const x = this.plot.valToPos(this.t, "x");
    const inside = x >= -0.5 && x <= this.plot.over.clientWidth + 0.5;
    this.head.style.display = inside ? "" : "none";
    this.head.style.transform = `translateX(${x}px)`;
    this.head.dataset.time = String(this.t);
  }

  private make() {
    const { series, log = false } = this.options;
    const kept = this.plot ? { ...this.plot.scales.x } : undefined;
    this.plot?.destroy();
    const palette = colours();
    const units = [...new Set(series.map((s) => s.channel.unit))];
    const scales: uPlot.Scales = { x: { time: false } };
    for (const u of units)
      scales[`y ${u}`] = log
        ? { distr: 3, range: (_, low, high) => logRange(low, high) }
        : { range: (_, low, high) => padded(low, high) };
    const font = "12px system-ui, sans-serif";
    const grid = { stroke: palette.line, width: 1 };
    const axes: uPlot.Axis[] = [
      { stroke: palette.soft, font, grid, ticks: { ...grid, size: 4 }, size: 26, gap: 4, space: 64,
        values: (_, splits, __, ___, increment) => withUnit(ticks(splits, increment), "s") },
      ...units.slice(0, 2).map((u, k): uPlot.Axis => ({
        scale: `y ${u}`, side: k ? 1 : 3, stroke: palette.soft, font, grid: { ...grid, show: k === 0 }, ticks: { ...grid, size: 4 },
        size: 62, gap: 4, space: 30, ...(log ? { splits: (_, __, low, high) => decades(low, high), filter: (_, splits) => splits } : {}), label: unit(u), labelFont: font, labelSize: 18, labelGap: 0,
        values: log
          ? (_, splits) => splits.map((v) => powerOfTen(Math.round(Math.log10(v))))
          : (_, splits, __, ___, increment) => ticks(splits, increment),
      })),
    ];
    this.plot = new uPlot({
      width: this.element.clientWidth,
      height: this.element.clientHeight,
      padding: [8, units.length > 1 ? 0 : 34, 0, 0],
      scales,
      axes,
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, dist: 6 }, points: { size: 7 } },
      series: [{}, ...series.map((s): uPlot.Series => ({
        scale: `y ${s.channel.unit}`, stroke: paintOf(s.colour), width: s.faint ? 3.2 : 1.6, alpha: s.faint ? 0.4 : 1, dash: s.dash, points: { show: s.channel.values.length === 1 },
      }))],
      hooks: {
        drawAxes: [(u) => { if (!log) drawBands(u, series); }],
        setScale: [(u, key) => {
          if (key !== "x" || this.quiet) return;
          this.place();
          if (this.plot === u) this.options.zoomed?.(u.scales.x.min!, u.scales.x.max!);
        }],
        ready: [(u) => {
          if (this.options.picked) u.over.append(this.head);
          let down = 0;
          u.over.addEventListener("pointerdown", (e) => (down = e.clientX));
          u.over.addEventListener("click", (e) => {
            if (Math.abs(e.clientX - down) > 5) return;
            this.options.picked?.(u.posToVal(e.clientX - u.over.getBoundingClientRect().left, "x"));
          });
        }],
      },
    }, dataOf(series, log), this.element);
    if (kept?.min !== undefined && kept.max !== undefined) this.zoom(kept.min!, kept.max!);
    this.place();
  }
}

/** The labels, the last one with the unit of all. */
export const withUnit = (labels: string[], u: string) => labels.map((text, k) => (k === labels.length - 1 && text ? `${text} ${u}` : text));

/** Whole powers of ten in a range, at most seven or so. */
export function decades(low: number, high: number): number[] {
  const [a, b] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const stride = Math.max(1, Math.ceil((b - a) / 7));
  const all: number[] = [];
  for (let e = a; e <= b; e += stride) all.push(tenTo(e));
  return all;
}

/** Whole decades around positive values. */
export function logRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(low > 0) || !(high > 0)) return [1e-16, 1];
  const bottom = Math.floor(Math.log10(low));
  const top = Math.max(bottom + 1, Math.ceil(Math.log10(high)));
  return [tenTo(bottom), tenTo(top)];
}
