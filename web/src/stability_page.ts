// For which gains of Baumgarte's method an integrator damps violations: regions, roots in the z plane, responses.
import { doubles, floats } from "./data";
import { h, svg, table } from "./dom";
import { number } from "./format";
import { colours, onTheme, startTheme } from "./theme";
import { axisOf, XyChart } from "./xy_chart";

export interface Region {
  integrator: string;
  alpha_h: number[]; // along x
  beta2_h2: number[]; // along y
  largest_z: string; // base64, row by row along x for each beta
}

export interface StabilityReport {
  kind: "stability";
  version: string;
  regions: Region[];
  responses: Response[];
  roots: Roots[];
}

export interface Response {
  damping: string;
  alpha: number;
  beta: number;
  times: string; // base64, as are the values
  values: string;
}

export interface Roots {
  integrator: string;
  alpha: number;
  beta: number;
  step: number;
  z: [number, number][];
}

const gains = (g: { alpha: number; beta: number }) => `α = ${number(g.alpha, 5)}, β = ${number(g.beta, 5)}`;
const swatch = (colour: number) => h("span", { class: "swatch", style: `background: var(--series-${colour % 12})` });

/** The violation over time, a plot for each kind of damping. */
function responses(all: Response[]): HTMLElement {
  const kinds = [...new Set(all.map((r) => r.damping))];
  const plot = (kind: string) => {
    const some = all.filter((r) => r.damping === kind);
    const chart = new XyChart({
      series: some.map((r, k) => ({ name: gains(r), x: doubles(r.times), y: floats(r.values), colour: k })),
      xLabel: "time [s]", yLabel: "Φ [s]", label: `response, ${kind}`, include: [0, 0],
    });
    return h("figure", { "data-damping": kind }, h("figcaption", {}, kind), chart.element,
      h("ul", { class: "gains" }, ...some.map((r, k) => h("li", {}, swatch(k), gains(r)))));
  };
  return h("section", { class: "block" }, h("h2", {}, "Response of the damped violation"),
    h("p", { class: "soft" }, "Φ̈ + 2αΦ̇ + β²Φ = 0 from Φ = 0 with Φ̇ = 1, in 1/s: over-damped for α > β, critically for α = β, under-damped for α < β"),
    h("div", { class: "pair" }, ...kinds.map(plot)));
}

/** The factors per step of an integrator, and the unit circle within which violations fall. */
function plane(integrator: string, all: Roots[]): HTMLElement {
  const size = 1.15 * Math.max(1, ...all.flatMap((r) => r.z.map(([x, y]) => Math.hypot(x, y))).filter((v) => v < 4));
  const [w, margin] = [420, 34];
  const to = (x: number, y: number): [number, number] => [w / 2 + (x / size) * (w / 2 - margin), w / 2 - (y / size) * (w / 2 - margin)];
  const root = svg("svg", { viewBox: `0 0 ${w} ${w}`, role: "img", "aria-label": `roots of ${integrator} in the z plane` });
  const [left, right] = [to(-size, 0), to(size, 0)];
  const [low, high] = [to(0, -size), to(0, size)];
  root.append(svg("circle", { cx: w / 2, cy: w / 2, r: (w / 2 - margin) / size, class: "unit" }),
    svg("line", { x1: left[0], y1: left[1], x2: right[0], y2: right[1], class: "grid axis" }),
    svg("line", { x1: low[0], y1: low[1], x2: high[0], y2: high[1], class: "grid axis" }),
    svg("text", { x: right[0], y: right[1] + 16, "text-anchor": "end" }, "Re z"),
    svg("text", { x: high[0] + 8, y: high[1] + 10 }, "Im z"));
  for (const [x, y, text] of [[1, 0, "1"], [-1, 0, "−1"], [0, 1, "i"], [0, -1, "−i"]] as const) {
    const [px, py] = to(x, y);
    root.append(svg("text", { x: px + 5, y: py - 5 }, text));
  }
  all.forEach((r, k) => r.z.forEach(([x, y]) => {
    if (Math.hypot(x, y) > size) return;
    const [px, py] = to(x, y);
    root.append(svg("circle", { cx: px, cy: py, r: 5, class: "root", fill: `var(--series-${k % 12})` }, svg("title", {}, `${gains(r)}: z = ${number(x, 5)} ${y < 0 ? "−" : "+"} ${number(Math.abs(y), 5)}i`)));
  }));
  const rows = all.map((r, k) => {
    const z = r.z.reduce((p, q) => (Math.hypot(...q) > Math.hypot(...p) ? q : p));
    const mark = h("span", {}, swatch(k), number(r.alpha, 5));
    return [mark, number(r.beta, 5), number(Math.hypot(...z), 6), number((Math.abs(Math.atan2(z[1], z[0])) * 180) / Math.PI, 5)];
  });
  return h("section", { class: "block plane", "data-integrator": integrator }, h("h2", {}, `${integrator}: roots in the z plane`),
    h("div", { class: "pair" }, h("div", { class: "z-plane plot" }, root), table(["α [1/s]", "β [1/s]", "|z|", "angle [°]"], rows, [1, 2, 3])),
    h("p", { class: "soft" }, `step ${number(all[0].step, 4)} s; violations fall within the unit circle, grow outside of it, and oscillate where roots are not positive numbers`));
}

