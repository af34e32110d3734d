// The corner of the canvas: freedoms and warnings, which change with each edit.
import { h } from "../../../web/src/dom";
import { counted } from "../../../web/src/format";
import type { Checked } from "../../../wasm/interface";
import type { Item } from "../context";
import { entryOf, pointAt, type Now } from "./geometry";
import type { Point } from "../../../web/src/plane_shapes";
import { placeNames, sketchedBodies } from "../model/sketch";
import type { Toml } from "../toml/tree";
import { isBegun } from "../solver";
import type { Stage } from "./stage";

/** Something that does not look right, and where. */
export interface Warning {
  at: Point;
  words: string;
  item?: Item;
}

/** What is redundant, and which joints give it already. */
const redundancy = ({ equation, joints, reason }: NonNullable<Checked["freedom"]>["redundant"][number]) =>
  `redundant: ${equation} follows from ${joints.join(", ")}${reason ? `: ${reason}` : ""}`;

export function warningsOf(stage: Stage, now: Now): Warning[] {
  const { info, answer } = now;
  if (!info || !answer) return [];
  const out: Warning[] = [];
  const elements = [...info.joints, ...info.forces];
  info.bodies.forEach((body, k) => {
    if (elements.some((e) => e.i.body === k + 1 || e.j.body === k + 1)) return;
    out.push({ at: stage.camera.toPixels(now.pose(k + 1).x), words: `${body.name} is attached to nothing`, item: { section: "bodies", name: body.name } });
  });
  const seen = new Set<string>();
  for (const redundant of answer.freedom?.redundant ?? [])
    for (const name of redundant.joints) {
      const joint = info.joints.find((j) => j.name === name);
      if (!joint || seen.has(name)) continue;
      seen.add(name);
      out.push({ at: stage.camera.toPixels(pointAt(now, joint.i.body, joint.i.at)), words: redundancy(redundant), item: entryOf(now, name) });
    }
  // A dead point that the newest run has met stands at the driver or joint that it names.
  for (const event of aheadOf(stage)) {
    const named = info.joints.filter((j) => event.what.includes(`'${j.name}'`));
    const joint = named.find((j) => j.section === "drivers") ?? named[0];
    if (joint) out.push({ at: stage.camera.toPixels(pointAt(now, joint.i.body, joint.i.at)), words: `${event.kind} ahead, at ${Number(event.t.toPrecision(4))} s: ${event.what}`, item: entryOf(now, joint.name) });
  }
  return out;
}

/** Singular positions and dead points that the newest run has met. */
function aheadOf({ context }: Stage) {
  const { ran, document: model } = context;
  const events = ran.value?.text === model.text ? ran.value.result?.events ?? [] : [];
  return events.filter((e) => e.kind === "dead point" || e.kind === "singular position").slice(0, 3);
}

export interface Corner {
  element: HTMLElement;
  renew(): void;
}

/** Whether nothing was drawn or written yet that could move. */
export const isEmpty = (toml: Toml) => !sketchedBodies(toml).some((b) => b.name !== "ground") && !placeNames(toml).length && !toml.root.get("include");

/** Words about the mechanism; the badges lie over the canvas. */
export function corner(stage: Stage): Corner {
  const freedom = h("button", { type: "button", class: "freedom", title: "degrees of freedom; click for what the program says", "aria-expanded": "false" });
  const list = h("div", { class: "remarks", hidden: true });
  const element = h("div", { class: "corner", role: "status", "aria-live": "polite" }, freedom, list);
  const open = (on: boolean) => {
    list.hidden = !on || !list.children.length;
    freedom.setAttribute("aria-expanded", String(!list.hidden));
  };
  freedom.addEventListener("click", () => open(list.hidden));
  document.addEventListener("pointerdown", (e) => element.contains(e.target as Node) || open(false), true);
  let words = "";

  function state(): { text: string; kind: string; lines: string[] } {
    const { checked, document: model } = stage.context;
    const answer = checked.value?.text === model.text ? checked.value.answer : undefined;
    if (!answer) return { text: "…", kind: "", lines: [] };
    const toml = stage.parsed();
    if (toml && isEmpty(toml)) return { text: "empty", kind: "", lines: [] };
    if (!isBegun(answer)) return { text: "no body yet", kind: "", lines: [] };
    if (answer.errors.length) return { text: "mistake", kind: "bad", lines: answer.errors.map((p) => p.message) };
    const { freedom: f } = answer;
    const redundant = f?.redundant ?? [];
    const lines = [...(answer.obstacle ? [answer.obstacle.message] : []), ...answer.warnings,
      ...redundant.map(redundancy)];
    const ahead = aheadOf(stage);
    for (const e of ahead) lines.unshift(`${e.kind} at ${Number(e.t.toPrecision(4))} s: ${e.what}`);
    const parts = f ? [counted(f.actual, "freedom", "freedoms"), ...(redundant.length ? [`${redundant.length} redundant`] : []), ...(ahead.length ? [`${ahead[0].kind} ahead`] : [])] : ["cannot be assembled"];
    return { text: parts.join(" · "), kind: answer.obstacle || ahead.length ? "bad" : redundant.length ? "warned" : "good", lines };
  }

  return {
    element,
    renew() {
      const { text, kind, lines } = state();
      const all = [text, kind, ...lines].join("\n");
      if (all === words) return;
      words = all;
      freedom.textContent = lines.length ? `${text} ▾` : text;
      freedom.className = `freedom ${kind}`;
      list.replaceChildren(...lines.map((line) => h("p", {}, line)));
      open(!list.hidden);
    },
  };
}
