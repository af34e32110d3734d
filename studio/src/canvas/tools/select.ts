// Selects and moves what is drawn.
import type { Item } from "../../context";
import { movePlace } from "../../model/change";
import { sketchedBodies, type Xy } from "../../model/sketch";
import { pointAt } from "../geometry";
import { lockedShift, lockedTarget } from "../snap";
import type { Stage } from "../stage";
import type { Tool, ToolKind, Touch } from "../tool";

let drags = 0;

class Select implements Tool {
  private from: Touch | undefined;
  private to: Touch | undefined;
  private item: Item | undefined;
  private before = new Map<string, Xy>();
  private group = "";
  private moving = false;

  constructor(private readonly stage: Stage) {}

  down(touch: Touch) {
    const { stage } = this;
    const { selection } = stage.context;
    this.from = this.to = touch;
    this.moving = false;
    this.item = stage.itemAt(touch);
    this.group = `drag ${++drags}`;
    const { item } = this;
    if (item && touch.shift) {
      const there = selection.value.filter((i) => i.section === item.section && i.name === item.name);
      selection.set(there.length ? selection.value.filter((i) => !there.includes(i)) : [...selection.value, item]);
    } else if (item && !stage.isSelected(item.section, item.name)) selection.set([item]);
    this.before = new Map(stage.now().places);
    stage.redraw();
  }

  /** The places that move with what is dragged: those of all that is selected. */
  private moved(): string[] {
    const toml = this.stage.parsed();
    if (!toml || !this.item) return [];
    if (this.item.section === "places") return [this.item.name];
    const bodies = sketchedBodies(toml).filter((b) => this.stage.isSelected("bodies", b.name));
    return [...new Set(bodies.flatMap((b) => [...b.through, ...(b.at ? [b.at] : [])]))];
  }

  move(touch: Touch, pressed: boolean) {
    const { stage, from } = this;
    if (!pressed || !from) {
      stage.hover = stage.itemAt(touch);
      return stage.redraw();
    }
    this.to = touch;
    if (!this.moving && Math.hypot(touch.pixels[0] - from.pixels[0], touch.pixels[1] - from.pixels[1]) < 5) return;
    this.moving = true;
    if (this.item) this.drag(touch, from);
    stage.redraw();
  }

  private drag(touch: Touch, from: Touch) {
    const { stage, item, before } = this;
    const names = this.moved();
    if (!names.length) return;
    // The start is edited, and not a row of a motion: what was pressed there is taken hold of at the next stroke.
    if (!stage.now().start) {
      this.item = undefined;
      return stage.toStart();
    }
    const one = item!.section === "places";
    const snapped = stage.snap(touch, { not: one ? item!.name : undefined });
    // Several places keep their distances; the grid counts from where the pointer began.
    const step = stage.grid().snap;
    const by = touch.at.map((v, k) => (touch.shift ? v - from.at[k] : Math.round((v - from.at[k]) / step) * step));
    const [dx, dy] = lockedShift(names, [by[0], by[1]], before, stage.locks);
    const refused: string[] = [];
    stage.edit(`move ${item!.name}`, (e) => {
      for (const name of names) {
        const at = before.get(name);
        const to: Xy | undefined = at && (one ? lockedTarget(name, snapped.at, before, stage.locks) : [at[0] + dx, at[1] + dy]);
        if (to && !movePlace(e, name, to)) refused.push(name);
      }
    }, this.group);
    stage.refuse(refused);
  }

  up(touch: Touch) {
    const { stage, from } = this;
    this.from = undefined;
    if (!from) return;
    if (!this.item && !this.moving && !touch.shift) stage.context.selection.set([]);
    if (!this.item && this.moving) this.selectWithin(from.at, touch.at);
    stage.redraw();
  }

  private selectWithin(a: Xy, b: Xy) {
    const now = this.stage.now();
    const inside = (p: ArrayLike<number>) => [0, 1].every((k) => p[k] >= Math.min(a[k], b[k]) && p[k] <= Math.max(a[k], b[k]));
    const bodies = now.scene.bodies.filter((_, k) => inside(now.pose(k + 1).x)).map((body) => ({ section: "bodies", name: body.name }));
    const forces = now.scene.ties.filter((t) => inside(pointAt(now, t.i.body, t.i.at)) && inside(pointAt(now, t.j.body, t.j.at)) && now.toml?.root.table("forces")?.get(t.name))
      .map((t) => ({ section: "forces", name: t.name }));
    const places = [...now.places].filter(([, at]) => inside(at)).map(([name]) => ({ section: "places", name }));
    this.stage.context.selection.set(bodies.length ? [...bodies, ...forces] : places);
  }

  draw({ c, colours }: Parameters<NonNullable<Tool["draw"]>>[0]) {
    const { from, to, stage } = this;
    if (!from || !to || this.item || !this.moving || !stage.now().start) return;
    const [[x, y], [px, py]] = [stage.camera.toPixels(from.at), stage.camera.toPixels(to.at)];
    c.strokeStyle = colours.accent;
    c.lineWidth = 1;
    c.setLineDash([4, 3]);
    c.strokeRect(Math.min(x, px), Math.min(y, py), Math.abs(px - x), Math.abs(py - y));
    c.setLineDash([]);
  }

  /** A finger on nothing moves the drawing. */
  pans = (touch: Touch) => touch.kind === "touch" && !this.stage.itemAt(touch);

  cancel() {
    this.from = undefined;
    this.moving = false;
    const was = this.stage.context.selection.value.length > 0;
    this.stage.context.selection.set([]);
    this.stage.redraw();
    return was;
  }
}

export const tool: ToolKind = {
  id: "select", title: "Select", key: "v", order: 0, hint: "Click to select, drag to move, drag over nothing to select all within; Shift adds, and moves off the grid.",
  icon: "M4 2.5 15.5 11 10 11.8 13 17.5 10.8 18.5 8 12.8 4 16.5Z",
  make: (stage) => new Select(stage),
};
