// The module's functions as calls of TypeScript that return at once, in whichever thread this is: the worker's, or that of a
// test.  Pages use mubody.ts, which answers later and can be stopped.
import { Folder } from "./folder";
import type {
  Checked, Converted, DragOptions, DragState, Elements, Files, Hand, KeyPlaces, Lock, MadeFile, OnProgress, Pictures, PictureOptions,
  Point, Problem, ResultTable, RunOptions, RunResult, Source, StepOptions, StepState,
} from "./interface";

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  mubody_alloc(size: number): number;
  mubody_free(at: number): void;
  mubody_kind(answer: number): number;
  mubody_text(answer: number): number;
  mubody_text_size(answer: number): number;
  mubody_bytes(answer: number): number;
  mubody_bytes_size(answer: number): number;
  mubody_arrays(answer: number): number;
  mubody_array(answer: number, k: number): number;
  mubody_array_size(answer: number, k: number): number;
  mubody_release(answer: number): void;
  [call: string]: unknown;
}

/** A mistake of the user. */
export class ModelFailure extends Error {
  override name = "ModelFailure" as const;
  constructor(readonly problems: Problem[]) {
    super(problems.map((p) => (p.line > 0 ? `line ${p.line}: ` : "") + p.message).join("\n"));
  }
}
/** A call that was stopped. */
export class Cancelled extends Error {
  override name = "Cancelled" as const;
  constructor() {
    super("it was stopped");
  }
}

/** An answer of the module, copied out of its memory. */
interface Answer {
  json: any;
  arrays: Float64Array[];
  bytes: Uint8Array;
}

const usualName = "model/model.toml";
const folderOf = (name: string) => name.slice(0, Math.max(0, name.lastIndexOf("/")));

/** A run, without what cannot be sent from thread to thread. */
export type PlainRun = Omit<RunResult, "csv">;
export interface DragOpened {
  session: number;
  dim: 2 | 3;
  bodies: string[];
  poses: Float64Array;
}
export interface StepOpened {
  session: number;
  dim: 2 | 3;
  bodies: string[];
  inputs: string[];
  channels: { name: string; unit: string }[];
}

export class Library {
  readonly version: string;
  private onProgress: OnProgress | undefined;

  private constructor(private readonly e: Exports, private readonly folder: Folder) {
    this.version = this.call("mubody_version").json.version;
  }

