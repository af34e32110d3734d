// The list of modes, and the motion of the one that is shown.
import { bodeCards } from "./charts/bode";
import { doubles, floats, type Channels, type Mode, type RunReport } from "./data";
import { h } from "./dom";
import { count, number } from "./format";
import { partsOf, type Columns, type Motion } from "./motion";
import { XyChart } from "./xy_chart";

const period = 2; // [s] in which one turn of the phase is shown

/** The positions of all modes, as the program sampled them. */
export class ModeMotions {
  readonly rows: number;
  readonly sampled: number; // modes with a motion
  readonly times: Float64Array;
  private readonly columns: Map<string, Float32Array>;

  constructor(modes: NonNullable<RunReport["modes"]>, private readonly channels: Channels) {
    this.rows = modes.motion.rows;
    this.columns = new Map(modes.motion.columns.map((c) => [c.name, floats(c.data)]));
    const all = this.columns.values().next().value?.length ?? 0;
    this.sampled = this.rows ? all / this.rows : 0;
    this.times = Float64Array.from({ length: this.rows }, (_, k) => (period * k) / Math.max(1, this.rows - 1));
  }

  /** All modes one after the other, to find the extent of the motion. */
  all(): Columns {
    const length = this.rows * this.sampled;
    return { times: Float64Array.from({ length }, (_, k) => k), get: (name) => this.column(name) };
  }
  private column(name: string) {
    const values = this.columns.get(name);
    return values && { values };
  }
  private still(name: string): number {
    return this.channels.get(name)?.values[0] ?? 0;
  }

  /** One mode, with the sampled displacements enlarged by the factor `amplitude`. */
  columnsOf(mode: number, amplitude: number): Columns {
    const known = new Map<string, { values: Float32Array }>();
    const get = (name: string) => {
      const all = this.columns.get(name);
      if (!all || known.has(name)) return known.get(name);
      const still = this.still(name);
      const values = all.slice(mode * this.rows, (mode + 1) * this.rows).map((v) => still + amplitude * (v - still));
      known.set(name, { values });
      return known.get(name);
    };
    return { times: this.times, get };
  }

  /** Gives a motion the positions of its bodies at rest. */
  rest(motion: Motion) {
    motion.take({ times: doubles(""), get: (name) => ({ values: Float32Array.of(this.still(name)) }) });
    motion.rest = [0, ...motion.scene.bodies.map((_, k) => k + 1)].map((body) => motion.pose(body, 0));
  }
}

/** The description of a mode in words. */
export function wordsOf(m: Mode): string {
  if (m.real === 0 && m.imaginary === 0) return "a free motion: nothing brings it back";
  if (m.imaginary === 0) return m.real < 0 ? "it dies out without oscillating" : "it grows without oscillating";
  const size = Math.hypot(m.real, m.imaginary);
  if (Math.abs(m.real) < 1e-9 * size) return "it neither grows nor dies out";
  return m.real < 0 ? `a period leaves ${number(100 * Math.exp((2 * Math.PI * m.real) / m.imaginary), 3)} % of it` : "it grows";
}

/** The mode with parts that are rounding set to zero. */
export function tidied(m: Mode): Mode {
  const size = Math.hypot(m.real, m.imaginary);
  const negligible = Math.abs(m.real) < 1e-9 * size;
  return negligible ? { ...m, real: 0, damping_ratio: 0 } : m;
}

const eigenvalue = (m: Mode) => (m.imaginary === 0 ? number(m.real, 5) : `${number(m.real, 5)} ± ${number(m.imaginary, 5)} i`);

export function modesPanel(report: RunReport, motions: ModeMotions, choose: (mode: number) => void): HTMLElement {
  const list = report.modes!.list.map(tidied);
  const about = h("p", { class: "soft mode-words" });
  const chart = new XyChart({
    series: [{ name: "eigenvalues", x: list.flatMap((m) => [m.real, m.real]), y: list.flatMap((m) => [m.imaginary, -m.imaginary]), colour: 0, marks: true, line: false }],
    xLabel: "real part [1/s]", yLabel: "imaginary part [rad/s]", label: "eigenvalues in the complex plane", include: [0, 0],
  });
  const shown = list.slice(0, motions.sampled);
  const buttons = shown.map((_, k) =>
    h("button", { type: "button", class: "chip small", "aria-label": `show mode ${k + 1}`, onclick: () => select(k) }, String(k + 1)));
  const rows = shown.map((m, k) => {
    const cells = [buttons[k], number(m.frequency, 5), number(m.damping_ratio, 4), eigenvalue(m)];
    const row = h("tr", {}, ...cells.map((cell, c) => h("td", { class: c ? "number" : undefined }, cell)));
    row.addEventListener("click", () => select(k));
    return row;
  });
  function select(mode: number) {
    buttons.forEach((b, k) => b.setAttribute("aria-pressed", String(k === mode)));
    rows.forEach((r, k) => r.classList.toggle("chosen", k === mode));
    const m = list[mode];
    about.textContent = `Mode ${mode + 1}: ${wordsOf(m)}.`;
    chart.show([[m.real, m.imaginary]]);
    choose(mode);
  }
  const head = ["mode", "frequency [Hz]", "damping ratio", "eigenvalue [1/s]"];
  const element = h("section", { class: "plots", "aria-label": "modes" },
    h("div", { class: "row panel-head" }, h("h2", {}, "Modes"), h("span", { class: "soft hint" }, "one period each, without growth or decay")),
    h("div", { class: "cards" },
      h("article", { class: "card modes-card" },
        h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "table of modes" }, h("table", { class: "modes" },
          h("thead", {}, h("tr", {}, ...head.map((text, k) => h("th", { scope: "col", class: k ? "number" : undefined }, text)))),
          h("tbody", {}, ...rows))),
        list.length > shown.length && h("p", { class: "soft" }, `${count(list.length - shown.length)} faster ones are in modes.csv`), about),
      h("article", { class: "card phase" }, chart.element), ...(report.bode ? bodeCards(report.bode) : [])));
  if (shown.length) select(0);
  return element;
}

/** Whether a report shows modes; those of a mechanism that cannot move have no motion. */
export const hasModes = (report: RunReport) =>
  report.modes !== null && report.modes.motion.rows > 1 && report.modes.motion.columns.length >= partsOf(report.scene).length;
