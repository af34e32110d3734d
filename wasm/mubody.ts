// The library for pages: interface.ts over two workers.  Runs have one of their own, which can be ended while they go on;
// whatever a page needs at once has the other.
//
//   const mubody = await loadMubody({ module: bytes, worker: () => new Worker(url) });
//   const { result } = mubody.run({ text });
//   console.log((await result).verdict);
import type {
  DragSession, DragState, Hand, LoadOptions, Lock, Mubody, OnProgress, Point, Problem, ResultTable, RunOptions, RunResult, Running,
  Source, StepSession,
} from "./interface";
import { Cancelled, ModelFailure, type DragOpened, type PlainRun, type StepOpened } from "./library";
import type { Call, Reply } from "./worker";

export { Cancelled, ModelFailure };
export type * from "./interface";

interface Waiting {
  call: Call;
  onProgress: OnProgress | undefined;
  done(value: unknown): void;
  failed(error: Error): void;
}

function errorOf({ name, message, problems }: NonNullable<Reply["error"]>): Error {
  return problems ? new ModelFailure(problems as Problem[]) : Object.assign(new Error(message), { name });
}

/** A worker that answers calls in their order.  It is begun anew when the call at work is stopped. */
class Line {
  private worker: Worker;
  private readonly waiting: Waiting[] = [];
  private atWork: Waiting | undefined;
  private next = 1;
  ready: Promise<string>;

  constructor(private readonly module: WebAssembly.Module, private readonly make: () => Worker) {
    [this.worker, this.ready] = this.begin();
  }

  ask<T>(call: string, values: unknown[], progress = false, onProgress?: OnProgress): Running<T> {
    const id = this.next++;
    const result = new Promise<T>((done, failed) => {
      this.waiting.push({ call: { id, call, values, progress }, onProgress, done: done as (value: unknown) => void, failed });
    });
    this.goOn();
    return { result, cancel: () => this.stop(id) };
  }

  close(): void {
    this.worker.terminate();
    for (const w of [this.atWork, ...this.waiting.splice(0)]) w?.failed(new Cancelled());
    this.atWork = undefined;
  }

  private begin(): [Worker, Promise<string>] {
    const worker = this.make();
    const ready = new Promise<string>((done, failed) => {
      worker.onmessage = ({ data }: MessageEvent<Reply | { ready: string }>) => ("ready" in data ? done(data.ready) : this.take(data));
      worker.onerror = (e) => {
        const error = new Error(`the worker failed: ${e.message}`);
        failed(error);
        this.atWork?.failed(error);
        this.atWork = undefined;
      };
    });
    worker.postMessage({ module: this.module });
    return [worker, ready];
  }
  private goOn(): void {
    if (this.atWork) return;
    this.atWork = this.waiting.shift();
    if (this.atWork) this.worker.postMessage(this.atWork.call);
  }
  private take(reply: Reply): void {
    const w = this.atWork;
    if (!w || w.call.id !== reply.id) return;
    if (reply.share !== undefined) return w.onProgress?.(reply.share);
    this.atWork = undefined;
    if (reply.error) w.failed(errorOf(reply.error));
    else w.done(reply.value);
    this.goOn();
  }
  private stop(id: number): void {
    const at = this.waiting.findIndex((w) => w.call.id === id);
    if (at >= 0) return this.waiting.splice(at, 1)[0]!.failed(new Cancelled());
    if (this.atWork?.call.id !== id) return;
    const stopped = this.atWork;
    this.worker.terminate();
    this.atWork = undefined;
    [this.worker, this.ready] = this.begin();
    stopped.failed(new Cancelled());
    this.goOn();
  }
}

/** A table as text, as the program writes it: all digits, nothing where a number is not finite. */
export function csvOf(table: ResultTable): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [table.columns.map((c) => cell(c.unit ? `${c.name}[${c.unit}]` : c.name)).join(",")];
  for (let row = 0; row < table.rows; ++row)
    lines.push(table.columns.map(({ values }) => (Number.isFinite(values[row]) ? String(values[row]) : "")).join(","));
  return lines.join("\n") + "\n";
}

function withCsv(plain: PlainRun): RunResult {
  const csv = (name: string) => {
    const table = plain.tables.find((t) => t.name === name);
    if (!table) throw new Error(`there is no table '${name}' among ${plain.tables.map((t) => t.name).join(", ")}`);
    return csvOf(table);
  };
  return { ...plain, csv };
}

/** What becomes of a call's result. */
function then<T, U>(running: Running<T>, change: (value: T) => U | Promise<U>): Running<U> {
  return { result: running.result.then(change), cancel: running.cancel };
}

