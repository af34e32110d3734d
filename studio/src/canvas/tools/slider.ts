// A block that slides on the ground.
import { addSlider, placeFor } from "../../model/draw";
import { twoPoints, type ToolKind } from "../tool";

export const tool: ToolKind = {
  id: "slider", title: "Slider", key: "s", order: 22, hint: "Drag from a point along the direction in which it is to slide on the ground.",
  icon: "M6 5h8v6H6ZM2 14h16M4 14l-2 3M8 14l-2 3M12 14l-2 3M16 14l-2 3",
  make: (stage) => twoPoints(stage, (from, to) => {
    const [dx, dy] = [to.at[0] - from.at[0], to.at[1] - from.at[1]];
    const length = Math.hypot(dx, dy);
    stage.edit("add a slider", (e) => {
      const place = placeFor(e, from);
      return { section: "bodies", name: addSlider(e, place, [dx / length, dy / length], roundSize(stage.grid().line)) };
    });
  }, (pen, from, to) => stage.drawArrow(pen, from, to)),
};

/** A block of a size that goes with the grid. */
const roundSize = (line: number) => Number((0.5 * line).toPrecision(6));
