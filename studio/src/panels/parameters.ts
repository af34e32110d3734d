// The parameters of the model as sliders; the motion follows at once, and runs before it stay as a family behind it.
import { h } from "../../../web/src/dom";
import { number } from "../../../web/src/format";
import type { Context, Panel } from "../context";
import { parameterIn, rangeOf, rewritten, type Ends, type Parameter } from "../run/parameter";
import { playerOf } from "../run/player";
import { setNode } from "../toml/edits";
import { findTable, parseToml, type Toml } from "../toml/tree";

function tomlOf(text: string): Toml | undefined {
  try {
    return parseToml(text);
  } catch {
    return undefined;
  }
}

interface Row {
  element: HTMLElement;
  show(p: Parameter): void;
}

function rowOf(name: string, first: Parameter, set: (value: number, done: boolean) => void): Row {
  let unit = first.written.unit;
  let stated: Ends = first.ends;
  let [low, high] = rangeOf(first.written.value, stated);
  const slider = h("input", { type: "range", "aria-label": `parameter ${name}` });
  const exact = h("input", { type: "number", step: "any", class: "exact", "aria-label": `value of ${name}` });
  const ends = [0, 1].map((k) => h("input", { type: "number", step: "any", class: "end", "aria-label": `${k ? "largest" : "smallest"} value of ${name}` }));
  const told = h("span", { class: "soft" });
  const place = () => {
    slider.min = String(low);
    slider.max = String(high);
    slider.step = String((high - low) / 200);
    ends[0].value = String(Number(low.toPrecision(4)));
    ends[1].value = String(Number(high.toPrecision(4)));
    ends.forEach((end, k) => (end.disabled = stated[k] !== undefined));
  };
  place();
  slider.addEventListener("input", () => set(Number(slider.value), false));
  slider.addEventListener("change", () => set(Number(slider.value), true));
  exact.addEventListener("change", () => Number.isFinite(exact.valueAsNumber) && set(exact.valueAsNumber, true));
  ends.forEach((end, k) => end.addEventListener("change", () => {
    const value = end.valueAsNumber;
    if (Number.isFinite(value) && (k ? value > low : value < high)) [low, high] = k ? [low, value] : [value, high];
    place();
  }));
  return {
    element: h("div", { class: "parameter" }, h("strong", {}, name), exact, told, h("div", { class: "row range-row" }, ends[0], slider, ends[1])),
    show({ written: w, ends: now }) {
      unit = w.unit;
      if (now.some((end, k) => end !== stated[k])) [low, high] = rangeOf(w.value, (stated = now)), place();
      if (w.value < low || w.value > high) [low, high] = [Math.min(low, w.value), Math.max(high, w.value)], place();
      slider.value = String(w.value);
      slider.setAttribute("aria-valuetext", `${number(w.value, 4)}${unit}`);
      if (document.activeElement !== exact) exact.value = String(Number(w.value.toPrecision(8)));
      told.textContent = unit.trim();
    },
  };
}

function mount(host: HTMLElement, context: Context) {
  const player = playerOf(context);
  const { document: model } = context;
  const rows = new Map<string, Row>();
  const list = h("div", { class: "parameters" });
  const family = h("input", { type: "checkbox" });
  family.addEventListener("change", () => (player.family = family.checked));
  const clear = h("button", { type: "button", class: "chip small", onclick: () => player.drop(player.kept.value.filter((k) => !k.pinned)) }, "Clear the family");
  const note = h("p", { class: "soft" });

  function set(name: string, value: number, done: boolean) {
    const toml = tomlOf(model.text);
    const before = toml && parameterIn(toml, name);
    if (!before) return;
    model.apply(setNode(before.node, rewritten(before.written, value)), { origin: "parameters", title: `change ${name}`, group: `parameter ${name}` });
    if (done) model.closeGroup();
  }

  function renew() {
    const toml = tomlOf(model.text);
    if (!toml) return; // the text is being typed
    const names = findTable(toml, ["parameters"])?.names ?? [];
    const now = names.flatMap((name) => {
      const parameter = parameterIn(toml, name);
      return parameter ? [{ name, parameter }] : [];
    });
    for (const name of rows.keys()) if (!now.some((n) => n.name === name)) rows.get(name)!.element.remove(), rows.delete(name);
    for (const { name, parameter } of now) {
      let row = rows.get(name);
      if (!row) rows.set(name, (row = rowOf(name, parameter, (value, done) => set(name, value, done))));
      row.show(parameter);
      list.append(row.element);
    }
    const others = names.length - now.length;
    note.textContent = !names.length
      ? "This model has no [parameters]. Give names to numbers that you want to vary, [parameters] with length = 0.3, and use them in formulas: \"= length\"."
      : others ? `${others} more follow from formulas.` : "";
  }
  model.subscribe(renew);
  renew();
  host.append(h("div", { class: "pad" },
    h("div", { class: "row" }, h("label", { class: "chip", title: "while a parameter changes, the runs before stay faintly behind: paths, bodies and curves" }, family, " Keep a family"), clear), list, note));
  player.kept.follow((kept) => (clear.hidden = !kept.some((k) => !k.pinned)));
}

export const panel: Panel = { id: "parameters", title: "Parameters", place: "side", order: 10, mount };
