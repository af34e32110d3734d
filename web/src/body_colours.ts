// The colours of curves: those of the bodies that they belong to, as in the drawing and in pictures of the program.
import type { Scene } from "./data";

/** A number of the palette, or a colour that the model gives. */
export type Colour = number | string;

export interface CurveStyle {
  colour: Colour;
  dash?: number[];
}

export const cssColour = (colour: Colour) => (typeof colour === "number" ? `var(--series-${colour % 12})` : colour);

const dashes: (number[] | undefined)[] = [undefined, [7, 4], [2, 3], [9, 3, 2, 3]];

/** The beginnings of the names of channels that belong to a body: its own, those of its points, what joints do to it. */
function beginnings(scene: Scene): Map<string, number> {
  const found = new Map<string, number>();
  scene.bodies.forEach((body, k) => {
    found.set(`${body.name}.`, k);
    for (const joint of scene.joints) found.set(`${joint.name}.on_${body.name}.`, k);
  });
  for (const p of scene.points) if (p.body > 0) found.set(`${p.name}.`, p.body - 1);
  return found;
}

/** Which body a channel belongs to, counted from 0; undefined if to none. */
export function bodyOfChannel(scene: Scene): (name: string) => number | undefined {
  const known = beginnings(scene);
  return (name) => {
    for (let end = name.lastIndexOf("."); end >= 0; end = name.lastIndexOf(".", end - 1)) {
      const body = known.get(name.slice(0, end + 1));
      if (body !== undefined) return body;
      if (end === 0) break;
    }
    return undefined;
  };
}

/** One style for each channel of a plot, no two alike: the colour of the body, dashes for its second and third channel;
 *  what belongs to no body takes the colours that are left. */
export function curveStyles(names: string[], scene: Scene, bodyOf = bodyOfChannel(scene)): CurveStyle[] {
  const bodies = names.map(bodyOf);
  const taken = new Set(bodies.filter((b) => b !== undefined).map((b) => b % 12));
  const times = new Map<number, number>();
  let free = 0;
  return bodies.map((body) => {
    if (body === undefined) {
      while (taken.has(free % 12) && free < 12) ++free;
      return { colour: free++ % 12 };
    }
    const before = times.get(body) ?? 0;
    times.set(body, before + 1);
    return { colour: scene.bodies[body].colour ?? body, dash: dashes[before % dashes.length] };
  });
}
