// A spring between two bodies.
import { quoted } from "../../toml/write";
import { twoPoints, type ToolKind } from "../tool";
import { tie } from "../tie";

export const tool: ToolKind = {
  id: "spring", title: "Spring", key: "n", order: 30, hint: "Drag from one body to another, or to a point beside all for the ground.",
  icon: "M10 2v2l4 1.5-8 2.5 8 2.5-8 2.5 8 2.5-4 1.5V18",
  make: (stage) => twoPoints(stage, tie(stage, "spring", [["stiffness", quoted("200 N/m")], ["damping", quoted("0.5 N s/m")]])),
};
