// A photo behind the grid, by which a real machine is traced.
import type { Camera } from "./camera";
import type { Xy } from "../model/sketch";
import type { Beside } from "../store";

export interface Photo {
  image: HTMLImageElement;
  /** Where its lower left corner is, and its width [m]. */
  at: Xy;
  width: number;
  opacity: number;
}

/** The grid and the drawing are seen before it. */
const opacity = 0.5;

const ratioOf = (image: HTMLImageElement) => image.naturalHeight / image.naturalWidth;

export function drawPhoto(c: CanvasRenderingContext2D, camera: Camera, { image, at, width, opacity }: Photo) {
  const height = width * ratioOf(image);
  const [x, y] = camera.toPixels([at[0], at[1] + height]);
  c.save();
  c.globalAlpha = opacity;
  c.drawImage(image, x, y, width * camera.scale, height * camera.scale);
  c.restore();
}

/** A photo in the middle of what is seen, as a whole. */
export function placed(image: HTMLImageElement, { x, y, width: w, height: h, scale }: Camera): Photo {
  const ratio = ratioOf(image);
  const width = (0.8 * Math.min(w, h / ratio)) / scale;
  return { image, width, at: [x - width / 2, y - (width * ratio) / 2], opacity };
}

export const cornersOf = ({ image, at, width }: Photo): readonly [Xy, Xy] => [at, [at[0] + width, at[1] + width * ratioOf(image)]];

/** Makes the distance of two points of the photo a given one; the first point stays where it is. */
export function scaled(photo: Photo, a: Xy, b: Xy, distance: number): Photo {
  const factor = distance / Math.hypot(b[0] - a[0], b[1] - a[1]);
  return { ...photo, width: photo.width * factor, at: [a[0] + (photo.at[0] - a[0]) * factor, a[1] + (photo.at[1] - a[1]) * factor] };
}

/** An image file as an image within the page. */
export async function loadPhoto(file: Blob): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
  } finally {
    URL.revokeObjectURL(image.src);
  }
  if (!image.naturalWidth) throw new Error("the image has no size");
  return image;
}

/** Pixels of the longer side of a photo that is kept; the browser keeps a few millions of characters in all. */
const mostPixels = 1400;

/** Keeps the photo for the next time that the page is opened. */
export function keepPhoto(beside: Beside, photo: Photo | undefined) {
  if (!photo) return beside.write("photo", undefined);
  const { image, at, width } = photo;
  const share = Math.min(1, mostPixels / Math.max(image.naturalWidth, image.naturalHeight));
  const [w, h] = [image.naturalWidth, image.naturalHeight].map((pixels) => Math.max(1, Math.round(pixels * share)));
  const copy = Object.assign(document.createElement("canvas"), { width: w, height: h });
  copy.getContext("2d")!.drawImage(image, 0, 0, w, h);
  beside.write("photo", JSON.stringify({ at, width, image: copy.toDataURL("image/webp", 0.85) }));
}

/** The photo that was kept; nothing if there is none, or none that can be read. */
export async function keptPhoto(beside: Beside): Promise<Photo | undefined> {
  try {
    const kept = JSON.parse(beside.read("photo") ?? "null") as { at: Xy; width: number; image: string } | null;
    if (!kept) return undefined;
    const image = Object.assign(new Image(), { src: kept.image });
    await image.decode();
    return { image, at: kept.at, width: kept.width, opacity };
  } catch {
    return undefined;
  }
}
