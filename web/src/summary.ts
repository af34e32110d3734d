// The summary below the mechanism and its plots.
import type { Clock } from "./clock";
import type { Channel, Channels, ModelFile, RunReport } from "./data";
import { h, table } from "./dom";
import { count, counted, number, quantity, shownQuantity, unit } from "./format";
import { TimePlot } from "./time_plot";

type Go = (t: number) => void;

const mostRows = 200;

function section(title: string, id: string, ...children: (Node | string | null | false)[]): HTMLElement {
  return h("section", { class: "block", id, "aria-label": title }, h("h2", {}, title), ...children);
}

function facts(rows: [string, string | Node | null | undefined | false][]): HTMLElement {
  return h("dl", {}, ...rows.filter(([, v]) => v).flatMap(([k, v]) => [h("dt", {}, k), h("dd", {}, v as string | Node)]));
}

/** A time as a link that moves the clock there. */
function timeLink(t: number, go: Go): HTMLElement {
  return h("button", { type: "button", class: "time-link", title: "go to this time", onclick: () => go(t) }, `${number(t)} s`);
}

function limited(head: string[], rows: (string | Node)[][], numeric: number[], more: string): HTMLElement {
  return h("div", {}, table(head, rows.slice(0, mostRows), numeric),
    rows.length > mostRows && h("p", { class: "soft" }, `… and ${count(rows.length - mostRows)} more ${more}`));
}

function methodOf(r: RunReport): string {
  const { summary: s } = r;
  if (!s.integrator) return statistic(r, "steps") > 0 ? "Newton along the branch" : `${s.analysis} at ${number(s.outcome.time)} s`;
  return s.integrator === s.treatment ? s.treatment : `${s.integrator} with ${s.treatment}`;
}

const statistic = (r: RunReport, name: string) => Number(r.summary.statistics[name] ?? NaN);

function stepsOf(r: RunReport): string {
  const [low, high] = [statistic(r, "smallest_step"), statistic(r, "largest_step")];
  const sizes = high > 0 ? (high - low < 1e-3 * high ? ` of ${number(high, 3)} s` : ` of ${number(low, 2)} to ${number(high, 2)} s`) : "";
  return `${counted(statistic(r, "steps"), "step", "steps")}${sizes}${r.summary.integrator ? `, ${count(statistic(r, "rejected"))} rejected` : ""}`;
}

export function freedomText(f: RunReport["summary"]["freedom"]): string {
  const redundant = f.equations - f.rank;
  return `${counted(f.coordinates, "coordinate", "coordinates")} − ${counted(f.equations, "equation", "equations")}` +
    `${redundant > 0 ? ` + ${count(redundant)} redundant` : ""} = ${counted(f.actual, "freedom", "freedoms")}`;
}

/** One line under the title. */
/** What the badge says: the digits that can be trusted, or what failed. */
export function badge(s: RunReport["summary"]): string {
  if (!s.trusted) return s.verdict.replace(/^do not trust this: /, "").split(/[;:]/)[0].slice(0, 80);
  const digits = Math.floor(s.accuracy?.digits?.positions ?? 0);
  if (digits > 0) return `${counted(digits, "digit", "digits")} in positions`;
  return s.outcome.word === "reached end" ? "checks passed" : s.outcome.word;
}

export function subtitle(r: RunReport): string {
  const parts = r.parts;
  const bodies = counted(r.scene.bodies.length, "body", "bodies");
  const joints = parts ? counted(parts.joints.filter((j) => !j.driver).length, "joint", "joints") : "";
  return [bodies, joints, counted(r.summary.freedom.actual, "freedom", "freedoms"), methodOf(r)].filter(Boolean).join(" · ");
}

