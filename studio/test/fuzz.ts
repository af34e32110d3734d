// Random sequences of what can be done to a model, each with its seed.
//
//   node fuzz.mjs MODULE [SEQUENCES] [FIRST_SEED]
//
// After every action the editor's text is that of the document, the canvas sees the places that another reader of TOML finds,
// and the program accepts the model or says what is wrong.  At the end undo leads back to the start to the character, and redo
// to the end.  In sequences without typing there is nothing wrong with the text.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { EditorState } from "@codemirror/state";
import { parse } from "smol-toml";
import { Library } from "../../wasm/library";
import type { Checked } from "../../wasm/interface";
import { setLength } from "../src/canvas/dimension";
import { geometry, localPoint } from "../src/canvas/geometry";
import { lockedShift, lockedTarget, snap, type CanvasLock } from "../src/canvas/snap";
import type { Item } from "../src/context";
import { ModelDocument } from "../src/document";
import { addBody, addDisc, addForce, addGear, addGround, addMotor, addPlace, addSlider, addSlot, addSpring, addTracer, begun, joinAt } from "../src/model/draw";
import { copyBodies, movePlace, removeItems, renameItem } from "../src/model/change";
import { commit, type Editing } from "../src/model/editing";
import { useMass, useMaterial } from "../src/model/masses";
import { freshName } from "../src/model/names";
import { keepPose, type Xya } from "../src/model/pose";
import { placeNames, sketchedBodies, writtenPlace, type Xy } from "../src/model/sketch";
import { parseToml, type Toml } from "../src/toml/tree";
import { Random } from "./random";

const [moduleFile, sequences = "2000", first = "1"] = process.argv.slice(2);
const library = await Library.load(new WebAssembly.Module(readFileSync(moduleFile)));

/** What points that are moved may make of plates and bars: the program says so, and the text is fine. */
const ofShapes = /needs an area|lie on no line|crosses another one|at the same point|the same point as/;

/** One sequence. */
class Sequence {
  readonly random: Random;
  readonly model: ModelDocument;
  private editor: EditorState;
  private answer: Checked | undefined;
  private now = 0;
  readonly done: string[] = [];
  readonly typing: boolean;
  /** Whether lengths of the model may contradict each other by now: wheels that were moved apart, triangles that cannot be. */
  private loose = false;

  constructor(readonly seed: number, readonly start: string) {
    this.random = new Random(seed);
    this.typing = seed % 3 === 0;
    this.model = new ModelDocument(start, () => this.now);
    this.editor = EditorState.create({ doc: start });
    this.model.subscribe(({ edits }) => (this.editor = this.editor.update({ changes: edits as { from: number; to: number; insert: string }[] }).state));
  }

  toml(): Toml | undefined {
    try {
      return parseToml(this.model.text);
    } catch {
      return undefined;
    }
  }
  private xy = (): Xy => {
    const places = this.places();
    const free: Xy = [(this.random.below(60) - 20) * 0.01, (this.random.below(50) - 15) * 0.01];
    return snap(free, { places, reach: 0.004, step: 0.01 }).at;
  };
  private places(): Map<string, Xy> {
    return geometry({ toml: this.toml(), answer: this.answer, fresh: false, shown: undefined, dragged: undefined }).places;
  }
  /** A place that is there, or a new one. */
  private at(e: Editing): string {
    const names = placeNames(e.toml);
    if (names.length && this.random.below(3)) return this.random.pick(names);
    const at = this.xy();
    const there = [...this.places()].find(([name, p]) => names.includes(name) && Math.hypot(p[0] - at[0], p[1] - at[1]) < 1e-9);
    return there?.[0] ?? addPlace(e, at);
  }
  private different(e: Editing, n: number): string[] {
    const names = new Set<string>();
    for (let k = 0; k < 3 * n && names.size < n; ++k) names.add(this.at(e));
    return [...names];
  }
  private direction = (): Xy => this.random.pick([[1, 0], [0, 1], [0.6, 0.8], [-1, 0]] as const);
  private item(e: Editing): Item | undefined {
    const all = ["places", "bodies", "joints", "drivers", "forces", "points"].flatMap((section) => (e.table(section)?.names ?? []).map((name) => ({ section, name })));
    return all.length ? this.random.pick(all) : undefined;
  }
  private body(e: Editing): string | undefined {
    const all = sketchedBodies(e.toml).filter((b) => b.name !== "ground").map((b) => b.name);
    return all.length ? this.random.pick(all) : undefined;
  }

