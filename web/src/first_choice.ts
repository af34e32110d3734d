// What the plots show at first: motion, moments of joints or efforts of drivers, largest reaction, energies.
import type { Channels, RunReport, WantedPlot } from "./data";

const most = 4;

function motionOf(report: RunReport, channels: Channels): string[] {
  const there = (names: string[]) => names.filter((n) => channels.has(n));
  const asked = channels.names.filter((n) => channels.table(n) === "channels");
  const unit = asked.length ? channels.unit(asked[0]) : "";
  if (asked.length) return asked.filter((n) => channels.unit(n) === unit).slice(0, most);
  if (report.scene.dim === 2) {
    const speeds = there(report.scene.bodies.map((b) => `${b.name}.omega`));
    const sizes = speeds.map((n) => channels.get(n)!.values.reduce((a, v) => Math.max(a, Math.abs(v) || 0), 0));
    const turning = speeds.filter((_, k) => sizes[k] > 1e-9 * Math.max(...sizes));
    if (turning.length) return turning.slice(0, most);
  }
  // The varying coordinates of the point or body that goes furthest.
  let best: string[] = [];
  let furthest = -1;
  for (const { name } of [...report.scene.points, ...report.scene.bodies].slice(0, 100)) {
    const names = there(["x", "y", "z"].map((a) => `${name}.${a}`));
    const most = Math.max(...names.map((n) => rangeOf(channels.get(n)!.values)));
    if (names.length && most > 1.001 * furthest) [best, furthest] = [varying(names, channels), most];
  }
  return best;
}

/** Drops channels that hardly change; keeps a single one where all together would look like straight lines. */
function varying(names: string[], channels: Channels): string[] {
  const limits = names.map((n) => limitsOf(channels.get(n)!.values));
  const ranges = limits.map(([low, high]) => high - low);
  const most = Math.max(...ranges);
  const together = Math.max(...limits.map((l) => l[1])) - Math.min(...limits.map((l) => l[0]));
  if (together > 4 * most) return [names[ranges.indexOf(most)]];
  return names.filter((_, k) => ranges[k] >= 0.02 * most);
}

function limitsOf(values: Float32Array): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
  return high >= low ? [low, high] : [0, 0];
}

const rangeOf = (values: Float32Array) => limitsOf(values)[1] - limitsOf(values)[0];

/** The rotation of the body whose angular velocity changes most. */
function spinOf(report: RunReport, channels: Channels): string[] {
  let best: string[] = [];
  let most = 0;
  for (const { name } of report.scene.bodies.slice(0, 100)) {
    const names = ["wx", "wy", "wz"].map((w) => `${name}.${w}`).filter((n) => channels.has(n));
    const range = Math.max(0, ...names.map((n) => rangeOf(channels.get(n)!.values)));
    if (range > most) [best, most] = [names, range];
  }
  return best;
}

/** The force of the joint whose force is largest. */
function reactionOf(report: RunReport, channels: Channels): string[] {
  let best = "";
  let size = -1;
  for (const r of report.reactions)
    if (r.unit === "N" && Math.abs(r.largest) > size && channels.has(r.channel) && !r.channel.includes(".on_ground."))
      [best, size] = [r.channel, Math.abs(r.largest)];
  const stem = best.slice(0, best.lastIndexOf(".") + 1);
  return best ? ["fx", "fy", "fz"].map((a) => stem + a).filter((n) => channels.has(n)) : [];
}

/** The efforts of drivers: forces or moments, all in one unit. */
function drivesOf(report: RunReport, channels: Channels): string[] {
  const given = channels.names.filter((n) => channels.table(n) === "drives");
  const drivers = report.scene.joints.filter((j) => j.driver).flatMap((j) => {
    const body = report.scene.bodies[(j.j.body || j.i.body) - 1]?.name;
    return ["m", "mx", "my", "mz", "fx", "fy", "fz"].map((part) => `${j.name}.on_${body}.${part}`);
  });
  const all = (given.length ? given : drivers).filter((n) => channels.has(n));
  const sizes = all.map((n) => channels.get(n)!.values.reduce((a, v) => Math.max(a, Math.abs(v) || 0), 0));
  const acting = all.filter((_, k) => sizes[k] > 1e-6 * Math.max(...sizes));
  return acting.filter((n) => channels.unit(n) === channels.unit(acting[0])).slice(0, most);
}

/** The plots that the model asks for, as far as there are such channels. */
function wantedPlots(report: RunReport, channels: Channels): WantedPlot[] {
  const there = (plot: WantedPlot) => ({ title: plot.title, channels: plot.channels.filter((n) => channels.has(n)) });
  return (report.plots ?? []).map(there).filter((plot) => plot.channels.length);
}

export function firstChoice(report: RunReport, channels: Channels): WantedPlot[] {
  const wanted = wantedPlots(report, channels);
  return wanted.length ? wanted : usualPlots(report, channels).map((names) => ({ title: "", channels: names }));
}

function usualPlots(report: RunReport, channels: Channels): string[][] {
  const gaps = channels.names.filter((n) => channels.table(n) === "forces" && /\.(gap|eccentricity)$/.test(n)).slice(0, most);
  const energies = ["kinetic", "potential", "total"].filter((n) => channels.has(n));
  const forces = channels.names.filter((n) => channels.table(n) === "forces" && channels.unit(n) === "N").slice(0, most);
  const efforts = channels.names.filter((n) => n.endsWith(".effort") && channels.unit(n) === "N m").slice(0, most);
  const drives = efforts.length ? efforts : drivesOf(report, channels);
  const plots = [motionOf(report, channels), gaps, drives, reactionOf(report, channels), energies, forces, spinOf(report, channels)].filter((p) => p.length);
  if (!plots.length && channels.names.length) plots.push(channels.names.slice(0, 1));
  return plots.slice(0, 3);
}