/** The share of accent colour: the faster errors fall, the more; none where they grow. */
export function shade(z: number): number {
  if (!(z <= 1 + 1e-9)) return 0;
  return 0.25 + 0.75 * (1 - Math.max(0, z));
}

function channelsOf(colour: string): [number, number, number] {
  const c = document.createElement("canvas").getContext("2d")!;
  c.fillStyle = colour;
  c.fillRect(0, 0, 1, 1);
  const [r, g, b] = c.getImageData(0, 0, 1, 1).data;
  return [r, g, b];
}

function figure(region: Region): HTMLElement {
  const z = floats(region.largest_z);
  const [nx, ny] = [region.alpha_h.length, region.beta2_h2.length];
  const box = { left: 62, right: 14, top: 10, bottom: 44, width: 520, height: 400 };
  const [w, t] = [box.width - box.left - box.right, box.height - box.top - box.bottom];
  const spread = (v: number[]): [number, number] => [v[0] ?? 0, v[v.length - 1] ?? 1];
  const [x0, x1] = spread(region.alpha_h);
  const [y0, y1] = spread(region.beta2_h2);
  const canvas = h("canvas", { width: nx, height: ny, class: "heat" });
  const readout = h("p", { class: "soft readout" }, "move over the picture to read values");

  function paint() {
    const c = canvas.getContext("2d")!;
    const image = c.createImageData(nx, ny);
    const [near, far] = [channelsOf(colours().accent), channelsOf(colours().panel)];
    for (let j = 0; j < ny; ++j)
      for (let i = 0; i < nx; ++i) {
        const s = shade(z[j * nx + i]);
        const at = 4 * ((ny - 1 - j) * nx + i);
        for (let k = 0; k < 3; ++k) image.data[at + k] = far[k] + s * (near[k] - far[k]);
        image.data[at + 3] = 255;
      }
    c.putImageData(image, 0, 0);
  }
  paint();
  onTheme(paint);

  const root = svg("svg", { viewBox: `0 0 ${box.width} ${box.height}`, role: "img", "aria-label": `region of stability of ${region.integrator}` });
  const label = (x: number, y: number, text: string, anchor: string, more = {}) => svg("text", { x, y, "text-anchor": anchor, ...more }, text);
  for (const m of axisOf([x0, x1], false, 6).marks) {
    const value = Number(m.text.replace("\u2212", "-"));
    if (value < x0 - 1e-12 || value > x1 + 1e-12) continue;
    const x = box.left + ((value - x0) / (x1 - x0)) * w;
    root.append(svg("line", { x1: x, x2: x, y1: box.top + t, y2: box.top + t + 5, class: "grid" }), label(x, box.top + t + 19, m.text, "middle"));
  }
  for (const m of axisOf([y0, y1], false, 6).marks) {
    const value = Number(m.text.replace("\u2212", "-"));
    if (value < y0 - 1e-12 || value > y1 + 1e-12) continue;
    const y = box.top + (1 - (value - y0) / (y1 - y0)) * t;
    root.append(svg("line", { x1: box.left - 5, x2: box.left, y1: y, y2: y, class: "grid" }), label(box.left - 8, y + 4, m.text, "end"));
  }
  root.append(svg("rect", { x: box.left, y: box.top, width: w, height: t, fill: "none", stroke: "var(--edge)" }),
    label(box.left + w / 2, box.height - 5, "αh", "middle"),
    svg("text", { transform: `translate(14 ${box.top + t / 2}) rotate(-90)`, "text-anchor": "middle" }, "β²h²"));
  const share = (v: number, whole: number) => `${(100 * v) / whole}%`;
  canvas.style.cssText = `left: ${share(box.left, box.width)}; top: ${share(box.top, box.height)}; width: ${share(w, box.width)}; height: ${share(t, box.height)}`;
  canvas.addEventListener("pointermove", (e) => {
    const where = canvas.getBoundingClientRect();
    const i = Math.min(nx - 1, Math.max(0, Math.floor(((e.clientX - where.left) / where.width) * nx)));
    const j = Math.min(ny - 1, Math.max(0, Math.floor((1 - (e.clientY - where.top) / where.height) * ny)));
    readout.textContent = `αh = ${number(region.alpha_h[i], 4)}, β²h² = ${number(region.beta2_h2[j], 4)}: |z| = ${number(z[j * nx + i], 5)}`;
  });
  return h("section", { class: "block region" }, h("h2", {}, region.integrator), h("div", { class: "plot heat-box" }, canvas, root), readout);
}

export function stabilityPage(report: StabilityReport) {
  const button = startTheme();
  document.title = "Regions of stability – mubody";
  document.body.append(
    h("header", { class: "top" }, h("div", { class: "title" }, h("h1", {}, "Regions of stability"),
      h("p", { class: "soft" }, "coloured where violations are damped, stronger where they fall faster; α, β are Baumgarte’s gains, h the step")), button),
    h("main", { class: "summary one" }, responses(report.responses),
      ...report.regions.flatMap((r) => [plane(r.integrator, report.roots.filter((z) => z.integrator === r.integrator)), figure(r)])),
    h("footer", { class: "soft" }, `mubody ${report.version}`));
}
