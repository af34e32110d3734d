// Bode plots: gain and phase of outputs for inputs that oscillate, over the frequency.
import { doubles, floats, rowAt, type BodeReport } from "../data";
import { h, toggle } from "../dom";
import { number, unit } from "../format";
import { csvOf } from "../save/csv";
import { figurePng, figureSvg } from "../save/figure";
import { download, fileName, textFile } from "../save/files";
import { XyChart, type XyOptions } from "../xy_chart";

export interface Response {
  name: string;
  unit: string;
  gain: Float32Array;
  phase: Float32Array;
}

const mostAtOnce = 6;

export const decibels = (gain: number) => 20 * Math.log10(gain);

/** The gain and the phase at a frequency between those of the table, straight on logarithmic axes. */
export function responseAt(frequency: Float64Array, r: Response, f: number): { gain: number; phase: number } {
  const row = rowAt(frequency, f);
  const low = Math.min(Math.floor(row), frequency.length - 2);
  const share = Math.log(f / frequency[low]) / Math.log(frequency[low + 1] / frequency[low]);
  const mix = (a: number, b: number) => a + Math.min(1, Math.max(0, share)) * (b - a);
  return { gain: Math.exp(mix(Math.log(r.gain[low]), Math.log(r.gain[low + 1]))), phase: mix(r.phase[low], r.phase[low + 1]) };
}

/** Two cards, of gains and of phases. */
export function bodeCards(report: BodeReport): HTMLElement[] {
  const frequency = doubles(report.frequency);
  const all = report.responses.map((r): Response => ({ name: r.name, unit: r.unit, gain: floats(r.gain), phase: floats(r.phase) }));
  const shown = new Set(all.slice(0, mostAtOnce).map((_, k) => k));
  let inDecibels = false;
  const charts = h("div", { class: "bode" });
  const readout = h("p", { class: "soft readout", role: "status" }, "move over a plot to read values");

  const some = () => all.map((r, k) => ({ r, k })).filter(({ k }) => shown.has(k));
  const units = () => [...new Set(some().map(({ r }) => unit(r.unit) || "1"))].join(", ");
  const inUnits = () => (units() === "1" ? "" : ` re 1 ${units()}`);
  const gains = (): XyOptions => ({
    series: some().map(({ r, k }) => ({ name: r.name, x: frequency, y: inDecibels ? r.gain.map(decibels) : r.gain, colour: k })),
    xLabel: "frequency [Hz]", yLabel: inDecibels ? `gain [dB${inUnits()}]` : `gain [${units()}]`, log: !inDecibels, logX: true, label: "gain over frequency",
  });
  const phases = (): XyOptions => ({
    series: some().map(({ r, k }) => ({ name: r.name, x: frequency, y: r.phase.map((p) => (p * 180) / Math.PI), colour: k })),
    xLabel: "frequency [Hz]", yLabel: "phase [°]", logX: true, label: "phase over frequency",
  });
  const draw = () => {
    const made = [gains(), phases()].map((options) => new XyChart(options));
    made.forEach((chart) => chart.element.addEventListener("pointermove", (e) => read(e, chart)));
    charts.replaceChildren(...made.map((chart) => chart.element));
  };
  function read(e: PointerEvent, chart: XyChart) {
    const f = chart.xAt(e.clientX);
    if (f === undefined) return;
    readout.textContent = `${number(f, 4)} Hz: ${some().map(({ r }) => {
      const { gain, phase } = responseAt(frequency, r, f);
      return `${r.name} ${number(gain, 4)} ${unit(r.unit)} (${number(decibels(gain), 3)} dB), ${number((phase * 180) / Math.PI, 4)}°`;
    }).join("; ")}`;
  }
  const save = (label: string, what: () => void) => h("button", { type: "button", class: "chip small", title: `save the plots as ${label}`, onclick: what }, label);
  const pictures: [string, () => XyOptions][] = [["gain", gains], ["phase", phases]];
  const about = (options: XyOptions): XyOptions => ({ ...options, title: options.label, legend: true });
  const csv = () => csvOf([{ name: "frequency", unit: "Hz", values: frequency }, ...some().flatMap(({ r }) => [{ name: `${r.name}.gain`, unit: r.unit, values: r.gain }, { name: `${r.name}.phase`, unit: "rad", values: r.phase }])]);
  const keys = all.map((r, k) => {
    const key = toggle(r.name, `${r.name} [${unit(r.unit)}]`, shown.has(k), (on) => ((on ? shown.add(k) : shown.delete(k)), draw()));
    key.classList.add("run-key", "small");
    key.style.setProperty("--key", `var(--series-${k % 12})`);
    return key;
  });
  draw();
  return [h("article", { class: "card bode-card", "aria-label": "Bode plots" },
    h("header", {}, h("h3", { class: "plot-title" }, "Frequency response"), h("div", { class: "row tools" },
      toggle("dB", "gains in decibels", false, (on) => ((inDecibels = on), draw())),
      save("PNG", () => pictures.forEach(([name, of]) => void figurePng(about(of())).then((image) => download(fileName(name, "png"), image)))),
      save("SVG", () => pictures.forEach(([name, of]) => download(fileName(name, "svg"), textFile(figureSvg(about(of())), "image/svg+xml")))),
      save("CSV", () => download("frequency_response.csv", textFile(csv(), "text/csv"))))),
    h("div", { class: "row keys" }, ...keys), charts, readout)];
}