function accuracy(r: RunReport, channels: Channels, clock: Clock, live: (make: () => HTMLElement | null) => HTMLElement | null): HTMLElement {
  const value = (name: string) => number(statistic(r, name), 3);
  const worst = r.summary.statistics.worst_joint;
  const plots: TimePlot[] = [];
  const add = (names: string[], label: string) => {
    const found = names.map((n) => channels.get(n)).filter((c): c is Channel => c !== undefined);
    // A curve that is zero throughout has no place on a logarithmic axis.
    const drawn = found.filter((c) => c.values.some((v) => Number.isFinite(v) && v !== 0));
    if (!drawn.length || clock.rows < 2 || r.modes) return null;
    const plot = new TimePlot({ series: drawn.map((channel, k) => ({ channel, colour: k })), log: true, picked: (t) => clock.toTime(t), label });
    plots.push(plot);
    return h("figure", {}, h("figcaption", {}, label, ...drawn.map((c, k) => h("span", { class: "entry" }, h("i", { style: `background: var(--series-${k})` }), c.name))), plot.element);
  };
  const violation = add(["position", "velocity"], "largest violation of the constraints and of their rates");
  const energy = add(["residual"], "size of what is missing in the energy balance");
  clock.onChange((c) => plots.forEach((p) => p.show(c.t)));
  const balanced = channels.get("residual") !== undefined;
  const a = r.summary.accuracy;
  const errors = () => (a?.channels ?? []).map((c) => [c.channel, shownQuantity(channels.shownUnits, c.error, c.unit, 2), timeLink(c.time, (t) => clock.toTime(t)), shownQuantity(channels.shownUnits, c.range, c.unit, 4), number(Math.floor(10 * c.digits) / 10)]);
  return section("Accuracy", "accuracy", facts([
    ["digits", a && (a.missing ? `no estimate: ${a.missing}` : `${a.words}. Estimated from ${a.estimated_from}`)],
    ["constraints", r.summary.freedom.equations > 0 && `violated by at most ${value("largest_violation")} [m or rad]${worst ? `, in joint ${worst}` : ""}; their rates by at most ${value("largest_violation_rate")} [m/s or rad/s]`],
    ["energy", balanced && `the balance is open by at most ${value("energy_residual")} J, of ${value("energy_scale")} J in play`],
    ["loops", r.summary.loops.length ? r.summary.loops.map((l) => `${l.joints}: ${counted(l.singular_positions_passed, "singular position", "singular positions")} passed, ${counted(l.branches_lost, "branch", "branches")} lost`).slice(0, 8).join("; ") : null],
  ]), a?.channels?.length ? live(() => limited(["channel", "estimated error", "at", "range", "digits"], errors(), [1, 2, 3, 4], "in accuracy.csv")) : null,
    h("div", { class: "figures" }, violation, energy));
}

function mechanism(r: RunReport): HTMLElement {
  const f = r.summary.freedom;
  const p = r.parts;
  const redundant = f.redundant.map((x) => [x.equation, x.joints.join(", "), x.reason]);
  return section("Mechanism", "mechanism",
    facts([
      ["freedoms", freedomText(f)],
      ["counted", f.counted !== f.actual && `${f.counted} by counting alone; the rank of the equations at the start is ${f.rank}`],
      ["rolling", f.rolling > 0 && `${counted(f.rolling, "equation is", "equations are")} on velocities alone`],
      ["gravity", p && `${p.gravity.slice(0, r.scene.dim).map((g) => number(g)).join(", ")} m/s²`],
    ]),
    redundant.length > 0 && h("h3", {}, "Redundant equations"),
    redundant.length > 0 && limited(["equation", "joints", "reason"], redundant, [], "redundant equations"),
    p && h("h3", {}, "Bodies"),
    p && limited(["body", "mass [kg]", "inertia [kg m²]"], p.bodies.map((b) => [b.name, number(b.mass), b.inertia.map((v) => number(v)).join(", ")]), [1], "bodies"),
    p && p.joints.length > 0 && h("h3", {}, "Joints and drivers"),
    p && p.joints.length > 0 && limited(["joint", "type", "between"], p.joints.map((j) => [j.name, j.driver ? `${j.type} (driver)` : j.type, j.bodies]), [], "joints"),
    p && p.forces.length > 0 && h("h3", {}, "Forces"),
    p && p.forces.length > 0 && limited(["force", "type", "between"], p.forces.map((j) => [j.name, j.type, j.bodies]), [], "forces"));
}

