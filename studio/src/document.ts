// The text of the model, which is the truth of the studio, with all its history.
//
// Everything that changes a model, be it typing or a stroke on the canvas, is a list of edits of the text.  An edit keeps
// what it replaced, so that undo restores the text to the character.

/** Replaces the characters from `from` up to `to` by `insert`; places are those of the text before all edits. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
}

export interface Change {
  edits: readonly Edit[];
  before: string;
  after: string;
  /** Who made it: "text", "canvas", "undo", "redo", "load" or a panel of another name. */
  origin: string;
}

interface Step {
  forth: Edit[];
  back: Edit[];
}

/** What one undo takes back: several edits where they belong together. */
interface Group {
  title: string;
  key: string | undefined;
  time: number;
  steps: Step[];
}

/** Lines end as in editors of pages, by one character each, so that places in the text are places there. */
const plainLines = (text: string) => text.replace(/\r\n?/g, "\n");

/** Whether a change leaves hardly anything of the text: another model has taken its place. */
export function isAnother({ edits, before, origin }: Change): boolean {
  const gone = edits.reduce((sum, e) => sum + e.to - e.from, 0);
  const come = edits.reduce((sum, e) => sum + e.insert.length, 0);
  return origin === "load" || (origin !== "canvas" && (gone > 0.5 * before.length || come > 200 + before.length));
}

/** Sorted by place and without overlaps; throws a RangeError otherwise, for then the caller is wrong. */
export function sortedEdits(edits: readonly Edit[], length: number): Edit[] {
  const sorted = edits.filter((e) => e.from !== e.to || e.insert).map((e, k) => ({ e: e.insert.includes("\r") ? { ...e, insert: plainLines(e.insert) } : e, k }));
  sorted.sort((a, b) => a.e.from - b.e.from || a.e.to - b.e.to || a.k - b.k);
  let last = 0;
  for (const { e } of sorted) {
    if (e.from < last || e.to < e.from || e.to > length) throw new RangeError(`edit ${e.from}..${e.to} does not fit a text of ${length} after ${last}`);
    last = e.to;
  }
  return sorted.map(({ e }) => e);
}

export function applied(text: string, edits: readonly Edit[]): string {
  let out = "";
  let at = 0;
  for (const e of edits) {
    out += text.slice(at, e.from) + e.insert;
    at = e.to;
  }
  return out + text.slice(at);
}

/** The edits that lead from the new text back to the old one. */
function reversed(text: string, edits: readonly Edit[]): Edit[] {
  let shift = 0;
  return edits.map((e) => {
    const from = e.from + shift;
    shift += e.insert.length - (e.to - e.from);
    return { from, to: from + e.insert.length, insert: text.slice(e.from, e.to) };
  });
}

/** One edit that turns a text into another, between their common beginning and end. */
export function difference(before: string, after: string): Edit[] {
  if (before === after) return [];
  let from = 0;
  const most = Math.min(before.length, after.length);
  while (from < most && before[from] === after[from]) ++from;
  let end = 0;
  while (end < most - from && before[before.length - 1 - end] === after[after.length - 1 - end]) ++end;
  return [{ from, to: before.length - end, insert: after.slice(from, after.length - end) }];
}

export interface EditOptions {
  origin: string;
  /** What undo says that it takes back. */
  title?: string;
  /** Edits that follow each other with the same key are taken back together. */
  group?: string;
}

/** Letters that are typed one after the other belong together for so long [ms]. */
const pause = 1000;

export class ModelDocument {
  private current: string;
  private done: Group[] = [];
  private undone: Group[] = [];
  private joining = false;
  private readonly listeners = new Set<(change: Change) => void>();

  constructor(text = "", private readonly now: () => number = () => Date.now()) {
    this.current = plainLines(text);
  }

  get text(): string {
    return this.current;
  }
  get canUndo(): boolean {
    return this.done.length > 0;
  }
  get canRedo(): boolean {
    return this.undone.length > 0;
  }
  get undoTitle(): string {
    return this.done.at(-1)?.title ?? "";
  }
  get redoTitle(): string {
    return this.undone.at(-1)?.title ?? "";
  }
  /** How many groups undo can take back. */
  get depth(): number {
    return this.done.length;
  }

  subscribe(listener: (change: Change) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Makes the edits, all at once. */
  apply(edits: readonly Edit[], { origin, title = "edit", group }: EditOptions) {
    const forth = sortedEdits(edits, this.current.length);
    if (!forth.length || applied(this.current, forth) === this.current) return;
    const step = { forth, back: reversed(this.current, forth) };
    const last = this.done.at(-1);
    const time = this.now();
    const belongs = group !== undefined && last?.key === group && (origin !== "text" || time - last.time < pause);
    if (last && (belongs || this.joining)) {
      last.steps.push(step);
      last.time = time;
      last.key = group;
    } else this.done.push({ title, key: group, time, steps: [step] });
    this.joining = false;
    this.undone = [];
    this.change(forth, origin);
  }

  /** Replaces the whole text; undo takes it back as well. */
  replace(text: string, options: EditOptions) {
    this.apply(difference(this.current, plainLines(text)), options);
  }

  /** Begins with another model, without a history. */
  load(text: string) {
    this.done = [];
    this.undone = [];
    this.change(difference(this.current, plainLines(text)), "load");
  }

  /** The next edit is taken back together with the one before. */
  joinNext() {
    this.joining = true;
  }

  /** The next edit begins a group of its own, whatever its key. */
  closeGroup() {
    const last = this.done.at(-1);
    if (last) last.key = undefined;
  }

  undo() {
    const group = this.done.pop();
    if (!group) return;
    group.key = undefined;
    this.undone.push(group);
    for (const step of [...group.steps].reverse()) this.change(step.back, "undo");
  }

  redo() {
    const group = this.undone.pop();
    if (!group) return;
    this.done.push(group);
    for (const step of group.steps) this.change(step.forth, "redo");
  }

  private change(edits: Edit[], origin: string) {
    const before = this.current;
    this.current = applied(before, edits);
    const change = { edits, before, after: this.current, origin };
    for (const listener of [...this.listeners]) listener(change);
  }
}
