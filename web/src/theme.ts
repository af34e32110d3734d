// Light and dark, and the colours that canvases take from the style sheet.
import { h } from "./dom";

export interface Colours {
  page: string;
  panel: string;
  ink: string;
  soft: string;
  line: string;
  accent: string;
  reaction: string;
  applied: string;
  velocity: string;
  series: string[];
  dark: boolean;
}

const seriesColours = 12;
const listeners = new Set<() => void>();
const resizers = new Set<() => void>();
const system = () => matchMedia("(prefers-color-scheme: dark)").matches;
let chosen: "light" | "dark" | undefined;
let printing = false;
let cached: Colours | undefined;

export const isDark = () => !printing && (chosen ? chosen === "dark" : system());

function apply() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  cached = undefined;
  for (const listener of listeners) listener();
}

/** Calls the listener when the page takes the width of paper and back; no other event comes in time. */
export const onPaper = (listener: () => void) => void resizers.add(listener);

function paper(on: boolean) {
  printing = on;
  document.documentElement.classList.toggle("paper", on);
  apply();
  for (const resize of resizers) resize();
}

/** Calls the listener when colours change. */
export const onTheme = (listener: () => void) => void listeners.add(listener);

/** Follows the system until the button is pressed; paper is light. */
export function startTheme(): HTMLButtonElement {
  apply();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  addEventListener("beforeprint", () => paper(true));
  addEventListener("afterprint", () => paper(false));
  return h("button", { type: "button", class: "icon", "aria-label": "light or dark colours", title: "light or dark colours",
    onclick: () => ((chosen = isDark() ? "light" : "dark"), apply()) }, "◐");
}

export function colours(): Colours {
  if (cached) return cached;
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  cached = {
    page: of("page"), panel: of("panel"), ink: of("ink"), soft: of("soft"), line: of("line"), accent: of("accent"),
    reaction: of("reaction"), applied: of("applied"), velocity: of("velocity"),
    series: Array.from({ length: seriesColours }, (_, k) => of(`series-${k}`)),
    dark: isDark(),
  };
  return cached;
}

export const seriesColour = (k: number) => colours().series[k % seriesColours];
