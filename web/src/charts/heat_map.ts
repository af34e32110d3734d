// One column of a sweep as colours over two others.
import { h } from "../dom";
import { number, unit } from "../format";
import { csvOf } from "../save/csv";
import { download, fileName, pngOfCanvas, textFile } from "../save/files";
import { parts, shade, type Axis } from "../sweep_data";
import { colours, onTheme } from "../theme";
import { axisOf } from "../xy_chart";
import { cellOf, cellsOf, type Cells } from "./cells";

const box = { left: 76, right: 96, top: 12, bottom: 46, height: 380 };

const labelOf = (a: Axis) => {
  const { name, unit: u } = parts(a.name);
  return u && u !== "1" ? `${name} [${unit(u)}]` : name;
};

export class HeatMap {
  readonly canvas = h("canvas", { class: "heat-map", role: "img", "aria-label": "heat map" });
  readonly readout = h("p", { class: "soft readout" }, "move over a cell to read its value");
  readonly element = h("div", {}, h("div", { class: "plot tall" }, this.canvas), this.readout);
  private yes: Uint8Array = new Uint8Array();
  private cells: Cells | undefined;

  constructor(private readonly axes: Axis[], public x: number, public y: number, public z: number) {
    new ResizeObserver(() => this.draw(this.yes)).observe(this.element);
    onTheme(() => this.draw(this.yes));
    this.canvas.addEventListener("pointermove", (e) => this.read(e.offsetX, e.offsetY));
  }

  private get width(): number {
    return this.element.clientWidth;
  }
  private get inner(): [number, number] {
    return [Math.max(10, this.width - box.left - box.right), box.height - box.top - box.bottom];
  }
  private names(): [string, string, string] {
    return [this.x, this.y, this.z].map((k) => labelOf(this.axes[k])) as [string, string, string];
  }

  private read(px: number, py: number) {
    const { cells } = this;
    if (!cells) return;
    const [w, t] = this.inner;
    const along = (edges: number[], share: number) => edges[0] + share * (edges[edges.length - 1] - edges[0]);
    const i = cellOf(cells.x, along(cells.x.edges, (px - box.left) / w));
    const j = cellOf(cells.y, along(cells.y.edges, 1 - (py - box.top) / t));
    if (i < 0 || j < 0) return;
    const at = i * cells.y.at.length + j;
    const [x, y, z] = this.names();
    const many = cells.count[at] > 1 ? `, the mean of ${cells.count[at]} points` : "";
    this.readout.textContent = `${x} = ${number(cells.x.at[i], 5)}, ${y} = ${number(cells.y.at[j], 5)}: ${cells.count[at] ? `${z} = ${number(cells.mean[at], 5)}${many}` : "no good point"}`;
  }

  draw(yes: Uint8Array) {
    this.yes = yes;
    const [w, t] = this.inner;
    if (!this.width) return;
    const [ax, ay, az] = [this.axes[this.x], this.axes[this.y], this.axes[this.z]];
    const cells = (this.cells = cellsOf(ax.values, ay.values, az.values, yes));
    const scale = devicePixelRatio || 1;
    [this.canvas.width, this.canvas.height] = [Math.round(this.width * scale), Math.round(box.height * scale)];
    this.canvas.style.cssText = `width: ${this.width}px; height: ${box.height}px`;
    const c = this.canvas.getContext("2d")!;
    c.scale(scale, scale);
    const { soft, line, panel } = colours();
    c.fillStyle = panel;
    c.fillRect(0, 0, this.width, box.height);
    const ends = (e: number[]): [number, number] => [e[0], e[e.length - 1]];
    const xs = axisOf(ends(cells.x.edges), false, Math.max(2, Math.round(w / 90)), ends(cells.x.edges));
    const ys = axisOf(ends(cells.y.edges), false, 7, ends(cells.y.edges));
    const sound = cells.mean.filter(Number.isFinite);
    const [low, high] = [sound.reduce((a, b) => Math.min(a, b), Infinity), sound.reduce((a, b) => Math.max(a, b), -Infinity)];
    cells.mean.forEach((v, k) => {
      if (!Number.isFinite(v)) return;
      const [i, j] = [Math.floor(k / cells.y.at.length), k % cells.y.at.length];
      const [x0, x1] = [cells.x.edges[i], cells.x.edges[i + 1]].map((e) => box.left + xs.to(e) * w);
      const [y0, y1] = [cells.y.edges[j + 1], cells.y.edges[j]].map((e) => box.top + (1 - ys.to(e)) * t);
      c.fillStyle = shade(high > low ? (v - low) / (high - low) : 0.5);
      c.fillRect(x0, y0, x1 - x0 + 0.6, y1 - y0 + 0.6);
    });
    c.strokeStyle = line;
    c.strokeRect(box.left, box.top, w, t);
    c.font = "12px system-ui, sans-serif";
    c.fillStyle = soft;
    const write = (text: string, x: number, y: number, align: CanvasTextAlign) => ((c.textAlign = align), c.fillText(text, x, y));
    for (const m of xs.marks) write(m.text, box.left + m.at * w, box.top + t + 16, "center");
    for (const m of ys.marks) write(m.text, box.left - 8, box.top + (1 - m.at) * t + 4, "right");
    const [x, y, z] = this.names();
    write(x, box.left + w / 2, box.height - 8, "center");
    c.save();
    c.translate(14, box.top + t / 2);
    c.rotate(-Math.PI / 2);
    write(y, 0, 0, "center");
    c.restore();
    if (sound.length) this.scale(c, low, high, z, t);
  }

  /** The colours from low to high, at the right. */
  private scale(c: CanvasRenderingContext2D, low: number, high: number, name: string, t: number) {
    const x = this.width - box.right + 14;
    for (let k = 0; k < t; ++k) {
      c.fillStyle = shade(1 - k / t);
      c.fillRect(x, box.top + k, 12, 1.5);
    }
    c.fillStyle = colours().soft;
    c.textAlign = "left";
    c.fillText(number(high, 4), x + 17, box.top + 10);
    c.fillText(number(low, 4), x + 17, box.top + t);
    c.save();
    c.translate(x + 30, box.top + t / 2);
    c.rotate(-Math.PI / 2);
    c.textAlign = "center";
    c.fillText(name, 0, 0);
    c.restore();
  }

  private csv(): string {
    const { x, y, mean, count } = this.cells!;
    const rows = [...mean.keys()];
    const column = (axis: number, values: number[]) => ({ ...parts(this.axes[axis].name), values });
    return csvOf([column(this.x, rows.map((k) => x.at[Math.floor(k / y.at.length)])), column(this.y, rows.map((k) => y.at[k % y.at.length])), column(this.z, [...mean]), { name: "points", unit: "1", values: [...count] }]);
  }

  saving(): HTMLElement[] {
    const name = () => this.names().join(" ");
    const button = (label: string, onclick: () => void) => h("button", { type: "button", class: "chip small", title: `save the heat map as ${label}`, onclick }, label);
    return [
      button("PNG", () => void pngOfCanvas(this.canvas).then((image) => download(fileName(name(), "png"), image))),
      button("CSV", () => download(fileName(name(), "csv"), textFile(this.csv(), "text/csv"))),
    ];
  }
}
