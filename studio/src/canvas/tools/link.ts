// Draws a rod between two points.
import { addBody, placeFor } from "../../model/draw";
import { twoPoints, type ToolKind } from "../tool";

export const tool: ToolKind = {
  id: "link", title: "Rod", key: "r", order: 10, hint: "Drag from one point to another, or click both. Type a length (and @ angle) while you draw. Rods that meet in a point are pinned there.",
  icon: "M4 16 16 4M6.2 16a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0ZM18.2 4a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0Z",
  make: (stage) => twoPoints(stage, (from, to) => {
    stage.edit("draw a rod", (e) => {
      const a = placeFor(e, from);
      return { section: "bodies", name: addBody(e, [a, placeFor(e, to)]) };
    });
  }),
};
