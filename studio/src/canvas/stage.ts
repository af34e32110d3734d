// The canvas: what it shows at present, and what tools need of it.
import { drawArrow, type Pen, type Point } from "../../../web/src/plane_shapes";
import { colours } from "../../../web/src/theme";
import { number } from "../../../web/src/format";
import type { Pose } from "../../../web/src/motion";
import type { Checked } from "../../../wasm/interface";
import type { Context, Item } from "../context";
import { begun } from "../model/draw";
import { commit, Editing } from "../model/editing";
import { sketchedBodies, usualUnit, type Xy } from "../model/sketch";
import { lengthUnits } from "../model/units";
import { isBegun } from "../solver";
import { parseToml, type Toml } from "../toml/tree";
import { Camera } from "./camera";
import { extent, geometry, itemAt, placeAt, posesOf, type Box, type Now } from "./geometry";
import type { Live } from "./live";
import { cornersOf, keepPhoto, keptPhoto, type Photo } from "./photo";
import { snap, type CanvasLock, type Snapped } from "./snap";
import type { Touch } from "./tool";

/** Pixels around a point within which a mouse hits it, and a finger. */
const reaches: Readonly<Record<string, number>> = { mouse: 11, pen: 14, touch: 24 };

export class Stage {
  readonly camera = new Camera();
  dragged: Pose[] | undefined;
  /** The newest answer that has a model. */
  private good: Checked | undefined;
  locks: CanvasLock[] = [];
  photo: Photo | undefined;
  /** Set while time runs. */
  live: Live | undefined;
  hover: Item | undefined;
  /** Where the pointer was last. */
  pointer: Touch | undefined;
  bar = 10;
  private toml: { text: string; parsed: Toml | undefined } = { text: "", parsed: parseToml("") };

  constructor(readonly context: Context, readonly redraw: () => void) {}

  parsed(): Toml | undefined {
    const { text } = this.context.document;
    if (this.toml.text !== text) {
      let parsed: Toml | undefined;
      try {
        parsed = parseToml(text);
      } catch {
        parsed = undefined;
      }
      this.toml = { text, parsed };
    }
    return this.toml.parsed;
  }

  now(): Now & { fresh: boolean } {
    const { checked, shown, document } = this.context;
    const { answer, text } = checked.value ?? {};
    const fresh = text === document.text;
    const common = { toml: this.parsed(), shown: shown.value, dragged: this.dragged };
    if (answer?.model) this.good = answer;
    const now = { ...geometry({ ...common, answer, fresh }), fresh: fresh && answer?.model != null };
    const { good } = this;
    const known = !common.toml || sketchedBodies(common.toml).some(({ name }) => good?.model?.bodies.some((b) => b.name === name));
    // Until the program has answered, and where the text says nothing that can be drawn, the last drawing of these bodies stays.
    if (now.fresh || !good || !known || shown.value || (fresh && now.scene.bodies.some((b) => b.shapes.length))) return now;
    return { ...geometry({ ...common, answer: good, fresh: true, dragged: undefined }), fresh: false };
  }

  /** Whether the model is in space, as far as the program has last understood it. */
  inSpace(): boolean {
    const { checked } = this.context;
    return this.good?.model?.dim === 3 && (!checked.value || isBegun(checked.value.answer));
  }

  reach = (touch: Pick<Touch, "kind">) => (reaches[touch.kind] ?? 11) / this.camera.scale;

  snap(touch: Touch, more: { from?: Xy; not?: string } = {}): Snapped {
    const now = this.now();
    return snap(touch.at, { places: now.start ? now.places : new Map(), reach: this.reach(touch), step: this.grid().snap, free: touch.shift, lengths: more.from ? this.lengths(now) : [], ...more });
  }
  /** Lengths of the rods. */
  private lengths({ toml, places }: Now): number[] {
    const rods = toml ? sketchedBodies(toml).filter((b) => b.name !== "ground" && b.through.length === 2) : [];
    return rods.flatMap(({ through }) => {
      const [p, q] = through.map((name) => places.get(name));
      return p && q ? [Math.hypot(q[0] - p[0], q[1] - p[1])] : [];
    });
  }
  itemAt = (touch: Touch) => itemAt(this.now(), touch.at, this.reach(touch));
  placeAt = (touch: Touch) => placeAt(this.now(), touch.at, this.reach(touch));

  /** Lays a photo behind the grid, or takes it away. */
  lay(photo: Photo | undefined) {
    this.photo = photo;
    keepPhoto(this.context.beside, photo);
    this.redraw();
  }
  /** Brings back the photo that was there when the page was closed. */
  async layKept() {
    const photo = await keptPhoto(this.context.beside);
    if (!photo || this.photo) return;
    this.photo = photo;
    this.fit();
  }

  /** Says which places could not be moved. */
  refuse(places: readonly string[]) {
    if (places.length) this.context.say(`${places.join(", ")}: given by a formula; change it in the text.`);
  }

  /** Begins with another model: locks and the photo are those of the one before. */
  renew(empty: boolean) {
    this.locks = [];
    this.lay(undefined);
    if (empty) this.camera.home();
  }

  /** Back from a motion to the start, where the model is edited. */
  toStart() {
    this.dragged = undefined;
    this.context.shown.set(undefined);
    this.context.commands.run("rewind");
  }

