// What is typed into fields is tried before it is written.
import type { Context } from "../context";
import { Editing } from "./editing";

/** Why the program would refuse a change; nothing if it takes it, or if the text has mistakes already and is being mended. */
export async function refusal({ checked, document: model, files, library }: Context, change: (e: Editing) => void): Promise<string | undefined> {
  const now = checked.value;
  if (now?.text === model.text && now.answer.errors.length) return undefined;
  const editing = new Editing(model.text);
  change(editing);
  try {
    return (await (await library).check({ text: editing.text, files: files.value })).errors[0]?.message;
  } catch {
    return undefined; // a page without the solver edits all the same
  }
}
