// Places points.
import { addPlace } from "../../model/draw";
import { onePoint, type ToolKind } from "../tool";

export const tool: ToolKind = {
  id: "point", title: "Point", key: "x", order: 13, hint: "Click where a point is to be; links and pins can use it.",
  icon: "M10 8a2 2 0 1 1 0 4 2 2 0 0 1 0-4ZM10 2v4M10 14v4M2 10h4M14 10h4",
  make: (stage) => onePoint(stage, (at) => {
    if (at.place === undefined) stage.edit("place a point", (e) => ({ section: "places", name: addPlace(e, at.at) }));
  }),
};
