// The tables of a file as they are meant, whichever way they are written: [a.b], a.b = 1, or a = {b = 1}.
import { readToml, TomlError, type Entry, type InlineNode, type Key, type Node, type Section } from "./syntax";

/** A table, with all the places that make it. */
export class Table {
  readonly slots = new Map<string, Slot>();
  /** The braces, if it is written so. */
  inline: InlineNode | undefined;
  /** Its headers, in the file's order. */
  readonly sections: Section[] = [];

  get(name: string): Slot | undefined {
    return this.slots.get(name);
  }
  get names(): string[] {
    return [...this.slots.keys()];
  }
  /** The table of that name, if there is one. */
  table(name: string): Table | undefined {
    return this.slots.get(name)?.table;
  }
  node(name: string): Node | undefined {
    return this.slots.get(name)?.node;
  }
  /** The text of that name, if it is one. */
  text(name: string): string | undefined {
    const node = this.node(name);
    return node?.kind === "string" ? node.value : undefined;
  }
}

/** A name in a table: a value, or a table within. */
export interface Slot {
  name: string;
  /** All places in which the name is written. */
  keys: Key[];
  /** The lines, or the entries in braces, that contain it; for a.b = 1 that of both a and b. */
  entries: { entry: Entry; section: Section | undefined; within: Table }[];
  node: Node | undefined;
  table: Table | undefined;
  /** [[name]]: several tables. */
  list: Table[] | undefined;
}

function slotOf(table: Table, key: Key): Slot {
  let slot = table.slots.get(key.name);
  if (!slot) table.slots.set(key.name, (slot = { name: key.name, keys: [], entries: [], node: undefined, table: undefined, list: undefined }));
  slot.keys.push(key);
  return slot;
}

/** The table below a slot, on the way to something in it. */
function below(slot: Slot, key: Key): Table {
  if (slot.list) return slot.list.at(-1)!;
  if (slot.node) throw new TomlError(key.from, `${key.name} has a value already`);
  return (slot.table ??= new Table());
}

function addEntry(table: Table, entry: Entry, section: Section | undefined) {
  let at = table;
  entry.path.forEach((key, k) => {
    const known = at.slots.get(key.name);
    const last = k === entry.path.length - 1;
    if (last && known) throw new TomlError(key.from, `${key.name} is there twice`);
    const slot = slotOf(at, key);
    slot.entries.push({ entry, section, within: table });
    if (!last) at = below(slot, key);
    else setNode(slot, entry.value);
  });
}

function setNode(slot: Slot, node: Node) {
  slot.node = node;
  if (node.kind === "inline") {
    slot.table = new Table();
    slot.table.inline = node;
    for (const entry of node.entries) addEntry(slot.table, entry, undefined);
  } else if (node.kind === "array" && node.items.length && node.items.every((n) => n.kind === "inline")) {
    slot.list = node.items.map((item) => {
      const table = new Table();
      table.inline = item as InlineNode;
      for (const entry of table.inline.entries) addEntry(table, entry, undefined);
      return table;
    });
  }
}

/** Whether a table that has this header may be given it once more: never, unless it is made by its children alone. */
function addSection(root: Table, section: Section) {
  const { header } = section;
  let at = root;
  header?.path.forEach((key, k) => {
    const last = k === header.path.length - 1;
    const slot = slotOf(at, key);
    if (last && header.array) {
      if (slot.node || slot.table) throw new TomlError(key.from, `${key.name} is no list of tables`);
      (slot.list ??= []).push((at = new Table()));
    } else if (last && (slot.list || slot.table?.sections.length || slot.entries.length)) throw new TomlError(key.from, `${key.name} is there twice`);
    else at = below(slot, key);
  });
  at.sections.push(section);
  for (const entry of section.entries) addEntry(at, entry, section);
}

export interface Toml {
  text: string;
  sections: Section[];
  root: Table;
}

/** Throws TomlError. */
export function parseToml(text: string): Toml {
  const sections = readToml(text);
  const root = new Table();
  for (const section of sections) addSection(root, section);
  return { text, sections, root };
}

export function findSlot(toml: Toml, path: readonly string[]): Slot | undefined {
  let table: Table | undefined = toml.root;
  let slot: Slot | undefined;
  for (const name of path) {
    slot = table?.get(name);
    table = slot?.table;
  }
  return slot;
}

export function findTable(toml: Toml, path: readonly string[]): Table | undefined {
  return path.length ? findSlot(toml, path)?.table : toml.root;
}

export type Plain = string | number | boolean | Plain[] | { [name: string]: Plain };

/** The values alone. */
export function plain(toml: Toml): { [name: string]: Plain } {
  const ofNode = (node: Node): Plain => {
    switch (node.kind) {
      case "array":
        return node.items.map(ofNode);
      case "inline": {
        const table = new Table();
        for (const entry of node.entries) addEntry(table, entry, undefined);
        return ofTable(table);
      }
      default:
        return node.value;
    }
  };
  const ofTable = (table: Table): { [name: string]: Plain } =>
    Object.fromEntries([...table.slots.values()].map((slot) =>
      [slot.name, slot.node ? ofNode(slot.node) : slot.list ? slot.list.map(ofTable) : ofTable(slot.table ?? new Table())]));
  return ofTable(toml.root);
}
