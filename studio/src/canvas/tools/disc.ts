// Draws a disc: its centre, then its radius.
import { addDisc, placeFor } from "../../model/draw";
import { twoPoints, type ToolKind } from "../tool";

export const tool: ToolKind = {
  id: "disc", title: "Disc", key: "o", order: 12, hint: "Drag from the centre outwards; the length is the radius.",
  icon: "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14ZM10 9a1 1 0 1 1 0 2 1 1 0 0 1 0-2Z",
  make: (stage) => twoPoints(stage, (from, to) => {
    stage.edit("draw a disc", (e) => ({ section: "bodies", name: addDisc(e, placeFor(e, from), Math.hypot(to.at[0] - from.at[0], to.at[1] - from.at[1])) }));
  }, ({ c, colours }, from, to) => {
    const [[x, y], [px, py]] = [stage.camera.toPixels(from), stage.camera.toPixels(to)];
    c.strokeStyle = colours.accent;
    c.lineWidth = 2;
    c.beginPath();
    c.arc(x, y, Math.hypot(px - x, py - y), 0, 2 * Math.PI);
    c.stroke();
  }),
};
