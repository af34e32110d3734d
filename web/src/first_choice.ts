// What the plots show before anyone has asked: the motion, the largest reaction, the energies.
import type { Channels, RunReport } from "./data";

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
  // The coordinates that vary of the point or body that goes furthest.
  let best: string[] = [];
  let furthest = -1;
  for (const { name } of [...report.scene.points, ...report.scene.bodies].slice(0, 100)) {
    const names = there(["x", "y", "z"].map((a) => `${name}.${a}`));
    const most = Math.max(...names.map((n) => rangeOf(channels.get(n)!.values)));
    if (names.length && most > 1.001 * furthest) [best, furthest] = [varying(names, channels), most];
  }
  return best;
}

/** Without those that hardly change, as long as one does. */
function varying(names: string[], channels: Channels): string[] {
  const ranges = names.map((n) => rangeOf(channels.get(n)!.values));
  return names.filter((_, k) => ranges[k] >= 0.02 * Math.max(...ranges));
}

function rangeOf(values: Float32Array): number {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) if (Number.isFinite(v)) [low, high] = [Math.min(low, v), Math.max(high, v)];
  return high >= low ? high - low : 0;
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

export function firstChoice(report: RunReport, channels: Channels): string[][] {
  const gaps = channels.names.filter((n) => channels.table(n) === "forces" && /\.(gap|eccentricity)$/.test(n)).slice(0, most);
  const energies = ["kinetic", "potential", "total"].filter((n) => channels.has(n));
  const forces = channels.names.filter((n) => channels.table(n) === "forces" && channels.unit(n) === "N").slice(0, most);
  const plots = [motionOf(report, channels), gaps, reactionOf(report, channels), energies, forces].filter((p) => p.length);
  if (!plots.length && channels.names.length) plots.push(channels.names.slice(0, 1));
  return plots.slice(0, 3);
}
