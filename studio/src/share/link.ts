// A model in an address: its text, compressed, after the sign #, which no browser sends to a server.

const mark = "m=";

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Base64 with the signs that addresses allow. */
export function base64url(bytes: Uint8Array): string {
  let text = "";
  for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

/** What follows # in the address of a model. */
export async function hashOf(text: string): Promise<string> {
  return mark + base64url(await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw")));
}

/** The model of an address; nothing if it holds none.  A damaged one is refused with words. */
export async function textOfHash(hash: string): Promise<string | undefined> {
  const content = hash.replace(/^#/, "");
  if (!content.startsWith(mark)) return undefined;
  try {
    const bytes = await through(fromBase64url(content.slice(mark.length)), new DecompressionStream("deflate-raw"));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("The link is damaged: the model in it cannot be read. Perhaps a mail program has cut it.");
  }
}
