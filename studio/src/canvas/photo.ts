// A photo behind the grid, by which a real machine is traced.
import type { Camera } from "./camera";
import type { Xy } from "../model/sketch";

export interface Photo {
  image: HTMLImageElement;
  /** Where its lower left corner is, and its width [m]. */
  at: Xy;
  width: number;
  opacity: number;
}

export function drawPhoto(c: CanvasRenderingContext2D, camera: Camera, { image, at, width, opacity }: Photo) {
  const height = (width * image.naturalHeight) / image.naturalWidth;
  const [x, y] = camera.toPixels([at[0], at[1] + height]);
  c.save();
  c.globalAlpha = opacity;
  c.drawImage(image, x, y, width * camera.scale, height * camera.scale);
  c.restore();
}

/** Makes the distance of two points of the photo a given one; the first point stays where it is. */
export function scaled(photo: Photo, a: Xy, b: Xy, distance: number): Photo {
  const factor = distance / Math.hypot(b[0] - a[0], b[1] - a[1]);
  return { ...photo, width: photo.width * factor, at: [a[0] + (photo.at[0] - a[0]) * factor, a[1] + (photo.at[1] - a[1]) * factor] };
}

/** An image file as an image within the page. */
export async function loadPhoto(file: Blob): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode();
  return image;
}