/** What assembly did to the start, in one sentence. */
export function assemblyText(a: RunReport["summary"]["assembly"]): string {
  const moved = [...a.moved.positions, ...a.moved.velocities];
  if (!moved.length) return `Assembly took the start as given: the largest gap is ${number(a.violation_after, 3)} [m or rad].`;
  const written = moved.filter((m) => m.written !== false);
  const most = written.reduce((x, m) => (Math.abs(m.to - m.from) > Math.abs(x.to - x.from) ? m : x), written[0]);
  const to = most && Math.abs(most.to) < 1e-12 * Math.abs(most.from) ? 0 : most?.to;
  const gap = a.moved.positions.length ? ` closed a gap of ${number(a.violation_before, 3)} [m or rad] in ${counted(a.iterations, "iteration", "iterations")} and` : "";
  return most
    ? `Assembly${gap} changed ${counted(written.length, "value that was", "values that were")} given, most of all ${most.name} from ${number(most.from)} to ${quantity(to, most.unit)}.`
    : `Assembly${gap} kept all values that were given; ${counted(moved.length, "value", "values")} left out follow${moved.length === 1 ? "s" : ""} from them.`;
}

const mostNotices = 5;

/** What a reader must know before looking at curves: why not to trust them, warnings, and changes of the start. */
export function notices(r: RunReport): HTMLElement | null {
  const { summary: s } = r;
  const list = (lines: string[]) => h("ul", {}, ...lines.map((x) => h("li", {}, x)));
  const moved = [...s.assembly.moved.positions, ...s.assembly.moved.velocities];
  const rest = s.remarks.slice(mostNotices);
  if (s.trusted && !s.remarks.length && !moved.length) return null;
  return h("section", { class: "notices", id: "notices", "aria-label": "Warnings and changes" },
    !s.trusted && h("p", { class: "warn" }, s.verdict),
    s.remarks.length > 0 && list(s.remarks.slice(0, mostNotices)),
    rest.length > 0 && h("details", {}, h("summary", {}, `${count(rest.length)} more`), list(rest)),
    moved.length > 0 && h("details", { id: "assembly" }, h("summary", {}, assemblyText(s.assembly)),
      limited(["value", "from", "to", "unit", ""], moved.map((m) => [m.name, number(m.from), number(m.to), unit(m.unit), m.written === false ? "left out" : ""]), [1, 2], "in summary.json")));
}

function reactions(r: RunReport, go: Go): HTMLElement | null {
  if (!r.reactions.length) return null;
  const open = r.reactions.some((x) => x.unique === "no");
  const rows = r.reactions.map((x) => [x.channel, shownQuantity(r.units, x.largest, x.unit), timeLink(x.t, go), x.unique]);
  return section("Reactions", "reactions",
    h("p", {}, "The largest value of each component, with its sign: what a joint does to the body named after “on”, in global axes, moments about the joint’s marker on that body."),
    open && h("p", { class: "warn" }, "Components marked “no” are not unique: redundant equations leave them open. Do not design a bearing for them."),
    limited(["component", "largest", "at", "unique"], rows, [1, 2], "in reactions.csv"));
}

function extremes(r: RunReport, go: Go): HTMLElement | null {
  if (!r.extremes?.length) return null;
  const rows = r.extremes.map(([channel, u, least, leastAt, greatest, greatestAt]) =>
    [channel, shownQuantity(r.units, least, u), timeLink(leastAt, go), shownQuantity(r.units, greatest, u), timeLink(greatestAt, go)]);
  return section("Extremes", "extremes",
    h("p", {}, "The least and the greatest value of every channel, over all steps and not only over the rows of the tables."),
    limited(["channel", "least", "at", "greatest", "at"], rows, [1, 2, 3, 4], "in extremes.csv"));
}

