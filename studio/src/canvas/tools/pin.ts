// Pins bodies that meet in a point.
import { joinAt } from "../../model/draw";
import { bodyAt } from "../geometry";
import { onePoint, type ToolKind } from "../tool";

export const tool: ToolKind = {
  id: "pin", title: "Pin", key: "i", order: 21, hint: "Click a point where bodies meet; a body under the point is joined too.",
  icon: "M10 5a5 5 0 1 1 0 10 5 5 0 0 1 0-10ZM10 8.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z",
  make: (stage) => onePoint(stage, ({ place }, touch) => {
    if (place === undefined) return stage.context.say("A pin stands at a point; place one with the tool Point, or begin a rod there.");
    const now = stage.now();
    const under = bodyAt(now, touch.at, stage.reach(touch));
    const done = stage.edit("add a pin", (e) => joinAt(e, place, under ? now.scene.bodies[under - 1].name : undefined));
    if (!done) stage.context.say("There is nothing more to join: two bodies have to meet in the point, and a pin may be there already.");
  }),
};
