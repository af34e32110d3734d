// Play, step, scrub and speed of the newest run.
import { h } from "../../../web/src/dom";
import { nextSpeed, transport } from "../../../web/src/transport";
import type { Context, Panel } from "../context";
import { overlaysOf } from "../run/overlays";
import { playerOf } from "../run/player";

function mount(host: HTMLElement, context: Context) {
  const player = playerOf(context);
  const { clock } = player;
  overlaysOf(context);
  const moves = () => clock.rows > 1;
  context.commands.add(
    { id: "play", title: "Play, pause", keys: ["Space"], run: () => clock.toggle(), enabled: moves },
    { id: "rewind", title: "Back to the start", keys: ["Home"], run: () => player.rewind() },
    { id: "last-row", title: "To the end", keys: ["End"], run: () => clock.step(clock.rows), enabled: moves },
    { id: "row-back", title: "One row back", keys: [","], run: () => clock.step(-1), enabled: moves },
    { id: "row-on", title: "One row on", keys: ["."], run: () => clock.step(1), enabled: moves },
    { id: "keep-run", title: "Keep this run to compare", keys: ["k"], run: () => player.keepNewest() },
    { id: "slower", title: "Slower", keys: ["["], run: () => clock.setSpeed(nextSpeed(clock.speed, -1)) },
    { id: "faster", title: "Faster", keys: ["]"], run: () => clock.setSpeed(nextSpeed(clock.speed, 1)) });
  const edit = h("button", { type: "button", class: "chip", title: "back to the start, where the model is edited (Home)", onclick: () => player.rewind() }, "Edit");
  const share = h("progress", { max: 1, "aria-label": "share of the run that is done" });
  const bar = transport(clock, () => context.commands.run("fit"), undefined, false);
  bar.append(edit, share);
  host.append(bar);
  context.shown.follow((shown) => (edit.hidden = !shown));
  // A model in space is shown in space, one in the plane on the canvas.
  context.checked.watch((now, before) => {
    const dim = now?.answer.model?.dim;
    if (dim && dim !== before?.answer.model?.dim) context.show(dim === 3 ? "space" : "canvas");
  });
  context.progress.follow((now) => {
    share.hidden = now === undefined;
    share.value = now ?? 0;
  });
}

export const panel: Panel = { id: "transport", title: "Play", place: "transport", order: 0, mount };
