// A plot as a drawing that stands alone: its styles within it, on the panel's colour, with title and legend.
import { svg } from "../dom";
import { colours } from "../theme";
import { drawXy, type XyOptions } from "../xy_chart";
import { pngOf } from "./files";

const kept = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity", "font-size", "font-weight", "font-family", "text-anchor", "visibility"];

/** A drawing of the page with its computed styles written into it; it must be in the page. */
export function standalone(root: SVGSVGElement): string {
  const copy = root.cloneNode(true) as SVGSVGElement;
  const from = [root, ...root.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  from.forEach((element, k) => {
    const style = getComputedStyle(element);
    for (const name of kept) {
      const value = style.getPropertyValue(name);
      if (value) to[k].setAttribute(name, value);
    }
    to[k].removeAttribute("class");
    to[k].removeAttribute("style");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.insertBefore(svg("rect", { width: "100%", height: "100%", fill: colours().panel }), copy.firstChild);
  return new XMLSerializer().serializeToString(copy);
}

/** Draws the figure where nobody sees it, to take its styles. */
export function figureSvg(options: XyOptions, width = 900, height = 420): string {
  const holder = document.createElement("div");
  holder.className = "plot offscreen";
  const { root } = drawXy(options, width, height);
  holder.append(root);
  document.body.append(holder);
  try {
    return standalone(root);
  } finally {
    holder.remove();
  }
}

export const figurePng = (options: XyOptions, width = 900, height = 420): Promise<Blob> => pngOf(figureSvg(options, width, height), width, height);
