// Every channel with its value, which a report of one instant shows in place of plots.
import type { Channels } from "./data";
import { h, table } from "./dom";
import { count, number, unit } from "./format";
import { cell, shortest } from "./save/csv";
import { download, textFile } from "./save/files";

const mostShown = 400;
const usual = new Set(["bodies", "joints", "points", "forces", "signals", "energy", "violations"]);

export function valuesPanel(channels: Channels): HTMLElement {
  const search = h("input", { type: "search", placeholder: "search, as in crank.x", "aria-label": "search channels", class: "search" });
  const list = h("div", { class: "cards values" });
  const found = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return channels.names.filter((n) => words.every((w) => n.toLowerCase().includes(w)));
  };
  function fill() {
    const names = found();
    const groups = new Map<string, string[]>();
    for (const name of names.slice(0, mostShown)) groups.set(channels.table(name), [...(groups.get(channels.table(name)) ?? []), name]);
    // Tables that only this analysis has come first.
    const sorted = [...groups].sort(([a], [b]) => Number(usual.has(a)) - Number(usual.has(b)));
    list.replaceChildren(...sorted.map(([group, names]) => h("article", { class: "card" }, h("h3", {}, group),
      table(["channel", "value", "unit"], names.map((name) => [h("span", { "data-channel": name }, name), number(channels.shown(name)!.values[0]), unit(channels.shownUnit(name))]), [1]))));
    if (names.length > mostShown) list.append(h("p", { class: "soft" }, `${count(names.length - mostShown)} more: search to find them`));
  }
  const csv = () => ["channel,value,unit", ...found().map((n) => [cell(n), shortest(channels.shown(n)!.values[0]), cell(channels.shownUnit(n))].join(","))].join("\n") + "\n";
  search.addEventListener("input", fill);
  channels.onUnits(fill);
  fill();
  return h("section", { class: "plots", "aria-label": "values" },
    h("div", { class: "row panel-head" }, h("h2", {}, "Values"), h("span", { class: "hint" }), search,
      h("button", { type: "button", class: "chip small", title: "save the values that are listed", onclick: () => download("values.csv", textFile(csv(), "text/csv")) }, "CSV")), list);
}
