// The guided first build: a four-bar that moves, step by step, on the canvas.
import { h } from "../../web/src/dom";
import { isEmpty } from "./canvas/corner";
import type { Context } from "./context";
import { emptyModel } from "./model/draw";
import { sketchedBodies } from "./model/sketch";
import { openModel } from "./open";
import { parseToml, type Toml } from "./toml/tree";

interface Step {
  words: string;
  tool?: string;
  /** Whether the model shows that the step was done. */
  done(toml: Toml, context: Context): boolean;
}

const rods = (toml: Toml) => sketchedBodies(toml).filter((b) => b.name !== "ground" && b.through.length > 1);
const grounded = (toml: Toml) => sketchedBodies(toml).find((b) => b.name === "ground")?.through.length ?? 0;

const steps: Step[] = [
  { words: "A four-bar has a crank, a coupler and a rocker. Take the tool Rod and drag a short rod upwards: the crank.", tool: "link", done: (t) => rods(t).length >= 1 },
  { words: "Begin the next rod at the upper end of the crank, and drag to the right: the coupler. Where rods meet, they are pinned.", tool: "link", done: (t) => rods(t).length >= 2 },
  { words: "From the far end of the coupler drag a rod down to the height of the first point: the rocker. It should be longer than the crank.", tool: "link", done: (t) => rods(t).length >= 3 },
  { words: "Now the ground: click the lower end of the crank, then the lower end of the rocker. One freedom remains – see the corner.", tool: "ground", done: (t) => grounded(t) >= 2 },
  { words: "Let something turn it: with the tool Motor click the pin of the crank on the ground.", tool: "motor", done: (t) => (t.root.table("drivers")?.names.length ?? 0) > 0 },
  { words: "Which path does the coupler make? With the tool Trace click in the middle of the coupler, or beside it.", tool: "trace", done: (t) => (t.root.table("points")?.names.length ?? 0) > 0 },
  { words: "It runs. Press Play (Space) to see it, take the Hand to drag it, and look at the text: it is the same model. Change a number there.", tool: "hand", done: () => false },
];

export function openGuide(context: Context) {
  document.querySelector(".guide")?.remove();
  const { document: model, commands } = context;
  if (!isEmpty(safe(model.text))) openModel(context, emptyModel, {}, "guided build");
  let at = 0;
  const words = h("p", { role: "status", "aria-live": "polite" });
  const count = h("span", { class: "soft" });
  const close = () => {
    stop();
    box.remove();
  };
  const box = h("section", { class: "guide", "aria-label": "guided first build" },
    h("header", {}, h("strong", {}, "Your first four-bar"), count, h("button", { type: "button", class: "icon", "aria-label": "close the guide", onclick: close }, "×")), words,
    h("div", { class: "row end" }, h("button", { type: "button", class: "chip small", onclick: () => show(Math.max(0, at - 1)) }, "Back"), h("button", { type: "button", class: "chip small", onclick: () => (at + 1 < steps.length ? show(at + 1) : close()) }, "Next")));
  function show(k: number) {
    at = k;
    words.textContent = steps[k].words;
    count.textContent = `${k + 1} of ${steps.length}`;
    if (steps[k].tool) commands.run(`tool-${steps[k].tool}`);
  }
  const look = () => {
    while (at + 1 < steps.length && steps[at].done(safe(model.text), context)) show(at + 1);
  };
  const stop = model.subscribe(() => setTimeout(look, 0));
  document.body.append(box);
  show(0);
  look();
}

const nothing = parseToml("");
function safe(text: string): Toml {
  try {
    return parseToml(text);
  } catch {
    return nothing;
  }
}
