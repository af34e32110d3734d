// Examples to start from, each with its picture and what it teaches.
import examples from "studio-examples";
import type { Files } from "../../../wasm/interface";
import { h } from "../../../web/src/dom";
import { bytesOf } from "../../../web/src/data";
import type { Context, Panel } from "../context";
import { openModel } from "../open";

type Example = (typeof examples)[number];

const filesOf = ({ files }: Example): Files =>
  Object.fromEntries(Object.entries(files).map(([name, { text, base64 }]) => [name, text ?? bytesOf(base64!)]));

export function openExample(context: Context, example: Example) {
  openModel(context, example.text, filesOf(example), `open ${example.title}`);
  document.querySelector(".place.stage")?.scrollIntoView({ block: "nearest" }); // on a phone the list is below
  context.say(`${example.title} is opened; undo brings the model before back.`);
}

/** Draws the picture of an example as soon as it is seen. */
function pictured(context: Context, seen: IntersectionObserver, example: Example, waiting: Map<Element, () => void>): HTMLElement {
  const place = h("div", { class: "thumb", "aria-hidden": "true" });
  waiting.set(place, () => {
    context.library.then((library) => library.pictures({ text: example.text, files: filesOf(example) }, { labels: false })).then(({ svg }) => {
      const image = h("img", { alt: "", src: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })) });
      image.addEventListener("load", () => URL.revokeObjectURL(image.src));
      place.replaceChildren(image);
    }, () => place.replaceChildren("no picture"));
  });
  seen.observe(place);
  return place;
}

function mount(host: HTMLElement, context: Context) {
  const waiting = new Map<Element, () => void>();
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      waiting.get(target)?.();
      waiting.delete(target);
    }
  });
  const search = h("input", { type: "search", class: "search", placeholder: "search examples", "aria-label": "search examples" });
  const cards = examples.map((example) => ({
    words: `${example.title} ${example.teaches} ${example.id}`.toLowerCase(),
    element: h("button", { type: "button", class: "example", "data-example": example.id, title: example.teaches, onclick: () => openExample(context, example) },
      pictured(context, seen, example, waiting), h("strong", {}, example.title), h("span", { class: "soft" }, example.teaches)),
  }));
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { words: all, element } of cards) element.hidden = !words.every((w) => all.includes(w));
  });
  host.append(h("div", { class: "pad" }, search, h("div", { class: "examples" }, ...cards.map((c) => c.element))));
}

export const panel: Panel = { id: "gallery", title: "Examples", place: "side", order: 40, mount };
