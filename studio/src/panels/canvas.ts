// The canvas: tools at the left, the drawing, and what is selected.
import { tools } from "studio-tools";
import { h, svg } from "../../../web/src/dom";
import { onTheme } from "../../../web/src/theme";
import { canvasCommands } from "../canvas/keys";
import { corner, isEmpty, warningsOf } from "../canvas/corner";
import { Inspector } from "../canvas/inspector";
import { paint } from "../canvas/paint";
import { pointers } from "../canvas/pointers";
import { settleAnalysis } from "../canvas/settle";
import { Stage } from "../canvas/stage";
import type { Tool, ToolKind } from "../canvas/tool";
import type { Context, Panel } from "../context";
import { isAnother } from "../document";
import type { Toml } from "../toml/tree";

interface Toolbar {
  element: HTMLElement;
  mark(id: string): void;
  enable(on: boolean): void;
}

function toolbar(kinds: ToolKind[], choose: (kind: ToolKind) => void): Toolbar {
  const buttons = new Map<string, HTMLButtonElement>();
  const element = h("div", { class: "toolbar", role: "toolbar", "aria-label": "drawing tools", "aria-orientation": "vertical" });
  let group = 0;
  for (const kind of kinds) {
    if (Math.floor(kind.order / 10) !== group) element.append(h("hr"));
    group = Math.floor(kind.order / 10);
    const button = h("button", { type: "button", class: "tool", title: `${kind.title} (${kind.key.toUpperCase()}): ${kind.hint}`, "aria-label": kind.title, "data-tool": kind.id, onclick: () => choose(kind) });
    button.append(svg("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" }, svg("path", { d: kind.icon })), h("span", {}, kind.title));
    buttons.set(kind.id, button);
    element.append(button);
  }
  return {
    element,
    mark: (id) => buttons.forEach((b, other) => b.setAttribute("aria-pressed", String(other === id))),
    enable: (on) => buttons.forEach((b) => (b.disabled = !on)),
  };
}

/** What is no longer in the text is not selected. */
function dropLost({ selection }: Context, toml: Toml) {
  const left = selection.value.filter(({ section, name }) => toml.root.table(section)?.get(name));
  if (left.length < selection.value.length) selection.set(left);
}

function mount(host: HTMLElement, context: Context) {
  const canvas = h("canvas", { tabindex: 0, role: "application", "aria-label": "drawing of the mechanism; Tab selects the next part, arrow keys move it, letters choose tools", "aria-describedby": "canvas-hint" });
  const c = canvas.getContext("2d")!;
  const hint = h("p", { class: "hint soft", id: "canvas-hint" });
  const badges = h("div", { class: "badges" });
  let tool: Tool = {};
  let waiting = false;
  const redraw = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };
  const stage = new Stage(context, redraw);
  const inspector = new Inspector(stage);
  settleAnalysis(stage);
  const state = corner(stage);
  const chip = (words: string, run: () => void) => h("button", { type: "button", class: "chip", onclick: run }, words);
  const welcome = h("div", { class: "welcome" }, h("p", {}, "Draw a mechanism here, and it moves."),
    h("div", { class: "row" }, chip("Build a four-bar, step by step", () => context.commands.run("guide")), chip("Open an example", () => context.show("gallery")), chip("Draw a rod", () => context.commands.run("tool-link"))));
  const view = h("div", { class: "drawing" }, canvas, badges, welcome, state.element, inspector.element, hint);
  const closed = h("div", { class: "closed", role: "status", hidden: true }, h("p", {}, "This model is in space: it is edited in the text, and shown under Space, where handles move it."),
    chip("Show it in space", () => context.show("space")));

  const kinds = [...tools].sort((a, b) => a.order - b.order);
  const bar = toolbar(kinds, choose);
  function choose(kind: ToolKind) {
    tool.cancel?.();
    tool = kind.make(stage);
    bar.mark(kind.id);
    hint.textContent = `${kind.title}: ${kind.hint}`;
    canvas.dataset.tool = kind.id;
    if (kind.id !== "select" && kind.id !== "hand" && context.shown.value) stage.toStart();
    redraw();
  }

  /** The canvas is plane: of a model in space it can show and draw nothing. */
  function close(on: boolean) {
    if (closed.hidden === !on) return;
    if (on) choose(kinds[0]);
    closed.hidden = !on;
    view.inert = on;
    bar.enable(!on);
  }

  function draw() {
    if (!stage.camera.width) return;
    paint(c, stage, (pen) => tool.draw?.(pen));
    const now = stage.now();
    badges.replaceChildren(...(now.start && now.fresh ? warningsOf(stage, now) : []).map(({ at, words, item }) => {
      const badge = h("button", { type: "button", class: "badge", title: words, "aria-label": `warning: ${words}`, onclick: () => (item && context.selection.set([item]), context.say(words)) }, "!");
      badge.style.transform = `translate(${at[0] + 8}px, ${at[1] + 8}px)`;
      return badge;
    }));
    close(stage.inSpace());
    const toml = stage.parsed();
    welcome.hidden = !toml || !isEmpty(toml) || canvas.dataset.tool !== "select";
    state.renew();
    inspector.renew();
  }

  // The view is chosen when the page opens, and for each model that is loaded; later it is the user's.
  let sweep = false;
  let fitted = context.document.text.trim() === "";
  new ResizeObserver(() => {
    const ratio = devicePixelRatio || 1;
    const { camera } = stage;
    [camera.width, camera.height] = [view.clientWidth, view.clientHeight];
    canvas.width = Math.round(camera.width * ratio);
    canvas.height = Math.round(camera.height * ratio);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    // Drawn at once: a canvas of a new size is empty.
    if (!fitted && !context.checked.value) stage.fit();
    draw();
  }).observe(view);
  context.checked.watch((now) => {
    if (!fitted && now?.answer.model && stage.camera.width) {
      fitted = true;
      sweep = true;
      stage.fit();
    }
  });
  // The first motion of a model is seen as a whole, too.
  context.ran.watch((ran) => {
    if (!sweep || !ran?.result) return;
    sweep = false;
    stage.fit();
  });
  for (const signal of [context.checked, context.ran, context.shown, context.overlays, context.selection]) (signal as { watch(f: () => void): void }).watch(redraw);
  context.document.subscribe((change) => {
    const { origin } = change;
    stage.live?.stop();
    stage.dragged = undefined;
    // Another model is seen as a whole; undo and the canvas leave the view alone.
    const toml = stage.parsed();
    const empty = toml !== undefined && isEmpty(toml);
    if (origin !== "undo" && origin !== "redo" && isAnother(change)) fitted = empty;
    if (origin === "load") stage.renew(empty);
    if (toml) dropLost(context, toml);
    redraw();
  });
  onTheme(redraw);
  pointers(canvas, view, stage, () => tool);
  canvasCommands(context, stage, canvas, view, kinds, choose, () => tool);
  host.append(bar.element, h("div", { class: "sheet" }, view, closed));
  choose(kinds[0]);
  void stage.layKept();
}

export const panel: Panel = { id: "canvas", title: "Canvas", place: "stage", order: 0, mount };
