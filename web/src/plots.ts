// The plots beside the mechanism: each shows channels over time, or against each other, and their values now.
import type { Beside } from "./beside/other_run";
import { bodyOfChannel, cssColour, curveStyles, type CurveStyle } from "./body_colours";
import type { Clock } from "./clock";
import { valueAt, type Channel, type Channels, type Scene, type WantedPlot } from "./data";
import { h, menu } from "./dom";
import { number, shortened, unit } from "./format";
import { pickChannels } from "./picker";
import { titleOf } from "./charts/plot_titles";
import { csvOverTime } from "./save/csv";
import { figurePng, figureSvg } from "./save/figure";
import { download, fileName, textFile } from "./save/files";
import { onTheme } from "./theme";
import { TimePlot } from "./time_plot";
import { XyChart, type XyOptions } from "./xy_chart";

const mostPhasePoints = 5000;

function thinned(values: Float32Array): number[] {
  const stride = Math.max(1, Math.ceil(values.length / mostPhasePoints));
  return Array.from(values).filter((_, k) => k % stride === 0 || k === values.length - 1);
}

const named = (c: Channel, most: number) => `${shortened(c.name, most)} [${unit(c.unit)}]`;

/** A curve of a plot: a channel of this run or of the other one. */
interface Curve extends CurveStyle {
  channel: Channel;
  label: string;
  other: number; // 0: this run, k: the k-th that is laid over it
}

class Card {
  readonly element = h("article", { class: "card" });
  private plot: TimePlot | undefined;
  private phase: XyChart | undefined;
  private curves: Curve[] = [];
  private values: HTMLElement[] = [];
  private isPhase = false;

  constructor(private readonly panel: Plots, private names: string[], private heading = "") {
    this.make();
  }

  /** A plot of other channels has no title of its own. */
  change(names: string[]) {
    this.panel.chosen = true;
    this.names = names;
    this.heading = "";
    this.make();
  }

  private get title(): string {
    return this.heading || titleOf(this.names, (n) => this.panel.channels.unit(n));
  }

  /** The curves of this run, each followed by those of the others. */
  private curvesOf(): Curve[] {
    const { channels, others } = this.panel;
    const there = this.names.filter((n) => channels.has(n));
    const styles = this.panel.styles(there);
    return there.flatMap((n, k): Curve[] => {
      const mine = { channel: channels.shown(n)!, label: n, other: 0, ...styles[k] };
      return [mine, ...others.flatMap((run, k): Curve[] => {
        const theirs = run.channels.shown(n);
        return theirs ? [{ ...mine, channel: theirs, label: `${n} (${run.name})`, other: k + 1 }] : [];
      })];
    });
  }

  private legend(): HTMLElement {
    this.values = this.curves.map(() => h("output", { class: "value" }));
    // Of many other runs only this one's values are told.
    const many = this.panel.others.length > 1;
    return h("div", { class: "legend-row" }, ...this.curves.map(({ channel: c, label, colour, dash, other }, k) =>
      h("span", { class: other ? "entry other" : "entry", hidden: many && other > 0, [other ? "data-other" : "data-channel"]: c.name, title: `${label} [${unit(c.unit)}]` },
        h("i", { class: dash ? "dashed" : undefined, style: `--mark: ${cssColour(colour)}` }), h("span", { class: "name" }, other ? "other" : shortened(c.name, 34)), this.values[k], h("span", { class: "soft" }, unit(c.unit)))));
  }

  private heading3(): HTMLElement {
    const title = h("h3", { class: "plot-title", contenteditable: "plaintext-only", spellcheck: "false", title: "click to write another title" }, this.title);
    title.addEventListener("keydown", (e) => {
      e.stopPropagation();
      if (e.key !== "Enter" && e.key !== "Escape") return;
      e.preventDefault();
      if (e.key === "Escape") title.textContent = this.title;
      title.blur();
    });
    title.addEventListener("blur", () => {
      this.panel.chosen ||= title.textContent !== this.title;
      this.heading = (title.textContent ?? "").trim();
      title.textContent = this.title;
    });
    return title;
  }

