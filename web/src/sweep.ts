// The page of a sweep: parallel coordinates that choose points; scatter plot, heat map and lines of them; statistics.
import { HeatMap } from "./charts/heat_map";
import { LineFamily } from "./charts/line_family";
import { readReport } from "./data";
import { h, table, toggle } from "./dom";
import { count, counted, number, unit } from "./format";
import { ParallelPlot } from "./parallel";
import { ScatterPlot } from "./scatter";
import { axesOf, chosen, indicesOf, outcomesOf, parts, shade, type Brushes, type SweepReport } from "./sweep_data";
import { startTheme } from "./theme";

const report = readReport<SweepReport>();
const s = report.statistics;
const theme = startTheme();
document.title = `${report.name} – sweep – mubody`;

const axes = axesOf(report);
const rows = indicesOf(report).length;
const brushes: Brushes = new Map();
const outcomes = outcomesOf(report);
const kept = axes.findIndex((a) => !a.varied);
const first = kept >= 0 ? kept : 0;
const status = h("span", { class: "soft", role: "status" });
const parallel = new ParallelPlot(axes, brushes, update);
parallel.colour = first;
const varied = [...axes.keys()].filter((k) => axes[k].varied);
const heat = new HeatMap(axes, varied[0] ?? 0, varied[1] ?? 0, first);
const lines = new LineFamily(axes, varied[0] ?? 0, first, varied[1] ?? -1);
const scatter = new ScatterPlot(axes, indicesOf(report), 0, first, first);

function update() {
  const yes = chosen(axes, brushes, rows);
  let [all, sound] = [0, 0];
  for (let k = 0; k < rows; ++k) if (yes[k]) (++all, (sound += outcomes[k] === 0 ? 1 : 0));
  status.textContent = brushes.size ? `${count(all)} of ${counted(rows, "point", "points")} chosen, ${count(sound)} good` : `${counted(rows, "point", "points")}; drag along an axis to choose a range, click it to let go`;
  parallel.draw(yes);
  scatter.draw(yes);
  // Points that failed have no place in a mean.
  const good = yes.map((one, k) => (outcomes[k] === 0 ? one : 0));
  if (varied.length > 1) heat.draw(good);
  lines.draw(good);
}

/** A menu of columns; `none` is the word for no column. */
function choice(label: string, at: number, set: (k: number) => void, none?: string): HTMLElement {
  const select = h("select", { "aria-label": label, onchange: () => (set(Number(select.value)), update()) },
    none !== undefined && h("option", { value: -1, selected: at < 0 }, none), ...axes.map((a, k) => h("option", { value: k, selected: k === at }, parts(a.name).name)));
  return h("label", { class: "choice" }, `${label} `, select);
}

const scale = h("span", { class: "colour-bar", title: "low to high" });
scale.style.background = `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map(shade).join(", ")})`;
const byColour = choice("colour", first, (k) => (parallel.colour = scatter.colour = k));
const columns = axes.map((a, k) => toggle(parts(a.name).name, a.name, true, (on) => {
  parallel.shown = on ? [...parallel.shown, k].sort((p, q) => p - q) : parallel.shown.filter((shown) => shown !== k);
  update();
}));
const clear = h("button", { type: "button", class: "chip small", onclick: () => (brushes.clear(), update()) }, "choose all");

const figures = s.columns.map((c) => {
  const { name, unit: u } = parts(c.name);
  return [c.varied ? `${name} (varied)` : name, unit(u), ...[c.mean, c.sd, c.min, c.q05, c.q25, c.median, c.q75, c.q95, c.max].map((x) => number(x, 5))];
});
const head = ["column", "unit", "mean", "sd", "min", "5 %", "25 %", "median", "75 %", "95 %", "max"];
const sound = s.failed === 0 && s.doubtful === 0;

document.body.append(
  h("header", { class: "top" },
    h("div", { class: "title" }, h("h1", {}, report.name),
      h("p", { class: "soft" }, `${report.plan}${report.every > 1 ? `; every ${report.every}th row is shown` : ""}`)),
    h("span", { class: `verdict ${sound ? "good" : "bad"}` },
      `${count(s.good)} good${s.doubtful ? `, ${count(s.doubtful)} doubtful` : ""}${s.failed ? `, ${count(s.failed)} failed` : ""}${s.done < s.points ? `, ${count(s.points - s.done)} to do` : ""}`),
    theme),
  h("main", { class: "summary sweep" },
    h("section", { class: "block wide" }, h("h2", {}, "Parallel coordinates"),
      h("div", { class: "row" }, byColour, scale, clear, status), h("div", { class: "row keys" }, ...columns), parallel.element),
    h("section", { class: "block wide" }, h("h2", {}, "Scatter"),
      h("div", { class: "row" }, choice("x", 0, (k) => (scatter.x = k)), choice("y", first, (k) => (scatter.y = k))), scatter.element),
    varied.length > 1 && h("section", { class: "block wide" }, h("h2", {}, "Heat map"),
      h("p", { class: "soft" }, "the mean of the good points that are chosen, in each cell"),
      h("div", { class: "row" }, choice("colours of", first, (k) => (heat.z = k)), choice("along x", heat.x, (k) => (heat.x = k)), choice("along y", heat.y, (k) => (heat.y = k)), ...heat.saving()), heat.element),
    h("section", { class: "block wide" }, h("h2", {}, "Lines"),
      h("div", { class: "row" }, choice("lines of", first, (k) => (lines.y = k)), choice("over", lines.x, (k) => (lines.x = k)), choice("one for each", lines.by, (k) => (lines.by = k), "nothing"), ...lines.saving()), lines.element),
    h("section", { class: "block wide" }, h("h2", {}, "Statistics"),
      h("p", { class: "soft" }, `of the ${counted(s.good, "good point", "good points")}`), table(head, figures, head.map((_, k) => k).slice(2))),
    s.reasons.length > 0 && h("section", { class: "block wide" }, h("h2", {}, "Points that failed or are doubtful"),
      table(["points", "first", "reason"], s.reasons.map((r) => [count(r.count), String(r.first), r.message]), [0, 1])),
    h("section", { class: "block wide" }, h("details", {}, h("summary", {}, report.model.file), h("pre", {}, report.model.text)))),
  h("footer", { class: "soft" }, `mubody ${report.version}`));
update();
