// The name of the model, undo and redo, colours, help.
import templates from "studio-templates";
import { h, menu } from "../../../web/src/dom";
import { isDark, onTheme, startTheme } from "../../../web/src/theme";
import type { Context, Panel } from "../context";
import { emptyModel } from "../model/draw";
import { openGuide } from "../guide";
import { helpDialog } from "../help_dialog";
import { openFiles, openModel } from "../open";
import { keptTheme } from "../store";
import { parseToml } from "../toml/tree";

function nameOf(text: string): string {
  try {
    return parseToml(text).root.text("name") ?? "without a name";
  } catch {
    return /^name\s*=\s*"([^"]*)"/m.exec(text)?.[1] ?? "without a name";
  }
}

/** Files that are dropped on the page are opened. */
function takeDropped(context: Context) {
  document.addEventListener("dragover", (e) => e.dataTransfer?.types.includes("Files") && e.preventDefault());
  document.addEventListener("drop", (e) => {
    const files = [...(e.dataTransfer?.files ?? [])];
    if (!files.length) return;
    e.preventDefault();
    e.stopPropagation(); // the editor would write them into its text
    void openFiles(context, files);
  }, true);
}

function mount(host: HTMLElement, context: Context) {
  const { document: model, commands } = context;
  const button = (id: string, sign: string) => {
    const command = commands.get(id)!;
    return h("button", { type: "button", class: "icon", "aria-label": command.title, "data-command": id, onclick: () => commands.run(id) }, sign);
  };
  const begin = (text: string, title: string) => {
    begins.open = false;
    openModel(context, text, {}, title);
    context.say("Undo brings the old model back.");
  };
  const chooseFiles = () => {
    begins.open = false;
    const input = h("input", { type: "file", multiple: true });
    input.addEventListener("change", () => void openFiles(context, [...(input.files ?? [])]));
    input.click();
  };
  takeDropped(context);
  commands.add(
    { id: "open", title: "Open files: a model, and the files that it reads", keys: ["Mod-o"], run: chooseFiles },
    { id: "new", title: "New model: empty", keys: ["Alt-n"], run: () => begin(emptyModel, "new model") },
    ...templates.map(({ id, text }) => ({ id: `new-${id}`, title: `New model: ${id.replace(/_/g, " ")}`, run: () => begin(text, `new ${id}`) })),
    { id: "guide", title: "Guided first build: a four-bar in three minutes", run: () => openGuide(context) },
    { id: "help", title: "Keys and commands", keys: ["?", "F1"], run: () => helpDialog(context) });
  const row = (id: string, title: string, about: string) =>
    h("button", { type: "button", class: "command", "data-command": id, title: about, onclick: () => commands.run(id) }, h("span", {}, h("strong", {}, title), h("span", { class: "soft" }, ` ${about}`)));
  const begins: HTMLDetailsElement = menu("New", "begin a model", h("div", { class: "templates" }, row("open", "open a file …", "your model, together with the files that it reads"), row("new", "empty", "draw on the canvas"), ...templates.map((t) => row(`new-${t.id}`, t.id.replace(/_/g, " "), t.about))));
  const undo = button("undo", "↶");
  const redo = button("redo", "↷");
  const name = h("span", { class: "model-name" });
  const theme = startTheme(keptTheme);
  theme.classList.add("theme");
  onTheme(() => context.dark.set(isDark()));
  context.dark.set(isDark());
  host.append(name, h("div", { class: "row head-tools" }, undo, redo,
    begins,
    h("button", { type: "button", class: "chip", "data-command": "guide", onclick: () => commands.run("guide") }, "Guide"),
    h("button", { type: "button", class: "icon", "aria-label": "keys and commands (?)", title: "keys and commands (?)", onclick: () => commands.run("help") }, "?"), theme));
  const renew = () => {
    name.textContent = nameOf(model.text);
    document.title = `${nameOf(model.text)} – mubody studio`;
    undo.disabled = !model.canUndo;
    redo.disabled = !model.canRedo;
    undo.title = model.canUndo ? `undo: ${model.undoTitle} (Ctrl+Z)` : "nothing to undo";
    redo.title = model.canRedo ? `redo: ${model.redoTitle} (Ctrl+Shift+Z)` : "nothing to redo";
  };
  model.subscribe(renew);
  renew();
}

export const panel: Panel = { id: "title", title: "Model", place: "bar", order: 0, mount };
