// Which part of the plane is seen.
import type { Point } from "../../../web/src/plane_shapes";
import { ticksOf } from "../../../web/src/format";
import type { Xy } from "../model/sketch";

const [farthest, nearest] = [1e-8, 1e7]; // pixels per metre

export class Camera {
  x = 0;
  y = 0;
  /** Pixels per metre. */
  scale = 1;
  width = 0;
  height = 0;

  constructor() {
    this.home();
  }

  /** A desk: where a drawing begins. */
  home() {
    [this.x, this.y, this.scale] = [0.15, 0.1, 1200];
  }

  toPixels = (p: ArrayLike<number>): Point => [this.width / 2 + (p[0] - this.x) * this.scale, this.height / 2 - (p[1] - this.y) * this.scale];
  toWorld = ([px, py]: Point): [number, number] => [this.x + (px - this.width / 2) / this.scale, this.y - (py - this.height / 2) / this.scale];

  pan(dx: number, dy: number) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
  }
  zoom(factor: number, at: Point) {
    const [x, y] = this.toWorld(at);
    this.scale = Math.min(nearest, Math.max(farthest, this.scale * factor));
    this.x = x - (at[0] - this.width / 2) / this.scale;
    this.y = y + (at[1] - this.height / 2) / this.scale;
  }
  fit(low: Xy, high: Xy) {
    const size = Math.max(high[0] - low[0], high[1] - low[1], 1e-6);
    const margin = Math.min(110, 0.16 * Math.min(this.width, this.height));
    [this.x, this.y] = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    this.scale = Math.max(farthest, Math.min((this.width - 2 * margin) / Math.max(high[0] - low[0], 0.2 * size), (this.height - 2 * margin) / Math.max(high[1] - low[1], 0.2 * size)));
  }
  /** The distance of grid lines, and the finer one to which points snap [m]: round numbers of a unit [m]. */
  grid(unit = 1): { line: number; snap: number } {
    const { increment } = ticksOf(0, Math.max(1, this.width) / this.scale / unit, Math.max(4, Math.round(this.width / 90)));
    const lead = Math.round(increment / 10 ** Math.floor(Math.log10(increment) + 1e-9) * 10) / 10;
    const line = increment * unit;
    return { line, snap: line / (lead === 2 ? 4 : lead === 2.5 ? 5 : 10) };
  }
}
