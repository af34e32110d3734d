// A page that 'mubody watch' serves: when a model has been saved and run again it loads anew, and shows the new motion at the
// time and from the side that it showed before.                                            docs/user/editors.md#watch
//
// An event is {"version": n, "state": "running" | "ready" | "failed", "message": text}; the page says in the element
// "watched" which version it is.
import type { Clock } from "../clock";
import { h } from "../dom";
import type { View, ViewSettings } from "../view";

/** What is told of the program's runs. */
export interface WatchEvent {
  version: number;
  state: "running" | "ready" | "failed";
  message: string;
}

/** What stays when another version of the page is loaded. */
export interface Kept {
  t: number;
  playing: boolean;
  speed: number;
  outlook: number[];
  scroll: number;
  settings: Omit<ViewSettings, "traces"> & { traces: string[] };
}

const place = "mubody.watched";

/** The version of a page that is watched; nothing if it is a plain report. */
export function watchedVersion(): number | undefined {
  const text = document.getElementById("watched")?.textContent;
  return text ? (JSON.parse(text) as { version: number }).version : undefined;
}

/** What an earlier version has left; nothing if that is no such thing. */
export function keptOf(text: string | null): Kept | undefined {
  try {
    const kept = JSON.parse(text ?? "null") as Kept | null;
    const sound = kept && [kept.t, kept.speed, kept.scroll, ...kept.outlook].every(Number.isFinite) && Array.isArray(kept.settings.traces);
    return sound ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Takes what an earlier version has left; the settings are changed before anything is drawn with them.  Of paths those stay
 * that there still are. */
export function takeKept(settings: ViewSettings, tracers: string[]): Kept | undefined {
  if (watchedVersion() === undefined) return undefined;
  const kept = keptOf(sessionStorage.getItem(place));
  if (kept) Object.assign(settings, kept.settings, { traces: new Set(kept.settings.traces.filter((name) => tracers.includes(name))) });
  return kept;
}

/** The line above the drawing. */
export function wordsOf({ state, message }: WatchEvent): string {
  return state === "running" ? "the saved model is being run" : state === "failed" ? message : "";
}

/** Follows the program from now on, after the time and the side of an earlier version have been taken. */
export function followWatch(clock: Clock, view: View, settings: ViewSettings, kept: Kept | undefined) {
  const version = watchedVersion();
  if (version === undefined) return;
  if (kept) {
    clock.setSpeed(kept.speed);
    clock.toTime(kept.t);
    view.lookFrom(kept.outlook);
    if (kept.playing) clock.play();
    requestAnimationFrame(() => scrollTo(0, kept.scroll));
  }
  const line = h("p", { class: "watch-line", role: "status", hidden: true });
  document.querySelector("header.top")?.after(line);
  const say = (text: string, bad: boolean) => {
    line.hidden = text === "";
    line.textContent = text;
    line.classList.toggle("bad", bad);
  };
  const source = new EventSource("events");
  source.onmessage = ({ data }) => {
    const event = JSON.parse(data) as WatchEvent;
    if (event.version > version) {
      source.close();
      keep(clock, view, settings);
      clock.pause();
      replace(version).catch(() => say(ended, true));
    } else say(wordsOf(event), event.state === "failed");
  };
  source.onerror = () => say(ended, true);
}

const ended = "'mubody watch' has ended, or does not answer";
const mostReplaced = 20;

/** Writes the new page into this document, whose scripts the browser has compiled already: that takes half as long as to load it
 * anew.  What follows the theme of the desktop outlives a document that is replaced, so that from time to time it is loaded. */
async function replace(version: number) {
  if (version % mostReplaced === 0) return location.reload();
  const text = await (await fetch(location.href)).text();
  for (const canvas of document.querySelectorAll("canvas")) canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
  delete (window as { __THREE__?: string }).__THREE__; // else the new page's copy warns of the old one
  document.open();
  document.write(text);
  document.close();
}

function keep(clock: Clock, view: View, settings: ViewSettings) {
  const kept: Kept = {
    t: clock.t, playing: clock.playing, speed: clock.speed, outlook: view.outlook(), scroll: scrollY,
    settings: { ...settings, traces: [...settings.traces] },
  };
  sessionStorage.setItem(place, JSON.stringify(kept));
}
