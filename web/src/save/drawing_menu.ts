// The menu that saves the drawing of the mechanism as it stands.
import { h, menu } from "../dom";
import type { View } from "../view";
import { download, fileName, pngOfCanvas, textFile } from "./files";

/** `name` is said with the time that is shown, as in "four_bar at 0.25 s". */
export function drawingMenu(view: View, name: () => string): HTMLElement | false {
  const { canvas } = view;
  if (!canvas) return false;
  const button = (label: string, what: () => void) => h("button", { type: "button", class: "chip small", onclick: what }, label);
  return menu("Save", "save this picture", h("div", { class: "row" },
    button("PNG", () => void pngOfCanvas(canvas).then((image) => download(fileName(name(), "png"), image))),
    view.svg && button("SVG", () => download(fileName(name(), "svg"), textFile(view.svg!(), "image/svg+xml")))));
}