  /** Changes the model; what the function returns may be an item to select, and false takes back what it has begun.  A text that
   * is no TOML is left alone. */
  edit(title: string, change: (e: Editing) => Item | readonly Item[] | false | void, group?: string): boolean {
    if (!this.parsed()) {
      this.context.say("The text has a mistake; mend it first, then the canvas can change it.");
      return false;
    }
    if (this.inSpace()) {
      this.context.say("This model is in space: it is edited in the text.");
      return false;
    }
    const editing = begun(this.context.document.text);
    const chosen = change(editing);
    if (chosen === false) return false;
    this.dragged = undefined;
    commit(this.context.document, editing, title, group);
    if (chosen) this.context.selection.set(Array.isArray(chosen) ? chosen : [chosen as Item]);
    this.redraw();
    return editing.steps.length > 0;
  }

  /** Shows the mechanism, all of its motion if that stays near, and the photo. */
  fit() {
    const drawn = extent(this.now());
    const boxes: Box[] = [];
    if (drawn) {
      const all = this.swept(drawn);
      const size = ({ low, high }: Box) => Math.max(high[0] - low[0], high[1] - low[1]);
      boxes.push(size(all) <= 3 * size(drawn) ? all : drawn);
    }
    if (this.photo) {
      const [low, high] = cornersOf(this.photo);
      boxes.push({ low, high });
    }
    const end = (pick: (...v: number[]) => number, side: "low" | "high") => [0, 1].map((k) => pick(...boxes.map((b) => b[side][k]))) as unknown as Xy;
    if (boxes.length) this.camera.fit(end(Math.min, "low"), end(Math.max, "high"));
    this.redraw();
  }

  /** The box of the newest run, if it is one of this text. */
  private swept(box: Box): Box {
    const { ran, checked, document } = this.context;
    const { result, text } = ran.value ?? {};
    const { answer } = checked.value ?? {};
    if (!result || text !== document.text || checked.value?.text !== text || answer?.model?.dim !== 2) return box;
    const width = 3 * answer.model.bodies.length;
    const rows = result.times.length;
    const low: [number, number] = [...box.low];
    const high: [number, number] = [...box.high];
    for (let f = 0; f < Math.min(rows, 60); ++f) {
      const row = Math.floor((f * (rows - 1)) / Math.max(1, Math.min(rows, 60) - 1));
      const dragged = posesOf(2, result.poses.subarray(row * width, (row + 1) * width));
      const one = extent({ ...geometry({ toml: this.parsed(), answer, fresh: true, shown: undefined, dragged }), places: new Map() });
      for (const k of one ? [0, 1] : []) [low[k], high[k]] = [Math.min(low[k], one!.low[k]), Math.max(high[k], one!.high[k])];
    }
    return { low, high };
  }

  /** The unit in which lengths are shown and typed. */
  unit(): string {
    const toml = this.parsed();
    return (toml && usualUnit(toml)) ?? "mm";
  }
  /** The grid, which has round numbers of that unit. */
  grid = () => this.camera.grid(lengthUnits[this.unit()]);
  /** "120 mm". */
  words(length: number, digits = 4): string {
    const unit = this.unit() || "m";
    return `${number(length / lengthUnits[unit], digits)} ${unit}`;
  }

  isSelected = (section: string, name: string) => this.context.selection.value.some((i) => i.section === section && i.name === name);

  /** A bar that is not there yet. */
  drawBar({ c }: Pen, points: readonly Xy[], closed = false) {
    c.save();
    c.globalAlpha = 0.55;
    c.strokeStyle = c.fillStyle = colours().accent;
    c.lineWidth = Math.max(3, this.bar * 0.7);
    c.lineCap = c.lineJoin = "round";
    c.beginPath();
    points.forEach((p, k) => (k ? c.lineTo(...this.camera.toPixels(p)) : c.moveTo(...this.camera.toPixels(p))));
    if (closed) c.closePath();
    c.stroke();
    if (closed) {
      c.globalAlpha = 0.18;
      c.fill();
    }
    c.restore();
  }
  drawArrow(pen: Pen, from: Xy, to: Xy, colour = colours().applied) {
    drawArrow(pen, this.camera.toPixels(from), this.camera.toPixels(to), colour);
  }

  /** A mark where the pointer snaps. */
  drawSnap({ c }: Pen, { at, why }: Snapped) {
    const [x, y] = this.camera.toPixels(at);
    c.strokeStyle = colours().accent;
    c.lineWidth = 1.5;
    c.beginPath();
    if (why === "place") c.arc(x, y, 10, 0, 2 * Math.PI);
    else {
      c.moveTo(x - 6, y), c.lineTo(x + 6, y);
      c.moveTo(x, y - 6), c.lineTo(x, y + 6);
    }
    c.stroke();
  }

  /** Length and angle beside a line. */
  drawDimension(pen: Pen, a: Xy, b: Xy) {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
    const middle = this.camera.toPixels([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    this.label(pen, `${this.words(Math.hypot(dx, dy))} ∠ ${number(angle, 4)}°`, [middle[0] + 12, middle[1] - 14], colours().accent);
  }

  label({ c }: Pen, words: string, [x, y]: Point, colour: string, align: CanvasTextAlign = "left") {
    c.font = "12px system-ui, sans-serif";
    c.textBaseline = "middle";
    c.textAlign = align;
    c.lineJoin = "round";
    c.lineWidth = 4;
    c.strokeStyle = colours().panel;
    c.strokeText(words, x, y);
    c.fillStyle = colour;
    c.fillText(words, x, y);
    c.textAlign = "left";
  }
}
