// After each edit the model is checked and run; what takes long for an older text is cancelled.
import type { Checked, Mubody, Running, RunResult } from "../../wasm/interface";
import type { Context } from "./context";
import { fineStep } from "./run/rows";
import type { RanText } from "./solver";

/** A run that is shorter is let go on, for to stop one is to begin a new worker [ms]. */
const patience = 150;

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function followText(context: Context) {
  const { document: model, checked, ran, progress } = context;
  let round = 0;
  let checking: Promise<Checked> | undefined;
  let running: { run: Running<RunResult>; ended: Promise<void>; since: number } | undefined;

  /** Waits for the end of the run before, for a while. */
  async function makeWay() {
    if (!running) return;
    const { run, ended, since } = running;
    await Promise.race([ended, pause(Math.max(0, patience - (performance.now() - since)))]);
    run.cancel();
    await ended;
  }

  async function renew(library: Mubody) {
    const mine = ++round;
    // One check at a time: of edits that come faster, only the newest is looked at.
    await checking?.catch(() => undefined);
    if (mine !== round) return;
    const { text } = model;
    const source = { text, files: context.files.value };
    checking = library.check(source);
    const answer = await checking;
    checked.set({ text, answer });
    if (mine !== round || !answer.ok) return;
    await makeWay();
    if (mine !== round) return;
    progress.set(0);
    const { start = 0, end = 0 } = answer.model?.analysis ?? {};
    const run = library.run(source, { step: fineStep(text, end - start) }, (share) => mine === round && progress.set(share));
    const outcome = run.result.then((result): RanText => ({ text, result, report: result.report ?? undefined }), (e): RanText => ({ text, fault: wordsOf(e) }));
    running = { run, ended: outcome.then(() => undefined), since: performance.now() };
    const newest = await outcome;
    if (mine !== round) return;
    running = undefined;
    progress.set(undefined);
    ran.set(newest);
  }

  context.library.then((library) => {
    const later = () => renew(library).catch((error) => context.say(`The solver stopped: ${wordsOf(error)}`));
    model.subscribe(later);
    context.files.watch(later);
    void later();
  }, (error) => context.say(wordsOf(error)));
}
