// The report of a run: the mechanism, plots beside it, and the summary below.
import { arrowsOf } from "./arrows";
import { Clock } from "./clock";
import { Channels, readReport, type RunReport } from "./data";
import { h, menu, toggle } from "./dom";
import { firstChoice } from "./first_choice";
import { number } from "./format";
import { Motion } from "./motion";
import { Plots } from "./plots";
import { subtitle, summary } from "./summary";
import { startTheme } from "./theme";
import { transport } from "./transport";
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

function controls(motion: Motion, kinds: Set<string>, settings: ViewSettings, view: View, redraw: () => void): HTMLElement {
  const size = h("input", { type: "range", min: -1, max: 1, step: 0.05, value: 0, "aria-label": "length of the arrows" });
  size.addEventListener("input", () => {
    settings.arrowSize = 10 ** Number(size.value);
    redraw();
  });
  const arrows = arrowKinds.filter(({ kind }) => kinds.has(kind)).map(({ kind, label, title }) =>
    toggle(label, title, settings.arrows[kind], (on) => ((settings.arrows[kind] = on), redraw())));
  return h("div", { class: "row controls", role: "group", "aria-label": "what is drawn" },
    toggle("Names", "names of bodies and joints", settings.names, (on) => ((settings.names = on), redraw())),
    traceMenu(motion, settings, redraw), ...arrows,
    arrows.length > 0 && menu("Arrow size", "length of the arrows", size),
    massCentre(motion) && toggle("Centre of mass", "of all bodies together", settings.centre, (on) => ((settings.centre = on), redraw())),
    h("button", { type: "button", class: "chip", title: "show the whole motion (f)", onclick: () => view.fit() }, "Fit"));
}

/** Paper shows the model file, and says which time the picture and the values are of. */
function preparePrint(clock: Clock): HTMLElement {
  const time = h("p", { class: "print-only soft" });
  let opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    time.textContent = clock.rows ? `picture and values at ${number(clock.t)} s` : "";
    opened = [...document.querySelectorAll<HTMLDetailsElement>(".block details:not([open])")];
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => opened.forEach((details) => (details.open = false)));
  return time;
}

export function runPage(makeView: MakeView) {
  const report = readReport<RunReport>();
  const channels = new Channels(report.times, report.tables);
  const motion = new Motion(report.scene, channels);
  const clock = new Clock(motion.times);
  const themeButton = startTheme();
  const { summary: s } = report;
  document.title = `${s.model} – mubody`;

  const settings: ViewSettings = {
    names: report.scene.bodies.length <= 12,
    centre: false,
    arrows: { reaction: false, applied: false, velocity: false },
    arrowSize: 1,
    traces: new Set(report.scene.points.slice(0, 6).map((p) => p.name)),
  };
  const arrows = arrowsOf(report, motion);
  const view = makeView(report, motion, arrows, settings);
  const redraw = () => view.draw(clock.row);
  const verdict = h("a", { class: `verdict ${s.trusted ? "good" : "bad"}`, href: "#run", title: s.verdict }, s.trusted ? "trusted" : "not trusted");
  const header = h("header", { class: "top" },
    h("div", { class: "title" }, h("h1", { title: s.model }, s.model), h("p", { class: "soft" }, subtitle(report))),
    verdict, themeButton);
  const stage = clock.rows
    ? h("section", { class: "view", "aria-label": "mechanism" }, controls(motion, new Set(arrows.map((a) => a.kind)), settings, view, redraw), view.element)
    : h("section", { class: "view" }, h("p", { class: "note" }, "There are no rows of results to show: the run ended before its first output time."));
  const plots = new Plots(channels, clock, clock.rows ? firstChoice(report, channels) : []);
  const bar = transport(clock, view.fit);
  clock.onChange(redraw);
  document.body.append(header, preparePrint(clock), h("main", {}, h("div", { class: "first" }, stage, plots.element), bar, summary(report, channels, clock)),
    h("footer", { class: "soft" }, `mubody ${s.version}. Space plays, arrows step, [ and ] change the speed, f fits the view.`));
  clock.toRow(0);
}
