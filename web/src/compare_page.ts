// The comparison of methods: table, violation and energy over time, CPU time, work against precision.
import { doubles, floats, type Channel, type ModelFile } from "./data";
import { bars } from "./bars";
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
  largest_violation_rate: number | null;
  largest_violation_squares: number | null;
  largest_violation_rate_squares: number | null;
  energy_residual: number | null;
  corrections_energy: number | null;
  corrections_energy_size: number | null;
  cpu: number | null;
  cpu_relative: number | null;
  error: { length: number | null; angle: number | null } | null;
}

export interface CompareReport {
  kind: "compare";
  version: string;
  comparison: { model: string; start: number; end: number; reference: { source: string; missing: string; doubt: string }; runs: Run[]; remarks: string[] };
  curves: ({ times: string } & Record<Curve, string>)[]; // base64, in the order of the runs
  model: ModelFile | null;
}

export const failed = new Set(["diverged", "stopped", "lost branch", "cannot"]);

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
    h("span", { class: "nowrap", title: r.run }, r.treatment), r.integrator, r.step !== null ? `${number(r.step, 3)} s` : r.rtol !== null ? `rtol ${number(r.rtol, 2)}` : "–",
    h("span", { class: failed.has(r.outcome) ? "nowrap bad" : "nowrap", title: r.why }, r.outcome),
    cell(r.largest_violation, 2, least.violation), number(r.largest_violation_squares, 2), number(r.largest_violation_rate, 2), number(r.largest_violation_rate_squares, 2), cell(r.energy_residual, 2, least.energy), r.corrections_energy_size ? number(r.corrections_energy, 2) : "–", cell(errorOf(r), 2, least.error),
    r.steps === null ? "–" : count(r.steps), r.evaluations === null ? "–" : count(r.evaluations), cell(r.cpu === null ? null : 1000 * r.cpu, 3, 1000 * least.cpu), number(r.cpu_relative, 3)]);
  return table(["treatment", "integrator", "step", "outcome", "|Φ| [m|rad]", "ΦᵀΦ", "|Φ̇| [m|rad/s]", "Φ̇ᵀΦ̇", "energy [J]", "put in [J]", "error [m|rad]", "steps", "evaluations", "CPU [ms]", "relative"], rows, [2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
}

const mostCurves = 8; // more at once cannot be told apart

/** The runs that are drawn to begin with: among many those with the steps of the first that reached the end; of more than eight the
 * first, which others are related to, and the most accurate; variants of a treatment come last. */
export function firstShown(runs: Run[]): number[] {
  const likeFirst = (r: Run) => r.step === runs[0].step && r.rtol === runs[0].rtol && r.integrator === runs[0].integrator;
  const good = [...runs.keys()].filter((k) => !failed.has(runs[k].outcome));
  const alike = good.filter((k) => likeFirst(runs[k]));
  const all = runs.length > mostCurves && alike.length > 1 ? alike : good;
  const error = (k: number) => (Number.isNaN(errorOf(runs[k])) ? Infinity : errorOf(runs[k]));
  const kind = (k: number) => runs[k].treatment.split("(")[0];
  const variant = (k: number) => Number(all.findIndex((other) => kind(other) === kind(k)) < all.indexOf(k));
  const best = all.slice(1).sort((a, b) => variant(a) - variant(b) || (error(a) === error(b) ? a - b : error(a) - error(b)));
  return [...all.slice(0, 1), ...best.slice(0, mostCurves - 1)].sort((a, b) => a - b);
}

/** A colour for each treatment with an integrator; those that are drawn to begin with have different ones. */
export function lineColours(runs: Run[]): Map<string, number> {
  const names = lineNames([...firstShown(runs).map((k) => runs[k]), ...runs]);
  return new Map(names.map((name, k) => [name, k]));
}

type Curve = "squares" | "rate_squares" | "violation" | "rate" | "energy";
const curveKinds: { what: Curve; title: string; unit: string }[] = [
  { what: "squares", title: "violation ΦᵀΦ", unit: "m² or rad²" },
  { what: "rate_squares", title: "violation of velocities Φ̇ᵀΦ̇", unit: "m²/s² or rad²/s²" },
  { what: "violation", title: "largest |Φ|", unit: "m or rad" },
  { what: "rate", title: "largest |Φ̇|", unit: "m/s or rad/s" },
  { what: "energy", title: "energy balance, size of the residual", unit: "J" },
];

function curvesFigure(report: CompareReport): HTMLElement {
  const { runs } = report.comparison;
  const decoded = report.curves.map((c) => ({ times: doubles(c.times), violation: floats(c.violation), rate: floats(c.rate),
    squares: floats(c.squares), rate_squares: floats(c.rate_squares), energy: floats(c.energy) }));
  const colours = lineColours(runs);
  const colourOf = (k: number) => colours.get(lineOf(runs[k]))!;
  // Runs of one colour differ in their steps, and are dashed differently.
  const dashes = [undefined, [7, 4], [2, 3], [9, 3, 2, 3]];
  const dashOf = (k: number) => dashes[(runs.slice(0, k).filter((r) => lineOf(r) === lineOf(runs[k])).length + Math.floor(colourOf(k) / 12)) % dashes.length];
  const first = firstShown(runs);
  const hidden = new Set<number>([...runs.keys()].filter((k) => !first.includes(k)));
  const holder = h("div", { class: "plot-grid" });
  function draw() {
    holder.replaceChildren(...curveKinds.map(({ what, title, unit }) => {
      const series: Series[] = [];
      runs.forEach((r, k) => {
        if (hidden.has(k) || !decoded[k]?.times.length) return;
        const channel: Channel = { table: "curves", name: r.run, unit, times: decoded[k].times, values: decoded[k][what] };
        if (channel.values.some((v) => Number.isFinite(v) && v !== 0)) series.push({ channel, colour: colourOf(k), dash: dashOf(k) });
      });
      const plot = series.length ? new TimePlot({ series, log: true, label: `${title} of the chosen runs over time, logarithmic` }) : undefined;
      return h("figure", {}, h("figcaption", {}, title), plot?.element ?? h("p", { class: "note" }, "Nothing above zero: choose a run."));
    }));
  }
  draw();
  const key = runs.map((r, k) => {
    const button = toggle(shortened(r.run, 48), r.run, !hidden.has(k), (on) => (on ? hidden.delete(k) : hidden.add(k), draw()));
    button.classList.add("small", "run-key");
    button.style.setProperty("--key", `var(--series-${colourOf(k) % 12})`);
    return button;
  });
  return h("section", { class: "block wide" }, h("h2", {}, "Violation and energy over time"),
    h("p", { class: "soft" }, runs.length > first.length ? `${first.length} of ${runs.length} runs are drawn, the most accurate ones; press a name to draw it or to take it away.` : "Press a name to take its curve away and to draw it again."),
    h("div", { class: "row keys" }, ...key), holder);
}

function costFigure(runs: Run[]): HTMLElement {
  const relative = runs.some((r) => r.cpu_relative !== null);
  const colours = lineColours(runs);
  const several = new Set(runs.map((r) => `${r.integrator} ${r.step} ${r.rtol}`)).size > 1;
  const all = runs.filter((r) => r.cpu !== null && !failed.has(r.outcome)).map((r) => ({
    name: several ? r.run : r.treatment, title: r.run, value: (relative ? r.cpu_relative : r.cpu) ?? NaN, colour: colours.get(lineOf(r))! }));
  return h("section", { class: "block wide" }, h("h2", {}, "CPU time"),
    h("p", { class: "soft" }, relative ? "Per simulated second, in that of standard multipliers with the same integrator and steps." : "In seconds."),
    all.length ? bars(all, { label: "CPU time of each run" }) : h("p", { class: "note" }, "No run reached the end."));
}

function workFigure(runs: Run[]): HTMLElement {
  const holder = h("div", { class: "plot-holder" });
  const keys = h("div", { class: "row keys" });
  const colours = lineColours(runs);
  function draw(by: "evaluations" | "cpu") {
    const lines = workLines(runs, (r) => r[by]);
    const chart = new XyChart({
      series: lines.map((l) => ({ ...l, colour: colours.get(l.name)!, marks: true, dash: ["", "7 4", "2 3"][Math.floor(colours.get(l.name)! / 12) % 3] })),
      xLabel: by === "cpu" ? "CPU time [s]" : "evaluations of the equations", yLabel: "largest error [m or rad]",
      log: true, label: "work-precision diagram" });
    holder.replaceChildren(lines.length ? chart.element : h("p", { class: "note" }, "No run with a known error reached the end."));
    keys.replaceChildren(...lines.map((l) => h("span", { class: "entry" }, h("i", { style: `background: var(--series-${colours.get(l.name)! % 12})` }), h("span", { class: "name", title: l.name }, shortened(l.name, 48)))));
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
        runTable(c.runs),
        h("p", { class: "soft" }, "Violations are the largest over all steps: of an equation, |Φ|, and of the sum of squares of all, ΦᵀΦ. “Put in” is the energy that corrections of states after steps added, in sum; negative if they took it out."),
        c.remarks.length > 0 && h("ul", {}, ...c.remarks.map((r) => h("li", {}, r)))),
      curvesFigure(report), costFigure(c.runs), workFigure(c.runs),
      modelFile(report.model)),
    h("footer", { class: "soft" }, `mubody ${report.version}`));
}
