// Completion and explanations, from the registry of the library.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Elements, FieldInfo, KindInfo } from "../../../wasm/interface";
import { parseToml, type Table } from "../toml/tree";
import { quoted } from "../toml/write";
import { whereIs } from "./places";

/** The lists of the registry that stand in a section of the file: `analysis` has the analyses. */
const kindsOf = (elements: Elements | undefined, section: string): KindInfo[] => elements?.[section] ?? elements?.[{ analysis: "analyses", signals: "blocks" }[section] ?? ""] ?? [];

const words = (f: FieldInfo) => `${f.meaning}${f.unit && f.unit !== "-" ? ` [${f.unit}]` : ""}${f.default === null ? "; required" : f.default && f.default !== "-" ? `; default ${f.default}` : ""}`;

/** What a section and an element are being written, from the text before a place, which may not be complete. */
export function contextBefore(text: string, at: number): { section: string; type: string | undefined; inElement: boolean; inValue: string | undefined; word: string } {
  const before = text.slice(0, at);
  const header = [...before.matchAll(/^[ \t]*\[([A-Za-z0-9_-]+)(?:\.([A-Za-z0-9_-]+))?\]/gm)].at(-1);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const word = /[A-Za-z0-9_-]*$/.exec(line)![0];
  const rest = text.slice(at).split("\n", 1)[0];
  const block = header?.[2] ? text.slice(header.index!).split(/\n\s*\[/, 1)[0] : line + rest;
  const type = /\btype\s*=\s*"([^"]*)"/.exec(block)?.[1];
  const value = /([A-Za-z0-9_-]+)\s*=\s*(?:\[[^\]]*|"[^"]*|[^,{}"]*)$/.exec(line);
  const open = (line.match(/{/g)?.length ?? 0) > (line.match(/}/g)?.length ?? 0);
  return { section: header?.[1] ?? "", type, inElement: open || header?.[2] !== undefined, inValue: value?.[1], word };
}

/** The names that may stand as a value of a key. */
function namesFor(text: string, key: string): string[] {
  let root: Table;
  try {
    root = parseToml(text).root;
  } catch {
    return [...text.matchAll(/^([A-Za-z_][A-Za-z0-9_-]*)\s*=\s*[{[]/gm)].map((m) => m[1]);
  }
  const of = (section: string) => root.table(section)?.names ?? [];
  if (["bodies", "body"].includes(key)) return ["ground", ...of("bodies").filter((b) => b !== "ground")];
  if (["joint", "joints", "chords"].includes(key)) return of("joints");
  if (["through", "at", "to", "i", "j", "between"].includes(key)) return [...of("places"), ...of("markers")];
  return [];
}

const sections: readonly [string, string][] = [["parameters", "named numbers for formulas"], ["places", "named points in global axes at the start"], ["bodies", "rigid bodies"], ["markers", "named frames on bodies"],
  ["joints", "constraints between bodies"], ["drivers", "constraints that follow a function of time"], ["forces", "force elements"], ["points", "points whose motion is wanted"],
  ["signals", "named formulas, blocks and controllers"], ["analysis", "what to compute, and how"], ["output", "which times and columns to write"], ["look", "how bodies are drawn"], ["report", "first plots and units of a report"]];

export function completionsAt(c: Pick<CompletionContext, "pos" | "explicit">, elements: Elements | undefined, text: string): CompletionResult | null {
  const here = contextBefore(text, c.pos);
  const from = c.pos - here.word.length;
  const line = text.slice(text.lastIndexOf("\n", c.pos - 1) + 1, c.pos);
  if (/#/.test(line.replace(/"[^"]*"/g, ""))) return null;
  const result = (options: Completion[]) => (options.length && (c.explicit || here.word || /["[{,=]\s*$/.test(line)) ? { from, options, validFor: /^[A-Za-z0-9_-]*$/ } : null);
  if (/^\s*\[[A-Za-z]*$/.test(line)) return result(sections.map(([label, detail]) => ({ label, detail, type: "namespace" })));
  const kinds = kindsOf(elements, here.section);
  const quote = (name: string) => (/"[^"]*$/.test(line.replace(/"[^"]*"/g, "")) ? name : quoted(name));
  if (here.inValue === "type") return result(kinds.map((k) => ({ label: k.name, apply: quote(k.name), detail: k.summary, type: "type" })));
  if (here.inValue) return result(namesFor(text, here.inValue).map((name) => ({ label: name, apply: quote(name), type: "variable" })));
  if (!here.inElement && here.section !== "analysis" && here.section !== "output") return null;
  const kind = kinds.find((k) => k.name === here.type) ?? (here.section === "bodies" ? kinds[0] : undefined);
  const fields = kind?.fields ?? [];
  const options = fields.map((f) => ({ label: f.name, apply: `${f.name} = `, detail: f.unit === "-" ? "" : f.unit, info: words(f), type: "property" }));
  if (!here.type && here.section !== "bodies") options.unshift({ label: "type", apply: "type = ", detail: "", info: "the kind of element", type: "property" });
  return result(options);
}

/** What a key or a type means. */
export function explain(elements: Elements | undefined, text: string, at: number): { from: number; to: number; words: string } | null {
  const where = whereIs(text, at);
  if (!where) return null;
  const { path, part, from, to, value } = where;
  const kinds = kindsOf(elements, path[0]);
  const table = path[0] === "analysis" ? parseToml(text).root.table("analysis") : parseToml(text).root.table(path[0])?.table(path[1] ?? "");
  const kind = kinds.find((k) => k.name === table?.text("type"));
  const key = path.at(-1);
  if (part === "key" && path.length === 1) {
    const section = sections.find(([name]) => name === key);
    return section ? { from, to, words: section[1] } : null;
  }
  if (key === "type" && value?.kind === "string") return kind ? { from, to, words: `${kind.name}: ${kind.summary}` } : null;
  if (part === "key" && path.length === 2 && path[0] !== "analysis") return kind ? { from, to, words: `${path[1]}: ${kind.summary}` } : null;
  const field = (kind ?? (path[0] === "bodies" ? kinds[0] : undefined))?.fields.find((f) => f.name === path.slice(path[0] === "analysis" ? 1 : 2).join(".") || f.name === key);
  return part === "key" && field ? { from, to, words: `${field.name}: ${words(field)}` } : null;
}