  /** One lock now and then. */
  private locks(e: Editing): CanvasLock[] {
    const names = placeNames(e.toml);
    if (names.length < 2 || this.random.below(3)) return [];
    const kind = this.random.pick(["point", "length", "angle"] as const);
    const [a, b] = [this.random.pick(names), this.random.pick(names)];
    return [kind === "point" ? { kind, place: a } : { kind, a, b }];
  }

  private readonly actions: Record<string, (e: Editing) => void> = {
    rod: (e) => {
      const places = this.different(e, 2);
      if (places.length === 2) addBody(e, places);
    },
    plate: (e) => {
      const places = this.different(e, 3 + this.random.below(3));
      if (places.length >= 3) addBody(e, places);
    },
    disc: (e) => void addDisc(e, this.at(e), 0.03),
    point: (e) => void addPlace(e, this.xy()),
    ground: (e) => addGround(e, this.at(e)),
    pin: (e) => joinAt(e, this.at(e), this.body(e)),
    slider: (e) => void addSlider(e, this.at(e), this.direction(), 0.04),
    slot: (e) => void addSlot(e, this.at(e), this.direction(), this.random.below(2) ? "ground" : this.body(e) ?? "ground"),
    gear: (e) => {
      const [a, b] = this.different(e, 2);
      const places = this.places();
      const [p, q] = [a, b].map((name) => places.get(name) ?? writtenPlace(e.toml, name));
      if (p && q) addGear(e, a, b, Math.hypot(p[0] - q[0], p[1] - q[1]));
    },
    spring: (e) => {
      const [a, b] = this.different(e, 2);
      if (b) addSpring(e, a, b, [["stiffness", '"200 N/m"']], "spring", { a: this.random.below(2) ? this.body(e) : undefined });
    },
    motor: (e) => void addMotor(e, this.at(e), "30 rpm"),
    force: (e) => void addForce(e, this.at(e), [3, 4], this.body(e)),
    trace: (e) => void addTracer(e, this.at(e), this.body(e)),
    move: (e) => {
      const name = this.at(e);
      const places = this.places();
      movePlace(e, name, lockedTarget(name, this.xy(), places, this.locks(e)));
    },
    shift: (e) => {
      const body = sketchedBodies(e.toml).find((b) => b.name === this.body(e));
      const places = this.places();
      const names = [...new Set([...(body?.through ?? []), ...(body?.at ? [body.at] : [])])];
      const [dx, dy] = lockedShift(names, [0.01 * (this.random.below(9) - 4), 0.02], places, this.locks(e));
      for (const name of names) {
        const at = places.get(name);
        if (at) movePlace(e, name, [at[0] + dx, at[1] + dy]);
      }
    },
    remove: (e) => {
      const item = this.item(e);
      if (item) removeItems(e, [item]);
    },
    rename: (e) => {
      const item = this.item(e);
      if (item && item.name !== "ground") renameItem(e, item, item.section === "places" ? `p${this.done.length}` : freshName(e.toml, "name"));
    },
    copy: (e) => {
      const name = this.body(e);
      const places = this.places();
      if (name) copyBodies(e, [name], [0.02, -0.03], (p) => places.get(p));
    },
    length: (e) => {
      const [a, b] = placeNames(e.toml);
      if (b) setLength(e, this.places(), a, b, 0.05 + 0.01 * this.random.below(9), this.random.below(2) ? undefined : 0.3);
    },
    material: (e) => {
      const name = this.body(e);
      if (name && this.random.below(2)) useMaterial(e, name, 7850, 1);
      else if (name) useMass(e, name, 2);
    },
    drag: (e) => this.drag(e),
  };

  /** A hand that drags, as on the canvas. */
  private drag(e: Editing) {
    const { answer } = this;
    if (!answer?.ok || !answer.model || answer.model.dim !== 2 || !answer.model.bodies.length) return;
    const now = geometry({ toml: e.toml, answer, fresh: true, shown: undefined, dragged: undefined });
    const body = 1 + this.random.below(answer.model.bodies.length);
    const target = this.xy();
    const { session } = library.openDrag({ text: e.text });
    const state = library.pullDrag(session, body, localPoint(now.pose(body), [now.pose(body).x[0], now.pose(body).x[1]]), target);
    library.close(session);
    const byName = (values: ArrayLike<number>) => new Map(answer.model!.bodies.map((b, k): [string, Xya] => [b.name, [values[3 * k], values[3 * k + 1], values[3 * k + 2]]]));
    keepPose(e, now.places, byName(answer.assembled), byName(state.poses));
  }

