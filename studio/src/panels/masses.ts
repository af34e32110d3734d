// The masses of all bodies: given, or from shape and material.
import { h } from "../../../web/src/dom";
import { number } from "../../../web/src/format";
import type { BodyInfo } from "../../../wasm/interface";
import { valueText } from "../canvas/inspector";
import type { Context, Panel } from "../context";
import { commit, Editing } from "../model/editing";
import { hasShape, materials, useMass, useMaterial } from "../model/masses";
import { refusal } from "../model/trial";
import { parseToml, type Table, type Toml } from "../toml/tree";

function mount(host: HTMLElement, context: Context) {
  const { document: model } = context;
  const body = h("tbody");
  const total = h("p", { class: "soft" });
  host.append(h("div", { class: "masses" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Body", "Mass", "Made of", "Width", "Thickness", "Inertia"].map((t) => h("th", { scope: "col" }, t)))), body), total));

  const edit = (title: string, change: (e: Editing) => void) => {
    const editing = new Editing(model.text);
    change(editing);
    commit(model, editing, title);
  };

  function cell(name: string, key: string, table: Table, toml: Toml): HTMLElement {
    const node = table.node(key);
    const value = node ? (node.kind === "string" ? node.value : toml.text.slice(node.from, node.to)) : "";
    const input = h("input", { type: "text", value, "aria-label": `${key} of ${name}`, size: 8, spellcheck: "false" });
    input.addEventListener("change", async () => {
      const change = (e: Editing) => (input.value.trim() ? e.set(["bodies", name, key], valueText(input.value)) : e.remove(["bodies", name, key]));
      const why = await refusal(context, change);
      input.toggleAttribute("aria-invalid", why !== undefined);
      if (why !== undefined) return context.say(`${why}.`);
      edit(`set ${name}.${key}`, change);
    });
    return h("td", {}, input);
  }

  function row(name: string, toml: Toml, info: BodyInfo | undefined): HTMLElement {
    const table = toml.root.table("bodies")!.table(name)!;
    const density = table.node("density");
    const made = h("select", { "aria-label": `what ${name} is made of`, disabled: !hasShape(table), title: hasShape(table) ? "" : "a body without a shape has a given mass" }, h("option", { value: "" }, "given mass"), ...materials.map((m) => h("option", { value: m.density }, m.name)));
    if (density?.kind === "number") {
      if (!materials.some((m) => m.density === density.value)) made.append(h("option", { value: density.value }, `${density.value} kg/m³`));
      made.value = String(density.value);
    }
    made.addEventListener("change", () => edit(`what ${name} is made of`, (e) => (made.value ? useMaterial(e, name, Number(made.value), info?.mass) : useMass(e, name, info?.mass ?? 1))));
    const shaped = density !== undefined;
    const rod = table.get("width") !== undefined || table.text("shape") === "bar";
    return h("tr", {}, h("th", { scope: "row" }, name), shaped ? h("td", { class: "number" }, info ? `${number(info.mass, 4)} kg` : "") : cell(name, "mass", table, toml), h("td", {}, made),
      shaped && rod ? cell(name, "width", table, toml) : h("td"), shaped && table.get("thickness") ? cell(name, "thickness", table, toml) : h("td"),
      h("td", { class: "number" }, info ? `${number(info.inertia[info.inertia.length > 1 ? 2 : 0], 4)} kg m²` : ""));
  }

  let shown = "";
  function renew() {
    const answer = context.checked.value;
    if (host.hidden || !answer || answer.text !== model.text || answer.text === shown || host.contains(document.activeElement) && document.activeElement!.matches("input")) return;
    shown = answer.text;
    let toml: Toml;
    try {
      toml = parseToml(answer.text);
    } catch {
      return;
    }
    const infos = answer.answer.model?.bodies ?? [];
    const names = (toml.root.table("bodies")?.names ?? []).filter((n) => n !== "ground" && toml.root.table("bodies")!.table(n));
    // Sizes take room only where a body has some.
    const sized = names.some((name) => { const table = toml.root.table("bodies")!.table(name)!; return table.get("density") && (table.get("width") ?? table.get("thickness")); });
    host.querySelector("table")!.classList.toggle("unsized", !sized);
    body.replaceChildren(...names.map((name) => row(name, toml, infos.find((b) => b.name === name))));
    total.textContent = infos.length ? `${number(infos.reduce((sum, b) => sum + b.mass, 0), 5)} kg together; inertia about the centre of mass` : "";
  }
  context.checked.follow(renew);
  host.addEventListener("focusout", () => setTimeout(renew, 0));
  new MutationObserver(renew).observe(host, { attributes: true, attributeFilter: ["hidden"] });
}

export const panel: Panel = { id: "masses", title: "Masses", place: "side", order: 20, mount };
