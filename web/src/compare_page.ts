// The comparison of methods: table, violation and energy over time, work against precision.
import { doubles, floats, type Channel, type ModelFile } from "./data";
import { h, table, toggle } from "./dom";
import { count, counted, number, shortened } from "./format";
import { modelFile } from "./summary";
import { startTheme } from "./theme";
import { TimePlot, type Series } from "./time_plot";
import { XyChart } from "./xy_chart";

export interface Run {
  run: string;
  treatment: string;
  integrator: string;
  outcome: string;
  why: string;
  step: number | null;
  rtol: number | null;
  steps: number | null;
  evaluations: number | null;
  largest_violation: number | null;
  energy_residual: number | null;
  cpu: number | null;
  cpu_relative: number | null;
  error: { length: number | null; angle: number | null } | null;
}

export interface CompareReport {
  kind: "compare";
  version: string;
  comparison: { model: string; start: number; end: number; reference: { source: string; missing: string; doubt: string }; runs: Run[]; remarks: string[] };
  curves: { times: string; violation: string; energy: string }[]; // base64, in the order of the runs
  model: ModelFile | null;
}

const failed = new Set(["diverged", "stopped", "lost branch", "cannot"]);

/** The larger of the errors in position [m] and in angle [rad]. */
export function errorOf(run: Run): number {
  const parts = run.error ? [run.error.length, run.error.angle].filter((v): v is number => v !== null) : [];
  return parts.length ? Math.max(...parts) : NaN;
}

const lineOf = (r: Run) => `${r.treatment}, ${r.integrator}`;
/** One colour belongs to each treatment with an integrator. */
export const lineNames = (runs: Run[]) => [...new Set(runs.map(lineOf))];

/** Runs of one treatment with one integrator make a line of the diagram, in the order of their work. */
export function workLines(runs: Run[], work: (r: Run) => number | null): { name: string; x: number[]; y: number[] }[] {
  const lines = new Map<string, { work: number; error: number }[]>();
  for (const r of runs) {
    const w = work(r);
    const error = errorOf(r);
    if (w === null || !(w > 0) || !(error > 0) || failed.has(r.outcome)) continue;
    const name = lineOf(r);
    lines.set(name, [...(lines.get(name) ?? []), { work: w, error }]);
  }
  return [...lines].map(([name, points]) => {
    points.sort((a, b) => a.work - b.work);
    return { name, x: points.map((p) => p.work), y: points.map((p) => p.error) };
  });
}

function runTable(runs: Run[]): HTMLElement {
  const best = (pick: (r: Run) => number | null) =>
    Math.min(...runs.filter((r) => !failed.has(r.outcome)).map(pick).filter((v): v is number => v !== null && v > 0));
  const least = { violation: best((r) => r.largest_violation), energy: best((r) => r.energy_residual), error: best(errorOf), cpu: best((r) => r.cpu) };
  const cell = (v: number | null, digits: number, champion?: number) =>
    v !== null && v === champion ? h("strong", { title: "the best" }, number(v, digits)) : number(v, digits);
  const rows = runs.map((r) => [
    h("span", { title: r.run }, r.treatment), r.integrator, r.step !== null ? `${number(r.step, 3)} s` : r.rtol !== null ? `rtol ${number(r.rtol, 2)}` : "–",
    h("span", { class: failed.has(r.outcome) ? "bad" : "", title: r.why }, r.outcome),
    cell(r.largest_violation, 2, least.violation), cell(r.energy_residual, 2, least.energy), cell(errorOf(r), 2, least.error),
    r.steps === null ? "–" : count(r.steps), r.evaluations === null ? "–" : count(r.evaluations), cell(r.cpu === null ? null : 1000 * r.cpu, 3, 1000 * least.cpu), number(r.cpu_relative, 3)]);
  return table(["treatment", "integrator", "step", "outcome", "violation [m|rad]", "energy [J]", "error [m|rad]", "steps", "evaluations", "CPU [ms]", "relative"], rows, [2, 4, 5, 6, 7, 8, 9, 10]);
}

