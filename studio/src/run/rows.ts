// How close the rows of a run lie, so that plots of short or fast motions are smooth.
import { findSlot, parseToml } from "../toml/tree";
import { literal } from "../model/units";

const enough = 120; // the motion itself is smooth between rows, and each row takes time
const times: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, min: 60, h: 3600 };

/** A whole part of the step between rows that the model writes, so that its rows are among them; nothing if they are many
 *  enough, or if the step is left out or a formula. */
export function fineStep(text: string, duration: number): number | undefined {
  try {
    const step = literal(findSlot(parseToml(text), ["output", "step"])?.node, times)?.value;
    if (!step || !(step > 0) || !(duration > step)) return undefined;
    const parts = Math.ceil(enough / (duration / step));
    return parts > 1 ? step / parts : undefined;
  } catch {
    return undefined; // the text is being typed
  }
}
