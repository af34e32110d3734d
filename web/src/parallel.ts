// Parallel coordinates: one line per point of a sweep, one axis per column; a range on an axis chooses points.
import { h } from "./dom";
import { number, unit } from "./format";
import { parts, shade, type Axis, type Brushes } from "./sweep_data";
import { colours, onTheme } from "./theme";

const box = { top: 58, bottom: 30, side: 84 };
const slack = 4; // pixels below which a drag is a click

export class ParallelPlot {
  readonly canvas = h("canvas", { class: "parallel", tabindex: 0, role: "img", "aria-label": "parallel coordinates" });
  readonly element = h("div", { class: "scroll-x" }, this.canvas);
  shown: number[];
  colour = 0;
  private yes: Uint8Array = new Uint8Array();
  private drag: { axis: number; from: number; to: number } | undefined;

  constructor(private readonly axes: Axis[], private readonly brushes: Brushes, private readonly changed: () => void) {
    this.shown = axes.map((_, k) => k);
    new ResizeObserver(() => this.draw(this.yes)).observe(this.element);
    onTheme(() => this.draw(this.yes));
    this.canvas.addEventListener("pointerdown", (e) => this.begin(e));
    this.canvas.addEventListener("pointermove", (e) => this.move(e));
    this.canvas.addEventListener("pointerup", () => this.end());
    this.canvas.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      this.brushes.clear();
      this.changed();
    });
  }

  private get size(): [number, number] {
    return [Math.max(this.element.clientWidth, this.shown.length * 84 + 2 * box.side - 84), 420];
  }
  private x(place: number): number {
    const [w] = this.size;
    return this.shown.length > 1 ? box.side + (place * (w - 2 * box.side)) / (this.shown.length - 1) : w / 2;
  }
  private y(axis: Axis, value: number): number {
    const t = this.size[1] - box.top - box.bottom;
    return box.top + t * (1 - (value - axis.low) / (axis.high - axis.low));
  }
  private value(axis: Axis, y: number): number {
    const t = this.size[1] - box.top - box.bottom;
    return axis.low + (axis.high - axis.low) * (1 - (y - box.top) / t);
  }

  private begin(e: PointerEvent) {
    let nearest = 0;
    for (let k = 1; k < this.shown.length; ++k) if (Math.abs(this.x(k) - e.offsetX) < Math.abs(this.x(nearest) - e.offsetX)) nearest = k;
    if (Math.abs(this.x(nearest) - e.offsetX) > 30) return;
    this.canvas.setPointerCapture(e.pointerId);
    this.drag = { axis: this.shown[nearest], from: e.offsetY, to: e.offsetY };
  }
  private move(e: PointerEvent) {
    if (!this.drag) return;
    this.drag.to = e.offsetY;
    this.brush();
  }
  private end() {
    if (this.drag && Math.abs(this.drag.to - this.drag.from) < slack) {
      this.brushes.delete(this.drag.axis);
      this.changed();
    }
    this.drag = undefined;
  }
  private brush() {
    const { axis, from, to } = this.drag!;
    if (Math.abs(to - from) < slack) return;
    const ends = [from, to].map((y) => this.value(this.axes[axis], y));
    this.brushes.set(axis, [Math.min(...ends), Math.max(...ends)]);
    this.changed();
  }

  draw(yes: Uint8Array) {
    this.yes = yes;
    const [w, t] = this.size;
    const scale = devicePixelRatio || 1;
    this.canvas.width = w * scale;
    this.canvas.height = t * scale;
    this.canvas.style.width = `${w}px`;
    this.canvas.style.height = `${t}px`;
    const c = this.canvas.getContext("2d")!;
    c.scale(scale, scale);
    const { ink, soft, line, accent, panel } = colours();
    const axes = this.shown.map((k) => this.axes[k]);
    const by = this.axes[this.colour];
    const many = Math.max(0.06, Math.min(0.75, 60 / Math.max(1, yes.length)));
    // Lines that are not chosen lie below the others.
    for (const turn of [0, 1])
      for (let k = 0; k < yes.length; ++k) {
        if (yes[k] !== turn) continue;
        c.strokeStyle = turn ? shade((by.values[k] - by.low) / (by.high - by.low)) : line;
        c.globalAlpha = turn ? many : 0.5 * many;
        c.beginPath();
        axes.forEach((axis, place) => {
          const v = axis.values[k];
          if (!Number.isFinite(v)) return;
          const [px, py] = [this.x(place), this.y(axis, v)];
          if (place === 0) c.moveTo(px, py);
          else c.lineTo(px, py);
        });
        c.stroke();
      }
    c.globalAlpha = 1;
    c.font = "12px system-ui, sans-serif";
    c.textAlign = "center";
    axes.forEach((axis, place) => {
      const px = this.x(place);
      c.strokeStyle = soft;
      c.beginPath();
      c.moveTo(px, box.top);
      c.lineTo(px, t - box.bottom);
      c.stroke();
      const range = this.brushes.get(this.shown[place]);
      if (range) {
        const [top, bottom] = [this.y(axis, range[1]), this.y(axis, range[0])];
        c.fillStyle = accent;
        c.globalAlpha = 0.3;
        c.fillRect(px - 8, top, 16, bottom - top);
        c.globalAlpha = 1;
        c.strokeStyle = accent;
        c.strokeRect(px - 8, top, 16, bottom - top);
      }
      // Names alternate between two heights, so that neighbours do not overlap.
      const { name, unit: u } = parts(axis.name);
      const write = (text: string, y: number, colour: string) => {
        c.lineWidth = 4;
        c.strokeStyle = panel;
        c.strokeText(text, px, y);
        c.lineWidth = 1;
        c.fillStyle = colour;
        c.fillText(text, px, y);
      };
      const short = name.length > 20 ? `${name.slice(0, 9)}…${name.slice(-10)}` : name;
      write(u ? `${short} [${unit(u)}]` : short, place % 2 ? 14 : 30, axis.varied ? accent : ink);
      write(number(axis.high, 4), box.top - 8, soft);
      write(number(axis.low, 4), t - box.bottom + 18, soft);
    });
  }
}
