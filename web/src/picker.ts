// The dialog in which channels are chosen, any number of them, by search or by table.
import type { Channels } from "./data";
import { h } from "./dom";
import { count, unit } from "./format";

const mostShown = 400;

export function pickChannels(channels: Channels, chosen: string[], done: (names: string[]) => void) {
  const picked = [...chosen];
  const search = h("input", { type: "search", placeholder: "search, as in crank.x", "aria-label": "search channels", autofocus: true });
  const list = h("div", { class: "channel-list" });
  const note = h("p", { class: "soft" });

  function fill() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = channels.names.filter((n) => words.every((w) => n.toLowerCase().includes(w)));
    // Chosen channels come first, so that they can be removed.
    const shown = [...picked, ...found.filter((n) => !picked.includes(n))].slice(0, mostShown);
    list.replaceChildren();
    let heading = "";
    for (const name of shown) {
      const group = picked.includes(name) ? "chosen" : channels.table(name);
      if (group !== heading) list.append(h("h4", {}, (heading = group)));
      const box = h("input", { type: "checkbox" });
      box.checked = picked.includes(name);
      box.addEventListener("change", () => {
        if (box.checked) picked.push(name);
        else picked.splice(picked.indexOf(name), 1);
      });
      list.append(h("label", {}, box, h("span", { class: "channel-name" }, name), h("span", { class: "soft" }, unit(channels.shownUnit(name)))));
    }
    note.textContent = found.length > mostShown ? `${count(found.length - mostShown)} more: search to find them` : `${count(found.length)} channels`;
  }

  const dialog = h("dialog", { class: "picker", "aria-label": "choose channels" },
    h("form", { method: "dialog" },
      h("h3", {}, "Channels"), search, list, note,
      h("div", { class: "row end" },
        h("button", { type: "submit", value: "", formnovalidate: true, class: "chip" }, "Cancel"),
        h("button", { type: "submit", value: "ok", class: "chip primary" }, "Show"))));
  search.addEventListener("input", fill);
  search.addEventListener("keydown", (e) => {
    if (e.key !== "Enter") return;
    e.preventDefault();
    dialog.close("ok");
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (dialog.returnValue === "ok" && picked.length) done(picked);
  });
  fill();
  document.body.append(dialog);
  dialog.showModal();
}
