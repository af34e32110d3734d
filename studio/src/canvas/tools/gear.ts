// Two wheels that roll on each other.
import { addGear, placeFor } from "../../model/draw";
import { twoPoints, type ToolKind } from "../tool";

export const tool: ToolKind = {
  id: "gear", title: "Gears", key: "e", order: 24, hint: "Drag from the centre of one wheel to that of the other; change the radii in the properties.",
  icon: "M7 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM14.5 9.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM7 2v2M7 12v2M1 8h2M11 8h1",
  make: (stage) => twoPoints(stage, (from, to) => {
    stage.edit("add gears", (e) => {
      const a = placeFor(e, from);
      const b = placeFor(e, to);
      return { section: "joints", name: addGear(e, a, b, Math.hypot(to.at[0] - from.at[0], to.at[1] - from.at[1])) };
    });
  }),
};