  step() {
    this.now += this.random.below(1500);
    const kind = this.random.below(10);
    if (kind === 0 && this.model.canUndo) return this.say("undo", () => this.model.undo());
    if (kind === 1 && this.model.canRedo) return this.say("redo", () => this.model.redo());
    if (this.typing && kind < 4) return this.say("type", () => this.type());
    const name = this.random.pick(Object.keys(this.actions));
    this.say(name, () => {
      if (!this.toml()) return;
      const editing = begun(this.model.text);
      this.actions[name](editing);
      commit(this.model, editing, name);
    });
  }
  private say(name: string, act: () => void) {
    this.done.push(name);
    if (["move", "shift", "length", "drag"].includes(name) && /gear|length = \{/.test(this.model.text)) this.loose = true;
    act();
    this.check();
  }
  private type() {
    const { length } = this.model.text;
    const from = this.random.below(length + 1);
    const to = Math.min(length, from + this.random.below(4));
    this.model.apply([{ from, to, insert: this.random.pick(["", "x", "1", '"', "\n", "[a]\n", "= ", "{", "}"]) }], { origin: "text", group: "typing" });
  }

  private check() {
    const { text } = this.model;
    assert.equal(this.editor.doc.toString(), text);
    const toml = this.toml();
    if (toml) {
      const other = parse(text) as { places?: Record<string, unknown> };
      assert.deepEqual(placeNames(toml).sort(), Object.keys(other.places ?? {}).sort());
    }
    const answer = library.check({ text });
    this.answer = answer;
    assert.ok(answer.ok || answer.obstacle?.message || (answer.errors.length && answer.errors.every((p) => p.message)), "neither valid nor a message");
    const empty = toml && !sketchedBodies(toml).some((b) => b.name !== "ground");
    if (!this.typing && !empty && !this.loose) assert.deepEqual(answer.errors.map((p) => p.message).filter((m) => !ofShapes.test(m)), [], "the canvas made a text with a mistake");
    // The canvas draws places where the program has them.
    if (toml && answer.model?.places)
      for (const place of answer.model.places) {
        const mine = geometry({ toml, answer: undefined, fresh: false, shown: undefined, dragged: undefined }).places.get(place.name);
        if (mine) assert.ok(Math.hypot(mine[0] - place.at[0], mine[1] - place.at[1]) <= 1e-12 * (1 + Math.hypot(...mine)), place.name);
      }
  }

  run() {
    const count = 5 + this.random.below(16);
    for (let k = 0; k < count; ++k) this.step();
    while (this.model.canRedo) this.model.redo();
    const end = this.model.text;
    while (this.model.canUndo) this.model.undo();
    assert.equal(this.model.text, this.start);
    assert.equal(this.editor.doc.toString(), this.start);
    while (this.model.canRedo) this.model.redo();
    assert.equal(this.model.text, end);
    assert.equal(this.editor.doc.toString(), end);
  }
}

const starts = ["", "../examples/jansen_leg/model.toml", "../examples/four_bar/model.toml", "../examples/scissor_lift/model.toml"].map((name) => (name ? readFileSync(name, "utf8") : ""));
let actions = 0;
let failures = 0;
const begin = Date.now();
for (let seed = Number(first); seed < Number(first) + Number(sequences); ++seed) {
  const sequence = new Sequence(seed, starts[seed % 10 < 6 ? 0 : 1 + (seed % 3)]);
  try {
    sequence.run();
  } catch (error) {
    ++failures;
    if (failures <= 5) console.error(`seed ${seed}: ${sequence.done.join(" ")}\n${error instanceof Error ? error.message : String(error)}\n${sequence.model.text}\n`);
  }
  actions += sequence.done.length;
}
console.log(`mubody: ${sequences} sequences with ${actions} actions, ${failures} failed, ${((Date.now() - begin) / 1000).toFixed(0)} s`);
process.exit(failures ? 1 : 0);
