// The model is kept in the browser after each edit, and is there again after a crash.
//
// Each tab keeps what it has, and finds that again; a new tab begins with what was edited last in any of them.  A page that
// `mubody studio MODEL` wrote begins with the model inside it, and has a store of its own.
import type { KeptTheme } from "../../web/src/theme";
import type { Files } from "../../wasm/interface";
import type { ModelDocument } from "./document";
import type { Signal } from "./signal";

export interface Kept {
  text: string;
  files: Files;
}

const name = "mubody.studio.model";
/** Files that are larger together are not kept [bytes]. */
const mostOfFiles = 1.5e6;

/** What the page has inside: the text, or an object with the files that the model reads, in base64. */
function inside(): { kept: Kept; mark: string } | undefined {
  const json = document.getElementById("model")?.textContent?.trim();
  if (!json) return undefined;
  const model = JSON.parse(json) as string | { text: string; files?: Record<string, string> };
  const kept = typeof model === "string" ? { text: model, files: {} } : { text: model.text, files: decoded(model.files ?? {}) };
  return { kept, mark: `.${hash(json)}` };
}

/** A short name for a text (FNV-1a). */
function hash(text: string): string {
  let h = 0x811c9dc5;
  for (let k = 0; k < text.length; ++k) h = Math.imul(h ^ text.charCodeAt(k), 0x01000193);
  return (h >>> 0).toString(16);
}

const decoded = (files: Record<string, string>): Files =>
  Object.fromEntries(Object.entries(files).map(([file, base64]) => [file, Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]));

function encoded(files: Files): Record<string, string> {
  const base64 = (content: string | Uint8Array) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    let text = "";
    for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
    return btoa(text);
  };
  return Object.fromEntries(Object.entries(files).map(([file, content]) => [file, base64(content)]));
}

/** Storage may be forbidden or full; the studio works without it. */
function tried<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
const readIn = (storage: Storage | undefined, key: string) => tried(() => storage?.getItem(key) ?? undefined);
/** Writes for this tab, and for tabs to come. */
function write(key: string, text: string | undefined) {
  for (const storage of [tried(() => sessionStorage), tried(() => localStorage)])
    tried(() => (text === undefined ? storage?.removeItem(key) : storage?.setItem(key, text)));
}

const themeKey = "mubody.studio.theme";
export const keptTheme: KeptTheme = {
  read: () => readIn(tried(() => localStorage), themeKey),
  write: (theme) => tried(() => localStorage.setItem(themeKey, theme)),
};

/** What is kept beside the model, each by its name. */
export interface Beside {
  read(name: string): string | undefined;
  write(name: string, text: string | undefined): void;
}

/** What was there last time, or what the page has inside, or an empty model; `keep` keeps it from now on. */
export function store(): { start: Kept; beside: Beside; keep(model: ModelDocument, files: Signal<Files>): void } {
  const given = inside();
  const key = name + (given?.mark ?? "");
  const own = tried(() => sessionStorage);
  const storage = readIn(own, key) === undefined ? tried(() => localStorage) : own;
  const read = (what: string) => {
    const kept = readIn(storage, what);
    // What a tab begins with is its own from now on.
    if (kept !== undefined) tried(() => own?.setItem(what, kept));
    return kept;
  };
  const text = read(key);
  const start = text === undefined ? given?.kept ?? { text: "", files: {} } : { text, files: decoded(JSON.parse(read(`${key}.files`) ?? "{}") as Record<string, string>) };
  return {
    start,
    beside: { read: (other) => read(`${key}.${other}`), write: (other, text) => write(`${key}.${other}`, text) },
    keep(model, files) {
      model.subscribe(({ after }) => write(key, after));
      files.watch((now) => {
        const size = Object.values(now).reduce((sum, content) => sum + content.length, 0);
        write(`${key}.files`, size && size < mostOfFiles ? JSON.stringify(encoded(now)) : undefined);
      });
    },
  };
}
