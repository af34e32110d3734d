// What was tabulated: curves over one variable, surfaces over two, and over three at values of the third.
import { floats } from "./data";
import { h } from "./dom";
import { number, unit } from "./format";
import { map, relief, type Surface } from "./surface";
import { startTheme } from "./theme";
import { XyChart } from "./xy_chart";

export interface NetAxis {
  name: string;
  unit: string;
  at: number[];
}

export interface Tabulated {
  name: string;
  unit: string;
  values: string; // base64, row by row, the last axis fastest
  error?: number;
}

export interface TablesReport {
  kind: "tables";
  version: string;
  model: string;
  summary: string;
  regions: number;
  tables: { what: string; region: number; cells?: number; checks?: number; axes: NetAxis[]; quantities: Tabulated[] }[];
}

type Shown = TablesReport["tables"][number];

const withUnit = (name: string, u: string) => (u && u !== "1" ? `${name} [${unit(u)}]` : name);
const swatch = (colour: number) => h("span", { class: "swatch", style: `background: var(--series-${colour % 12})` });

/** The net at one place of the first axis, when there are three. */
export function slice(values: ArrayLike<number>, sizes: number[], at: number): Float32Array {
  const n = sizes[1] * sizes[2];
  return Float32Array.from({ length: n }, (_, k) => values[at * n + k]);
}

/** Curves along the first variable, at some places of the second. */
function sections(s: Surface): HTMLElement {
  const ny = s.y.length;
  const places = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * (ny - 1)));
  const chart = new XyChart({
    series: places.map((j, k) => ({ name: number(s.y[j], 4), x: s.x, y: s.x.map((_, i) => s.z[i * ny + j]), colour: k })),
    xLabel: s.xLabel, yLabel: s.zLabel, label: `sections of ${s.zLabel}`,
  });
  return h("figure", {}, chart.element, h("ul", { class: "gains" }, h("li", {}, `at ${s.yLabel}`), ...places.map((j, k) => h("li", {}, swatch(k), number(s.y[j], 4)))));
}

function surfaces(t: Shown, q: Tabulated): HTMLElement {
  const all = floats(q.values);
  const box = h("div", {});
  const three = t.axes.length > 2;
  const [x, y] = three ? [t.axes[1], t.axes[2]] : [t.axes[0], t.axes[1]];
  const draw = (at: number) => {
    const s: Surface = {
      x: x.at, y: y.at, z: three ? slice(all, t.axes.map((a) => a.at.length), at) : all,
      xLabel: withUnit(x.name, x.unit), yLabel: withUnit(y.name, y.unit), zLabel: withUnit(q.name, q.unit),
    };
    box.replaceChildren(h("div", { class: "pair" }, relief(s), map(s)), h("div", { class: "pair" }, sections(s)));
  };
  if (!three) {
    draw(0);
    return box;
  }
  const a = t.axes[0];
  const middle = Math.floor(a.at.length / 2);
  const told = h("output", {}, number(a.at[middle], 4));
  const slider = h("input", { type: "range", min: 0, max: a.at.length - 1, value: middle, "aria-label": a.name });
  slider.addEventListener("input", () => {
    told.textContent = number(a.at[Number(slider.value)], 4);
    draw(Number(slider.value));
  });
  draw(middle);
  return h("div", {}, h("label", { class: "row" }, `at ${withUnit(a.name, a.unit)} = `, slider, told), box);
}

function picture(t: Shown, q: Tabulated): HTMLElement {
  if (t.axes.length > 1) return surfaces(t, q);
  const values = floats(q.values);
  if (!t.axes.length) return h("p", {}, `${q.name} is ${number(values[0], 8)} ${unit(q.unit)} everywhere: it depends on no variable.`);
  const [a] = t.axes;
  const chart = new XyChart({
    series: [{ name: q.name, x: a.at, y: values, colour: 0 }],
    xLabel: withUnit(a.name, a.unit), yLabel: withUnit(q.name, q.unit), label: `${q.name} over ${a.name}`,
  });
  return h("div", { class: "plot-holder" }, chart.element);
}

export function tablesPage(report: TablesReport) {
  const button = startTheme();
  document.title = `Tables of ${report.model} – mubody`;
  const many = report.regions > 1;
  const select = h("select", { "aria-label": "quantity", class: "quantity" });
  report.tables.forEach((t, k) => {
    const of = t.axes.map((a) => a.name).join(", ");
    const group = h("optgroup", { label: `${many ? `region ${t.region + 1}: ` : ""}${t.what}${of ? `, of ${of}` : ""}` });
    t.quantities.forEach((q, n) => {
      if (t.axes.some((a) => a.name === q.name)) return; // a variable over itself
      group.append(h("option", { value: `${k} ${n}` }, withUnit(q.name, q.unit)));
    });
    if (group.children.length > 0) select.append(group);
  });
  const title = h("h2", {});
  const note = h("p", { class: "soft" });
  const place = h("div", {});
  const show = () => {
    const [k, n] = select.value.split(" ").map(Number);
    const t = report.tables[k];
    const q = t.quantities[n];
    title.textContent = withUnit(q.name, q.unit);
    note.textContent = q.error === undefined
      ? `${t.what}, where the tables put the bodies`
      : `${t.what}: ${t.cells} cells, checked at ${t.checks} points; error at most ${number(q.error, 2)} ${unit(q.unit)}`;
    place.replaceChildren(picture(t, q));
  };
  select.addEventListener("change", show);
  const step = (by: number) => () => {
    const next = select.selectedIndex + by;
    if (next < 0 || next >= select.options.length) return;
    select.selectedIndex = next;
    show();
  };
  document.body.append(
    h("header", { class: "top" }, h("div", { class: "title" }, h("h1", {}, `Tables of ${report.model}`),
      h("p", { class: "soft" }, "what was tabulated over the independent variables, as a run from tables evaluates it")), button),
    h("main", { class: "summary one" },
      h("section", { class: "block" },
        h("div", { class: "row" }, h("label", {}, "quantity "), select,
          h("button", { type: "button", class: "icon", "aria-label": "the quantity before", onclick: step(-1) }, "‹"),
          h("button", { type: "button", class: "icon", "aria-label": "the next quantity", onclick: step(1) }, "›")),
        title, note, place),
      h("section", { class: "block" }, h("h2", {}, "Summary"), h("pre", { class: "scroll" }, report.summary))),
    h("footer", { class: "soft" }, `mubody ${report.version}`));
  show();
}
