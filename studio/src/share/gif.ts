// An animated GIF of frames of pixels.
//
//   Graphics Interchange Format, version 89a (CompuServe, 1990); variable-length codes of Lempel, Ziv and Welch
//
// One palette for all frames: the colours that occur most often, in steps of 8 of each of red, green and blue.

export interface Frames {
  width: number;
  height: number;
  /** RGBA, four bytes for each pixel. */
  images: Uint8ClampedArray[];
  /** Between frames [s]. */
  delay: number;
}

const keyOf = (data: Uint8ClampedArray, at: number) => ((data[at] >> 3) << 10) | ((data[at + 1] >> 3) << 5) | (data[at + 2] >> 3);

/** At most 256 colours, and the number of the nearest of them for every colour in steps of 8. */
export function paletteOf(images: readonly Uint8ClampedArray[]): { colours: [number, number, number][]; nearest: Uint8Array } {
  const counts = new Uint32Array(32768);
  for (const data of images) for (let at = 0; at < data.length; at += 4) ++counts[keyOf(data, at)];
  const used = [...counts.keys()].filter((k) => counts[k] > 0).sort((a, b) => counts[b] - counts[a]);
  const rgb = (k: number): [number, number, number] => [k >> 10, (k >> 5) & 31, k & 31].map((v) => (v << 3) | (v >> 2)) as [number, number, number];
  const colours = used.slice(0, 256).map(rgb);
  const nearest = new Uint8Array(32768);
  used.forEach((k, rank) => {
    if (rank < 256) return void (nearest[k] = rank);
    const [r, g, b] = rgb(k);
    let [best, least] = [0, Infinity];
    colours.forEach(([p, q, s], n) => {
      const d = (p - r) ** 2 + (q - g) ** 2 + (s - b) ** 2;
      if (d < least) [best, least] = [n, d];
    });
    nearest[k] = best;
  });
  return { colours, nearest };
}

/** Codes of growing length, packed from the lowest bit, in blocks of 255 bytes. */
export function compressed(pixels: Uint8Array): number[] {
  const least = 8;
  const [clear, end] = [1 << least, (1 << least) + 1];
  const out: number[] = [least];
  let block: number[] = [];
  let [bits, have] = [0, 0];
  const byte = (value: number) => {
    block.push(value);
    if (block.length < 255) return;
    out.push(255, ...block);
    block = [];
  };
  let size = least + 1;
  const code = (value: number) => {
    bits |= value << have;
    have += size;
    while (have >= 8) byte(bits & 255), (bits >>>= 8), (have -= 8);
  };
  const known = new Uint16Array(4096 * 256); // the code of a string, by that of the string before its last pixel; 0: none
  let next = end + 1;
  code(clear);
  let prefix = pixels[0];
  for (let k = 1; k < pixels.length; ++k) {
    const key = (prefix << 8) | pixels[k];
    const there = known[key];
    if (there !== 0) {
      prefix = there;
      continue;
    }
    code(prefix);
    if (next === 4096) {
      code(clear);
      known.fill(0);
      next = end + 1;
      size = least + 1;
    } else {
      if (next === 1 << size) ++size;
      known[key] = next++;
    }
    prefix = pixels[k];
  }
  code(prefix);
  code(end);
  if (have > 0) byte(bits & 255);
  if (block.length) out.push(block.length, ...block);
  out.push(0);
  return out;
}

export function gifOf({ width, height, images, delay }: Frames): Blob {
  const { colours, nearest } = paletteOf(images);
  const word = (v: number) => [v & 255, v >> 8];
  const table = Array.from({ length: 256 }, (_, k) => colours[k] ?? [0, 0, 0]).flat();
  const text = (words: string) => [...words].map((c) => c.charCodeAt(0));
  const parts: number[][] = [[...text("GIF89a"), ...word(width), ...word(height), 0xf7, 0, 0, ...table], [0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0]];
  const hundredths = Math.max(2, Math.round(100 * delay));
  for (const data of images) {
    const pixels = new Uint8Array(width * height);
    for (let k = 0; k < pixels.length; ++k) pixels[k] = nearest[keyOf(data, 4 * k)];
    parts.push([0x21, 0xf9, 4, 4, ...word(hundredths), 0, 0, 0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0], compressed(pixels));
  }
  parts.push([0x3b]);
  return new Blob(parts.map((p) => Uint8Array.from(p)), { type: "image/gif" });
}