  private tools(): HTMLElement {
    const title = shortened(this.title, 80);
    const save = (label: string, what: () => void) => h("button", { type: "button", class: "chip small", onclick: what }, label);
    const button = (text: string, title: string, onclick: () => void, more = {}) => h("button", { type: "button", class: "chip small", title, onclick, ...more }, text);
    const canPhase = this.names.length > 1;
    return h("div", { class: "row tools" },
      button("Channels", "choose what this plot shows", () => pickChannels(this.panel.channels, this.names, (n) => this.change(n)), { "aria-label": `choose channels of the plot of ${title}` }),
      canPhase && button("Phase", "the first channel along x, the others along y", () => ((this.panel.chosen = true), (this.isPhase = !this.isPhase), this.make()), { "aria-pressed": String(this.isPhase) }),
      menu("Save", "save what this plot shows", h("div", { class: "row" },
        save("PNG", () => void figurePng(this.figure()).then((image) => download(fileName(this.title, "png"), image))),
        save("SVG", () => download(fileName(this.title, "svg"), textFile(figureSvg(this.figure()), "image/svg+xml"))),
        save("CSV", () => download(fileName(this.title, "csv"), textFile(this.csv(), "text/csv"))))),
      button("✕", "remove this plot", () => ((this.panel.chosen = true), this.panel.remove(this)), { "aria-label": `remove the plot of ${title}` }));
  }

  private make() {
    this.curves = this.curvesOf();
    if (this.names.length < 2) this.isPhase = false;
    const header = h("header", {}, this.heading3(), this.tools());
    this.plot = this.phase = undefined;
    const label = `${this.isPhase ? "phase plot" : "plot over time"} of ${shortened(this.title, 200)}`;
    if (this.isPhase) this.phase = new XyChart(this.phaseOptions(label));
    else
      this.plot = new TimePlot({
        series: this.curves.map((c) => ({ channel: c.channel, colour: c.colour, dash: c.dash, faint: c.other > 0 })),
        picked: (t) => this.panel.clock.toTime(t),
        zoomed: (low, high) => this.panel.zoom(this, low, high),
        label,
      });
    this.element.classList.toggle("phase", this.isPhase);
    this.element.replaceChildren(header, this.legend(), (this.plot ?? this.phase)!.element);
    this.show(this.panel.clock.t);
  }

  /** The curves run by run. */
  private runs(): Curve[][] {
    return [0, ...this.panel.others.keys()].map((_, k) => this.curves.filter((c) => c.other === k));
  }

  private phaseOptions(label: string): XyOptions {
    const pairs = this.runs().filter((all) => all.length > 1);
    const [x, y] = pairs[0];
    return {
      series: pairs.flatMap(([first, ...rest]) => rest.map((c) => ({ name: c.label, x: thinned(first.channel.values), y: thinned(c.channel.values), colour: c.colour, dash: (c.other ? [2, 3] : c.dash)?.join(" ") }))),
      xLabel: named(x.channel, 40), yLabel: named(y.channel, 30), label,
    };
  }

  /** What is shown, as a picture that stands alone. */
  private figure(): XyOptions {
    const about = { title: this.title, legend: true };
    if (this.phase) return { ...this.phase.options, ...about };
    const [low, high] = this.plot!.range;
    const units = [...new Set(this.curves.map((c) => c.channel.unit))];
    return {
      ...about, xLabel: "time [s]", yLabel: unit(units[0]), rightLabel: unit(units[1] ?? ""), label: this.title,
      xRange: Number.isFinite(low) ? [low, high] : undefined,
      series: this.curves.map((c) => {
        const rows = [...c.channel.times.keys()].filter((k) => c.channel.times[k] >= low && c.channel.times[k] <= high);
        return { name: c.label, x: rows.map((k) => c.channel.times[k]), y: rows.map((k) => c.channel.values[k]), colour: c.colour, dash: (c.other ? [2, 3] : c.dash)?.join(" "), right: c.channel.unit !== units[0] };
      }),
    };
  }

  private csv(): string {
    const [low, high] = this.plot?.range ?? [-Infinity, Infinity];
    return csvOverTime(this.curves.map((c) => ({ name: c.label, unit: c.channel.unit, times: c.channel.times, values: c.channel.values })), low, high);
  }

  zoom(low: number, high: number) {
    this.plot?.zoom(low, high);
  }

