// A damper between two bodies.
import { quoted } from "../../toml/write";
import { twoPoints, type ToolKind } from "../tool";
import { tie } from "../tie";

export const tool: ToolKind = {
  id: "damper", title: "Damper", key: "d", order: 31, hint: "Drag from one body to another, or to a point beside all for the ground.",
  icon: "M10 2v6M6 8h8M5 6v8h10V6M10 14v4",
  make: (stage) => twoPoints(stage, tie(stage, "damper", [["damping", quoted("20 N s/m")]])),
};
