// The controls of play, pause, step, scrub and speed, also by keyboard.
import type { Clock } from "./clock";
import { h } from "./dom";
import { number } from "./format";

const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

/** A speed at which a motion lasts between about a second and a minute. */
export function usualSpeed(duration: number): number {
  if (!(duration > 0)) return 1;
  if (duration >= 1.5 && duration <= 60) return 1;
  const wanted = duration < 1.5 ? duration / 4 : duration / 30;
  return speeds.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best));
}

/** The next speed up or down the list. */
export const nextSpeed = (speed: number, by: 1 | -1) => speeds[Math.min(speeds.length - 1, Math.max(0, speeds.indexOf(speed) + by))];

/** `words` describes the place in the motion if that is not a time.  A page with keys of its own has none here. */
export function transport(clock: Clock, fit: () => void, words?: (clock: Clock) => string, keys = true): HTMLElement {
  const button = (label: string, text: string, onclick: () => void) =>
    h("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick }, text);
  const play = button("play (space)", "▶", () => clock.toggle());
  play.classList.add("play");
  const back = button("one row back (left arrow)", "‹", () => clock.step(-1));
  const on = button("one row on (right arrow)", "›", () => clock.step(1));
  const first = button("to the start (Home)", "«", () => clock.step(-clock.rows));
  const scrub = h("input", { type: "range", min: 0, max: clock.end, step: 1, value: 0, "aria-label": words ? "phase" : "time", class: "scrub" });
  const time = h("output", { class: "time", "aria-live": "off" });
  const speed = h("select", { "aria-label": "speed of the animation", title: "speed" },
    ...speeds.map((s) => h("option", { value: s }, `${s}×`)));

  scrub.addEventListener("input", () => {
    clock.playing = false;
    clock.toRow(Number(scrub.value));
  });
  speed.addEventListener("change", () => clock.setSpeed(Number(speed.value)));
  const end = h("span", { class: "soft end" });
  let times: Float64Array | undefined;
  let digits = 3;
  /** What depends on the motion as a whole. */
  function begin() {
    const duration = clock.rows > 1 ? clock.times[clock.end] - clock.times[0] : 0;
    if (!times?.length) clock.speed = usualSpeed(duration);
    times = clock.times;
    digits = clock.rows > 1 ? Math.max(0, Math.min(9, Math.ceil(-Math.log10(duration / clock.end) - 1e-9))) : 3;
    scrub.max = String(clock.end);
    end.textContent = clock.rows && !words ? `of ${number(clock.times[clock.end])} s` : "";
    for (const control of [play, back, on, first, scrub, speed]) control.disabled = clock.rows < 2;
  }

  function show() {
    if (times !== clock.times) begin();
    const row = Math.round(clock.row);
    scrub.value = String(row);
    const text = words ? words(clock) : `${clock.t.toFixed(Math.max(2, digits)).replace(/^-(?=0\.?0*$)/, "").replace("-", "\u2212")} s`;
    time.textContent = text;
    scrub.setAttribute("aria-valuetext", text);
    play.textContent = clock.playing ? "❚❚" : "▶";
    play.setAttribute("aria-label", clock.playing ? "pause (space)" : "play (space)");
    speed.value = String(clock.speed);
    const share = clock.end ? (100 * row) / clock.end : 0;
    scrub.style.setProperty("--done", `${share}%`);
  }
  clock.onChange(show);
  show();
  if (keys) addEventListener("keydown", (e) => {
    const target = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey || document.querySelector("dialog[open]")) return;
    const typing = target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
    const pressing = target.matches("button, summary, a, input[type=checkbox]");
    if (typing || (pressing && (e.key === " " || e.key === "Enter"))) return;
    const stride = e.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      " ": () => clock.toggle(),
      ArrowLeft: () => clock.step(-stride),
      ArrowRight: () => clock.step(stride),
      Home: () => clock.step(-clock.rows),
      End: () => clock.step(clock.rows),
      "[": () => clock.setSpeed(nextSpeed(clock.speed, -1)),
      "]": () => clock.setSpeed(nextSpeed(clock.speed, 1)),
      f: fit,
    };
    const action = actions[e.key];
    if (!action || clock.rows < 2) return;
    e.preventDefault();
    action();
  });
  return h("div", { class: "transport", role: "group", "aria-label": "animation" },
    h("div", { class: "row buttons" }, first, back, play, on), scrub,
    h("div", { class: "row" }, time, end, speed));
}
