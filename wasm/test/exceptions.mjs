// Exceptions in node: the right handler, what lies between is destroyed, and memory comes back.  browser.mjs does the same.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const module = await WebAssembly.compile(readFileSync(new URL("../exceptions.wasm", import.meta.url)));
const nothing = new Proxy({}, { get: () => () => 0 });

test("C++ exceptions are thrown and caught", async () => {
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: nothing });
  exports._initialize();
  assert.equal(exports.exceptions(), 0, "the number of the statement that does not hold");
});
test("memory of exceptions is given back", async () => {
  const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: nothing });
  exports._initialize();
  exports.many_times(1000);
  const before = exports.memory.buffer.byteLength;
  assert.equal(exports.many_times(200_000), 0);
  assert.equal(exports.memory.buffer.byteLength, before);
});
