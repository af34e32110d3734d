// Mouse, finger and pen on the canvas.
import type { Point } from "../../../web/src/plane_shapes";
import { ask } from "./typed";
import { dimensionsOf } from "./paint";
import { setLength } from "./dimension";
import type { Stage } from "./stage";
import type { Tool, Touch } from "./tool";
import { lengthUnits, quantityOf } from "../model/units";

export function pointers(canvas: HTMLCanvasElement, host: HTMLElement, stage: Stage, tool: () => Tool) {
  const fingers = new Map<number, Point>();
  let panning = false;
  let pressed = false;

  const pixels = (e: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  };
  const touchOf = (e: PointerEvent): Touch => {
    const at = pixels(e);
    return { at: stage.camera.toWorld(at), pixels: at, shift: e.shiftKey, kind: e.pointerType };
  };
  const giveUp = () => {
    if (pressed) tool().cancel?.();
    pressed = false;
  };

  canvas.addEventListener("pointerdown", (e) => {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(e.pointerId);
    fingers.set(e.pointerId, pixels(e));
    const touch = touchOf(e);
    // A second finger moves and zooms the drawing.
    if (fingers.size > 1) giveUp();
    panning = fingers.size > 1 || e.button === 1 || e.button === 2 || e.altKey || (tool().pans?.(touch) ?? false);
    if (panning) return;
    if (openDimension(touch)) return;
    pressed = true;
    tool().down?.(touch);
  });

  canvas.addEventListener("pointermove", (e) => {
    const before = fingers.get(e.pointerId);
    const now = pixels(e);
    if (before) fingers.set(e.pointerId, now);
    if (before && panning) {
      const other = [...fingers].find(([id]) => id !== e.pointerId)?.[1];
      if (other) {
        const spread = (p: Point) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
        stage.camera.zoom(spread(now) / spread(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
        stage.camera.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
      } else stage.camera.pan(now[0] - before[0], now[1] - before[1]);
      return stage.redraw();
    }
    tool().move?.(touchOf(e), pressed);
  });

  const end = (e: PointerEvent, cancelled: boolean) => {
    fingers.delete(e.pointerId);
    if (pressed) {
      pressed = false;
      if (cancelled) tool().cancel?.();
      else tool().up?.(touchOf(e));
    }
    if (!fingers.size) panning = false;
  };
  canvas.addEventListener("pointerup", (e) => end(e, false));
  canvas.addEventListener("pointercancel", (e) => end(e, true));
  canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    stage.camera.zoom(Math.exp(-(e.deltaY || e.deltaX) * (e.ctrlKey ? 0.006 : 0.0015)), pixels(e));
    stage.redraw();
  }, { passive: false });
  canvas.addEventListener("dblclick", () => !stage.hover && stage.fit());
  canvas.addEventListener("pointerleave", () => {
    stage.hover = undefined;
    stage.redraw();
  });

  /** A click on the length of a selected side changes it; points that lie there come first. */
  function openDimension(touch: Touch): boolean {
    if (stage.placeAt(touch) !== undefined) return false;
    const [x, y] = touch.pixels;
    const now = stage.now();
    const found = dimensionsOf(stage, now).find(({ at }) => Math.abs(at[0] - x) < 32 && Math.abs(at[1] - y) < 10);
    if (!found) return false;
    const { a, b } = found;
    setTimeout(() => ask(host, { at: found.at, label: `${a}–${b}`, value: found.words.replace("−", "-"), hint: "Enter sets the length", done: (text) => {
      const q = quantityOf(text, lengthUnits);
      if (!q || !(q.value > 0)) return false;
      const length = q.unit ? q.value : q.value * lengthUnits[stage.unit() || "m"];
      let done = true;
      stage.edit(`set ${a}–${b}`, (e) => void (done = setLength(e, now.places, a, b, length)));
      if (!done) stage.context.say(`${b} is given by a formula: change it in the text.`);
      return true;
    } }));
    return true;
  }
}
