// A motor at a pin, which turns evenly.
import { addMotor } from "../../model/draw";
import { onePoint, type ToolKind } from "../tool";

export const tool: ToolKind = {
  id: "motor", title: "Motor", key: "m", order: 32, hint: "Click a pin that is to be turned evenly.",
  icon: "M10 4a6 6 0 1 1-5.6 3.9M4 4v4.2h4.2",
  make: (stage) => onePoint(stage, ({ place }) => {
    let made: string | undefined;
    if (place !== undefined)
      stage.edit("add a motor", (e) => {
        made = addMotor(e, place, "30 rpm");
        return made === undefined ? undefined : { section: "drivers", name: made };
      });
    if (made === undefined) stage.context.say("A motor stands at a pin: two bodies, one of which may be the ground, have to meet in the point.");
  }),
};
