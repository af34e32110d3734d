// The report of a run: the mechanism, plots beside it, and the summary below.
import { arrowsOf } from "./arrows";
import { besideOf, type Beside } from "./beside/other_run";
import { besidePanel } from "./beside/panel";
import { Clock } from "./clock";
import { Channels, readReport, type RunReport } from "./data";
import { h, menu, toggle } from "./dom";
import { choicesOf } from "./exaggerate";
import { firstChoice } from "./first_choice";
import { followLive, liveAddress } from "./served/live";
import { number } from "./format";
import { hasModes, ModeMotions, modesPanel } from "./modes";
import { Motion } from "./motion";
import { Plots } from "./plots";
import { drawingMenu } from "./save/drawing_menu";
import { badge, notices, subtitle, summary } from "./summary";
import { startTheme } from "./theme";
import { transport } from "./transport";
import { unitSwitches } from "./units";
import { valuesPanel } from "./values";
import { followWatch, takeKept } from "./served/watched";
import { arrowKinds, massCentre, tracersOf, type MakeView, type View, type ViewSettings } from "./view";

function traceMenu(motion: Motion, settings: ViewSettings, redraw: () => void): HTMLElement {
  const list = h("div", { class: "check-list" });
  for (const tracer of tracersOf(motion).slice(0, 300)) {
    const box = h("input", { type: "checkbox" });
    box.checked = settings.traces.has(tracer.name);
    box.addEventListener("change", () => {
      if (box.checked) settings.traces.add(tracer.name);
      else settings.traces.delete(tracer.name);
      redraw();
    });
    list.append(h("label", {}, box, tracer.name));
  }
  return menu("Traces", "paths of points and of centres of mass", list);
}

/** The menu of factors by which gaps are enlarged. */
function gapMenu(choices: number[], what: string, settings: ViewSettings, redraw: () => void): HTMLElement {
  const select = h("select", { "aria-label": "exaggerate clearance", title: "draw clearance and deflections of bushings larger than they are" },
    ...choices.map((n) => h("option", { value: n }, `${what} ×${number(n)}`)));
  select.addEventListener("change", () => ((settings.exaggerate = Number(select.value)), redraw()));
  return select;
}

interface Stage {
  motion: Motion;
  channels: Channels;
  kinds: Set<string>;
  settings: ViewSettings;
  redraw: () => void;
  more: (HTMLElement | false)[];
}

function controls({ motion, channels, kinds, settings, redraw, more }: Stage): HTMLElement {
  const size = h("input", { type: "range", min: -1, max: 1, step: 0.05, value: 0, "aria-label": "length of the arrows" });
  size.addEventListener("input", () => {
    settings.arrowSize = 10 ** Number(size.value);
    redraw();
  });
  const arrows = arrowKinds.filter(({ kind }) => kinds.has(kind)).map(({ kind, label, title }) =>
    toggle(label, title, settings.arrows[kind], (on) => ((settings.arrows[kind] = on), redraw())));
  const gaps = choicesOf(motion.scene, motion);
  return h("div", { class: "row controls", role: "group", "aria-label": "what is drawn" },
    toggle("Names", "names of bodies and joints", settings.names, (on) => ((settings.names = on), redraw())),
    traceMenu(motion, settings, redraw), ...arrows,
    arrows.length > 0 && menu("Arrow size", "length of the arrows", size),
    kinds.has("velocity") && massCentre(channels) && toggle("Mass centre", "centre of mass of all bodies together", settings.centre, (on) => ((settings.centre = on), redraw())),
    gaps.length > 1 && gapMenu(gaps, motion.scene.gaps.some((g) => g.radius_i > 0) ? "Clearance" : "Deflection", settings, redraw), ...more);
}

/** Paper shows the model file, and the time of the picture and the values. */
function preparePrint(clock: Clock, phase?: (clock: Clock) => string): HTMLElement {
  const time = h("p", { class: "print-only soft" });
  let opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    time.textContent = clock.rows ? `picture and values at ${phase ? phase(clock) : `${number(clock.t)} s`}` : "";
    opened = [...document.querySelectorAll<HTMLDetailsElement>(":is(.block, .notices) details:not([open])")];
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => opened.forEach((details) => (details.open = false)));
  return time;
}

/** The part of the page that shows one mode after the other. */
function modesStage(report: RunReport, channels: Channels, motion: Motion, view: () => View) {
  const motions = new ModeMotions(report.modes!, channels);
  let [mode, amplitude] = [0, 1];
  motions.rest(motion);
  motion.take(motions.all());
  const show = () => {
    motion.take(motions.columnsOf(mode, amplitude));
    view().renew();
  };
  const slider = h("input", { type: "range", min: 0, max: 2, step: 0.02, value: 1, "aria-label": "amplitude" });
  return {
    times: motions.times,
    control: h("label", { class: "chip amplitude", title: "how far the mode is drawn from rest; its size is free" }, "Amplitude", slider),
    panel: (clock: Clock) => {
      slider.addEventListener("input", () => ((amplitude = Number(slider.value)), show(), clock.toRow(clock.row)));
      return modesPanel(report, motions, (k) => ((mode = k), show(), clock.toRow(clock.row)));
    },
    phase: (clock: Clock) => `phase ${Math.round((360 * clock.row) / Math.max(1, clock.end))}°`,
  };
}