class Dragging implements DragSession {
  poses: Float64Array;
  constructor(private readonly line: Line, private readonly opened: DragOpened) {
    this.poses = opened.poses;
  }
  get dim() {
    return this.opened.dim;
  }
  get bodies() {
    return this.opened.bodies;
  }
  drag(body: number, at: Point, target: Point, locks: readonly Lock[] = []) {
    return this.moved("pullDrag", [body, at, target, locks]);
  }
  turn(body: number, angle: number, locks: readonly Lock[] = []) {
    return this.moved("turnDrag", [body, angle, locks]);
  }
  place(poses: Float64Array) {
    return this.moved("placeDrag", [poses]);
  }
  close() {
    void this.line.ask("close", [this.opened.session]).result.catch(() => {});
  }
  private async moved(call: string, values: unknown[]): Promise<DragState> {
    const state = await this.line.ask<DragState>(call, [this.opened.session, ...values]).result;
    this.poses = state.poses;
    return state;
  }
}

class Stepping implements StepSession {
  constructor(private readonly line: Line, private readonly opened: StepOpened) {}
  get dim() {
    return this.opened.dim;
  }
  get bodies() {
    return this.opened.bodies;
  }
  get inputs() {
    return this.opened.inputs;
  }
  get channels() {
    return this.opened.channels;
  }
  advance(dt: number) {
    return this.ask<Awaited<ReturnType<StepSession["advance"]>>>("advance", dt);
  }
  hand(hand: Hand | null) {
    return this.ask<void>("hand", hand);
  }
  set(input: string, value: number) {
    return this.ask<void>("set", input, value);
  }
  reset() {
    return this.ask<Awaited<ReturnType<StepSession["reset"]>>>("reset");
  }
  close() {
    void this.ask("close").catch(() => {});
  }
  private ask<T>(call: string, ...values: unknown[]): Promise<T> {
    return this.line.ask<T>(call, [this.opened.session, ...values]).result;
  }
}

// What io::page_with() does: pages of mubody say what they are, and in JSON '<' occurs in strings only.
const ours = '<meta name="generator" content="mubody">';
const place = "@DATA@";
function pageWith(template: string, data: { kind: string }): string {
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  return template.replace(ours, () => `${ours}<meta name="mubody-kind" content="${data.kind}">`).replace(place, () => text);
}

export async function loadMubody(options: LoadOptions): Promise<Mubody> {
  const given = await options.module;
  const module = given instanceof WebAssembly.Module ? given : await WebAssembly.compile(given);
  const quick = new Line(module, options.worker);
  const long = new Line(module, options.worker);
  let patient: Line | undefined; // a page that wants no estimates has no worker for them
  const version = await quick.ready;

  const run = (source: Source, o: RunOptions = {}, onProgress?: OnProgress) => {
    const line = o.estimate ? (patient ??= new Line(module, options.worker)) : long;
    return then(line.ask<PlainRun>("run", [source, o], true, onProgress), withCsv);
  };
  return {
    version,
    check: (source) => quick.ask<Awaited<ReturnType<Mubody["check"]>>>("check", [source]).result,
    run,
    drag: async (source, o = {}) => new Dragging(quick, await quick.ask<DragOpened>("openDrag", [source, o]).result),
    simulate: async (source, o = {}) => new Stepping(quick, await quick.ask<StepOpened>("openMotion", [source, o]).result),
    pictures: (source, o = {}) => quick.ask<Awaited<ReturnType<Mubody["pictures"]>>>("pictures", [source, o]).result,
    gltf: (source, o = {}) => long.ask<Uint8Array>("gltf", [source, o]),
    emit: (source, name = "model") => long.ask("emit", [source, name]),
    precompute: (source, onProgress) => long.ask("precompute", [source], true, onProgress),
    report: (source, o = {}, onProgress) =>
      then(run(source, o, onProgress), async ({ report }) => {
        if (!options.pages || !report) throw new Error("this page has no templates of reports");
        return pageWith(await options.pages(report.scene.dim === 3 ? "spatial" : "planar"), report);
      }),
    elements: () => quick.ask<Awaited<ReturnType<Mubody["elements"]>>>("elements", []).result,
    schema: async () => null,
    convert: (text, si) => quick.ask<Awaited<ReturnType<Mubody["convert"]>>>("convert", [text, si]).result,
    toml: (source) => quick.ask<string>("toml", [source]).result,
    close: () => (quick.close(), long.close(), patient?.close()),
  };
}
