// The library in its worker, and what the studio knows of a text.
import type { Checked, Mubody, RunResult } from "../../wasm/interface";
import type { RunReport } from "../../web/src/data";

/** The answer of the program about a text. */
export interface CheckedText {
  text: string;
  answer: Checked;
}

const isBody = (path: string) => /^bodies\.(?!ground(\.|$))/.test(path);

/** Whether there is a body yet, or something else is wrong than that there is none: every drawing begins without. */
export const isBegun = ({ errors, places }: Checked) => errors.length !== 1 || errors[0].line !== 0 || Object.keys(places).some(isBody);

/** A run of a text, or why there is none. */
export interface RanText {
  text: string;
  result?: RunResult;
  report?: RunReport;
  fault?: string;
  /** Whether the digits that can be trusted are still being found; the same run comes again with them. */
  estimating?: boolean;
}

/** The library, as soon as it is there; rejected where the page was built without it. */
export type Library = Promise<Mubody>;
