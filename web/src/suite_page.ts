// Several models under the same methods: the ranking, CPU time and error by model, all runs in one table, and what a document finds.
import { bars } from "./bars";
import { errorOf, failed, type Run } from "./compare_page";
import { h, table } from "./dom";
import { count, counted, number } from "./format";
import { startTheme } from "./theme";

export interface Rank {
  run: string;
  treatment: string;
  steps: string;
  passed: number;
  models: number;
  cpu_relative: number | null;
  error_relative: number | null;
  work_relative: number | null;
  largest_violation_squares: number | null;
  largest_violation_rate_squares: number | null;
  energy_residual_share: number | null;
}
interface Finding { place: string; statement: string; ours: string; agrees: boolean; reason: string }
interface Compared { model: string; start: number; end: number; runs: Run[] }

export interface SuiteReport {
  kind: "suite";
  version: string;
  suite: { comparisons: Compared[]; ranking: Rank[]; findings: Finding[]; interrupted: boolean };
}

const stepOf = (r: Run) => (r.step !== null ? `${number(r.step, 3)} s` : r.rtol !== null ? `rtol ${number(r.rtol, 2)}` : "–");
const nowrap = (text: string, title?: string, bad = false) => h("span", { class: bad ? "nowrap bad" : "nowrap", title }, text);

/** One colour belongs to each treatment, in the order of the ranking. */
export const treatmentColours = (ranking: Rank[]) => new Map([...new Set(ranking.map((r) => r.treatment))].map((name, k) => [name, k]));

function rankTable(ranking: Rank[]): HTMLElement {
  const rows = ranking.map((r, k) => [String(k + 1), nowrap(r.treatment, r.run), nowrap(r.steps), `${r.passed} of ${r.models}`, number(r.work_relative, 3), number(r.cpu_relative, 3),
    number(r.error_relative, 2), number(r.largest_violation_squares, 2), number(r.largest_violation_rate_squares, 2), number(r.energy_residual_share, 2)]);
  return table(["", "treatment", "steps", "passed", "work", "CPU", "error", "ΦᵀΦ", "Φ̇ᵀΦ̇", "energy, share"], rows, [0, 2, 4, 5, 6, 7, 8, 9]);
}

function runTable(all: Compared[]): HTMLElement {
  const rows = all.flatMap((c) => c.runs.map((r) => [
    nowrap(c.model), nowrap(r.treatment, r.run), nowrap(stepOf(r)), nowrap(r.outcome, r.why, failed.has(r.outcome)),
    number(r.largest_violation_squares, 2), number(r.largest_violation_rate_squares, 2), number(r.energy_residual, 2),
    r.corrections_energy_size ? number(r.corrections_energy, 2) : "–", number(errorOf(r), 2),
    r.evaluations === null ? "–" : count(r.evaluations), number(r.cpu === null ? null : 1000 * r.cpu, 3), number(r.cpu_relative, 3)]));
  return table(["model", "treatment", "step", "outcome", "ΦᵀΦ", "Φ̇ᵀΦ̇", "energy [J]", "put in [J]", "error [m|rad]", "evaluations", "CPU [ms]", "relative"], rows, [2, 4, 5, 6, 7, 8, 9, 10, 11]);
}

/** Bars for every model, at the last of the steps, which is the smallest as a rule. */
function modelFigures(all: Compared[], ranking: Rank[]): HTMLElement {
  const colours = treatmentColours(ranking);
  const lastStep = ranking.length ? stepOf(all[0].runs[all[0].runs.length - 1]) : "";
  const figure = (title: string, c: Compared, pick: (r: Run) => number | null, log: boolean, digits: number) => {
    const runs = c.runs.filter((r) => stepOf(r) === lastStep && !failed.has(r.outcome));
    return h("figure", {}, h("figcaption", {}, `${c.model}: ${title}`),
      bars(runs.map((r) => ({ name: r.treatment, title: r.run, value: pick(r) ?? NaN, colour: colours.get(r.treatment) ?? 0 })), { label: `${title}, ${c.model}`, log, digits }));
  };
  return h("section", { class: "block wide" }, h("h2", {}, "CPU time and error"),
    h("p", { class: "soft" }, `Steps of ${lastStep}. CPU time in that of standard multipliers; errors on a logarithmic scale.`),
    h("div", { class: "plot-grid" }, ...all.flatMap((c) => [figure("CPU time", c, (r) => r.cpu_relative, false, 3), figure("error [m or rad]", c, errorOf, true, 2)])));
}

function findings(all: Finding[]): HTMLElement | false {
  return all.length > 0 && h("section", { class: "block wide" }, h("h2", {}, "What Marques, Souto and Flores (2017) conclude, and what is found here"),
    table(["place", "the paper", "here", ""], all.map((f) => [nowrap(f.place), f.statement, f.agrees ? f.ours : `${f.ours}. Why: ${f.reason}.`, h("strong", { class: f.agrees ? "nowrap" : "nowrap bad" }, f.agrees ? "agrees" : "differs")])));
}

export function suitePage(report: SuiteReport) {
  const button = startTheme();
  const { comparisons, ranking } = report.suite;
  document.title = "methods compared on several models – mubody";
  document.body.append(
    h("header", { class: "top" }, h("div", { class: "title" }, h("h1", {}, "Methods compared"),
      h("p", { class: "soft" }, `${counted(comparisons.length, "model", "models")}: ${comparisons.map((c) => c.model).join(", ")}`)), button),
    h("main", { class: "summary" },
      h("section", { class: "block wide" }, h("h2", {}, "Ranking"),
        h("p", { class: "soft" }, "CPU time and error are geometric means over the models that were passed, in those of standard multipliers. Work is the CPU time that the errors of standard multipliers would take, as errors fall with the order p of the integrator: CPU · error^(1/p). Its order is that of the table, with those first that passed more models."),
        rankTable(ranking)),
      findings(report.suite.findings) || "", modelFigures(comparisons, ranking),
      h("section", { class: "block wide" }, h("h2", {}, "All runs"), runTable(comparisons))),
    h("footer", { class: "soft" }, `mubody ${report.version}`));
}
