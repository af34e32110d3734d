// Draws a plate with three or more corners.
import { addBody, placeFor } from "../../model/draw";
import { isStraight } from "../../model/masses";
import type { Snapped } from "../snap";
import type { ToolKind } from "../tool";

export const tool: ToolKind = {
  id: "plate", title: "Plate", key: "p", order: 11, hint: "Click three or more corners; click the last one again, or press Enter, to finish.",
  icon: "M3 16 17 16 8 4Z",
  make(stage) {
    let corners: Snapped[] = [];
    let next: Snapped | undefined;
    const finish = () => {
      const all = corners;
      corners = [];
      if (all.length < 2) return;
      let straight = false;
      stage.edit("draw a plate", (e) => {
        const places = [...new Set(all.map((c) => placeFor(e, c)))];
        straight = isStraight(e, places);
        return { section: "bodies", name: addBody(e, places) };
      });
      if (straight) stage.context.say("These points lie on a line, so that a plate over them has no area: it is a rod through all of them.");
    };
    const add = (corner: Snapped) => {
      const last = corners.at(-1);
      const near = (c: Snapped | undefined) => c && Math.hypot(c.at[0] - corner.at[0], c.at[1] - corner.at[1]) * stage.camera.scale < 8;
      if (near(last) || (corners.length > 2 && near(corners[0]))) finish();
      else corners.push(corner);
      stage.redraw();
    };
    return {
      move(touch) {
        next = stage.snap(touch, { from: corners.at(-1)?.at });
        stage.redraw();
      },
      up: (touch) => add(stage.snap(touch, { from: corners.at(-1)?.at })),
      draw(pen) {
        if (next) stage.drawSnap(pen, next);
        const points = [...corners, ...(next && corners.length ? [next] : [])].map((c) => c.at);
        if (points.length > 1) {
          stage.drawBar(pen, points, points.length > 2);
          stage.drawDimension(pen, points.at(-2)!, points.at(-1)!);
        }
      },
      anchor: () => corners.at(-1)?.at,
      typed: (at) => add({ at, why: "" }),
      done: finish,
      cancel() {
        const was = corners.length > 0;
        corners = [];
        stage.redraw();
        return was;
      },
    };
  },
};
