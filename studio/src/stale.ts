// Results of an earlier model say so, until those of the present one are there.
import { h } from "../../web/src/dom";
import type { Context } from "./context";
import { playerOf } from "./run/player";

/** Most runs are there sooner, so that nothing flickers [ms]. */
const patience = 300;

/** Why there are no results of the present text. */
function reason({ checked, document: model, ran }: Context): string {
  const answer = checked.value?.text === model.text ? checked.value.answer : undefined;
  if (answer?.errors.length) return "this one has a mistake";
  if (answer && !answer.ok) return "this one cannot be run";
  return ran.value?.text === model.text && ran.value.fault ? "the run of this one failed" : "this one is being run";
}

/** Dims what is shown of runs of an earlier text, and says why it is still there. */
export function markStale(context: Context) {
  const { run } = playerOf(context);
  const note = h("p", { class: "stale-note", role: "status" });
  document.querySelector(".place.below")?.append(note);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function mark(on: boolean) {
    document.body.classList.toggle("stale", on);
    note.textContent = on ? `Of an earlier model: ${reason(context)}.` : "";
  }
  function renew() {
    const stale = run.value !== undefined && run.value.text !== context.document.text;
    if (!stale) {
      clearTimeout(timer);
      timer = undefined;
      mark(false);
    } else if (document.body.classList.contains("stale")) mark(true);
    else timer ??= setTimeout(() => {
      timer = undefined;
      mark(true);
    }, patience);
    document.body.classList.toggle("moving", context.shown.value !== undefined);
  }
  context.document.subscribe(renew);
  for (const signal of [context.checked, context.ran, context.shown, run]) (signal as { watch(listener: () => void): void }).watch(renew);
}
