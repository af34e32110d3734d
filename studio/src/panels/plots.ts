// Plots of any channels over time, as in the report; they stay when the model is run anew, and are chosen anew for another one.
import { h } from "../../../web/src/dom";
import { Plots } from "../../../web/src/plots";
import { unitSwitches } from "../../../web/src/units";
import { valuesPanel } from "../../../web/src/values";
import type { Context, Panel } from "../context";
import { isAnother } from "../document";
import { playerOf, type Run } from "../run/player";

function mount(host: HTMLElement, context: Context) {
  const player = playerOf(context);
  // Each analysis has plots of its own: the channels of one are not those of another.  As long as nobody has chosen any, they
  // are chosen anew for a mechanism with other parts.
  const all = new Map<string, Plots>();
  let plots: Plots | undefined;
  let switches: HTMLElement[] = [];
  const note = h("p", { class: "note" }, "Plots appear here as soon as the model runs.");

  function take(run: Run) {
    plots = undefined;
    if (run.motion.times.length < 2) return host.replaceChildren(valuesPanel(run.channels));
    const { analysis } = run.report.summary;
    plots = all.get(analysis);
    if (plots && !plots.chosen && plots.channels.names.join() !== run.channels.names.join()) plots.clear();
    if (plots) plots.take(run.channels, run.report.scene, run.plots);
    else all.set(analysis, (plots = new Plots(run.channels, player.clock, run.plots(), run.report.scene)));
    host.replaceChildren(plots.element);
    for (const s of switches) s.remove();
    switches = unitSwitches(run.report.switches ?? [], run.channels);
    plots.element.querySelector(".panel-head")?.append(...switches);
    plots.lay(player.kept.value);
  }
  context.document.subscribe((change) => isAnother(change) && all.forEach((plots) => plots.clear()));
  player.run.follow((run) => (run ? take(run) : host.replaceChildren(note)));
  player.kept.watch((kept) => plots?.lay(kept));
}

export const panel: Panel = { id: "plots", title: "Plots", place: "below", order: 0, mount };
