// Drags the mechanism by a point: its joints hold, and it follows.
import type { DragSession, Lock } from "../../../../wasm/interface";
import { commit, Editing } from "../../model/editing";
import { bodyOfPlace, keepPose, type Xya } from "../../model/pose";
import type { Xy } from "../../model/sketch";
import { bodyAt, localPoint, posesOf, type Now } from "../geometry";
import type { Stage } from "../stage";
import type { Tool, ToolKind, Touch } from "../tool";

/** The locks of the canvas as those of bodies. */
function locksOf(stage: Stage, now: Now): Lock[] {
  const toml = stage.parsed();
  const holder = (place: string) => now.scene.bodies.findIndex((b) => toml && bodyOfPlace(toml, place) === b.name) + 1;
  return stage.locks.flatMap((lock): Lock[] => {
    const names = lock.kind === "point" ? [lock.place] : [lock.a, lock.b];
    const ends = names.map((name) => ({ body: holder(name), at: now.places.get(name) }));
    if (ends.some((e) => !e.at)) return [];
    const local = ends.map(({ body, at }) => (body ? localPoint(now.pose(body), at!) : [...at!]));
    if (lock.kind === "point") return ends[0].body ? [{ kind: "point", body: ends[0].body, at: local[0] }] : [];
    if (lock.kind === "length") return [{ kind: "length", body: ends[0].body, at: local[0], other: ends[1].body, other_at: local[1] }];
    const both = now.scene.bodies.findIndex((b) => names.every((n) => throughOf(stage, b.name).includes(n))) + 1;
    return both ? [{ kind: "angle", body: both }] : [];
  });
}

function throughOf(stage: Stage, body: string): string[] {
  const node = stage.parsed()?.root.table("bodies")?.table(body)?.node("through");
  return node?.kind === "array" ? node.items.flatMap((n) => (n.kind === "string" ? [n.value] : [])) : [];
}

const byName = (now: Now, values: ArrayLike<number>) =>
  new Map(now.scene.bodies.map((b, k): [string, Xya] => [b.name, [values[3 * k], values[3 * k + 1], values[3 * k + 2]]]));

class Hand implements Tool {
  private session: { text: string; opened: Promise<DragSession> } | undefined;
  private held: { body: number; at: Xy; now: Now; locks: Lock[]; text: string } | undefined;
  private target: Xy | undefined;
  private busy = false;
  private moved: Float64Array | undefined;

  constructor(private readonly stage: Stage) {}

  /** A session of the model as it is; the last one is kept. */
  private open(text: string): Promise<DragSession> {
    if (this.session?.text === text) return this.session.opened;
    this.session?.opened.then((s) => s.close(), () => undefined);
    const opened = this.stage.context.library.then((library) => library.drag({ text, files: this.stage.context.files.value }));
    this.session = { text, opened };
    return opened;
  }

  down(touch: Touch) {
    const { stage } = this;
    const now = stage.now();
    const body = now.start ? bodyAt(now, touch.at, 1.6 * stage.reach(touch)) : 0;
    if (stage.live) return stage.live.hold(now, bodyAt(now, touch.at, 1.6 * stage.reach(touch)), touch.at);
    if (!now.start) return stage.toStart();
    if (!body || !now.fresh) return;
    this.held = { body, at: localPoint(now.pose(body), touch.at), now, locks: locksOf(stage, now), text: stage.context.document.text };
    this.moved = undefined;
    void this.open(this.held.text).then((s) => s.place(now.answer!.assembled)).catch((error) => {
      this.held = undefined;
      stage.context.say(error instanceof Error ? error.message : String(error));
    });
  }

  move(touch: Touch, pressed: boolean) {
    const { stage } = this;
    if (!pressed) {
      const body = bodyAt(stage.now(), touch.at, 1.6 * stage.reach(touch));
      stage.hover = body ? { section: "bodies", name: stage.now().scene.bodies[body - 1].name } : undefined;
      return stage.redraw();
    }
    if (stage.live) return stage.live.pull(touch.at);
    this.target = touch.at;
    void this.follow();
  }

