// The canvas by keyboard: tools, a crosshair that clicks, moving and deleting, and typed lengths.
import type { Context, Item } from "../context";
import { copyBodies, movePlace } from "../model/change";
import { sketchedBodies, type Xy } from "../model/sketch";
import { lengthUnits } from "../model/units";
import { deleteItems } from "./inspector";
import { Live } from "./live";
import { lockedShift, typedDimension } from "./snap";
import type { Stage } from "./stage";
import type { Tool, ToolKind, Touch } from "./tool";
import { ask } from "./typed";

const arrows: Readonly<Record<string, Xy>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** All parts in an order in which Tab goes through them. */
function partsOf(stage: Stage): Item[] {
  const root = stage.parsed()?.root;
  return ["places", "bodies", "joints", "drivers", "forces", "points"].flatMap((section) => (root?.table(section)?.names ?? []).map((name) => ({ section, name })));
}

export function canvasCommands(context: Context, stage: Stage, canvas: HTMLCanvasElement, host: HTMLElement, kinds: ToolKind[], choose: (kind: ToolKind) => void, tool: () => Tool) {
  const { commands, selection } = context;
  let cursor: Xy | undefined;

  const nudge = ([dx, dy]: Xy, big: boolean) => {
    const step = stage.grid().snap * (big ? 10 : 1);
    const toml = stage.parsed();
    const bodies = toml ? sketchedBodies(toml).filter((b) => stage.isSelected("bodies", b.name)) : [];
    const names = [...new Set([...selection.value.filter((i) => i.section === "places").map((i) => i.name), ...bodies.flatMap((b) => [...b.through, ...(b.at ? [b.at] : [])])])];
    if (!names.length) return false;
    const { places } = stage.now();
    const [x, y] = lockedShift(names, [dx * step, dy * step], places, stage.locks);
    const refused: string[] = [];
    stage.edit("move", (e) => {
      for (const name of names) {
        const at = places.get(name);
        if (at && !movePlace(e, name, [at[0] + x, at[1] + y])) refused.push(name);
      }
    }, `nudge ${names.join(" ")}`);
    stage.refuse(refused);
    return true;
  };
  const touchAt = (at: Xy, shift: boolean): Touch => ({ at, pixels: stage.camera.toPixels(at), shift, kind: "mouse" });
  /** Moves the crosshair of a drawing tool, and tells the tool. */
  const moveCursor = ([dx, dy]: Xy, big: boolean) => {
    const step = stage.grid().snap * (big ? 10 : 1);
    const at = cursor ?? stage.snap(touchAt([stage.camera.x, stage.camera.y], false)).at;
    cursor = [at[0] + dx * step, at[1] + dy * step];
    tool().move?.(touchAt(cursor, false), false);
    const { place } = stage.snap(touchAt(cursor, false));
    context.say(`${stage.words(cursor[0])}, ${stage.words(cursor[1])}${place ? `: ${place}` : ""}`);
  };
  const click = () => {
    if (tool().done && !cursor) return tool().done!();
    if (!cursor) return;
    const touch = touchAt(cursor, false);
    tool().down?.(touch);
    tool().up?.(touch);
  };
  const next = (step: number) => {
    const parts = partsOf(stage);
    const here = parts.findIndex((p) => stage.isSelected(p.section, p.name));
    const to = here + step;
    if (to < 0 || to >= parts.length) return false;
    selection.set([parts[to]]);
    context.say(`${parts[to].section.replace(/s$/, "")} ${parts[to].name}`);
    return true;
  };

  canvas.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const drawing = tool().typed !== undefined || canvas.dataset.tool !== "select" && canvas.dataset.tool !== "hand";
    const arrow = arrows[e.key];
    let taken = true;
    if (arrow) taken = drawing ? (moveCursor(arrow, e.shiftKey), true) : nudge(arrow, e.shiftKey);
    else if (e.key === "Enter") click();
    else if (e.key === "Tab" && !drawing) taken = next(e.shiftKey ? -1 : 1);
    else if (e.key === "Escape") {
      if (!tool().cancel?.()) choose(kinds[0]);
      cursor = undefined;
    } else if (/^[\d.]$/.test(e.key) && tool().anchor?.()) typed(e.key);
    else taken = false;
    if (taken) e.preventDefault(), e.stopPropagation();
  });
  canvas.addEventListener("pointermove", () => (cursor = undefined));

  /** A length, and after @ an angle, while something is drawn. */
  function typed(first: string) {
    const from = tool().anchor!()!;
    const unit = stage.unit() || "m";
    ask(host, { at: stage.camera.toPixels(from), label: `length [${unit}]`, value: first, hint: "120 or 120 @ 45 (degrees)", done: (text) => {
      const d = typedDimension(text, lengthUnits[unit], lengthUnits);
      if (!d?.length) return false;
      // Without an angle the line goes where it is drawn to: where the crosshair or the pointer snaps.
      const touch = cursor ? touchAt(cursor, false) : stage.pointer;
      const at = touch && stage.snap(touch, { from }).at;
      const angle = d.angle ?? (at ? Math.atan2(at[1] - from[1], at[0] - from[0]) : 0);
      tool().typed?.([from[0] + d.length * Math.cos(angle), from[1] + d.length * Math.sin(angle)]);
      return true;
    } });
  }
  canvas.addEventListener("pointermove", (e) => {
    const box = canvas.getBoundingClientRect();
    stage.pointer = touchAt(stage.camera.toWorld([e.clientX - box.left, e.clientY - box.top]), e.shiftKey);
  });

  const copy = () => {
    const names = selection.value.filter((i) => i.section === "bodies").map((i) => i.name);
    const { places } = stage.now();
    const { line } = stage.grid();
    stage.edit("copy", (e) => copyBodies(e, names, [line, -line], (name) => places.get(name)).map((name) => ({ section: "bodies", name })));
  };
  const remove = () => {
    if (canvas.dataset.tool !== "photo") return deleteItems(stage);
    stage.lay(undefined);
  };
  const live = () => {
    if (stage.live) return stage.live.stop();
    stage.toStart();
    stage.live = new Live(stage, () => (stage.live = undefined, context.say("Time stands still."), host.classList.remove("live")));
    host.classList.add("live");
    choose(kinds.find((k) => k.id === "hand")!);
    context.say("Time runs: pull at a link.");
  };
  const plane = () => !stage.inSpace();
  commands.add(
    ...kinds.map((kind) => ({ id: `tool-${kind.id}`, title: `Tool: ${kind.title}`, keys: [kind.key], run: () => (choose(kind), canvas.focus()), enabled: plane })),
    { id: "delete", title: "Delete what is selected", keys: ["Delete", "Backspace"], run: remove, enabled: () => plane() && (selection.value.length > 0 || (stage.photo !== undefined && canvas.dataset.tool === "photo")) },
    { id: "duplicate", title: "Copy what is selected", keys: ["Mod-d"], run: copy, enabled: () => plane() && selection.value.some((i) => i.section === "bodies") },
    { id: "select-all", title: "Select all bodies", keys: ["Mod-a"], run: () => selection.set(partsOf(stage).filter((p) => p.section === "bodies" && p.name !== "ground")) },
    { id: "fit", title: "Show everything", keys: ["0"], run: () => stage.fit() },
    { id: "zoom-in", title: "Zoom in", keys: ["+", "="], run: () => (stage.camera.zoom(1.25, [stage.camera.width / 2, stage.camera.height / 2]), stage.redraw()) },
    { id: "zoom-out", title: "Zoom out", keys: ["-"], run: () => (stage.camera.zoom(0.8, [stage.camera.width / 2, stage.camera.height / 2]), stage.redraw()) },
    { id: "live", title: "Let time run, and pull with a spring", keys: ["l"], run: live, enabled: plane });
}
