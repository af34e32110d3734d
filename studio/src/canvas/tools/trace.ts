// A point of a body whose path is drawn.
import { addTracer, placeFor } from "../../model/draw";
import { bodyAt } from "../geometry";
import { onePoint, type ToolKind } from "../tool";

export const tool: ToolKind = {
  id: "trace", title: "Trace", key: "c", order: 34, hint: "Click a point of a body, or beside the selected body, to see its path.",
  icon: "M3 14c3-9 7 4 9-4 .8-3 3-4 5-3M10 12a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z",
  make: (stage) => onePoint(stage, (at, touch) => {
    const now = stage.now();
    const under = bodyAt(now, touch.at, stage.reach(touch));
    const selected = stage.context.selection.value.find((i) => i.section === "bodies" && i.name !== "ground")?.name;
    const name = under ? now.scene.bodies[under - 1].name : at.place === undefined ? selected : undefined;
    let made: string | undefined;
    stage.edit("trace a point", (e) => {
      if (at.place === undefined && name === undefined) return;
      made = addTracer(e, placeFor(e, at), name);
      return made === undefined ? false : { section: "points", name: made };
    });
    if (made === undefined) stage.context.say("Click a body, or select one first and then click where its point is.");
  }),
};
