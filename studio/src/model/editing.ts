// A sequence of edits that belong together, each made on the text that the one before has left.
import { applied, sortedEdits, type Edit, type ModelDocument } from "../document";
import { addItem, addValue, removeItem, removeValue, renameKey, setNode, setValue } from "../toml/edits";
import { findSlot, findTable, parseToml, type Slot, type Table, type Toml } from "../toml/tree";
import type { ArrayNode, Node } from "../toml/syntax";

export class Editing {
  readonly steps: Edit[][] = [];
  private current: Toml;

  /** Throws TomlError if the text is no TOML: such a text is mended by hand. */
  constructor(text: string) {
    this.current = parseToml(text);
  }
  get toml(): Toml {
    return this.current;
  }
  get text(): string {
    return this.current.text;
  }
  table(...path: string[]): Table | undefined {
    return findTable(this.current, path);
  }
  slot(...path: string[]): Slot | undefined {
    return findSlot(this.current, path);
  }
  node(...path: string[]): Node | undefined {
    return findSlot(this.current, path)?.node;
  }

  make(edits: Edit[]) {
    const sorted = sortedEdits(edits, this.text.length);
    if (!sorted.length) return;
    this.steps.push(sorted);
    this.current = parseToml(applied(this.text, sorted));
  }
  set(path: readonly string[], value: string) {
    this.make(setValue(this.current, path, value));
  }
  add(path: readonly string[], value: string) {
    this.make(addValue(this.current, path, value));
  }
  remove(path: readonly string[]) {
    this.make(removeValue(this.current, path));
  }
  replace(node: Node, value: string) {
    this.make(setNode(node, value));
  }
  addItem(array: ArrayNode, value: string) {
    this.make(addItem(array, value));
  }
  removeItem(array: ArrayNode, k: number) {
    this.make(removeItem(array, k));
  }
  renameKey(slot: Slot, name: string) {
    this.make(renameKey(slot, name));
  }
}

let groups = 0;

/** Makes all edits in the document, as one step of its history.  With the same `group` as before they join that step. */
export function commit(model: ModelDocument, editing: Editing, title: string, group = `canvas ${++groups}`) {
  for (const edits of editing.steps) model.apply(edits, { origin: "canvas", title, group });
}
