// One column of a sweep over another: a line for each value of a third.
import { h } from "../dom";
import { number, unit } from "../format";
import { csvOf } from "../save/csv";
import { figurePng, figureSvg } from "../save/figure";
import { download, fileName, textFile } from "../save/files";
import { parts, type Axis } from "../sweep_data";
import { XyChart, type XyOptions, type XySeries } from "../xy_chart";
import { cellOf, endsOf } from "./cells";

const mostLines = 10;

/** Means over equal values of x, in their order; one line for each cell of `by`, or one in all. */
export function linesOf(x: Axis, y: Axis, by: Axis | undefined, chosen: ArrayLike<number>): XySeries[] {
  const groups = by && endsOf(by.values, chosen, mostLines);
  const places = endsOf(x.values, chosen, 400);
  const lines = Array.from({ length: groups?.at.length ?? 1 }, () => ({ sum: new Float64Array(places.at.length), count: new Uint32Array(places.at.length) }));
  for (let k = 0; k < x.values.length; ++k) {
    if (!chosen[k] || !Number.isFinite(y.values[k])) continue;
    const [line, at] = [groups ? cellOf(groups, by.values[k]) : 0, cellOf(places, x.values[k])];
    if (line < 0 || at < 0) continue;
    lines[line].sum[at] += y.values[k];
    ++lines[line].count[at];
  }
  const word = by ? parts(by.name) : undefined;
  return lines.map(({ sum, count }, k) => {
    const there = places.at.map((_, n) => n).filter((n) => count[n] > 0);
    const name = word ? `${word.name} = ${number(groups!.at[k], 4)}${word.unit && word.unit !== "1" ? ` ${unit(word.unit)}` : ""}` : "mean";
    return { name, x: there.map((n) => places.at[n]), y: there.map((n) => sum[n] / count[n]), colour: k, marks: there.length <= 40, size: 2.5 };
  }).filter((line) => line.x.length > 0);
}

export class LineFamily {
  readonly element = h("div", {});
  private yes: Uint8Array = new Uint8Array();

  /** `by` below 0: one line in all. */
  constructor(private readonly axes: Axis[], public x: number, public y: number, public by: number) {}

  private options(): XyOptions {
    const label = (a: Axis) => {
      const { name, unit: u } = parts(a.name);
      return u && u !== "1" ? `${name} [${unit(u)}]` : name;
    };
    const [x, y, by] = [this.axes[this.x], this.axes[this.y], this.axes[this.by] as Axis | undefined];
    return { series: linesOf(x, y, by, this.yes), xLabel: label(x), yLabel: label(y), label: `${label(y)} over ${label(x)}` };
  }

  draw(yes: Uint8Array) {
    this.yes = yes;
    const options = this.options();
    const chart = new XyChart(options);
    const legend = h("ul", { class: "gains" }, ...options.series.map((s) => h("li", {}, h("span", { class: "swatch", style: `background: var(--series-${Number(s.colour) % 12})` }), s.name)));
    chart.element.classList.add("tall");
    this.element.replaceChildren(chart.element, legend);
  }

  saving(): HTMLElement[] {
    const about = (): XyOptions => ({ ...this.options(), legend: true, title: this.options().label });
    const button = (label: string, onclick: () => void) => h("button", { type: "button", class: "chip small", title: `save the lines as ${label}`, onclick }, label);
    const csv = () => {
      const { series } = this.options();
      const [x, y] = [parts(this.axes[this.x].name), parts(this.axes[this.y].name)];
      return csvOf(series.flatMap((s) => [{ ...x, name: `${x.name} (${s.name})`, values: s.x }, { ...y, name: `${y.name} (${s.name})`, values: s.y }]));
    };
    return [
      button("PNG", () => void figurePng(about()).then((image) => download(fileName(about().label, "png"), image))),
      button("SVG", () => download(fileName(about().label, "svg"), textFile(figureSvg(about()), "image/svg+xml"))),
      button("CSV", () => download(fileName(about().label, "csv"), textFile(csv(), "text/csv"))),
    ];
  }
}