  static async load(module: WebAssembly.Module): Promise<Library> {
    const folder = new Folder();
    let library: Library | undefined;
    const progress = (share: number) => (library?.onProgress?.(share), 1);
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: folder.imports(), mubody: { progress } });
    const e = instance.exports as unknown as Exports;
    folder.memory = e.memory;
    e._initialize();
    return (library = new Library(e, folder));
  }

  /** The memory that the module has taken [bytes]; it never gives any back, but uses it again. */
  get memory(): number {
    return this.e.memory.buffer.byteLength;
  }

  check(source: Source): Checked {
    const begin = performance.now();
    const { json, arrays } = this.ask("mubody_check", source);
    const places: Record<string, KeyPlaces> = {};
    for (const [path, [kl, kc, vl, vc]] of Object.entries<number[]>(json.places))
      places[path] = { key: { line: kl!, column: kc! }, value: { line: vl!, column: vc! } };
    const own = source.name ?? usualName;
    for (const problem of [...json.errors, json.obstacle]) if (problem?.file === own) delete problem.file;
    return { ...json, places, given: arrays[0]!, assembled: arrays[1]!, milliseconds: performance.now() - begin };
  }

  run(source: Source, options: RunOptions = {}, onProgress?: OnProgress): PlainRun {
    const begin = performance.now();
    const changed = { ...source, set: settingsOf(source, options) };
    const { json, arrays } = this.ask("mubody_run", changed, { ...(options.bare && { bare: "yes" }), ...(options.estimate && { estimate: "yes" }) }, onProgress);
    const tables: ResultTable[] = json.tables.map((t: any) => {
      const values = arrays[t.array]!;
      const width = t.columns.length;
      const columns = t.columns.map((c: { name: string; unit: string }, k: number) => {
        const column = new Float64Array(t.rows);
        for (let row = 0; row < t.rows; ++row) column[row] = values[row * width + k]!;
        return { ...c, values: column };
      });
      return { name: t.name, rows: t.rows, columns };
    });
    const modes = json.modes && cut(arrays[json.modes.poses]!, json.modes.count, arrays[json.modes.times]!.length);
    return {
      summary: json.summary,
      ok: json.ok,
      trusted: json.trusted,
      verdict: json.verdict,
      digits: json.summary.accuracy?.digits ?? null,
      events: json.events,
      tables,
      report: json.report,
      times: arrays[json.motion.times]!,
      poses: arrays[json.motion.poses]!,
      modes,
      milliseconds: performance.now() - begin,
    };
  }

  gltf(source: Source, options: RunOptions = {}, onProgress?: OnProgress): Uint8Array {
    return this.ask("mubody_gltf", { ...source, set: settingsOf(source, options) }, {}, onProgress).bytes;
  }
  pictures(source: Source, options: PictureOptions = {}): Pictures {
    const more = { ...(options.labels === false && { plain: "yes" }) };
    return this.withNumbers(options.poses ?? [], (at, count) => this.ask("mubody_pictures", source, more, undefined, at, count)).json;
  }
  emit(source: Source, name = "model"): MadeFile[] {
    const { header, source: text } = this.ask("mubody_emit", source, { c_name: name }).json;
    return [
      { name: `${name}.h`, text: header },
      { name: `${name}.c`, text },
    ];
  }
  precompute(source: Source, onProgress?: OnProgress): { file: Uint8Array; report: unknown } {
    const { json, bytes } = this.ask("mubody_precompute", source, {}, onProgress);
    return { file: bytes, report: json };
  }
  elements(): Elements {
    return this.call("mubody_elements").json;
  }
  convert(value: string, unit: string): Converted {
    return this.ask("mubody_convert", { text: "" }, { value, unit }).json;
  }
  toml(source: Source): string {
    return this.ask("mubody_toml", source).json.text;
  }

  openDrag(source: Source, options: DragOptions = {}): DragOpened {
    const { session, json, arrays } = this.open("mubody_drag_open", source, { drivers: options.drivers ?? [] });
    const opened: DragOpened = { session, dim: json.dim, bodies: json.bodies, poses: arrays[0]! };
    if (options.from) opened.poses = this.placeDrag(session, options.from).poses;
    return opened;
  }
  pullDrag(session: number, body: number, at: Point, target: Point, locks: readonly Lock[] = []): DragState {
    return this.dragged("mubody_drag_pull", session, [body, ...three(at), ...three(target), ...locks.flatMap(numbersOfLock)]);
  }
  turnDrag(session: number, body: number, angle: number, locks: readonly Lock[] = []): DragState {
    return this.dragged("mubody_drag_turn", session, [body, angle, ...locks.flatMap(numbersOfLock)]);
  }
  placeDrag(session: number, poses: ArrayLike<number>): DragState {
    return this.dragged("mubody_drag_place", session, poses);
  }

  openMotion(source: Source, options: StepOptions = {}): StepOpened {
    const { session, json } = this.open("mubody_motion_open", source, { channels: options.channels ?? [] });
    return { session, ...json };
  }
  advance(session: number, dt: number): StepState {
    return this.stepped(() => this.call("mubody_motion_advance", session, dt));
  }
  reset(session: number): StepState {
    return this.stepped(() => this.call("mubody_motion_reset", session));
  }
  hand(session: number, hand: Hand | null): void {
    const numbers = hand ? [hand.body, ...three(hand.at), ...three(hand.target), hand.stiffness ?? -1, hand.damping ?? -1] : [];
    this.withNumbers(numbers, (at, count) => this.call("mubody_motion_hand", session, at, count));
  }
  set(session: number, input: string, value: number): void {
    this.withText(JSON.stringify({ input }), (at, size) => this.call("mubody_motion_set", session, at, size, value));
  }
  /** Ends a session of any kind. */
  close(session: number): void {
    this.e.mubody_release(session);
  }

  // How the module is asked: requests are JSON in its memory, answers are copied out of it.

  private ask(name: string, source: Source, more: object = {}, onProgress?: OnProgress, ...numbers: number[]): Answer {
    return this.copied(this.asked(name, source, more, onProgress, numbers), true);
  }
  private asked(name: string, source: Source, more: object, onProgress: OnProgress | undefined, numbers: number[] = []): number {
    const own = source.name ?? usualName;
    const request = { text: source.text, name: own, set: source.set ?? [], ...more };
    this.folder.fill(source.files ?? ({} as Files), folderOf(own));
    this.onProgress = onProgress;
    try {
      return this.withText(JSON.stringify(request), (at, size) => (this.e[name] as (...all: number[]) => number)(at, size, ...numbers));
    } finally {
      this.onProgress = undefined;
    }
  }
  private call(name: string, ...numbers: number[]): Answer {
    return this.copied((this.e[name] as (...all: number[]) => number)(...numbers), true);
  }
  private open(name: string, source: Source, more: object): Answer & { session: number } {
    const session = this.asked(name, source, more, undefined);
    return { session, ...this.copied(session, false) };
  }
  /** The content of an answer, which is released unless it is a session. */
  private copied(answer: number, released: boolean): Answer {
    const { e } = this;
    const kind = e.mubody_kind(answer);
    const part = (at: number, size: number) => new Uint8Array(e.memory.buffer, at, size).slice();
    const text = new TextDecoder().decode(part(e.mubody_text(answer), e.mubody_text_size(answer)));
    const arrays = Array.from({ length: e.mubody_arrays(answer) }, (_, k) => {
      const size = e.mubody_array_size(answer, k);
      return size === 0 ? new Float64Array() : new Float64Array(e.memory.buffer, e.mubody_array(answer, k), size).slice();
    });
    const bytes = part(e.mubody_bytes(answer), e.mubody_bytes_size(answer));
    if (released || kind !== 0) e.mubody_release(answer);
    const json = text ? JSON.parse(text) : null; // an answer of bytes alone has no text
    if (kind === 1) throw new ModelFailure(json.problems);
    if (kind === 2) throw new Error(json.message);
    return { json, arrays, bytes };
  }
  private withText<T>(text: string, use: (at: number, size: number) => T): T {
    const bytes = new TextEncoder().encode(text);
    const at = this.e.mubody_alloc(bytes.length);
    new Uint8Array(this.e.memory.buffer).set(bytes, at);
    try {
      return use(at, bytes.length);
    } finally {
      this.e.mubody_free(at);
    }
  }
  private withNumbers<T>(numbers: ArrayLike<number>, use: (at: number, count: number) => T): T {
    const at = this.e.mubody_alloc(8 * Math.max(1, numbers.length));
    new Float64Array(this.e.memory.buffer, at, numbers.length).set(numbers);
    try {
      return use(at, numbers.length);
    } finally {
      this.e.mubody_free(at);
    }
  }
  private dragged(name: string, session: number, numbers: ArrayLike<number>): DragState {
    const begin = performance.now();
    const { json, arrays } = this.withNumbers(numbers, (at, count) => this.call(name, session, at, count));
    return { ...json, poses: arrays[0]!, milliseconds: performance.now() - begin };
  }
  private stepped(go: () => Answer): StepState {
    const begin = performance.now();
    const { json, arrays } = go();
    return { ...json, poses: arrays[0]!, values: arrays[1]!, milliseconds: performance.now() - begin };
  }
}

/** The changes to the model that options ask for, as in --set. */
function settingsOf(source: Source, options: RunOptions): string[] {
  const all = [...(source.set ?? [])];
  if (options.type !== undefined) all.push(`analysis.type=${options.type}`);
  if (options.end !== undefined) all.push(`analysis.end=${options.end}`);
  if (options.step !== undefined) all.push(`output.step=${options.step}`);
  return [...all, ...(options.set ?? [])];
}

/** Poses of all modes, one after the other, as one array for each. */
function cut(poses: Float64Array, count: number, rows: number): RunResult["modes"] {
  const each = count > 0 ? poses.length / count : 0;
  return { rows: count > 0 ? rows / count : 0, poses: Array.from({ length: count }, (_, k) => poses.slice(k * each, (k + 1) * each)) };
}

const three = (p: Point) => [p[0] ?? 0, p[1] ?? 0, p[2] ?? 0];
function numbersOfLock(lock: Lock): number[] {
  const at = lock.kind === "angle" ? [] : lock.at;
  const [other, otherAt] = lock.kind === "length" ? [lock.other, lock.other_at] : [0, []];
  return [["point", "angle", "length"].indexOf(lock.kind), lock.body, ...three(at), other, ...three(otherAt)];
}
