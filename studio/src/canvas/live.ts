// Time runs while the model is on the canvas, and a hand pulls with a spring.
import type { StepSession } from "../../../wasm/interface";
import type { Xy } from "../model/sketch";
import { localPoint, posesOf, type Now } from "./geometry";
import type { Stage } from "./stage";

export class Live {
  private session: StepSession | undefined;
  private held: { body: number; at: Xy } | undefined;
  private last = 0;
  private over = false;

  /** `ended` is called once, when time stops for any reason. */
  constructor(private readonly stage: Stage, private readonly ended: () => void) {
    void this.begin(stage.context.document.text);
  }

  private async begin(text: string) {
    const { stage } = this;
    try {
      const library = await stage.context.library;
      this.session = await library.simulate({ text, files: stage.context.files.value });
      if (this.over) return this.session.close();
      const frame = (now: number) => void this.step(now).then((on) => on && requestAnimationFrame(frame));
      requestAnimationFrame(frame);
    } catch (error) {
      stage.context.say(error instanceof Error ? error.message : String(error));
      this.stop();
    }
  }

  private async step(now: number): Promise<boolean> {
    if (this.over || !this.session) return false;
    // A page that was hidden does not make up for it.
    const dt = this.last ? Math.min(0.05, (now - this.last) / 1000) : 1 / 60;
    this.last = now;
    try {
      const state = await this.session.advance(dt);
      if (this.over) return false;
      this.stage.dragged = posesOf(this.session.dim, state.poses);
      this.stage.redraw();
      if (state.ok) return true;
      this.stage.context.say(state.why);
    } catch (error) {
      this.stage.context.say(error instanceof Error ? error.message : String(error));
    }
    this.stop();
    return false;
  }

  hold(now: Now, body: number, at: Xy) {
    if (!body) return;
    this.held = { body, at: localPoint(now.pose(body), at) };
    this.pull(at);
  }
  pull(target: Xy) {
    if (this.held) void this.session?.hand({ ...this.held, target }).catch(() => undefined);
  }
  release() {
    this.held = undefined;
    void this.session?.hand(null).catch(() => undefined);
  }
  stop() {
    if (this.over) return;
    this.over = true;
    this.session?.close();
    this.stage.dragged = undefined;
    this.stage.redraw();
    this.ended();
  }
}
