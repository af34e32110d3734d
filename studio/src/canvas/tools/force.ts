// A force on a body.
import { addForce, placeFor } from "../../model/draw";
import { bodyAt } from "../geometry";
import { twoPoints, type ToolKind } from "../tool";

const newtons = 10;

export const tool: ToolKind = {
  id: "force", title: "Force", key: "f", order: 33, hint: "Drag from a point of a body in the direction of the force; change its size in the properties.",
  icon: "M4 16 15 5M8.5 4.5H15.5V11.5",
  make: (stage) => twoPoints(stage, (from, to) => {
    const [dx, dy] = [to.at[0] - from.at[0], to.at[1] - from.at[1]];
    const length = Math.hypot(dx, dy);
    const now = stage.now();
    const body = bodyAt(now, from.at, 6 / stage.camera.scale);
    const name = body ? now.scene.bodies[body - 1].name : undefined;
    let made: string | undefined;
    stage.edit("add a force", (e) => {
      if (from.place === undefined && name === undefined) return;
      made = addForce(e, placeFor(e, from), [(newtons * dx) / length, (newtons * dy) / length], name);
      return made === undefined ? false : { section: "forces", name: made };
    });
    if (made === undefined) stage.context.say("Begin at a body that moves.");
  }, (pen, from, to) => stage.drawArrow(pen, from, to)),
};
