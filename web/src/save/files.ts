// Files that a reader takes away from the page; nothing leaves the computer.
import { h } from "../dom";

/** A name that every file system takes. */
export const fileName = (text: string, ending: string) => `${text.normalize("NFKD").replace(/[^\w.-]+/g, "_").replace(/^[_.]+|_+$/g, "").slice(0, 80) || "mubody"}.${ending}`;

export function download(name: string, content: Blob) {
  const url = URL.createObjectURL(content);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the address once the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

export const textFile = (text: string, type: string) => new Blob([text], { type: `${type};charset=utf-8` });

/** A drawing as an image of that many pixels per unit. */
export async function pngOf(svg: string, width: number, height: number, scale = 2): Promise<Blob> {
  const url = URL.createObjectURL(textFile(svg, "image/svg+xml"));
  try {
    const image = new Image(width, height);
    image.src = url;
    await image.decode();
    const canvas = h("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await pngOfCanvas(canvas);
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function pngOfCanvas(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("the browser could not make an image of the drawing"))), "image/png"));
}