  show(t: number) {
    const now = this.curves.map((c) => valueAt(c.channel, t));
    now.forEach((v, k) => (this.values[k].textContent = number(v)));
    this.plot?.show(t);
    if (!this.phase) return;
    this.phase.show(this.runs().flatMap((run) => {
      const [x, ...ys] = run.map((c) => now[this.curves.indexOf(c)]);
      return ys.map((y): [number, number] => [x, y]);
    }));
  }

  /** Whether there is anything to show. */
  fits(channels: Channels): boolean {
    return this.names.some((n) => channels.has(n));
  }
  /** Draws everything anew: in other units, with another run. */
  renew() {
    this.make();
  }
  repaint() {
    if (this.isPhase) this.make();
  }
}

export class Plots {
  readonly element: HTMLElement;
  /** The runs that are laid over this one. */
  others: readonly Beside[] = [];
  /** Whether somebody has chosen what is plotted, so that it stays. */
  chosen = false;
  private readonly cards: Card[] = [];
  private readonly list = h("div", { class: "cards" });
  private readonly reset: HTMLButtonElement;
  private bodyOf: (name: string) => number | undefined;

  constructor(public channels: Channels, readonly clock: Clock, first: WantedPlot[], private scene: Scene) {
    this.bodyOf = bodyOfChannel(scene);
    this.reset = h("button", { type: "button", class: "chip small", hidden: true, onclick: () => this.zoom(undefined, ...this.whole()) }, "Whole time");
    this.element = h("section", { class: "plots", "aria-label": "plots" },
      h("div", { class: "row panel-head" }, h("h2", {}, "Plots"), h("span", { class: "soft hint" }, "drag to zoom, click to go there"), this.reset,
        h("button", { type: "button", class: "chip small", onclick: () => this.ask() }, "+ Plot")),
      this.list);
    for (const plot of first) this.add(plot.channels, plot.title);
    clock.onChange((c) => this.cards.forEach((card) => card.show(c.t)));
    channels.onUnits(() => channels === this.channels && this.renew());
    onTheme(() => this.cards.forEach((card) => card.repaint()));
  }

  styles(names: string[]): CurveStyle[] {
    return curveStyles(names, this.scene, this.bodyOf);
  }
  lay(others: readonly Beside[]) {
    this.others = others;
    this.renew();
  }
  /** Takes all plots away; those of the next run are chosen anew. */
  clear() {
    for (const card of [...this.cards]) this.remove(card);
    this.chosen = false;
  }
  /** Goes on with another run: the same plots, or those given where none of them has a channel there. */
  take(channels: Channels, scene: Scene, first: () => WantedPlot[]) {
    channels.shownUnits = this.channels.shownUnits;
    this.channels = channels;
    this.scene = scene;
    this.bodyOf = bodyOfChannel(scene);
    channels.onUnits(() => channels === this.channels && this.renew());
    for (const card of [...this.cards]) if (!card.fits(channels)) this.remove(card);
    if (!this.cards.length) for (const plot of first()) this.add(plot.channels, plot.title);
    else this.renew();
  }
  private renew() {
    for (const { channels } of this.others) if (channels.shownUnits !== this.channels.shownUnits) channels.shownUnits = this.channels.shownUnits;
    for (const card of this.cards) card.renew();
    this.reset.hidden = true;
  }
  private ask() {
    pickChannels(this.channels, [], (names) => {
      this.chosen = true;
      this.add(names).element.scrollIntoView({ block: "nearest" });
    });
  }
  add(names: string[], title = ""): Card {
    const card = new Card(this, names, title);
    this.cards.push(card);
    this.list.append(card.element);
    return card;
  }
  remove(card: Card) {
    this.cards.splice(this.cards.indexOf(card), 1);
    card.element.remove();
  }
  private whole(): [number, number] {
    const { times } = this.clock;
    return [times[0] ?? 0, times[times.length - 1] ?? 1];
  }
  /** All plots show the same stretch of time. */
  zoom(by: Card | undefined, low: number, high: number) {
    const [first, last] = this.whole();
    this.reset.hidden = !(low > first + 1e-9 * (last - first) || high < last - 1e-9 * (last - first));
    for (const card of this.cards) if (card !== by) card.zoom(low, high);
  }
}
