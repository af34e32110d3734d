// The motion that is played: that of the newest run, at the time that the clock shows.  Panels share one player.
import { arrowsOf, type Arrow } from "../../../web/src/arrows";
import type { Beside } from "../../../web/src/beside/other_run";
import { Clock } from "../../../web/src/clock";
import { Channels, type RunReport, type WantedPlot } from "../../../web/src/data";
import { firstChoice } from "../../../web/src/first_choice";
import { Motion } from "../../../web/src/motion";
import type { Context } from "../context";
import { Signal } from "../signal";
import { isBegun, type RanText } from "../solver";
import { addMeasures } from "./measures";

/** A run with what its panels draw, made when somebody needs it. */
export class Run {
  readonly channels: Channels;
  readonly motion: Motion;
  private made: Arrow[] | undefined;

  constructor(readonly text: string, public report: RunReport, readonly milliseconds: number) {
    this.channels = new Channels(report.times, report.tables, report.summary.accuracy, report.units);
    this.motion = new Motion(report.scene, this.channels);
    addMeasures(this.channels, report.scene, this.motion);
  }

  get arrows(): Arrow[] {
    return (this.made ??= arrowsOf(this.report, this.motion, this.channels));
  }
  /** Takes the same report with the digits that can be trusted. */
  judge(report: RunReport) {
    this.report = report;
    if (report.summary.accuracy) this.channels.bound(report.summary.accuracy);
  }
  plots = (): WantedPlot[] => firstChoice(this.report, this.channels);
}

/** A run that was kept, to be seen beside newer ones. */
export interface Kept extends Beside {
  run: Run;
  /** Kept by hand; the others are the newest of a family and make room for newer ones. */
  pinned: boolean;
}

const mostGhosts = 6;

export class Player {
  readonly run = new Signal<Run | undefined>(undefined);
  /** How often digits have come for the present run after the run itself. */
  readonly judged = new Signal(0);
  readonly kept = new Signal<readonly Kept[]>([]);
  readonly clock = new Clock(new Float64Array());
  /** Runs before the present one are kept while parameters change. */
  family = false;
  /** Whether the motion is shown, and not the start. */
  private showing = false;
  /** The newest run of the model's own analysis. */
  private own: Run | undefined;
  /** How many runs were kept by hand. */
  private count = 0;

  constructor(private readonly context: Context) {
    context.ran.follow((ran) => ran?.report && this.hear(ran.report, ran));
    context.checked.watch((now) => now && !isBegun(now.answer) && this.forget());
    this.clock.onChange(() => this.show());
  }

  private hear(report: RunReport, { text, result }: RanText) {
    const { own } = this;
    if (own?.report.tables !== report.tables) return this.take(new Run(text, report, result?.milliseconds ?? 0));
    own.judge(report);
    if (own === this.run.value) this.judged.set(this.judged.value + 1);
  }

  private take(run: Run) {
    const before = this.run.value;
    this.own = run;
    if (before && this.family) this.keep(before, before.text.length ? nameOf(before, this.kept.value.length) : "before", false);
    run.channels.shownUnits = before ? before.channels.shownUnits : run.channels.shownUnits;
    this.run.set(run);
    this.clock.take(run.motion.times);
  }

  /** Shows a run that is not that of the model's own analysis, until the next edit. */
  present(run: Run) {
    run.channels.shownUnits = this.run.value?.channels.shownUnits ?? run.channels.shownUnits;
    this.run.set(run);
    this.clock.take(run.motion.times);
    this.clock.toRow(0);
    this.showing = true;
    this.show();
  }
  /** The motion of the present run was replaced, as by that of another mode. */
  renewed() {
    const run = this.run.value;
    if (!run) return;
    this.clock.take(run.motion.times);
    this.showing = true;
    this.show();
  }

  private show() {
    const run = this.run.value;
    if (this.clock.playing || this.clock.row > 0) this.showing = true;
    if (!run || !this.showing) return;
    run.motion.others = this.kept.value.map((k) => k.run.motion);
    this.context.shown.set({ scene: run.report.scene, motion: run.motion, row: this.clock.row });
  }
  /** Back to the start, where the model is edited. */
  rewind() {
    this.showing = false;
    this.clock.playing = false;
    this.clock.toRow(0);
    this.showing = false;
    this.context.shown.set(undefined);
  }

  /** Shows no run, since its model is gone. */
  forget() {
    this.rewind();
    this.kept.set([]);
    this.own = undefined;
    this.run.set(undefined);
    this.clock.take(new Float64Array());
  }

  /** Keeps the newest run, to be compared with those to come. */
  keepNewest() {
    const run = this.run.value;
    if (!run) return this.context.say("There is no run to keep yet.");
    this.keep(run, `run ${++this.count}`, true);
    this.context.say(`Kept as run ${this.count}; it stays faintly behind newer ones.`);
  }
  keep(run: Run, name: string, pinned: boolean) {
    const all = [...this.kept.value, { name, channels: run.channels, scene: run.report.scene, run, pinned }];
    const ghosts = all.filter((k) => !k.pinned);
    const tooMany = new Set(ghosts.slice(0, Math.max(0, ghosts.length - mostGhosts)));
    this.kept.set(all.filter((k) => !tooMany.has(k)));
    this.show();
  }
  drop(kept: readonly Kept[]) {
    this.kept.set(this.kept.value.filter((k) => !kept.includes(k)));
    this.show();
  }
}

const nameOf = (run: Run, k: number) => `${run.report.summary.model} ${k + 1}`;

const players = new WeakMap<Context, Player>();

/** The player of a page. */
export function playerOf(context: Context): Player {
  let player = players.get(context);
  if (!player) players.set(context, (player = new Player(context)));
  return player;
}
