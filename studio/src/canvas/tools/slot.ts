// A pin that runs in a straight slot, of the ground or of another body.
import { addSlot } from "../../model/draw";
import { bodyAt } from "../geometry";
import { twoPoints, type ToolKind } from "../tool";

export const tool: ToolKind = {
  id: "slot", title: "Slot", key: "t", order: 23, hint: "Drag from the pin, a point of a body, along the slot; let go on the body that has the slot, or beside all for the ground.",
  icon: "M5 7h10a3 3 0 0 1 0 6H5a3 3 0 0 1 0-6ZM8 8.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z",
  make: (stage) => twoPoints(stage, (from, to, touch) => {
    const { place } = from;
    if (place === undefined) return stage.context.say("Begin at a point that belongs to a body.");
    const now = stage.now();
    const body = bodyAt(now, touch.at, stage.reach(touch));
    const slotted = body ? now.scene.bodies[body - 1].name : "ground";
    const [dx, dy] = [to.at[0] - from.at[0], to.at[1] - from.at[1]];
    const length = Math.hypot(dx, dy);
    let made: string | undefined;
    stage.edit("add a slot", (e) => {
      made = addSlot(e, place, [dx / length, dy / length], slotted);
      return made === undefined ? undefined : { section: "joints", name: made };
    });
    if (made === undefined) stage.context.say(`No body but ${slotted} goes through ${place}: the pin of a slot belongs to another body.`);
  }, (pen, from, to) => stage.drawArrow(pen, from, to)),
};
