// Loads the library from the data of this page, in workers of its own.
import { loadMubody, type Mubody } from "../../wasm/mubody";

const textOf = (id: string) => document.getElementById(id)?.textContent?.trim() ?? "";

/** The bytes of a gzipped file in base64. */
async function unpacked(base64: string): Promise<ArrayBuffer> {
  // A loop takes a tenth of the time of Uint8Array.from, which matters for millions of bytes.
  const text = atob(base64);
  const packed = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) packed[k] = text.charCodeAt(k);
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export async function loadLibrary(): Promise<Mubody> {
  const base64 = textOf("wasm");
  if (!base64) throw new Error("This page was built without the solver: make studio builds it with one.");
  const address = URL.createObjectURL(new Blob([JSON.parse(textOf("worker")) as string], { type: "text/javascript" }));
  // The templates of reports wait until somebody asks for a report.
  let templates: Promise<Record<string, string>> | undefined;
  const pages = async (name: string) => {
    templates ??= unpacked(textOf("pages")).then((bytes) => JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string>);
    return (await templates)[name];
  };
  return loadMubody({ module: unpacked(base64), worker: () => new Worker(address), pages });
}
