// Edits of a TOML text that change the characters in question and leave comments, order and layout alone.
import type { Edit } from "../document";
import { findSlot, findTable, type Slot, type Table, type Toml } from "./tree";
import type { ArrayNode, Node, Section, Span } from "./syntax";
import { keyText } from "./write";

/** The order of sections in models; a new one is put where readers expect it. */
const order = ["parameters", "places", "bodies", "markers", "joints", "drivers", "forces", "points", "signals", "inputs", "outputs", "controllers", "analysis", "output", "precompute", "look", "report"];

const newline = (toml: Toml) => (toml.text.includes("\r\n") ? "\r\n" : "\n");

/** The line with a span, with its end, so that cutting it leaves no trace. */
function wholeLine(text: string, span: Span): Span {
  const from = text.lastIndexOf("\n", span.from - 1) + 1;
  const end = text.indexOf("\n", span.to);
  return { from, to: end < 0 ? text.length : end + 1 };
}

/** Where a line after this place begins, and what has to come before it. */
function afterLine(toml: Toml, at: number): { at: number; before: string } {
  const end = toml.text.indexOf("\n", at);
  return end < 0 ? { at: toml.text.length, before: newline(toml) } : { at: end + 1, before: "" };
}

/** Replaces a value. */
export const setNode = (node: Node, value: string): Edit[] => [{ from: node.from, to: node.to, insert: value }];

/** Sets what is at a path, or adds it. */
export function setValue(toml: Toml, path: readonly string[], value: string): Edit[] {
  const slot = findSlot(toml, path);
  if (slot?.node) return setNode(slot.node, value);
  if (slot) throw new Error(`${path.join(".")} is a table`);
  return addValue(toml, path, value);
}

/** Adds what is not there. */
export function addValue(toml: Toml, path: readonly string[], value: string): Edit[] {
  const parent = path.slice(0, -1);
  const line = `${keyText(path.at(-1)!)} = ${value}`;
  const table = findTable(toml, parent);
  if (!table) return addTable(toml, parent, line);
  if (table.inline) return intoBraces(table, line);
  const section = table.sections[0];
  if (section) return intoSection(toml, section, line);
  if (!parent.length) return rootLine(toml, line);
  return besideDotted(toml, table, parent, line);
}

function intoBraces(table: Table, line: string): Edit[] {
  const { inline } = table;
  const last = inline!.entries.at(-1);
  return last ? [{ from: last.to, to: last.to, insert: `, ${line}` }] : [{ from: inline!.from, to: inline!.to, insert: `{${line}}` }];
}

/** After the last line of the section; what is below it, a comment of the next header perhaps, stays there. */
function intoSection(toml: Toml, section: Section, line: string): Edit[] {
  const last = section.entries.at(-1) ?? section.header;
  if (!last) return rootLine(toml, line);
  const { at, before } = afterLine(toml, last.to);
  return [{ from: at, to: at, insert: before + line + newline(toml) }];
}

/** Before the first header, after the other lines there. */
function rootLine(toml: Toml, line: string): Edit[] {
  const [root, first] = toml.sections;
  const last = root.entries.at(-1);
  if (last) {
    const { at, before } = afterLine(toml, last.to);
    return [{ from: at, to: at, insert: before + line + newline(toml) }];
  }
  const at = first ? beforeHeader(toml, first) : toml.text.length;
  const gap = at > 0 && toml.text[at - 1] !== "\n" ? newline(toml) : "";
  return [{ from: at, to: at, insert: gap + line + newline(toml) + (first ? newline(toml) : "") }];
}

/** The beginning of the comments that stand directly above a header. */
function beforeHeader(toml: Toml, section: Section): number {
  let at = toml.text.lastIndexOf("\n", section.from - 1) + 1;
  for (;;) {
    const above = toml.text.lastIndexOf("\n", at - 2) + 1;
    if (at === 0 || !toml.text.slice(above, at).trimStart().startsWith("#")) return at;
    at = above;
  }
}

