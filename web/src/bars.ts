// Numbers side by side as horizontal bars, from zero or on a logarithmic scale, each with its value written beside it.
import { h } from "./dom";
import { number } from "./format";

export interface Bar {
  name: string;
  title?: string;
  value: number;
  colour: number;
}

/** The share of the width that a value takes; on a logarithmic scale the smallest still shows. */
export function share(value: number, all: number[], log: boolean): number {
  const sound = all.filter((v) => Number.isFinite(v) && (!log || v > 0));
  const [low, high] = [Math.min(...sound), Math.max(...sound)];
  if (!Number.isFinite(value) || (log && !(value > 0)) || !(high > 0)) return 0;
  if (!log) return value / high;
  return high > low ? 0.06 + (0.94 * Math.log(value / low)) / Math.log(high / low) : 1;
}

export function bars(all: Bar[], options: { label: string; digits?: number; log?: boolean }): HTMLElement {
  const values = all.map((b) => b.value);
  return h("div", { class: "bars", role: "img", "aria-label": options.label }, ...all.flatMap((b) => [
    h("span", { class: "bar-name", title: b.title ?? b.name }, b.name),
    h("span", { class: "bar-track" },
      h("i", { style: `width: ${(100 * share(b.value, values, options.log ?? false)).toFixed(2)}%; background: var(--series-${b.colour % 12})` }),
      h("span", {}, Number.isFinite(b.value) ? number(b.value, options.digits ?? 3) : "–"))]));
}