const nothing = "There are no rows of results to show: the run ended before its first output time.";

export function runPage(makeView: MakeView) {
  const report = readReport<RunReport>();
  const channels = new Channels(report.times, report.tables, report.summary.accuracy, report.units);
  const motion = new Motion(report.scene, channels);
  const themeButton = startTheme();
  const { summary: s } = report;
  document.title = `${s.model} – mubody`;

  const settings: ViewSettings = {
    names: report.scene.bodies.length <= 12,
    centre: false,
    arrows: { reaction: false, applied: false, velocity: false },
    arrowSize: 1,
    exaggerate: 1,
    traces: new Set(report.scene.points.slice(0, 6).map((p) => p.name)),
  };
  const kept = takeKept(settings, tracersOf(motion).map(({ name }) => name));
  // A mode has no reactions or velocities of its own.
  let view: View;
  const modes = hasModes(report) ? modesStage(report, channels, motion, () => view) : undefined;
  const arrows = modes ? [] : arrowsOf(report, motion, channels);
  const clock = new Clock(modes ? modes.times : motion.times);
  view = makeView(report, motion, channels, arrows, settings);
  view.element.append(h("button", { type: "button", class: "chip small fit", title: "show the whole motion (f)", onclick: () => view.fit() }, "Fit"));
  const redraw = () => view.draw(clock.row);
  const warnings = notices(report);
  const verdict = h("a", { class: `verdict ${s.trusted ? "good" : "bad"}`, href: warnings ? "#notices" : "#run", title: s.verdict }, badge(s));
  const header = h("header", { class: "top" },
    h("div", { class: "title" }, h("h1", { title: s.model }, s.model), h("p", { class: "soft" }, subtitle(report))),
    verdict, themeButton);
  const kinds = new Set(arrows.map((a) => a.kind));
  const still = clock.rows === 1;
  const plots = modes || still ? undefined : new Plots(channels, clock, clock.rows ? firstChoice(report, channels) : [], report.scene);
  const beside = (run: Beside | undefined) => {
    motion.others = run ? [new Motion(run.scene ?? report.scene, run.channels)] : [];
    plots?.lay(run ? [run] : []);
    view.renew();
    redraw();
  };
  const tools: (HTMLElement | false)[] = [modes ? modes.control : false, drawingMenu(view, () => `${s.model} ${modes ? modes.phase(clock) : `at ${number(clock.t)} s`}`)];
  const stage = clock.rows
    ? h("section", { class: "view", "aria-label": "mechanism" }, controls({ motion, channels, kinds, settings, redraw, more: tools }), view.element)
    : h("section", { class: "view" }, h("p", { class: "note" }, nothing));
  const right = modes ? modes.panel(clock) : plots ? plots.element : valuesPanel(channels);
  right.querySelector(".panel-head")?.append(...(modes ? [] : unitSwitches(report.switches ?? [], channels)));
  if (plots && clock.rows) right.insertBefore(besidePanel(report.overlay && besideOf(report.overlay), beside), right.lastChild);
  const bar = transport(clock, view.fit, modes?.phase);
  clock.onChange(redraw);
  document.body.append(header, ...(warnings ? [warnings] : []), preparePrint(clock, modes?.phase), h("main", {}, h("div", { class: still ? "first still" : "first" }, stage, right), still ? null : bar, summary(report, channels, clock)),
    h("footer", { class: "soft" }, `mubody ${s.version}. ${still ? "" : "Space plays, arrows step, [ and ] change the speed, f fits the view."}`));
  clock.toRow(0);
  followWatch(clock, view, settings, kept);
  const live = liveAddress(location.href);
  if (live) {
    settings.traces.clear();
    settings.names = false;
    showLive(live, motion, view, redraw);
  }
}

/** The picture follows the first body of a program that runs. */
function showLive(address: string, motion: Motion, view: View, redraw: () => void) {
  const line = h("p", { class: "soft live-line", role: "status" }, "waiting for the program");
  document.querySelector("section.view")?.prepend(line);
  document.body.classList.add("live");
  followLive(address, motion, (event) => {
    line.textContent = event ? `live: ${event.t.toFixed(1)} s ${event.note ?? ""}` : "the program has ended, or does not answer";
    if (!event) return;
    view.follow(motion.pose(1, 0).x);
    redraw();
  });
}
