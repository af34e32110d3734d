// What the program says of the run: verdict with digits, events, extremes, reactions, energies; as in the report.
import { Clock } from "../../../web/src/clock";
import { h } from "../../../web/src/dom";
import { notices, summary } from "../../../web/src/summary";
import type { Context, Panel } from "../context";
import { playerOf } from "../run/player";

function mount(host: HTMLElement, context: Context) {
  const player = playerOf(context);
  const state = h("div", { role: "status" });
  const body = h("div", { class: "results" });
  host.append(state, body);
  // The summary listens to a clock as long as it lives; each run has one of its own, which goes with that of the player.
  let local = new Clock(new Float64Array());
  let following = false;
  player.clock.onChange((clock) => {
    following = true;
    local.toRow(clock.row);
    following = false;
  });
  function show() {
    const run = player.run.value;
    const own = (local = new Clock(run?.motion.times ?? new Float64Array()));
    own.toRow(player.clock.row);
    own.onChange(() => own === local && !following && player.clock.toTime(own.t));
    if (!run) return body.replaceChildren(h("p", { class: "note" }, "The model has not run yet."));
    const warnings = notices(run.report);
    body.replaceChildren(...(warnings ? [warnings] : []), summary({ ...run.report, model: null }, run.channels, own));
  }
  player.run.follow(show);
  player.judged.watch(() => {
    const { scrollTop } = host;
    show();
    host.scrollTop = scrollTop;
  });
  context.ran.follow((ran) => state.replaceChildren(
    ...(ran?.fault ? [h("p", { class: "warn" }, ran.fault)] : []),
    ...(ran?.estimating ? [h("p", { class: "note" }, "The digits that can be trusted are being found: the motion is computed once more.")] : [])));
}

export const panel: Panel = { id: "verdict", title: "Verdict", place: "below", order: 10, mount };
