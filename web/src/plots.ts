// The plots beside the mechanism: each shows channels over time, or against each other, and their values now.
import type { Clock } from "./clock";
import { valueAt, type Channel, type Channels, type WantedPlot } from "./data";
import { h } from "./dom";
import { number, shortened, unit } from "./format";
import { pickChannels } from "./picker";
import { onTheme } from "./theme";
import { TimePlot } from "./time_plot";
import { XyChart } from "./xy_chart";

const mostPhasePoints = 5000;

function thinned(values: Float32Array): number[] {
  const stride = Math.max(1, Math.ceil(values.length / mostPhasePoints));
  return Array.from(values).filter((_, k) => k % stride === 0 || k === values.length - 1);
}

class Card {
  readonly element = h("article", { class: "card" });
  private plot: TimePlot | undefined;
  private phase: XyChart | undefined;
  private shown: Channel[] = [];
  private values: HTMLElement[] = [];
  private isPhase = false;

  constructor(private readonly panel: Plots, private names: string[], private heading = "") {
    this.make();
  }

  /** A plot of other channels has no title of its own. */
  change(names: string[]) {
    this.names = names;
    this.heading = "";
    this.make();
  }

  private make() {
    const { channels } = this.panel;
    this.shown = this.names.map((n) => channels.shown(n)).filter((c): c is Channel => c !== undefined);
    const canPhase = this.shown.length > 1;
    if (!canPhase) this.isPhase = false;
    this.values = this.shown.map(() => h("output", { class: "value" }));
    const legend = h("div", { class: "legend-row" }, ...this.shown.map((c, k) =>
      h("span", { class: "entry", "data-channel": c.name, title: `${c.name} [${unit(c.unit)}]` },
        h("i", { style: `background: var(--series-${k % 12})` }), h("span", { class: "name" }, shortened(c.name, 34)), this.values[k], h("span", { class: "soft" }, unit(c.unit)))));
    const title = this.heading || this.names.join(", ");
    const buttons = h("div", { class: "row tools" },
      h("button", { type: "button", class: "chip small", title: "choose what this plot shows", "aria-label": `choose channels of the plot of ${shortened(title, 80)}`, onclick: () => pickChannels(channels, this.names, (n) => this.change(n)) }, "Channels"),
      canPhase && h("button", { type: "button", class: "chip small", "aria-pressed": String(this.isPhase), title: "the first channel along x, the others along y", onclick: () => ((this.isPhase = !this.isPhase), this.make()) }, "Phase"),
      h("button", { type: "button", class: "chip small", "aria-label": `remove the plot of ${shortened(title, 80)}`, title: "remove this plot", onclick: () => this.panel.remove(this) }, "✕"));
    this.plot = this.phase = undefined;
    const label = `${this.isPhase ? "phase plot" : "plot over time"} of ${shortened(title, 200)}`;
    if (this.isPhase) {
      const [x, ...rest] = this.shown;
      this.phase = new XyChart({
        series: rest.map((c, k) => ({ name: c.name, x: thinned(x.values), y: thinned(c.values), colour: k + 1 })),
        xLabel: `${shortened(x.name, 40)} [${unit(x.unit)}]`,
        yLabel: `${shortened(rest[0].name, 30)} [${unit(rest[0].unit)}]`,
        label,
      });
    } else {
      this.plot = new TimePlot({
        series: this.shown.map((channel, k) => ({ channel, colour: k })),
        picked: (t) => this.panel.clock.toTime(t),
        zoomed: (low, high) => this.panel.zoom(this, low, high),
        label,
      });
    }
    this.element.classList.toggle("phase", this.isPhase);
    this.element.replaceChildren(...(this.heading ? [h("h3", { class: "plot-title" }, this.heading)] : []), h("header", {}, legend, buttons), (this.plot ?? this.phase)!.element);
    this.show(this.panel.clock.t);
  }

  zoom(low: number, high: number) {
    this.plot?.zoom(low, high);
  }

  show(t: number) {
    const now = this.shown.map((c) => valueAt(c, t));
    now.forEach((v, k) => (this.values[k].textContent = number(v)));
    this.plot?.show(t);
    this.phase?.show(now.slice(1).map((y) => [now[0], y]));
  }

  repaint() {
    if (this.isPhase) this.make();
  }
}

export class Plots {
  readonly element: HTMLElement;
  private readonly cards: Card[] = [];
  private readonly list = h("div", { class: "cards" });
  private readonly reset: HTMLButtonElement;

  constructor(readonly channels: Channels, readonly clock: Clock, first: WantedPlot[]) {
    this.reset = h("button", { type: "button", class: "chip small", hidden: true, onclick: () => this.zoom(undefined, ...this.whole()) }, "Whole time");
    this.element = h("section", { class: "plots", "aria-label": "plots" },
      h("div", { class: "row panel-head" }, h("h2", {}, "Plots"), h("span", { class: "soft hint" }, "drag to zoom, click to go there"), this.reset,
        h("button", { type: "button", class: "chip small", onclick: () => this.ask() }, "+ Plot")),
      this.list);
    for (const plot of first) this.add(plot.channels, plot.title);
    clock.onChange((c) => this.cards.forEach((card) => card.show(c.t)));
    onTheme(() => this.cards.forEach((card) => card.repaint()));
  }

  private ask() {
    pickChannels(this.channels, [], (names) => this.add(names).element.scrollIntoView({ block: "nearest" }));
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