function curvesFigure(report: CompareReport): HTMLElement {
  const { runs } = report.comparison;
  const decoded = report.curves.map((c) => ({ times: doubles(c.times), violation: floats(c.violation), energy: floats(c.energy) }));
  const channel = (k: number, what: "violation" | "energy"): Channel => ({
    table: "curves", name: runs[k].run, unit: what === "violation" ? "m or rad" : "J", times: decoded[k].times, values: decoded[k][what] });
  const lines = lineNames(runs);
  const colourOf = (k: number) => lines.indexOf(lineOf(runs[k]));
  // Among many runs, those with the steps of the first are enough to begin with.
  const likeFirst = (r: Run) => r.step === runs[0].step && r.rtol === runs[0].rtol && r.integrator === runs[0].integrator;
  const hidden = new Set<number>(runs.length > 16 ? runs.flatMap((r, k) => (likeFirst(r) ? [] : [k])) : []);
  const shown = { violation: true, energy: true };
  const holder = h("div", { class: "plot-holder" });
  function draw() {
    const series: Series[] = [];
    for (const what of ["violation", "energy"] as const)
      runs.forEach((_, k) => {
        if (!shown[what] || hidden.has(k) || !decoded[k]?.times.length) return;
        const c = channel(k, what);
        if (c.values.some((v) => Number.isFinite(v) && v !== 0)) series.push({ channel: c, colour: colourOf(k), dash: what === "energy" ? [7, 4] : undefined });
      });
    const plot = series.length ? new TimePlot({ series, log: true, label: "violation and energy residual of all runs over time, logarithmic" }) : undefined;
    holder.replaceChildren(plot?.element ?? h("p", { class: "note" }, "Nothing to show: choose a run."));
  }
  draw();
  const key = runs.map((r, k) => {
    const button = toggle(shortened(r.run, 48), r.run, !hidden.has(k), (on) => (on ? hidden.delete(k) : hidden.add(k), draw()));
    button.classList.add("small", "run-key");
    button.style.setProperty("--key", `var(--series-${colourOf(k) % 12})`);
    return button;
  });
  return h("section", { class: "block wide" }, h("h2", {}, "Violation and energy over time"),
    h("div", { class: "row" },
      toggle("Violation, solid", "largest violation of the constraints", true, (on) => ((shown.violation = on), draw())),
      toggle("Energy, dashed", "size of what is missing in the energy balance", true, (on) => ((shown.energy = on), draw()))),
    holder, h("div", { class: "row keys" }, ...key));
}

function workFigure(runs: Run[]): HTMLElement {
  const holder = h("div", { class: "plot-holder" });
  const keys = h("div", { class: "row keys" });
  const names = lineNames(runs);
  function draw(by: "evaluations" | "cpu") {
    const lines = workLines(runs, (r) => r[by]);
    const chart = new XyChart({
      series: lines.map((l) => ({ ...l, colour: names.indexOf(l.name), marks: true, dash: ["", "7 4", "2 3"][Math.floor(names.indexOf(l.name) / 12) % 3] })),
      xLabel: by === "cpu" ? "CPU time [s]" : "evaluations of the equations", yLabel: "largest error [m or rad]",
      log: true, label: "work-precision diagram" });
    holder.replaceChildren(lines.length ? chart.element : h("p", { class: "note" }, "No run with a known error reached the end."));
    keys.replaceChildren(...lines.map((l) => h("span", { class: "entry" }, h("i", { style: `background: var(--series-${names.indexOf(l.name) % 12})` }), h("span", { class: "name", title: l.name }, shortened(l.name, 48)))));
  }
  draw("evaluations");
  const choose = h("select", { "aria-label": "measure of work" }, h("option", { value: "evaluations" }, "evaluations"), h("option", { value: "cpu" }, "CPU time"));
  choose.addEventListener("change", () => draw(choose.value as "evaluations" | "cpu"));
  return h("section", { class: "block wide" }, h("h2", {}, "Work and precision"),
    h("div", { class: "row" }, h("span", { class: "soft" }, "work by"), choose, h("span", { class: "soft hide-phone" }, "better is further left and lower")), holder, keys);
}

export function comparePage(report: CompareReport) {
  const button = startTheme();
  const c = report.comparison;
  document.title = `${c.model}, compared – mubody`;
  const fit = c.runs.filter((r) => r.outcome === "passed").length;
  document.body.append(
    h("header", { class: "top" }, h("div", { class: "title" }, h("h1", {}, `${c.model}: methods compared`),
      h("p", { class: "soft" }, `${counted(c.runs.length, "run", "runs")} from ${number(c.start)} s to ${number(c.end)} s`)), button),
    h("main", { class: "summary" },
      h("section", { class: "block wide" }, h("h2", {}, "Runs"),
        h("p", { class: "soft" }, c.reference.missing ? `No reference: ${c.reference.missing}` : `Errors are against ${c.reference.source}.${c.reference.doubt ? ` It is in doubt: ${c.reference.doubt}` : ""}`, fit === c.runs.length ? " All passed." : ""),
        runTable(c.runs), c.remarks.length > 0 && h("ul", {}, ...c.remarks.map((r) => h("li", {}, r)))),
      curvesFigure(report), workFigure(c.runs),
      modelFile(report.model)),
    h("footer", { class: "soft" }, `mubody ${report.version}`));
}