  /** One request at a time; the newest target counts. */
  private async follow() {
    if (this.busy) return;
    this.busy = true;
    while (this.held && this.target) {
      const { held, target } = this;
      this.target = undefined;
      try {
        const session = await this.open(held.text);
        const state = await session.drag(held.body, held.at, target, held.locks);
        this.moved = Float64Array.from(state.poses);
        if (this.held === held || this.ending) this.stage.dragged = posesOf(2, state.poses);
        this.stage.redraw();
      } catch (error) {
        this.held = undefined;
        this.stage.context.say(error instanceof Error ? error.message : String(error));
      }
    }
    this.busy = false;
    this.ending?.();
  }
  private ending: (() => void) | undefined;

  async up() {
    const { stage, held } = this;
    if (stage.live) return stage.live.release();
    if (!held) return;
    if (this.busy) await new Promise<void>((resolve) => (this.ending = resolve));
    this.ending = undefined;
    this.held = undefined;
    await this.keep(held.now);
  }

  /** The start becomes what the hand has left, unless drivers of the model hold it elsewhere: then it is only shown. */
  private async keep(now: Now) {
    const { stage, moved } = this;
    const { context } = stage;
    if (!moved || !stage.parsed()) return;
    this.moved = undefined;
    const { text } = context.document;
    const editing = new Editing(text);
    const refused = keepPose(editing, now.places, byName(now, now.answer!.assembled), byName(now, moved));
    const library = await context.library;
    const { assembled, ok } = await library.check({ text: editing.text, files: context.files.value });
    if (context.document.text !== text) return;
    const size = now.info!.scales?.length ?? 1;
    // Angles may differ by whole turns.
    const off = Math.max(...moved.map((v, k) => (k % 3 < 2 ? Math.abs(v - assembled[k]) / size : Math.abs(Math.sin((v - assembled[k]) / 2)))));
    if (!ok || !(off < 1e-4)) {
      const why = refused.length ? `The start of ${refused.slice(0, 4).join(", ")}${refused.length > 4 ? ", …" : ""} is given by formulas or left to the assembly` : "Drivers or other numbers of the model give its start";
      return context.say(`${why}: what the hand has done is shown, and not kept.`);
    }
    stage.dragged = undefined;
    commit(context.document, editing, "drag the mechanism");
    stage.redraw();
  }

  draw({ c, colours }: Parameters<NonNullable<Tool["draw"]>>[0]) {
    const { stage, held } = this;
    if (!held) return;
    const now = stage.now();
    const pose = now.pose(held.body);
    const [x, y] = stage.camera.toPixels([pose.x[0] + pose.turned[0][0] * held.at[0] + pose.turned[0][1] * held.at[1], pose.x[1] + pose.turned[1][0] * held.at[0] + pose.turned[1][1] * held.at[1]]);
    c.strokeStyle = colours.accent;
    c.lineWidth = 2;
    c.beginPath();
    c.arc(x, y, 9, 0, 2 * Math.PI);
    c.stroke();
  }

  pans = (touch: Touch) => !bodyAt(this.stage.now(), touch.at, 1.6 * this.stage.reach(touch));
}

export const tool: ToolKind = {
  id: "hand", title: "Hand", key: "h", order: 1, hint: "Drag a link and the mechanism follows; what you leave is the new start. While time runs (Live), the hand pulls with a spring.",
  icon: "M6 10V5.2a1.2 1.2 0 0 1 2.4 0V9V3.8a1.2 1.2 0 0 1 2.4 0V9V4.8a1.2 1.2 0 0 1 2.4 0V9.5V7a1.2 1.2 0 0 1 2.4 0v5c0 3.5-2 6-5 6-3.4 0-4.3-1.800-6.400-5.300-.9-1.500.900-2.600 1.800-1.300Z",
  make: (stage) => new Hand(stage),
};
