// What the plots show at first: what drivers give where that is asked for, motion, gaps, efforts, the largest reaction,
// energies.  Numbers that are rounding beside others of their unit are not shown, and nothing is shown twice.
import type { Channel, Channels, RunReport, WantedPlot } from "./data";
import { quantityOf, titleOf } from "./charts/plot_titles";

const most = 4;
const rounding = 1e-9; // beside the largest number of the same unit

const sizeOf = (values: Float32Array) => values.reduce((a, v) => Math.max(a, Math.abs(v) || 0), 0);

function limitsOf(values: Float32Array): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
  return high >= low ? [low, high] : [0, 0];
}

const rangeOf = (values: Float32Array) => limitsOf(values)[1] - limitsOf(values)[0];

/** The largest number of each unit over all bodies, joints, points and forces. */
function largestByUnit(channels: Channels): (unit: string) => number {
  const found = new Map<string, number>();
  return (unit) => {
    let largest = found.get(unit);
    if (largest !== undefined) return largest;
    largest = 0;
    for (const name of channels.names)
      if (channels.unit(name) === unit && channels.table(name) !== "violations") largest = Math.max(largest, sizeOf(channels.get(name)!.values));
    found.set(unit, largest);
    return largest;
  };
}

/** Whether two curves are the same to what can be seen. */
function isSame(a: Channel, b: Channel): boolean {
  if (a.unit !== b.unit) return false;
  const range = Math.max(rangeOf(a.values), rangeOf(b.values), 1e-9 * sizeOf(a.values));
  return a.values.every((v, k) => Math.abs(v - b.values[k]) <= 1e-5 * range || (Number.isNaN(v) && Number.isNaN(b.values[k])));
}

class Chooser {
  private readonly largest: (unit: string) => number;
  constructor(private readonly report: RunReport, private readonly channels: Channels) {
    this.largest = largestByUnit(channels);
  }

  private there = (names: string[]) => names.filter((n) => this.channels.has(n));
  private values = (name: string) => this.channels.get(name)!.values;
  /** Those that are more than rounding. */
  private acting = (names: string[]) => this.there(names).filter((n) => sizeOf(this.values(n)) > rounding * this.largest(this.channels.unit(n)));
  private ofTable = (table: string) => this.channels.names.filter((n) => this.channels.table(n) === table);
  /** Those with the unit of the first. */
  private alike = (names: string[]) => names.filter((n) => this.channels.unit(n) === this.channels.unit(names[0]));

  private motion(): WantedPlot {
    const asked = this.alike(this.ofTable("channels"));
    if (asked.length) return { title: "", channels: asked };
    if (this.report.scene.dim === 2) {
      const turning = this.acting(this.report.scene.bodies.map((b) => `${b.name}.omega`));
      if (turning.length) return { title: "Angular velocities", channels: turning };
    }
    return this.path();
  }

  /** The varying coordinates of the point or body that goes furthest. */
  private path(): WantedPlot {
    let best: string[] = [];
    let [furthest, whose] = [-1, ""];
    for (const { name } of [...this.report.scene.points, ...this.report.scene.bodies].slice(0, 100)) {
      const names = this.there(["x", "y", "z"].map((a) => `${name}.${a}`));
      const way = Math.max(...names.map((n) => rangeOf(this.values(n))));
      if (names.length && way > 1.001 * furthest) [best, furthest, whose] = [this.varying(names), way, name];
    }
    return { title: `Position of ${whose}`, channels: best };
  }

  /** Drops channels that hardly change; keeps a single one where all together would look like straight lines. */
  private varying(names: string[]): string[] {
    const limits = names.map((n) => limitsOf(this.values(n)));
    const ranges = limits.map(([low, high]) => high - low);
    const widest = Math.max(...ranges);
    const together = Math.max(...limits.map((l) => l[1])) - Math.min(...limits.map((l) => l[0]));
    if (together > 4 * widest) return [names[ranges.indexOf(widest)]];
    return names.filter((_, k) => ranges[k] >= 0.02 * widest);
  }

