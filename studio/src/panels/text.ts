// The text of the model, which is the truth: mistakes are underlined where the program finds them.
import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml as tomlMode } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, Prec, type ChangeSpec } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Elements } from "../../../wasm/interface";
import type { Context, Panel } from "../context";
import { isBegun } from "../solver";
import { completionsAt, explain } from "../text/help";
import { sectionAndNameAt, spanOfProblem } from "../text/places";
import { parseToml } from "../toml/tree";

/** Marks changes that come from the document, so that they do not go back to it. */
const fromDocument = Annotation.define<boolean>();

const highlight = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "var(--accent)" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--applied)" },
  { tag: tags.heading, color: "var(--ink)", fontWeight: "700" },
]);
const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 6%, transparent)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 22%, transparent) !important" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--edge)", borderRadius: "8px", maxWidth: "30rem" },
  ".cm-tooltip-hover": { padding: "0.35rem 0.6rem", fontSize: "12.5px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--panel)" },
  ".cm-panels": { backgroundColor: "var(--page)", color: "var(--ink)" },
  ".cm-diagnostic": { fontSize: "12.5px" },
});

function mount(host: HTMLElement, context: Context) {
  const { document: model, selection } = context;
  let elements: Elements | undefined;
  context.library.then((library) => library.elements()).then((known) => (elements = known), () => undefined);

  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      doc: model.text,
      extensions: [
        lineNumbers(), highlightActiveLine(), drawSelection(), bracketMatching(), closeBrackets(), highlightSelectionMatches(), EditorState.allowMultipleSelections.of(true),
        StreamLanguage.define(tomlMode), syntaxHighlighting(highlight), lintGutter(), look, EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "text of the model", spellcheck: "false" }),
        // Undo and redo are those of the document, for it has the canvas's steps too.
        Prec.high(keymap.of([
          { key: "Mod-z", run: () => (model.undo(), true) },
          { key: "Mod-y", run: () => (model.redo(), true) },
          { key: "Mod-Shift-z", run: () => (model.redo(), true) },
          { key: "Escape", run: (v) => (v.contentDOM.blur(), true) },
        ])),
        keymap.of([...completionKeymap, ...searchKeymap, ...defaultKeymap, indentWithTab]),
        autocompletion({ override: [(c) => completionsAt(c, elements, c.state.doc.toString())] }),
        hoverTooltip((v, at) => {
          const help = explain(elements, v.state.doc.toString(), at);
          return help && { pos: help.from, end: help.to, above: true, create: () => ({ dom: Object.assign(document.createElement("div"), { textContent: help.words }) }) };
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((t) => t.annotation(fromDocument))) {
            const edits: { from: number; to: number; insert: string }[] = [];
            update.changes.iterChanges((from, to, _a, _b, insert) => edits.push({ from, to, insert: insert.toString() }));
            model.apply(edits, { origin: "text", title: "typing", group: "typing" });
          }
          if (update.selectionSet && update.view.hasFocus) selectFromText(update.state.selection.main.head);
        }),
      ],
    }),
  });

  /** The element in whose line the cursor is is selected on the canvas. */
  function selectFromText(at: number) {
    const item = sectionAndNameAt(model.text, at);
    if (item && !selection.value.some((i) => i.section === item.section && i.name === item.name)) selection.set([item]);
  }

  model.subscribe(({ edits, origin }) => {
    if (origin !== "text") view.dispatch({ changes: edits as unknown as ChangeSpec, annotations: fromDocument.of(true) });
  });

  selection.watch((items) => {
    if (view.hasFocus || items.length !== 1) return;
    try {
      const slot = parseToml(model.text).root.table(items[0].section)?.get(items[0].name);
      const at = slot?.keys[0]?.from;
      if (at !== undefined) view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "nearest", yMargin: 60 }) });
    } catch {
      // Without a text that can be read there is nothing to show.
    }
  });

  context.checked.follow((now) => {
    if (!now || now.text !== view.state.doc.toString()) return;
    const { answer } = now;
    const mark = (p: { line: number; column: number; message: string; file?: string }, severity: Diagnostic["severity"]): Diagnostic =>
      ({ ...spanOfProblem(now.text, p), severity, message: p.file ? `${p.file}: ${p.message}` : p.message });
    view.dispatch(setDiagnostics(view.state, [...(isBegun(answer) ? answer.errors : []).map((p) => mark(p, "error")), ...(answer.obstacle ? [mark(answer.obstacle, "warning")] : [])]));
  });
}

export const panel: Panel = { id: "text", title: "Text", place: "side", order: 0, mount };
