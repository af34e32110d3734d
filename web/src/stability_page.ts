// Regions of stability: for which gains of Baumgarte's method an integrator damps violations.
import { floats } from "./data";
import { h, svg } from "./dom";
import { number } from "./format";
import { colours, onTheme, startTheme } from "./theme";
import { axisOf } from "./xy_chart";

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
    h("main", { class: "summary" }, ...report.regions.map(figure)),
    h("footer", { class: "soft" }, `mubody ${report.version}`));
}
