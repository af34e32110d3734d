// The worker in which the library runs: one call after the other, each answered by a message.
//
//   in    {module}                       first of all
//         {id, call, values}             a method of Library
//   out   {ready: version}
//         {id, share}                    how far a call has come
//         {id, value} or {id, error}     its end
import { Library, ModelFailure } from "./library";

export interface Call {
  id: number;
  call: string;
  values: unknown[];
  /** Whether the last parameter of the call is a function that is told the share done. */
  progress: boolean;
}
export interface Reply {
  id: number;
  share?: number;
  value?: unknown;
  error?: { name: string; message: string; problems?: unknown };
}

const between = 50; // ms between two messages about progress

/** The memory of arrays, which goes to the page without being copied. */
function buffersIn(value: unknown, found: Set<ArrayBuffer> = new Set()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.byteLength > 0) found.add(value.buffer as ArrayBuffer);
  } else if (Array.isArray(value)) {
    if (typeof value[0] === "object") for (const item of value) buffersIn(item, found);
  } else if (value && typeof value === "object") {
    for (const item of Object.values(value)) buffersIn(item, found);
  }
  return found;
}

const page = self as unknown as { postMessage(message: unknown, transfer?: Transferable[]): void; onmessage: unknown };
let library: Promise<Library> | undefined;

async function answer({ id, call, values, progress }: Call): Promise<void> {
  let last = performance.now();
  const tell = (share: number) => {
    const now = performance.now();
    if (now - last < between) return;
    last = now;
    page.postMessage({ id, share } satisfies Reply);
  };
  try {
    const calls = (await library!) as unknown as Record<string, (...all: unknown[]) => unknown>;
    const value = calls[call]!(...values, ...(progress ? [tell] : []));
    page.postMessage({ id, value } satisfies Reply, [...buffersIn(value)]);
  } catch (e) {
    const error = e as Error;
    const problems = error instanceof ModelFailure ? error.problems : undefined;
    page.postMessage({ id, error: { name: error.name, message: error.message, problems } } satisfies Reply);
  }
}

page.onmessage = async ({ data }: MessageEvent<Call | { module: WebAssembly.Module }>) => {
  if (!("module" in data)) return answer(data);
  library = Library.load(data.module);
  page.postMessage({ ready: (await library).version });
};
