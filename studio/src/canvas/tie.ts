// What stretches from a point of one body to a point of another.
import { addGround, addSpring, placeFor } from "../model/draw";
import { bodiesAt } from "../model/sketch";
import { bodyAt } from "./geometry";
import type { Snapped } from "./snap";
import type { Stage } from "./stage";

/** Finishes a tool that draws one; ends on nothing are on the ground. */
export function tie(stage: Stage, word: string, values: readonly (readonly [string, string])[]) {
  return (from: Snapped, to: Snapped) => {
    const now = stage.now();
    const bodyOf = (at: Snapped) => {
      const body = bodyAt(now, at.at, 6 / stage.camera.scale);
      return body ? now.scene.bodies[body - 1].name : undefined;
    };
    const on = { a: bodyOf(from), b: bodyOf(to) };
    let made: string | undefined;
    stage.edit(`add a ${word}`, (e) => {
      const [a, b] = [placeFor(e, from), placeFor(e, to)];
      for (const [place, body] of [[a, on.a], [b, on.b]]) if (!body && !bodiesAt(e.toml, place!).through.length && !bodiesAt(e.toml, place!).shaped.length) addGround(e, place!);
      made = addSpring(e, a, b, values, word, on);
      return made === undefined ? false : { section: "forces", name: made };
    });
    if (made === undefined) stage.context.say(`A ${word} needs two different bodies, one of which may be the ground.`);
  };
}
