// What is drawn over the mechanism, as it is chosen; the canvas draws it from the start, whether or not its panel is open.
import type { Context, Overlay } from "../context";
import { drawArrows, drawCentres, drawGhost, drawPaths, drawTarget, type Shows } from "./draw";
import { playerOf, type Run } from "./player";
import type { Xy } from "./target";

const own = new Set(["run-under", "run-over"]);

export class Overlays {
  readonly shows: Shows = { arrows: { reaction: false, applied: false, velocity: false }, arrowSize: 1, centres: false, paths: new Set(), ghosts: true };
  target: Xy[] = [];
  private chosen = false;

  constructor(private readonly context: Context) {
    const player = playerOf(context);
    player.run.follow((run) => {
      // The first points of a model leave their paths until somebody chooses.
      if (run && !this.chosen) this.shows.paths = new Set(run.report.scene.points.slice(0, 3).map((p) => p.name));
      this.renew();
    });
    player.kept.watch(() => this.renew());
    context.selection.watch(() => this.renew());
  }

  choosePath(name: string, on: boolean) {
    this.chosen = true;
    if (on) this.shows.paths.add(name);
    else this.shows.paths.delete(name);
    this.renew();
  }

  renew() {
    const { overlays } = this.context;
    const run = playerOf(this.context).run.value;
    overlays.set([...overlays.value.filter((o) => !own.has(o.id)), ...(run ? this.of(run) : [])]);
  }

  private of(run: Run): Overlay[] {
    const player = playerOf(this.context);
    const { shows } = this;
    return [
      { id: "run-under", under: true, draw: (pen) => {
        drawTarget(pen, this.target);
        if (!this.context.shown.value) return;
        if (shows.ghosts)
          for (const kept of player.kept.value) {
            drawPaths(pen, kept.run, shows.paths, 0.3);
            drawGhost(pen, kept.run, player.clock.t);
          }
        drawPaths(pen, run, shows.paths);
      } },
      { id: "run-over", draw: (pen) => {
        if (!this.context.shown.value) return;
        drawArrows(pen, run, player.clock.row, shows);
        if (shows.centres) drawCentres(pen, run, player.clock.row, this.context.selection.value);
      } },
    ];
  }
}

const all = new WeakMap<Context, Overlays>();

export function overlaysOf(context: Context): Overlays {
  let overlays = all.get(context);
  if (!overlays) all.set(context, (overlays = new Overlays(context)));
  return overlays;
}
