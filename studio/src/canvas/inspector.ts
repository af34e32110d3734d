// What is selected, as a few fields over the canvas.  Every field is a key of the text.
import { h } from "../../../web/src/dom";
import { number } from "../../../web/src/format";
import type { Elements, FieldInfo } from "../../../wasm/interface";
import type { Item } from "../context";
import { removeItems, renameItem, movePlace } from "../model/change";
import type { Editing } from "../model/editing";
import { goodName, takenNames } from "../model/names";
import { sketchedBodies } from "../model/sketch";
import { refusal } from "../model/trial";
import { angleUnits, lengthUnits, quantityOf } from "../model/units";
import { parseToml, type Table } from "../toml/tree";
import { quoted } from "../toml/write";
import { setLength } from "./dimension";
import type { CanvasLock } from "./snap";
import type { Stage } from "./stage";

const singular: Readonly<Record<string, string>> = { places: "point", bodies: "body", joints: "joint", drivers: "driver", forces: "force", points: "traced point", markers: "marker" };

const notUnderstood = (text: string) => `${text} is not understood`;

/** What a person types as a value of TOML: numbers, lists and tables as they are, all else is text. */
export function valueText(typed: string): string {
  const text = typed.trim();
  try {
    parseToml(`x = ${text}`);
    return text;
  } catch {
    return quoted(text);
  }
}

/** The fields of an element, from the registry. */
export function fieldsOf(elements: Elements | undefined, section: string, type: string | undefined): FieldInfo[] {
  const kinds = elements?.[section] ?? [];
  const kind = kinds.find((k) => k.name === type) ?? (type === undefined ? kinds[0] : undefined);
  return kind?.fields ?? [];
}

export class Inspector {
  readonly element = h("aside", { class: "inspector", "aria-label": "properties", hidden: true });
  private elements: Elements | undefined;
  private shown = "";
  /** Folded to its head; in a small window until it is opened. */
  private folded: boolean | undefined;

  constructor(private readonly stage: Stage) {
    stage.context.library.then((library) => library.elements()).then((elements) => {
      this.elements = elements;
      this.renew();
    }, () => undefined);
  }

  renew() {
    const { selection, document: model } = this.stage.context;
    const items = selection.value;
    const now = this.stage.now();
    const key = JSON.stringify([items, model.text, this.stage.locks, now.start, this.elements !== undefined, items[0]?.section === "places" ? [...now.places] : 0]);
    if (key === this.shown) return;
    this.shown = key;
    const focused = (this.element.contains(document.activeElement) && document.activeElement?.getAttribute("aria-label")) || undefined;
    // A text that cannot be read has nothing to show.
    const shown = this.stage.parsed() ? items : [];
    this.element.hidden = !shown.length;
    this.element.replaceChildren(...(shown.length === 1 ? this.one(shown[0]) : shown.length ? this.several(shown) : []));
    if (focused) [...this.element.querySelectorAll<HTMLElement>("input, select, button")].find((e) => e.getAttribute("aria-label") === focused)?.focus();
  }

  private several(items: readonly Item[]): Node[] {
    return [h("header", {}, h("strong", {}, `${items.length} selected`)), this.buttons(items)];
  }

  private one(item: Item): Node[] {
    const table = this.stage.parsed()?.root.table(item.section)?.table(item.name);
    const kind = table?.text("type") ?? table?.text("shape") ?? "";
    const { width, height } = this.stage.camera;
    const folded = this.folded ?? (width < 600 || height < 400);
    const fold = h("button", { type: "button", class: "fold", "aria-label": folded ? "show the properties" : "hide the properties", "aria-expanded": String(!folded), onclick: () => {
      this.folded = !folded;
      this.shown = "";
      this.renew();
    } }, folded ? "▸" : "▾");
    const head = h("header", {}, fold, this.name(item), h("span", { class: "soft" }, kind ? `${kind} ${kind === "force" ? "" : singular[item.section] ?? ""}`.trim() : singular[item.section] ?? item.section));
    if (folded) return [head];
    const special = item.section === "places" ? this.place(item.name) : item.section === "bodies" ? this.sides(item.name) : [];
    const keys = table && item.section !== "places" ? this.keys(item, table) : [];
    return [head, h("div", { class: "fields" }, ...special, ...keys), this.buttons([item])];
  }

