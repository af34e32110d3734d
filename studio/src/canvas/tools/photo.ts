// A photo behind the grid, scaled by two clicks, by which a real machine is traced.
import { h } from "../../../../web/src/dom";
import { lengthUnits, quantityOf } from "../../model/units";
import { loadPhoto, placed, scaled } from "../photo";
import type { Stage } from "../stage";
import type { Tool, ToolKind, Touch } from "../tool";
import { ask } from "../typed";

/** Asks for a file, and puts the image into the middle of what is seen. */
function choose(stage: Stage) {
  const input = h("input", { type: "file", accept: "image/*" });
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    if (!file) return;
    try {
      await showPhoto(stage, file);
    } catch {
      stage.context.say(`${file.name} is no image that can be shown.`);
    }
  });
  input.click();
}

async function showPhoto(stage: Stage, file: Blob) {
  stage.lay(placed(await loadPhoto(file), stage.camera));
  stage.context.say("Now click two points of the photo whose distance you know; press Delete to take the photo away.");
}

/** Points that are nearer to each other say nothing of a distance [pixels]. */
const near = 4;

class PhotoTool implements Tool {
  private first: Touch | undefined;
  private last: Touch | undefined;
  constructor(private readonly stage: Stage) {
    if (!stage.photo) choose(stage);
  }
  move(touch: Touch) {
    this.last = touch;
    this.stage.redraw();
  }
  up(touch: Touch) {
    const { stage, first } = this;
    if (!stage.photo) return choose(stage);
    if (!first) {
      this.first = touch;
      return stage.context.say("And the second point.");
    }
    const pixels = Math.hypot(touch.pixels[0] - first.pixels[0], touch.pixels[1] - first.pixels[1]);
    if (pixels < near) return stage.context.say("That is the first point again: click another one, far from it.");
    this.first = undefined;
    const host = document.querySelector<HTMLElement>(".drawing")!;
    const unit = stage.unit() || "m";
    ask(host, { at: touch.pixels, label: `distance [${unit}]`, value: "", hint: "of the two points in reality", done: (text) => {
      const q = quantityOf(text, lengthUnits);
      if (!q || !(q.value > 0) || !stage.photo) return false;
      stage.lay(scaled(stage.photo, first.at, touch.at, q.unit ? q.value : q.value * lengthUnits[unit]));
      stage.fit();
      stage.context.say("The photo has its size now: trace the machine.");
      stage.context.commands.run("tool-link");
      return true;
    } });
  }
  draw({ c, colours }: Parameters<NonNullable<Tool["draw"]>>[0]) {
    const { first, last, stage } = this;
    if (!first || !last) return;
    c.strokeStyle = colours.accent;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(...stage.camera.toPixels(first.at));
    c.lineTo(...stage.camera.toPixels(last.at));
    c.stroke();
  }
  cancel() {
    const was = this.first !== undefined;
    this.first = undefined;
    return was;
  }
}

export const tool: ToolKind = {
  id: "photo", title: "Photo", key: "b", order: 40, hint: "Click two points of the photo and type their real distance; then trace the machine.",
  icon: "M2.500 5h4l1-1.500h5L13.500 5h4v11h-15ZM10 7.500a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z",
  make: (stage) => new PhotoTool(stage),
};
