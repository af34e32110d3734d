// Another model takes the place of the present one: an example, a template, that of a link or of a file.
import type { Files } from "../../wasm/interface";
import type { Context } from "./context";
import { playerOf } from "./run/player";

/** The files that belong to the texts between which the page has changed, for undo brings back texts alone. */
const filesOf = new WeakMap<Context, Map<string, Files>>();

function remembered(context: Context): Map<string, Files> {
  let known = filesOf.get(context);
  if (known) return known;
  filesOf.set(context, (known = new Map()));
  context.document.subscribe(({ origin, after }) => {
    const files = origin === "undo" || origin === "redo" ? known.get(after) : undefined;
    if (files) context.files.set(files);
  });
  return known;
}

/** Opens a model; undo brings the one before back.  Runs of that, and what is kept of them, are no longer shown. */
export function openModel(context: Context, text: string, files: Files, title: string) {
  const known = remembered(context);
  const { document: model } = context;
  known.set(model.text, context.files.value);
  playerOf(context).forget();
  context.files.set(files);
  context.selection.set([]);
  model.replace(text, { origin: "load", title });
  known.set(model.text, files);
}

const isModel = ({ name }: File) => /\.toml$/i.test(name);

/** Files of a person: a model with the files that it reads, or files alone, for the model that is there. */
export async function openFiles(context: Context, chosen: readonly File[]) {
  const model = chosen.find((f) => f.name === "model.toml") ?? chosen.find(isModel);
  const others = chosen.filter((f) => f !== model);
  const files: Files = Object.fromEntries(await Promise.all(others.map(async (f) => [f.name, new Uint8Array(await f.arrayBuffer())] as const)));
  const named = others.map((f) => f.name).join(", ");
  if (!model) {
    context.files.set({ ...context.files.value, ...files });
    return context.say(`The model can read ${named} now.`);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await model.arrayBuffer());
  } catch {
    return context.say(`${model.name} is no text in UTF-8, as models are.`);
  }
  openModel(context, text, files, `open ${model.name}`);
  context.say(`${model.name} is opened${named ? `, with ${named}` : ""}; undo brings the model before back.`);
}