  /** A field that is written when it is left or Enter is pressed; `write` returns why not, if it does not. */
  private field(label: string, value: string, title: string, write: (text: string) => string | undefined | Promise<string | undefined>): HTMLElement {
    const input = h("input", { type: "text", value, "aria-label": label, spellcheck: "false", title });
    input.addEventListener("change", async () => {
      const why = await write(input.value);
      input.toggleAttribute("aria-invalid", why !== undefined);
      if (why !== undefined) this.stage.context.say(`${why}.`);
    });
    input.addEventListener("keydown", (e) => {
      e.stopPropagation();
      if (e.key === "Enter") input.dispatchEvent(new Event("change"));
      if (e.key === "Escape") (input.value = value), (this.element.parentElement?.querySelector("canvas") as HTMLElement | null)?.focus();
    });
    return h("label", { title }, h("span", {}, label), input);
  }

  private name(item: Item): HTMLElement {
    const { stage } = this;
    return this.field("name", item.name, "a name: letters, digits, _ and -", (text) => {
      if (text === item.name) return undefined;
      const why = this.whyNoName(item, text);
      if (why !== undefined) return why;
      stage.edit(`rename ${item.name}`, (e) => {
        renameItem(e, item, text);
        return { section: item.section, name: text };
      });
      return undefined;
    });
  }

  /** Why something cannot have a name. */
  private whyNoName({ section, name }: Item, text: string): string | undefined {
    const toml = this.stage.parsed();
    if (!toml) return "the text has a mistake; mend it first";
    if (name === "ground") return "the ground keeps its name";
    if (!goodName(text)) return `${text} is no name: letters, digits, _ and -, and a letter first`;
    if (section === "places") return toml.root.table("places")?.get(text) ? `there is a point ${text} already` : undefined;
    if (!takenNames(toml).has(text)) return undefined;
    const other = Object.keys(singular).find((kind) => kind !== "places" && toml.root.table(kind)?.get(text));
    return other ? `there is a ${singular[other]} ${text} already; bodies, joints, drivers and forces share one set of names` : `${text} stands for something else in this model`;
  }

  private place(name: string): Node[] {
    const { stage } = this;
    const at = stage.now().places.get(name);
    if (!at) return [h("p", { class: "soft" }, "given by a formula")];
    const unit = stage.unit() || "m";
    return [0, 1].map((k) => this.field("xy"[k], `${number(at[k] / lengthUnits[unit], 8).replace("−", "-")} ${unit}`, "global axes, at the start", (text) => {
      const q = quantityOf(text, lengthUnits);
      if (!q) return notUnderstood(text);
      const value = q.unit ? q.value : q.value * lengthUnits[unit];
      let done = true;
      stage.edit(`move ${name}`, (e) => void (done = movePlace(e, name, k ? [at[0], value] : [value, at[1]])));
      return done ? undefined : `${name} is given by a formula: change it in the text`;
    }));
  }

  /** Length and angle of a rod. */
  private sides(name: string): Node[] {
    const { stage } = this;
    const body = sketchedBodies(stage.parsed()!).find((b) => b.name === name);
    if (!body || body.through.length !== 2 || name === "ground") return [];
    const [a, b] = body.through;
    const { places } = stage.now();
    const [p, q] = [places.get(a), places.get(b)];
    if (!p || !q) return [];
    const unit = stage.unit() || "m";
    const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
    const set = (length: number | undefined, angle: number | undefined) => {
      let done = true;
      stage.edit(`set ${length === undefined ? "angle" : "length"} of ${name}`, (e) => void (done = setLength(e, places, a, b, length, angle)));
      return done ? undefined : `${b} is given by a formula: change it in the text`;
    };
    return [
      this.field("length", `${number(Math.hypot(dx, dy) / lengthUnits[unit], 8)} ${unit}`, `from ${a} to ${b}; ${b} moves`, (text) => {
        const l = quantityOf(text, lengthUnits);
        return l && l.value > 0 ? set(l.unit ? l.value : l.value * lengthUnits[unit], undefined) : notUnderstood(text);
      }),
      this.field("angle", `${number((Math.atan2(dy, dx) * 180) / Math.PI, 7).replace("−", "-")} deg`, `of the line from ${a} to ${b}; ${b} moves`, (text) => {
        const turn = quantityOf(text, angleUnits);
        return turn ? set(undefined, turn.unit ? turn.value : (turn.value * Math.PI) / 180) : notUnderstood(text);
      }),
    ];
  }

