// Fixes points to the ground.
import { addGround, placeFor } from "../../model/draw";
import { onePoint, type ToolKind } from "../tool";

export const tool: ToolKind = {
  id: "ground", title: "Ground", key: "g", order: 20, hint: "Click a point that is to stand on the ground; what goes through it turns about it.",
  icon: "M10 3 5 11h10ZM3 11h14M5 11l-2 4M9 11l-2 4M13 11l-2 4M17 11l-2 4",
  make: (stage) => onePoint(stage, (at) => {
    stage.edit("put a point on the ground", (e) => {
      const place = placeFor(e, at);
      addGround(e, place);
      return { section: "places", name: place };
    });
  }),
};
