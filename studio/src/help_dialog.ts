// All commands with their keys.
import { h } from "../../web/src/dom";
import type { Context } from "./context";

const shown = (key: string) => key.replace("Mod-", navigator.platform.startsWith("Mac") ? "⌘" : "Ctrl+").replace("Shift-", "Shift+").replace("Alt-", "Alt+").replace(/(?<![A-Za-z])[a-z]$/, (c) => c.toUpperCase());

export function helpDialog(context: Context) {
  const list = h("div", { class: "channel-list" }, ...context.commands.all.map((c) =>
    h("button", { type: "button", class: "command", disabled: !(c.enabled?.() ?? true), onclick: () => (dialog.close(), context.commands.run(c.id)) },
      h("span", {}, c.title), h("kbd", {}, (c.keys ?? []).map(shown).join(" or ")))));
  const search = h("input", { type: "search", placeholder: "search", "aria-label": "search commands" });
  search.addEventListener("input", () => {
    for (const row of list.children) (row as HTMLElement).hidden = !row.textContent!.toLowerCase().includes(search.value.toLowerCase());
  });
  search.addEventListener("keydown", (e) => {
    if (e.key !== "Enter") return;
    e.preventDefault();
    ([...list.children] as HTMLElement[]).find((row) => !row.hidden)?.click();
  });
  const dialog = h("dialog", { class: "picker", "aria-label": "keys and commands" },
    h("form", { method: "dialog" }, h("h2", {}, "Keys and commands"), search, list, h("div", { class: "row end" }, h("button", { class: "chip primary" }, "Close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  search.focus();
}
