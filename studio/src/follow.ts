// After each edit the model is checked and run, and then once more for its digits; what takes long for an older text is
// cancelled.
import type { Checked, Mubody, Running, RunOptions, RunResult, Source } from "../../wasm/interface";
import type { Context } from "./context";
import { fineStep } from "./run/rows";
import type { RanText } from "./solver";

/** A run that is shorter is let go on, for to stop one is to begin a new worker [ms]. */
const patience = 150;
/** Digits are looked for as soon as nobody has edited for so long [ms]. */
const calm = 400;

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface Ongoing {
  run: Running<RunResult>;
  ended: Promise<void>;
  since: number;
}

export function followText(context: Context) {
  const { document: model, checked, ran, progress } = context;
  let round = 0;
  let checking: Promise<Checked> | undefined;
  let running: Ongoing | undefined;
  let estimate: Running<RunResult> | undefined;

  /** Waits for the end of the run before, for a while. */
  async function makeWay() {
    if (!running) return;
    const { run, ended, since } = running;
    await Promise.race([ended, pause(Math.max(0, patience - (performance.now() - since)))]);
    run.cancel();
    await ended;
  }

  /** The run of a text, or why there is none; the bar of progress goes with it. */
  async function outcomeOf(library: Mubody, source: Source, options: RunOptions, mine: number): Promise<RanText> {
    const { text } = source;
    progress.set(0);
    const run = library.run(source, options, (share) => mine === round && progress.set(share));
    const outcome = run.result.then(
      (result): RanText => ({ text, result, report: result.report ?? undefined, estimating: result.report !== null && !result.summary.accuracy }),
      (e): RanText => ({ text, fault: wordsOf(e) }));
    const ongoing = (running = { run, ended: outcome.then(() => undefined), since: performance.now() });
    await outcome;
    if (running === ongoing) {
      running = undefined;
      progress.set(undefined);
    }
    return outcome;
  }

  /** Finds the digits of a run that is shown already. */
  async function judge(library: Mubody, source: Source, options: RunOptions, shown: RanText, mine: number) {
    await pause(calm);
    if (mine !== round) return;
    estimate = library.run(source, { ...options, estimate: true, bare: true });
    const judged = await estimate.result.catch(() => undefined);
    if (mine !== round) return;
    const { result, report } = shown;
    if (!judged || !result || !report) return ran.set({ ...shown, estimating: false });
    const { summary, trusted, verdict, digits } = judged;
    ran.set({ ...shown, result: { ...result, summary, trusted, verdict, digits }, report: { ...report, summary }, estimating: false });
  }

  async function renew(library: Mubody) {
    const mine = ++round;
    estimate?.cancel();
    // One check at a time: of edits that come faster, only the newest is looked at.
    await checking?.catch(() => undefined);
    if (mine !== round) return;
    const { text } = model;
    const source = { text, files: context.files.value };
    checking = library.check(source);
    const answer = await checking;
    checked.set({ text, answer });
    if (mine !== round) return;
    if (!answer.ok) return running?.run.cancel();
    await makeWay();
    if (mine !== round) return;
    const { start = 0, end = 0 } = answer.model?.analysis ?? {};
    const options = { step: fineStep(text, end - start) };
    const newest = await outcomeOf(library, source, options, mine);
    if (mine !== round) return;
    ran.set(newest);
    if (newest.estimating) await judge(library, source, options, newest, mine);
  }

  context.library.then((library) => {
    const later = () => renew(library).catch((error) => context.say(`The solver stopped: ${wordsOf(error)}`));
    model.subscribe(later);
    context.files.watch(later);
    void later();
  }, (error) => context.say(wordsOf(error)));
}
