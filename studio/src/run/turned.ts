// What handles of the view in space write into the text: where a body stands and how it is turned.
import type { Edit } from "../document";
import { setValue } from "../toml/edits";
import { findTable, parseToml } from "../toml/tree";
import { arrayText, numberText, tableText } from "../toml/write";

const vector = (v: readonly number[]) => arrayText(v.map((x) => numberText(Math.abs(x) < 1e-12 ? 0 : x, 6)));

/** Why a handle cannot move a body; nothing if it can. */
export function whyNot(text: string, body: string): string | undefined {
  const table = findTable(parseToml(text), ["bodies", body]);
  if (!table) return `${body} is not written under [bodies] of this file`;
  if (table.names.includes("through")) return `${body} goes through places: move those, in the text`;
  return undefined;
}

export const movedBody = (text: string, body: string, position: readonly number[]): Edit[] => setValue(parseToml(text), ["bodies", body, "position"], vector(position));

/** The orientation of a body or of a marker, at a path; the quaternion has its scalar first. */
export const turned = (text: string, path: readonly string[], e: readonly number[]): Edit[] => {
  const sign = e[0] < 0 ? -1 : 1;
  return setValue(parseToml(text), [...path, "orientation"], tableText([["quaternion", vector(e.map((v) => sign * v))]]));
};

/** A named marker of the model, or the origin of one at an end of a joint: `path` leads to its table. */
export const movedMarker = (text: string, path: readonly string[], at: readonly number[]): Edit[] => setValue(parseToml(text), [...path, "at"], vector(at));
