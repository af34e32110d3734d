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
/** Who is told of changes, until its element has left the page. */
class Told {
  private all: { listener: () => void; element: Element | undefined; seen: boolean }[] = [];

  add(listener: () => void, element?: Element) {
    this.all = this.all.filter((one) => {
      one.seen ||= one.element?.isConnected ?? true;
      return !one.seen || (one.element?.isConnected ?? true);
    });
    this.all.push({ listener, element, seen: false });
  }
  tell() {
    for (const { listener } of [...this.all]) listener();
  }
}

const listeners = new Told();
const resizers = new Told();
const system = () => matchMedia("(prefers-color-scheme: dark)").matches;
let chosen: "light" | "dark" | undefined;
let printing = false;
let cached: Colours | undefined;

export const isDark = () => !printing && (chosen ? chosen === "dark" : system());

function apply() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  cached = undefined;
  listeners.tell();
}

/** Calls the listener when the page takes the width of paper and back; no other event comes in time.  With an element, as
 *  long as that is in the page. */
export const onPaper = (listener: () => void, element?: Element) => resizers.add(listener, element);

function paper(on: boolean) {
  printing = on;
  document.documentElement.classList.toggle("paper", on);
  apply();
  resizers.tell();
}

/** Calls the listener when colours change; with an element, as long as that is in the page. */
export const onTheme = (listener: () => void, element?: Element) => listeners.add(listener, element);

/** Where a choice of colours is kept from one opening of a page to the next. */
export interface KeptTheme {
  read(): string | undefined;
  write(theme: "light" | "dark"): void;
}

/** Follows the system until the button is pressed, now or when the page was opened before; paper is light. */
export function startTheme(kept?: KeptTheme): HTMLButtonElement {
  const before = kept?.read();
  if (before === "light" || before === "dark") chosen = before;
  apply();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  addEventListener("beforeprint", () => paper(true));
  addEventListener("afterprint", () => paper(false));
  return h("button", { type: "button", class: "icon", "aria-label": "light or dark colours", title: "light or dark colours",
    onclick: () => {
      chosen = isDark() ? "light" : "dark";
      kept?.write(chosen);
      apply();
    } }, "◐");
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

/** A number of the palette, or a colour as it stands, for canvases. */
export const paintOf = (colour: number | string) => (typeof colour === "number" ? seriesColour(colour) : colour);
