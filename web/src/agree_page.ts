// How well two results agree: the plots of Bland and Altman, and a table of all channels.
import { doubles } from "./data";
import { h, table } from "./dom";
import { number } from "./format";
import { startTheme } from "./theme";
import { XyChart, type XySeries } from "./xy_chart";

export interface AgreeChannel {
  table: string;
  name: string;
  unit: string;
  max: number;
  rms: number;
  bias: number;
  lower: number | null;
  upper: number | null;
  consistency: number | null;
  absolute: number | null;
  times: string; // base64, as are the next
  a: string;
  b: string;
}

export interface AgreeReport {
  kind: "agree";
  version: string;
  a: string;
  b: string;
  time_unit: string;
  channels: AgreeChannel[];
}

const mostPlots = 12;

/** How wide the limits are beside what the channel does: the larger, the worse it agrees. */
export function openness(c: AgreeChannel, a: ArrayLike<number>): number {
  let [low, high] = [Infinity, -Infinity];
  for (let k = 0; k < a.length; ++k) [low, high] = [Math.min(low, a[k]), Math.max(high, a[k])];
  const size = Math.max(high - low, Math.abs(high), Math.abs(low));
  return size > 0 ? c.max / size : c.max;
}

const level = (name: string, y: number, low: number, high: number, colour: number, dash?: string): XySeries => ({ name, x: [low, high], y: [y, y], colour, dash });
const withUnit = (text: string, unit: string) => (unit ? `${text} [${unit}]` : text);

function plots(c: AgreeChannel, report: AgreeReport): HTMLElement {
  const [t, a, b] = [doubles(c.times), doubles(c.a), doubles(c.b)];
  const mean = a.map((v, k) => (v + b[k]) / 2);
  const difference = a.map((v, k) => v - b[k]);
  const [low, high] = [mean.reduce((p, q) => Math.min(p, q)), mean.reduce((p, q) => Math.max(p, q))];
  const levels = [level("bias", c.bias, low, high, 1)];
  if (c.lower !== null && c.upper !== null) levels.push(level("lower limit", c.lower, low, high, 2, "7 5"), level("upper limit", c.upper, low, high, 2, "7 5"));
  const bland = new XyChart({
    series: [{ name: c.name, x: mean, y: difference, colour: 0, marks: true, line: false, size: 2.5 }, ...levels],
    xLabel: withUnit("mean (A + B)/2", c.unit), yLabel: withUnit("A − B", c.unit), label: `Bland and Altman: ${c.name}`,
  });
  const both = new XyChart({
    series: [{ name: "A", x: t, y: a, colour: 0 }, { name: "B", x: t, y: b, colour: 1, dash: "7 5" }],
    xLabel: withUnit("time", report.time_unit), yLabel: withUnit(c.name, c.unit), label: `${c.name} of A and B`,
  });
  const limits = c.lower === null ? "" : `, limits of agreement ${number(c.lower, 4)} and ${number(c.upper!, 4)}`;
  const icc = c.absolute === null ? "" : `; ICC(2,1) ${number(c.absolute, 6)}, ICC(3,1) ${number(c.consistency!, 6)}`;
  return h("section", { class: "block agree", "data-channel": c.name }, h("h2", {}, c.name),
    h("div", { class: "pair" }, bland.element, both.element),
    h("p", { class: "soft" }, `bias ${number(c.bias, 4)}${limits}${c.unit ? ` ${c.unit}` : ""}${icc}; differences over means, with bias (solid) and limits (dashed), and both over time, A solid, B dashed`));
}

export function agreePage(report: AgreeReport) {
  const button = startTheme();
  document.title = "Agreement – mubody";
  const ranked = report.channels.map((c) => ({ c, open: openness(c, doubles(c.a)) })).sort((p, q) => q.open - p.open);
  const shown = ranked.slice(0, mostPlots).map(({ c }) => c);
  const cell = (x: number | null, digits = 4) => (x === null ? "-" : number(x, digits));
  const rows = report.channels.map((c) => [c.table, c.name, c.unit, cell(c.max), cell(c.rms), cell(c.bias), cell(c.lower), cell(c.upper), cell(c.consistency, 6), cell(c.absolute, 6)]);
  const some = shown.length < report.channels.length ? `the ${shown.length} of ${report.channels.length} channels that differ most beside what they do, worst first; the table has all` : "worst first";
  document.body.append(
    h("header", { class: "top" }, h("div", { class: "title" }, h("h1", {}, "Agreement of two results"),
      h("p", { class: "soft" }, `A = ${report.a}, B = ${report.b}; ${some}`)), button),
    h("main", { class: "summary one" }, ...shown.map((c) => plots(c, report)),
      h("section", { class: "block" }, h("h2", {}, "All channels"),
        table(["table", "channel", "unit", "max |A−B|", "RMS", "bias A−B", "lower limit", "upper limit", "ICC cons.", "ICC abs."], rows, [3, 4, 5, 6, 7, 8, 9]))),
    h("footer", { class: "soft" }, `mubody ${report.version}`));
}