  /** The rotation of the body whose angular velocity changes most. */
  private spin(): WantedPlot {
    let best: WantedPlot = { title: "", channels: [] };
    let widest = 0;
    for (const { name } of this.report.scene.bodies.slice(0, 100)) {
      const names = this.acting(["wx", "wy", "wz"].map((w) => `${name}.${w}`));
      const range = Math.max(0, ...names.map((n) => rangeOf(this.values(n))));
      if (range > widest) [best, widest] = [{ title: `Angular velocity of ${name}, in its axes`, channels: names }, range];
    }
    return best;
  }

  /** The force of the joint whose force is largest. */
  private reaction(): WantedPlot {
    let best = "";
    let size = 0;
    for (const r of this.report.reactions)
      if (r.unit === "N" && Math.abs(r.largest) > size && this.channels.has(r.channel) && !r.channel.includes(".on_ground."))
        [best, size] = [r.channel, Math.abs(r.largest)];
    const stem = best.slice(0, best.lastIndexOf(".") + 1);
    const [joint, body] = stem.slice(0, -1).split(".on_");
    return { title: `Reaction of ${joint} on ${body}`, channels: best ? this.acting(["fx", "fy", "fz"].map((a) => stem + a)) : [] };
  }

  /** What drivers give in an inverse analysis; in others their forces or moments as reactions. */
  private drives(): WantedPlot {
    const given = this.alike(this.acting(this.ofTable("drives")));
    const title = given.length > 1 ? "What the drivers give" : "What the driver gives";
    if (given.length) return { title, channels: given };
    const efforts = this.acting(this.channels.names.filter((n) => n.endsWith(".effort") && this.channels.unit(n) === "N m"));
    if (efforts.length) return { title: "Moments of joints", channels: efforts };
    const all = this.report.scene.joints.filter((j) => j.driver).flatMap((j) => {
      const body = this.report.scene.bodies[(j.j.body || j.i.body) - 1]?.name;
      return ["m", "mx", "my", "mz", "fx", "fy", "fz"].map((part) => `${j.name}.on_${body}.${part}`);
    });
    const acting = this.alike(this.acting(all));
    return { title: acting.length ? `${quantityOf(this.channels.unit(acting[0]))} of drivers` : "", channels: acting };
  }

  /** The same curve is drawn once, in all plots together. */
  private once(plots: WantedPlot[]): WantedPlot[] {
    const seen: Channel[] = [];
    const isNew = (name: string) => {
      const channel = this.channels.get(name)!;
      if (seen.some((c) => isSame(c, channel))) return false;
      seen.push(channel);
      return true;
    };
    return plots.map(({ title, channels }) => ({ title, channels: channels.filter(isNew).slice(0, most) })).filter((p) => p.channels.length);
  }

  plots(): WantedPlot[] {
    const { channels } = this;
    const isInverse = this.ofTable("drives").length > 0;
    const gaps = { title: "Gaps", channels: this.ofTable("forces").filter((n) => /\.(gap|eccentricity)$/.test(n)).slice(0, most) };
    const energies = { title: "Energies", channels: this.acting(["kinetic", "potential", "total"]) };
    const forces = { title: "Forces", channels: this.acting(this.ofTable("forces").filter((n) => channels.unit(n) === "N")) };
    const drives = this.drives();
    const [first, second] = isInverse ? [drives, this.motion()] : [this.motion(), drives];
    const plots = this.once([first, gaps, second, this.reaction(), energies, forces, this.spin()]);
    if (!plots.length && channels.names.length) plots.push({ title: "", channels: channels.names.slice(0, 1) });
    return plots.slice(0, 3).map((p) => ({ ...p, title: p.title || titleOf(p.channels, (n) => channels.unit(n)) }));
  }
}

/** The plots that the model asks for, as far as there are such channels. */
function wantedPlots(report: RunReport, channels: Channels): WantedPlot[] {
  const there = (plot: WantedPlot) => ({ title: plot.title, channels: plot.channels.filter((n) => channels.has(n)) });
  return (report.plots ?? []).map(there).filter((plot) => plot.channels.length);
}

export function firstChoice(report: RunReport, channels: Channels): WantedPlot[] {
  const wanted = wantedPlots(report, channels);
  return wanted.length ? wanted : new Chooser(report, channels).plots();
}
