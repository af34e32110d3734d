// The studio: a mechanism is drawn, and it moves.
//
// For whoever adds a panel: a panel is one file src/panels/NAME.ts that exports `panel` (context.ts says what it is); the
// build finds it there, nothing else lists it.  It gets a host element and the context, watches the signals there
// (`context.checked`, `context.ran`, `context.selection`, ...), and changes the model only by `context.document.apply`, with
// edits made by the functions of src/toml/, which change no more than the characters in question.  Keys are commands in
// `context.commands`.  Styles of a panel are in src/panels/NAME.css beside it, if it has any.  Files that several panels
// share lie in folders of their own beside panels/.
import { panels } from "studio-panels";
import { Commands } from "./commands";
import type { Context, Item, Overlay } from "./context";
import { ModelDocument } from "./document";
import { followText } from "./follow";
import { shell, type Shell } from "./shell";
import { Signal } from "./signal";
import { markStale } from "./stale";
import { loadLibrary } from "./solver_client";
import { store } from "./store";

const { start, beside, keep } = store();
const document_ = new ModelDocument(start.text);
let page: Shell | undefined;
const context: Context = {
  document: document_,
  files: new Signal(start.files),
  beside,
  library: loadLibrary(),
  checked: new Signal<Context["checked"]["value"]>(undefined),
  ran: new Signal<Context["ran"]["value"]>(undefined),
  progress: new Signal<number | undefined>(undefined),
  shown: new Signal<Context["shown"]["value"]>(undefined),
  overlays: new Signal<readonly Overlay[]>([]),
  selection: new Signal<readonly Item[]>([]),
  dark: new Signal(false),
  commands: new Commands(),
  say: (message) => page?.say(message),
  show: (panel) => page?.show(panel),
};
context.commands.add(
  { id: "undo", title: "Undo", keys: ["Mod-z"], run: () => document_.undo(), enabled: () => document_.canUndo },
  { id: "redo", title: "Redo", keys: ["Mod-Shift-z", "Mod-y"], run: () => document_.redo(), enabled: () => document_.canRedo });
page = shell(panels, context);
addEventListener("keydown", (e) => {
  if (!e.defaultPrevented && !document.querySelector("dialog[open]") && context.commands.press(e)) e.preventDefault();
});
keep(document_, context.files);
markStale(context);
// For whoever looks into the page with the browser's console, and for tests.
Object.assign(globalThis, { mubodyStudio: context });
followText(context);
