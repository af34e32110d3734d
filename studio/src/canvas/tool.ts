// What a tool of the canvas is.
import type { Pen, Point } from "../../../web/src/plane_shapes";
import type { Xy } from "../model/sketch";
import type { Snapped } from "./snap";
import type { Stage } from "./stage";

/** A pointer on the canvas. */
export interface Touch {
  /** Where it is, in metres and pixels. */
  at: Xy;
  pixels: Point;
  shift: boolean;
  kind: string;
}

export interface Tool {
  down?(touch: Touch): void;
  /** Also while nothing is pressed. */
  move?(touch: Touch, pressed: boolean): void;
  up?(touch: Touch): void;
  /** Whether a finger that goes down here moves the drawing instead. */
  pans?(touch: Touch): boolean;
  draw?(pen: Pen): void;
  /** The other end of what is being drawn, from which a typed length is counted. */
  anchor?(): Xy | undefined;
  /** A length and an angle were typed. */
  typed?(to: Xy): void;
  /** Enter was pressed. */
  done?(): void;
  /** Gives up what was begun; false if nothing was. */
  cancel?(): boolean;
}

/** One file in tools/ exports one as `tool`; the build finds it there. */
export interface ToolKind {
  id: string;
  title: string;
  /** One sentence: what to do with the pointer. */
  hint: string;
  key: string;
  /** Paths of an icon of 20 by 20. */
  icon: string;
  /** Tools stand in this order; a step of ten begins a new group. */
  order: number;
  make(stage: Stage): Tool;
}

/** A tool that needs two points: press, drag and let go, or click twice. */
export function twoPoints(stage: Stage, finish: (from: Snapped, to: Snapped, touch: Touch) => void, preview?: (pen: Pen, from: Xy, to: Xy) => void): Tool {
  let from: Snapped | undefined;
  let to: Snapped | undefined;
  let begun: Point | undefined;
  let last: Touch | undefined;
  const end = (target: Snapped, touch: Touch) => {
    const start = from!;
    from = to = begun = undefined;
    if (Math.hypot(target.at[0] - start.at[0], target.at[1] - start.at[1]) > 1e-9) finish(start, target, touch);
    stage.redraw();
  };
  return {
    down(touch) {
      last = touch;
      if (from) return;
      from = to = stage.snap(touch);
      begun = touch.pixels;
      stage.redraw();
    },
    move(touch) {
      last = touch;
      to = stage.snap(touch, { from: from?.at });
      stage.redraw();
    },
    up(touch) {
      if (!from) return;
      const moved = begun && Math.hypot(touch.pixels[0] - begun[0], touch.pixels[1] - begun[1]);
      // The first click of two only begins.
      if (begun && moved! < 8) return void (begun = undefined);
      end(stage.snap(touch, { from: from.at }), touch);
    },
    draw(pen) {
      if (to) stage.drawSnap(pen, to);
      if (!from || !to) return;
      if (preview) preview(pen, from.at, to.at);
      else stage.drawBar(pen, [from.at, to.at]);
      stage.drawDimension(pen, from.at, to.at);
    },
    anchor: () => from?.at,
    typed: (at) => from && last && end({ at, why: "" }, last),
    cancel() {
      const was = from !== undefined;
      from = begun = undefined;
      stage.redraw();
      return was;
    },
  };
}

/** A tool that needs one point. */
export function onePoint(stage: Stage, finish: (at: Snapped, touch: Touch) => void): Tool {
  let at: Snapped | undefined;
  return {
    move(touch) {
      at = stage.snap(touch);
      stage.redraw();
    },
    up: (touch) => finish(stage.snap(touch), touch),
    draw: (pen) => at && stage.drawSnap(pen, at),
  };
}
