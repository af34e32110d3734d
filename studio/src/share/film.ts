// The motion as pictures one after the other, drawn where nobody sees it: for GIF and WebM.
import { h } from "../../../web/src/dom";
import { planeView } from "../../../web/src/plane_view";
import { spaceView } from "../../../web/src/space_view";
import type { View, ViewSettings } from "../../../web/src/view";
import type { Shows } from "../run/draw";
import type { Run } from "../run/player";
import { gifOf } from "./gif";

const mostFrames = 160;

export interface Filmed {
  canvas: HTMLCanvasElement;
  /** Draws the picture at a time. */
  show(t: number): void;
  close(): void;
}

export function settingsOf(shows: Shows, names = true): ViewSettings {
  return { names, centre: false, arrows: { ...shows.arrows }, arrowSize: shows.arrowSize, exaggerate: 1, traces: new Set(shows.paths) };
}

const twoFrames = () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));

/** The view of the report on a stage of its own. */
async function staged(run: Run, shows: Shows, width: number, height: number): Promise<Filmed> {
  const host = h("div", { class: "film-stage", style: `width: ${width}px; height: ${height}px` });
  document.body.append(host);
  const make = run.report.scene.dim === 3 ? spaceView : planeView;
  const view: View = make(run.report, run.motion, run.channels, run.arrows, settingsOf(shows));
  host.append(view.element);
  await twoFrames(); // the view takes its size
  view.fit();
  const { canvas } = view;
  if (!canvas) {
    host.remove();
    throw new Error("this browser cannot draw in space");
  }
  return { canvas, show: (t) => view.draw(run.motion.rowOf(t)), close: () => (view.close?.(), host.remove()) };
}

/** How many frames, and how much time of the motion lies between them at a speed. */
export function framesOf(duration: number, speed: number, rate = 20): { count: number; step: number; delay: number } {
  const wanted = Math.max(2, Math.round((duration / speed) * rate));
  const count = Math.min(mostFrames, wanted);
  return { count, step: duration / count, delay: duration / speed / count };
}

export async function gif(run: Run, shows: Shows, speed: number, progress: (share: number) => void): Promise<Blob> {
  const [width, height] = [560, 420];
  const stage = await staged(run, shows, width, height);
  try {
    const { times } = run.motion;
    const { count, step, delay } = framesOf(times[times.length - 1] - times[0], speed);
    const copy = h("canvas", { width, height });
    const c = copy.getContext("2d", { willReadFrequently: true })!;
    const images: Uint8ClampedArray[] = [];
    for (let k = 0; k < count; ++k) {
      stage.show(times[0] + k * step);
      c.drawImage(stage.canvas, 0, 0, width, height);
      images.push(c.getImageData(0, 0, width, height).data);
      if (k % 10 === 0) {
        progress(k / count);
        await new Promise((done) => setTimeout(done));
      }
    }
    return gifOf({ width, height, images, delay });
  } finally {
    stage.close();
    progress(1);
  }
}

/** A film as the browser records it, which takes as long as the motion at that speed. */
export async function webm(run: Run, shows: Shows, speed: number, progress: (share: number) => void): Promise<Blob> {
  if (typeof MediaRecorder === "undefined" || !MediaRecorder.isTypeSupported("video/webm")) throw new Error("this browser cannot record WebM; take the GIF");
  const stage = await staged(run, shows, 960, 720);
  try {
    const { times } = run.motion;
    const { count, step, delay } = framesOf(times[times.length - 1] - times[0], speed, 30);
    const recorder = new MediaRecorder(stage.canvas.captureStream(30), { mimeType: "video/webm", videoBitsPerSecond: 6e6 });
    const parts: Blob[] = [];
    recorder.ondataavailable = (e) => e.data.size && parts.push(e.data);
    const ended = new Promise<void>((done) => (recorder.onstop = () => done()));
    // The first picture takes longest, and a recorder needs a while to begin: neither is a part of the film.
    stage.show(times[0]);
    const started = new Promise<void>((done) => (recorder.onstart = () => done()));
    recorder.start();
    await started;
    // The film shows what is due: where drawing takes longer than a frame lasts, frames are left out and the speed stays.
    const begun = performance.now();
    for (let k = 0; k < count; k = Math.max(k + 1, Math.floor((performance.now() - begun) / (1000 * delay)))) {
      stage.show(times[0] + k * step);
      progress(k / count);
      await new Promise((done) => setTimeout(done, Math.max(0, begun + 1000 * delay * (k + 1) - performance.now())));
    }
    recorder.stop();
    await ended;
    return new Blob(parts, { type: "video/webm" });
  } finally {
    stage.close();
    progress(1);
  }
}
