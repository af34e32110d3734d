// The page: a head with bars, the stage at the left, tabs at the right and below, and the transport.
//
// On a phone the stage is on top and all tabs are in one row below it.
import { h } from "../../web/src/dom";
import type { Context, Panel } from "./context";

interface Tabs {
  element: HTMLElement;
  show(id: string): boolean;
}

/** Panels of one place; only one is seen at a time.  They are mounted when they are first shown. */
function tabs(place: Panel["place"], label: string, panels: Panel[], context: Context): Tabs {
  const list = h("div", { class: "tab-list", role: "tablist", "aria-label": label });
  const bodies = h("div", { class: "tab-bodies" });
  const element = h("section", { class: `place ${place}`, "aria-label": label }, panels.length > 1 ? list : null, bodies);
  const mounted = new Map<string, HTMLElement>();
  const buttons = new Map<string, HTMLButtonElement>();

  function show(id: string): boolean {
    const panel = panels.find((p) => p.id === id);
    if (!panel) return false;
    let host = mounted.get(id);
    if (!host) {
      host = h("div", { class: `panel panel-${id}`, role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` });
      mounted.set(id, host);
      bodies.append(host);
      panel.mount(host, context);
    }
    for (const [other, body] of mounted) body.hidden = other !== id;
    for (const [other, button] of buttons) {
      button.setAttribute("aria-selected", String(other === id));
      button.tabIndex = other === id ? 0 : -1;
    }
    return true;
  }
  panels.forEach((panel, k) => {
    const button = h("button", { type: "button", role: "tab", class: "tab", id: `tab-${panel.id}`, "aria-controls": `panel-${panel.id}`, onclick: () => show(panel.id) }, panel.title);
    button.addEventListener("keydown", (e) => {
      const step = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      e.stopPropagation();
      const next = panels[(k + step + panels.length) % panels.length];
      show(next.id);
      buttons.get(next.id)!.focus();
    });
    buttons.set(panel.id, button);
    list.append(button);
  });
  if (panels.length) show(panels[0].id);
  return { element, show };
}

/** A bar between two places that can be dragged, and moved with the arrow keys. */
function divider(vertical: boolean, label: string, set: (share: number) => void, start: number): HTMLElement {
  let share = start;
  const bar = h("div", { class: `divider ${vertical ? "upright" : "level"}`, role: "separator", tabindex: 0, "aria-label": label,
    "aria-orientation": vertical ? "vertical" : "horizontal" });
  const move = (to: number) => {
    share = Math.min(0.85, Math.max(0.15, to));
    bar.setAttribute("aria-valuenow", String(Math.round(100 * share)));
    set(share);
  };
  bar.addEventListener("pointerdown", (e) => {
    bar.setPointerCapture(e.pointerId);
    e.preventDefault();
  });
  bar.addEventListener("pointermove", (e) => {
    if (!bar.hasPointerCapture(e.pointerId)) return;
    const box = bar.parentElement!.getBoundingClientRect();
    move(vertical ? (e.clientX - box.left) / box.width : (e.clientY - box.top) / box.height);
  });
  bar.addEventListener("keydown", (e) => {
    const step = { ArrowLeft: -0.03, ArrowUp: -0.03, ArrowRight: 0.03, ArrowDown: 0.03 }[e.key];
    if (!step) return;
    e.stopPropagation();
    e.preventDefault();
    move(share + step);
  });
  move(share);
  return bar;
}

export interface Shell {
  show(panel: string): void;
  say(message: string): void;
}

export function shell(panels: Panel[], context: Context): Shell {
  const of = (place: Panel["place"]) => panels.filter((p) => p.place === place).sort((a, b) => a.order - b.order);
  const places = (["stage", "side", "below"] as const).map((place) =>
    tabs(place, { stage: "Drawing", side: "Model", below: "Results" }[place], of(place), context));
  const bare = (place: "bar" | "transport") => of(place).map((panel) => {
    const host = h("div", { class: `panel-${panel.id}` });
    panel.mount(host, context);
    return host;
  });
  const upper = h("div", { class: "upper" });
  const main = h("main", { class: "desk" }, upper);
  const [stage, side, below] = places.map((p) => p.element);
  upper.append(stage, divider(true, "width of the drawing", (s) => upper.style.setProperty("--left", `${100 * s}%`), 0.62), side);
  main.append(h("div", { class: "transport-place" }, ...bare("transport")));
  if (of("below").length) main.append(divider(false, "height of the drawing", (s) => main.style.setProperty("--top", `${100 * s}%`), 0.64), below);
  const message = h("div", { class: "message", role: "status", "aria-live": "polite" });
  document.body.append(h("header", { class: "head" }, h("h1", { class: "brand" }, "mubody"), ...bare("bar")), main, message);

  let timer = 0;
  return {
    show: (id) => void places.some((p) => p.show(id)),
    say(text) {
      message.textContent = text;
      message.classList.add("seen");
      clearTimeout(timer);
      timer = setTimeout(() => message.classList.remove("seen"), 3500) as unknown as number;
    },
  };
}