  private keys(item: Item, table: Table): Node[] {
    const { stage } = this;
    const toml = stage.parsed()!;
    const fields = fieldsOf(this.elements, item.section, table.text("type"));
    const rows = [...table.slots.values()].filter((s) => s.node && s.name !== "type").map(({ name, node }) => {
      const about = fields.find((f) => f.name === name);
      const value = node!.kind === "string" ? node!.value : toml.text.slice(node!.from, node!.to);
      return this.field(name, value, about ? `${about.meaning}${about.unit ? ` [${about.unit}]` : ""}` : "", async (text) => {
        const path = [item.section, item.name, name];
        const change = (e: Editing) => (text.trim() ? e.set(path, valueText(text)) : e.remove(path));
        const why = await refusal(stage.context, change);
        if (why === undefined && stage.parsed()?.root.table(item.section)?.get(item.name)) stage.edit(`set ${item.name}.${name}`, change);
        return why;
      });
    });
    const missing = fields.filter((f) => !table.get(f.name) && !f.name.includes("."));
    if (!missing.length) return rows;
    const more = h("select", { "aria-label": "add a key", title: "add a key" }, h("option", { value: "" }, "add …"),
      ...missing.map((f) => h("option", { value: f.name, title: f.meaning }, `${f.name}${f.unit && f.unit !== "-" ? ` [${f.unit}]` : ""} – ${f.meaning}`)));
    more.addEventListener("change", () => {
      const chosen = missing.find((f) => f.name === more.value);
      if (!chosen) return;
      const usual = chosen.default !== null && /^[-+\d.e]+$|^"/.test(chosen.default) ? chosen.default : "0";
      stage.edit(`add ${item.name}.${chosen.name}`, (e) => e.add([item.section, item.name, chosen.name], usual));
      this.element.querySelector<HTMLInputElement>(`input[aria-label="${chosen.name}"]`)?.select();
    });
    return [...rows, more];
  }

  private buttons(items: readonly Item[]): HTMLElement {
    const { stage } = this;
    const locks = this.locks(items);
    const button = (text: string, title: string, run: () => void, pressed?: boolean) =>
      h("button", { type: "button", class: "chip small", title, "aria-label": title, onclick: run, ...(pressed === undefined ? {} : { "aria-pressed": String(pressed) }) }, text);
    return h("div", { class: "row" },
      ...locks.map(({ lock, text, title }) => {
        const same = (l: CanvasLock) => JSON.stringify(l) === JSON.stringify(lock);
        return button(text, title, () => {
          stage.locks = stage.locks.some(same) ? stage.locks.filter((l) => !same(l)) : [...stage.locks, lock];
          stage.redraw();
        }, stage.locks.some(same));
      }),
      items.some((i) => i.section === "bodies") ? button("Copy", "copy (Ctrl+D)", () => stage.context.commands.run("duplicate")) : null,
      button("Delete", "delete (Del)", () => deleteItems(stage)));
  }

  private locks(items: readonly Item[]): { lock: CanvasLock; text: string; title: string }[] {
    if (items.length !== 1) return [];
    const [{ section, name }] = items;
    if (section === "places") return [{ lock: { kind: "point", place: name }, text: "Lock", title: "lock the point: dragging leaves it" }];
    const body = section === "bodies" ? sketchedBodies(this.stage.parsed()!).find((b) => b.name === name) : undefined;
    if (!body || body.through.length < 2 || name === "ground") return [];
    const [a, b] = body.through;
    return [{ lock: { kind: "length", a, b }, text: "Lock length", title: "lock the length: dragging leaves it" }, { lock: { kind: "angle", a, b }, text: "Lock angle", title: "lock the angle: dragging leaves it" }];
  }
}

export function deleteItems(stage: Stage) {
  const items = stage.context.selection.value;
  if (!items.length) return;
  stage.edit(items.length === 1 ? `delete ${items[0].name}` : `delete ${items.length} things`, (e) => {
    removeItems(e, items);
    return [];
  });
}
