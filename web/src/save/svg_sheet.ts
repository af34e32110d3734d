// A drawing of lines that is drawn on like a canvas: what the view of the plane draws, as SVG.
import type { Sheet } from "../plane_shapes";

type Matrix = [number, number, number, number, number, number];

interface State {
  fillStyle: Sheet["fillStyle"];
  strokeStyle: Sheet["strokeStyle"];
  lineWidth: number;
  lineJoin: CanvasLineJoin;
  lineCap: CanvasLineCap;
  globalAlpha: number;
  font: string;
  textBaseline: CanvasTextBaseline;
  matrix: Matrix;
}

const short = (v: number) => String(Math.round(v * 100) / 100);
const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** The red, green, blue and opacity of any colour of CSS, by painting it. */
function painted(colour: string): [number, number, number, number] {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const c = canvas.getContext("2d")!;
  c.fillStyle = colour;
  c.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = c.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}

export class SvgSheet implements Sheet {
  fillStyle: Sheet["fillStyle"] = "#000";
  strokeStyle: Sheet["strokeStyle"] = "#000";
  lineWidth = 1;
  lineJoin: CanvasLineJoin = "miter";
  lineCap: CanvasLineCap = "butt";
  globalAlpha = 1;
  font = "12px sans-serif";
  textBaseline: CanvasTextBaseline = "alphabetic";
  private matrix: Matrix = [1, 0, 0, 1, 0, 0];
  private path = "";
  private parts: string[] = [];
  private readonly kept: State[] = [];
  private readonly known = new Map<string, [number, number, number, number]>();

  /** `measure` knows how wide words are. */
  constructor(private readonly width: number, private readonly height: number, private readonly measure: Pick<CanvasRenderingContext2D, "font" | "measureText">,
    private readonly paint: (colour: string) => [number, number, number, number] = painted) {}

  text(): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${short(this.width)}" height="${short(this.height)}" viewBox="0 0 ${short(this.width)} ${short(this.height)}">\n${this.parts.join("\n")}\n</svg>\n`;
  }

  save() {
    const { fillStyle, strokeStyle, lineWidth, lineJoin, lineCap, globalAlpha, font, textBaseline, matrix } = this;
    this.kept.push({ fillStyle, strokeStyle, lineWidth, lineJoin, lineCap, globalAlpha, font, textBaseline, matrix });
  }
  restore() {
    Object.assign(this, this.kept.pop());
  }
  translate(x: number, y: number) {
    const [a, b, c, d, e, f] = this.matrix;
    this.matrix = [a, b, c, d, e + a * x + c * y, f + b * x + d * y];
  }
  rotate(angle: number) {
    const [a, b, c, d, e, f] = this.matrix;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.matrix = [a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin, e, f];
  }
  private at(x: number, y: number): string {
    const [a, b, c, d, e, f] = this.matrix;
    return `${short(a * x + c * y + e)} ${short(b * x + d * y + f)}`;
  }

  beginPath() {
    this.path = "";
  }
  moveTo(x: number, y: number) {
    this.path += `M${this.at(x, y)}`;
  }
  lineTo(x: number, y: number) {
    this.path += `${this.path ? "L" : "M"}${this.at(x, y)}`;
  }
  closePath() {
    this.path += "Z";
  }
  arc(x: number, y: number, r: number, begin: number, end: number, back = false) {
    const whole = Math.abs(end - begin) >= 2 * Math.PI - 1e-9;
    let turn = end - begin;
    if (!whole) {
      // As a canvas does it: the way from begin to end in the given direction, less than a turn.
      turn %= 2 * Math.PI;
      if (back && turn > 0) turn -= 2 * Math.PI;
      if (!back && turn < 0) turn += 2 * Math.PI;
    }
    this.lineTo(x + r * Math.cos(begin), y + r * Math.sin(begin));
    const pieces = whole ? 2 : 1;
    for (let k = 1; k <= pieces; ++k) {
      const angle = begin + (turn * k) / pieces;
      const large = Math.abs(turn / pieces) > Math.PI + 1e-9 ? 1 : 0;
      this.path += `A${short(r)} ${short(r)} 0 ${large} ${turn > 0 ? 1 : 0} ${this.at(x + r * Math.cos(angle), y + r * Math.sin(angle))}`;
    }
  }

  private colour(name: "fill" | "stroke", style: Sheet["fillStyle"]): string {
    const text = String(style);
    let c = this.known.get(text);
    if (!c) this.known.set(text, (c = this.paint(text)));
    const opacity = c[3] * this.globalAlpha;
    return `${name}="rgb(${c[0]},${c[1]},${c[2]})"${opacity < 1 ? ` ${name}-opacity="${short(opacity)}"` : ""}`;
  }
  private line(): string {
    return `${this.colour("stroke", this.strokeStyle)} stroke-width="${short(this.lineWidth)}" stroke-linejoin="${this.lineJoin}" stroke-linecap="${this.lineCap}"`;
  }
  fill() {
    this.parts.push(`<path d="${this.path}" ${this.colour("fill", this.fillStyle)}/>`);
  }
  stroke() {
    this.parts.push(`<path d="${this.path}" fill="none" ${this.line()}/>`);
  }
  private rectangle(x: number, y: number, w: number, h: number): string {
    return `M${this.at(x, y)}L${this.at(x + w, y)}L${this.at(x + w, y + h)}L${this.at(x, y + h)}Z`;
  }
  fillRect(x: number, y: number, w: number, h: number) {
    this.parts.push(`<path d="${this.rectangle(x, y, w, h)}" ${this.colour("fill", this.fillStyle)}/>`);
  }
  strokeRect(x: number, y: number, w: number, h: number) {
    this.parts.push(`<path d="${this.rectangle(x, y, w, h)}" fill="none" ${this.line()}/>`);
  }

  measureText(text: string): TextMetrics {
    this.measure.font = this.font;
    return this.measure.measureText(text);
  }
  private words(text: string, x: number, y: number, how: string) {
    const [, size, family] = /([\d.]+)px (.*)/.exec(this.font) ?? ["", "12", "sans-serif"];
    const [px, py] = this.at(x, y).split(" ");
    const middle = this.textBaseline === "middle" ? ` dominant-baseline="central"` : "";
    this.parts.push(`<text x="${px}" y="${py}" font-family="${escaped(family).replace(/"/g, "'")}" font-size="${size}"${middle} ${how}>${escaped(text)}</text>`);
  }
  fillText(text: string, x: number, y: number) {
    this.words(text, x, y, this.colour("fill", this.fillStyle));
  }
  strokeText(text: string, x: number, y: number) {
    this.words(text, x, y, `fill="none" ${this.line()}`);
  }
}