/** A table that is made by [a.b] or a.b = 1 alone gets a line of the same kind. */
function besideDotted(toml: Toml, table: Table, parent: readonly string[], line: string): Edit[] {
  const owners = [...table.slots.values()].flatMap((s) => s.entries);
  const owner = owners.at(-1);
  if (owner) {
    const depth = owner.entry.path.length;
    const prefix = owner.entry.path.slice(0, Math.max(0, depth - 1)).map((k) => keyText(k.name));
    // The prefix of a.b.c = 1 up to this table.
    const here = prefix.slice(0, prefix.lastIndexOf(keyText(parent.at(-1)!)) + 1);
    const text = [...here, line].join(".");
    if (owner.section === undefined) return [{ from: owner.entry.to, to: owner.entry.to, insert: `, ${text}` }];
    const { at, before } = afterLine(toml, owner.entry.to);
    return [{ from: at, to: at, insert: before + text + newline(toml) }];
  }
  return addTable(toml, parent, line);
}

/** A header with a line, in the usual order of sections. */
function addTable(toml: Toml, path: readonly string[], line: string): Edit[] {
  const known = findSlot(toml, path);
  if (known?.node) throw new Error(`${path.join(".")} has a value`);
  const up = path.length > 1 ? findTable(toml, path.slice(0, -1)) : undefined;
  if (up && !up.sections.length) return addValue(toml, path, `{${line}}`);
  const nl = newline(toml);
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const later = toml.sections.find((s) => s.header && (rank(s.header.path[0].name) > rank(path[0]) || s.header.path[0].name === path[0]));
  const text = `[${path.map(keyText).join(".")}]${nl}${line}${nl}`;
  if (!later) {
    const { length } = toml.text;
    const end = length === 0 || toml.text.endsWith("\n") ? "" : nl;
    return [{ from: length, to: length, insert: `${end}${length ? nl : ""}${text}` }];
  }
  const at = beforeHeader(toml, later);
  return [{ from: at, to: at, insert: text + nl }];
}

/** Removes what is at a path, however it is written. */
export function removeValue(toml: Toml, path: readonly string[]): Edit[] {
  const slot = findSlot(toml, path);
  if (!slot) return [];
  const parent = findTable(toml, path.slice(0, -1))!;
  const spans: Span[] = [];
  const seen = new Set<unknown>();
  for (const { entry, section, within } of slot.entries) {
    if (seen.has(entry)) continue;
    seen.add(entry);
    spans.push(section ? wholeLine(toml.text, entry) : fromBraces(parent.inline ? parent : within, entry));
  }
  // Headers of the table and of tables within.
  for (const section of toml.sections)
    if (section.header && path.every((name, k) => section.header!.path[k]?.name === name)) spans.push(ofSection(toml, section));
  return merged(spans).map((s) => ({ ...s, insert: "" }));
}

/** A section up to its last line; the comments below belong to the next one. */
function ofSection(toml: Toml, section: Section): Span {
  const last = section.entries.at(-1) ?? section.header!;
  const span = wholeLine(toml.text, { from: section.from, to: last.to });
  const blank = /^[ \t]*\r?\n/.exec(toml.text.slice(span.to));
  return blank ? { from: span.from, to: span.to + blank[0].length } : span;
}

function fromBraces(table: Table, entry: Span): Span {
  const all = table.inline!.entries;
  const k = all.findIndex((e) => e.from === entry.from);
  if (k > 0) return { from: all[k - 1].to, to: entry.to };
  return { from: entry.from, to: all[1]?.from ?? entry.to };
}

function merged(spans: Span[]): Span[] {
  const out: Span[] = [];
  for (const s of [...spans].sort((a, b) => a.from - b.from)) {
    const last = out.at(-1);
    if (last && s.from < last.to) last.to = Math.max(last.to, s.to);
    else out.push({ ...s });
  }
  return out;
}

export const renameKey = (slot: Slot, name: string): Edit[] => slot.keys.map(({ from, to }) => ({ from, to, insert: keyText(name) }));

/** Adds a value at the end of an array. */
export function addItem(array: ArrayNode, value: string): Edit[] {
  const last = array.items.at(-1);
  return last ? [{ from: last.to, to: last.to, insert: `, ${value}` }] : [{ from: array.from, to: array.to, insert: `[${value}]` }];
}

export function removeItem(array: ArrayNode, k: number): Edit[] {
  const { items } = array;
  if (k > 0) return [{ from: items[k - 1].to, to: items[k].to, insert: "" }];
  const end = items[1]?.from ?? items[0].to;
  return [{ from: items[0].from, to: end, insert: "" }];
}
