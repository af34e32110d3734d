// What the program says of the run: verdict with digits, events, extremes, reactions, energies; as in the report.
import { Clock } from "../../../web/src/clock";
import { h } from "../../../web/src/dom";
import { notices, summary } from "../../../web/src/summary";
import type { Context, Panel } from "../context";
import { playerOf } from "../run/player";

function mount(host: HTMLElement, context: Context) {
  const player = playerOf(context);
  // The summary listens to a clock as long as it lives; each run has one of its own, which goes with that of the player.
  let local = new Clock(new Float64Array());
  let following = false;
  player.clock.onChange((clock) => {
    following = true;
    local.toRow(clock.row);
    following = false;
  });
  player.run.follow((run) => {
    const own = (local = new Clock(run?.motion.times ?? new Float64Array()));
    own.onChange(() => own === local && !following && player.clock.toTime(own.t));
    if (!run) return host.replaceChildren(h("p", { class: "note" }, "The model has not run yet."));
    const warnings = notices(run.report);
    host.replaceChildren(...(warnings ? [warnings] : []), summary({ ...run.report, model: null }, run.channels, own));
  });
  context.ran.watch((ran) => ran?.fault && host.prepend(h("p", { class: "warn", role: "status" }, ran.fault)));
}

export const panel: Panel = { id: "verdict", title: "Verdict", place: "below", order: 10, mount };