function events(r: RunReport, go: Go): HTMLElement | null {
  if (!r.events.length && !r.contacts.length) return null;
  const shown = (x: number, u: string) => shownQuantity(r.units, x, u, 4);
  const contacts = r.contacts.map((c) => [c.contact, timeLink(c.onset, go), c.end === undefined || c.end === null ? "still on" : timeLink(c.end, go),
    shown(c.speed_in, "m/s"), shown(c.speed_out ?? NaN, "m/s"), shown(c.peak_force, "N"), timeLink(c.peak_at, go), shown(c.deepest, "m"), shown(c.energy_lost, "J")]);
  return section(r.contacts.length ? "Events and contacts" : "Events", "events",
    r.events.length > 0 && limited(["at", "kind", "what"], r.events.map((e) => [timeLink(e.t, go), e.kind, e.what]), [0], "in events.csv"),
    contacts.length > 0 && h("h3", {}, "Contacts"),
    contacts.length > 0 && limited(["contact", "from", "to", "speed before", "speed after", "largest force", "at", "deepest", "energy lost"], contacts, [1, 2, 3, 4, 5, 6, 7, 8], "in contacts.csv"));
}

function run(r: RunReport): HTMLElement {
  const s = r.summary;
  const t = r.thinned;
  return section("Run", "run", facts([
    ["verdict", h("span", { class: s.trusted ? "good" : "bad" }, s.verdict)],
    ["analysis", `${s.analysis}, ${s.outcome.word} at ${number(s.outcome.time)} s${s.outcome.why ? `: ${s.outcome.why}` : ""}`],
    ["method", s.integrator || statistic(r, "steps") > 0 ? methodOf(r) : null],
    ["steps", statistic(r, "steps") > 0 && stepsOf(r)],
    ["work", statistic(r, "evaluations") > 0 && `${counted(statistic(r, "evaluations"), "evaluation", "evaluations")}, ${counted(statistic(r, "factorizations"), "factorization", "factorizations")}`],
    ["assembly", assemblyText(s.assembly)],
    ["this page", t && t.rows < t.of && `shows ${count(t.rows)} of ${count(t.of)} rows; values between them differ from a straight line by at most ${number(100 * t.error, 2)} % of a channel’s range (${t.channel}); violations and the energy residual, which are rounding at best, are not counted`],
    ["left out", t && t.left_out > 0 && `${count(t.left_out)} channels are in the CSV files only, to keep this page small`],
    ["program", `mubody ${s.version}`],
  ]));
}

/** The tables that are not histories. */
function lists(r: RunReport): HTMLElement | null {
  if (!r.lists.length) return null;
  return section("More tables", "lists", ...r.lists.flatMap((t) => [
    h("h3", {}, `${t.name}.csv`),
    limited(t.columns.map((c) => (unit(c.unit) ? `${c.name} [${unit(c.unit)}]` : c.name)), t.rows.map((row) => row.map((v) => number(v))), t.columns.map((_, k) => k), "rows")]));
}

/** The text of the model, and the changes made to it for this run. */
export function modelFile(model: ModelFile | null): HTMLElement | null {
  if (!model) return null;
  const changes = model.changes ?? [];
  return section("Model file", "model",
    changes.length > 0 && h("p", {}, "The text below is that of the file. The run was made with these changes:"),
    changes.length > 0 && h("ul", { class: "changes" }, ...changes.map((c) => h("li", {}, h("code", {}, c)))),
    h("details", {}, h("summary", {}, `${model.file}, ${counted(model.text.split("\n").length, "line", "lines")}`),
      h("pre", { tabindex: 0 }, model.text)));
}

export function summary(r: RunReport, channels: Channels, clock: Clock): HTMLElement {
  const go = (t: number) => {
    clock.playing = false;
    clock.toTime(t);
    document.querySelector(".stage")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  };
  /** Drawn anew when other units are chosen. */
  const live = (make: () => HTMLElement | null) => {
    let now = make();
    channels.onUnits(() => {
      const next = make();
      if (now && next) now.replaceWith(next), (now = next);
    });
    return now;
  };
  const shown = () => ({ ...r, units: channels.shownUnits });
  const parts = [run(r), accuracy(r, channels, clock, live), live(() => events(shown(), go)), live(() => reactions(shown(), go)), live(() => extremes(shown(), go)), lists(r), mechanism(r), modelFile(r.model)];
  return h("div", { class: "summary" }, ...parts);
}
