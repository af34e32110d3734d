// Runs that are kept, to be compared with the newest: in the plots, on the canvas, and in a table of their ends.
import { h, table } from "../../../web/src/dom";
import { number } from "../../../web/src/format";
import type { Context, Panel } from "../context";
import { playerOf, type Kept, type Run } from "../run/player";

/** The largest difference of each channel that both have, by the range of the channel; the largest first. */
export function differences(a: Run, b: Run, most = 12): { name: string; unit: string; largest: number; share: number; at: number }[] {
  const found = a.channels.names.filter((n) => b.channels.has(n) && a.channels.table(n) !== "violations").map((name) => {
    const [x, y] = [a.channels.shown(name)!, b.channels.get(name)!];
    const factor = a.channels.shownUnits[y.unit]?.factor ?? 1;
    const row = { name, unit: x.unit, largest: 0, share: 0, at: 0 };
    let [low, high] = [Infinity, -Infinity];
    let k = 0;
    for (let n = 0; n < x.times.length; ++n) {
      const t = x.times[n];
      if (t > y.times[y.times.length - 1]) break;
      while (k + 1 < y.times.length && y.times[k + 1] <= t) ++k;
      const next = Math.min(k + 1, y.times.length - 1);
      const share = next > k ? (t - y.times[k]) / (y.times[next] - y.times[k]) : 0;
      const value = factor * (y.values[k] * (1 - share) + y.values[next] * share);
      low = Math.min(low, x.values[n]);
      high = Math.max(high, x.values[n]);
      const d = Math.abs(value - x.values[n]);
      if (d > row.largest) (row.largest = d), (row.at = t);
    }
    row.share = high > low ? row.largest / (high - low) : 0;
    return row;
  });
  return found.filter((r) => r.share > 1e-6).sort((p, q) => q.share - p.share).slice(0, most);
}

function mount(host: HTMLElement, context: Context) {
  const player = playerOf(context);
  const list = h("div", { class: "kept-list" });
  const compared = h("div", {});

  const one = (kept: Kept) => h("div", { class: "row kept" },
    h("strong", {}, kept.name), h("span", { class: "soft" }, `${kept.run.report.summary.verdict.slice(0, 90)}`),
    h("button", { type: "button", class: "chip small", title: "the differences between this run and the newest", onclick: () => compare(kept) }, "Differences"),
    h("button", { type: "button", class: "chip small", title: "the model as it was for this run; undo brings the present one back", onclick: () => context.document.replace(kept.run.text, { origin: "runs", title: `back to ${kept.name}` }) }, "Its model"),
    h("button", { type: "button", class: "chip small", "aria-label": `remove ${kept.name}`, onclick: () => player.drop([kept]) }, "✕"));

  function compare(kept: Kept) {
    const run = player.run.value;
    if (!run) return;
    const rows = differences(run, kept.run);
    compared.replaceChildren(h("h3", {}, `The newest run and ${kept.name}`),
      rows.length ? table(["channel", "largest difference", "of its range", "at"], rows.map((r) => [r.name, `${number(r.largest, 4)} ${r.unit}`, `${number(100 * r.share, 3)} %`, `${number(r.at, 4)} s`]), [1, 2, 3])
        : h("p", { class: "soft" }, "They do not differ by more than a millionth of any channel."));
  }
  host.append(h("div", { class: "pad" },
    h("div", { class: "row" }, h("button", { type: "button", class: "chip", onclick: () => player.keepNewest() }, "Keep this run (K)")), list, compared));
  player.kept.follow((all) => list.replaceChildren(...(all.length ? all.map(one) : [h("p", { class: "soft" }, "Kept runs appear here, and faintly behind the newest one in the drawing and in the plots.")])));
}

export const panel: Panel = { id: "runs", title: "Compare", place: "below", order: 20, mount };
