// The button that lays another result over this one, and files dropped on the page.
import { h } from "../dom";
import { NotARun, readRun, type Beside } from "./other_run";

/** `changed` hears of the other run, or of none. */
export function besidePanel(first: Beside | undefined, changed: (run: Beside | undefined) => void): HTMLElement {
  const input = h("input", { type: "file", multiple: true, accept: ".html,.csv", hidden: true, "aria-label": "files of another result" });
  const words = h("span", { class: "soft", role: "status" });
  const remove = h("button", { type: "button", class: "chip small", onclick: () => take(undefined, "") }, "Without it");
  const ask = h("button", { type: "button", class: "chip small", title: "lay another result over this one: its report.html, or CSV files of its folder; they can also be dropped on the page", onclick: () => input.click() }, "Compare with…");

  function take(run: Beside | undefined, more: string) {
    remove.hidden = !run;
    words.textContent = [run ? `wide and faint: ${run.name}` : "", more].filter(Boolean).join("; ");
    changed(run);
  }
  async function read(files: File[]) {
    if (!files.length) return;
    try {
      const { run, left } = await readRun(files);
      take(run, left.length ? `left out, because their times are others: ${left.join(", ")}` : "");
    } catch (e) {
      if (!(e instanceof NotARun || e instanceof SyntaxError)) throw e;
      words.textContent = e instanceof NotARun ? e.message : "the file is damaged: its data cannot be read";
    }
  }
  input.addEventListener("change", () => {
    void read([...(input.files ?? [])]);
    input.value = ""; // so that the same file can be chosen again
  });
  document.addEventListener("dragover", (e) => e.preventDefault());
  document.addEventListener("drop", (e) => {
    e.preventDefault();
    void read([...(e.dataTransfer?.files ?? [])]);
  });
  take(first, "");
  return h("div", { class: "row beside" }, ask, remove, words, input);
}
