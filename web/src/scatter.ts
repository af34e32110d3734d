// One column of a sweep against another, a point for each row.
import { h } from "./dom";
import { number } from "./format";
import { parts, shade, type Axis } from "./sweep_data";
import { colours, onTheme } from "./theme";
import { axisOf } from "./xy_chart";

const box = { left: 76, right: 16, top: 12, bottom: 46 };

export class ScatterPlot {
  readonly canvas = h("canvas", { class: "scatter", role: "img", "aria-label": "scatter plot" });
  readonly readout = h("p", { class: "soft readout" }, "move over a point to read its values");
  readonly element = h("div", {}, h("div", { class: "plot tall" }, this.canvas), this.readout);
  private yes: Uint8Array = new Uint8Array();
  private places: Float64Array = new Float64Array();

  constructor(private readonly axes: Axis[], private readonly indices: Float64Array, public x: number, public y: number, public colour: number) {
    new ResizeObserver(() => this.draw(this.yes)).observe(this.element);
    onTheme(() => this.draw(this.yes));
    this.canvas.addEventListener("pointermove", (e) => this.read(e.offsetX, e.offsetY));
  }

  private read(px: number, py: number) {
    let [best, distance] = [-1, 20 * 20];
    for (let k = 0; k < this.yes.length; ++k) {
      const d = (this.places[2 * k] - px) ** 2 + (this.places[2 * k + 1] - py) ** 2;
      if (d < distance) [best, distance] = [k, d];
    }
    if (best < 0) return;
    const shown = [...new Set([...this.axes.keys()].filter((k) => this.axes[k].varied).concat([this.x, this.y, this.colour]))];
    this.readout.textContent = `point ${this.indices[best]}: ${shown.map((k) => `${parts(this.axes[k].name).name} = ${number(this.axes[k].values[best], 5)}`).join(", ")}`;
  }

  draw(yes: Uint8Array) {
    this.yes = yes;
    const [w, t] = [this.element.clientWidth, 380];
    if (!w) return;
    const scale = devicePixelRatio || 1;
    this.canvas.width = w * scale;
    this.canvas.height = t * scale;
    this.canvas.style.cssText = `width: ${w}px; height: ${t}px`;
    const c = this.canvas.getContext("2d")!;
    c.scale(scale, scale);
    const { soft, line } = colours();
    const [ax, ay, by] = [this.axes[this.x], this.axes[this.y], this.axes[this.colour]];
    const [iw, it] = [w - box.left - box.right, t - box.top - box.bottom];
    const xs = axisOf([ax.low, ax.high], false, Math.max(2, Math.round(iw / 90)));
    const ys = axisOf([ay.low, ay.high], false, 7);
    c.font = "12px system-ui, sans-serif";
    c.strokeStyle = line;
    c.fillStyle = soft;
    c.textAlign = "center";
    const rule = (x0: number, y0: number, x1: number, y1: number) => (c.beginPath(), c.moveTo(x0, y0), c.lineTo(x1, y1), c.stroke());
    for (const m of xs.marks) {
      const x = box.left + m.at * iw;
      rule(x, box.top, x, box.top + it);
      c.fillText(m.text, x, box.top + it + 16);
    }
    c.fillText(ax.name, box.left + iw / 2, t - 8);
    c.textAlign = "right";
    for (const m of ys.marks) {
      const y = box.top + (1 - m.at) * it;
      rule(box.left, y, box.left + iw, y);
      c.fillText(m.text, box.left - 8, y + 4);
    }
    c.save();
    c.translate(14, box.top + it / 2);
    c.rotate(-Math.PI / 2);
    c.textAlign = "center";
    c.fillText(ay.name, 0, 0);
    c.restore();
    this.places = new Float64Array(2 * yes.length).fill(NaN);
    const radius = yes.length > 2000 ? 1.8 : yes.length > 300 ? 2.6 : 3.6;
    for (const turn of [0, 1])
      for (let k = 0; k < yes.length; ++k) {
        if (yes[k] !== turn || !Number.isFinite(ax.values[k] + ay.values[k])) continue;
        const [px, py] = [box.left + xs.to(ax.values[k]) * iw, box.top + (1 - ys.to(ay.values[k])) * it];
        this.places[2 * k] = px;
        this.places[2 * k + 1] = py;
        c.fillStyle = turn ? shade((by.values[k] - by.low) / (by.high - by.low)) : line;
        c.beginPath();
        c.arc(px, py, radius, 0, 7);
        c.fill();
      }
  }
}
