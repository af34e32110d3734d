// Places in the text: of problems, and what stands where.
import type { Item } from "../context";
import { parseToml } from "../toml/tree";
import type { Entry, Node } from "../toml/syntax";

/** The characters to underline for a line and a column, which count from 1; line 0 is the whole file. */
export function spanOfProblem(text: string, { line, column }: { line: number; column: number }): { from: number; to: number } {
  if (line < 1) return { from: 0, to: Math.min(text.length, Math.max(1, text.indexOf("\n"))) };
  let from = 0;
  for (let k = 1; k < line; ++k) {
    const end = text.indexOf("\n", from);
    if (end < 0) break;
    from = end + 1;
  }
  // Columns count characters, of which some take two places of the text.
  for (let k = 1; k < column && from < text.length && text[from] !== "\n"; ++k) from += text.codePointAt(from)! > 0xffff ? 2 : 1;
  // At the end of a line something is missing: what stands before is underlined.
  if (/^[ \t\r]*(?:\n|$)/.test(text.slice(from))) return lastWordBefore(text, from);
  const word = /^(?:"[^"\n]*"|'[^'\n]*'|[A-Za-z0-9_.+-]+|\[[^\n]*?\]|.)/.exec(text.slice(from));
  return { from, to: Math.min(text.length, from + (word?.[0].length ?? 0)) };
}

/** The last word before a place, or the whole text if there is none. */
function lastWordBefore(text: string, at: number): { from: number; to: number } {
  const to = text.slice(0, at).trimEnd().length;
  if (to === 0) return { from: 0, to: Math.min(1, text.length) };
  const word = /(?:[A-Za-z0-9_.+-]+|.)$/u.exec(text.slice(0, to))!;
  return { from: to - word[0].length, to };
}

/** Where a place is: section, element, and the keys within. */
export interface Where {
  path: string[];
  /** Whether it is in a key or in a value. */
  part: "key" | "value";
  from: number;
  to: number;
  value?: Node;
}

function inEntry(entry: Entry, at: number, path: string[]): Where | undefined {
  if (at < entry.from || at > entry.to) return undefined;
  const keys = [...path, ...entry.path.map((k) => k.name)];
  for (const [k, key] of entry.path.entries()) if (at >= key.from && at <= key.to) return { path: [...path, ...entry.path.slice(0, k + 1).map((p) => p.name)], part: "key", from: key.from, to: key.to, value: entry.value };
  const within = inNode(entry.value, at, keys);
  return within ?? { path: keys, part: "value", from: entry.value.from, to: entry.value.to, value: entry.value };
}

function inNode(node: Node, at: number, path: string[]): Where | undefined {
  if (at < node.from || at > node.to) return undefined;
  if (node.kind === "inline") for (const e of node.entries) {
    const found = inEntry(e, at, path);
    if (found) return found;
  }
  if (node.kind === "array") for (const item of node.items) {
    const found = inNode(item, at, path);
    if (found) return found;
  }
  return node.kind === "inline" || node.kind === "array" ? undefined : { path, part: "value", from: node.from, to: node.to, value: node };
}

/** What stands at a place of a text; undefined if it is no TOML, or nothing is there. */
export function whereIs(text: string, at: number): Where | undefined {
  try {
    for (const section of parseToml(text).sections) {
      const head = section.header?.path.map((k) => k.name) ?? [];
      for (const [k, key] of (section.header?.path ?? []).entries()) if (at >= key.from && at <= key.to) return { path: head.slice(0, k + 1), part: "key", from: key.from, to: key.to };
      for (const entry of section.entries) {
        const found = inEntry(entry, at, head);
        if (found) return found;
      }
    }
  } catch {
    return undefined;
  }
  return undefined;
}

const elements = new Set(["places", "bodies", "joints", "drivers", "forces", "points", "markers"]);

export function sectionAndNameAt(text: string, at: number): Item | undefined {
  const path = whereIs(text, at)?.path;
  return path && path.length >= 2 && elements.has(path[0]) ? { section: path[0], name: path[1] } : undefined;
}
