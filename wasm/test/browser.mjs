// The module in headless Chromium, from a page on the disk: exceptions, all examples as in node, a run that is stopped, and the
// times that a page waits.  WebAssembly leaves no room for other numbers, so that results must be those of node to the last bit.
//
//   MUBODY_EXAMPLES  the folder of the examples;  CHROMIUM  the browser
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { Library } from "../library.mjs";

const folder = fileURLToPath(new URL("..", import.meta.url));
const examples = process.env.MUBODY_EXAMPLES;
const wasm = readFileSync(join(folder, "mubody.wasm"));
const base64 = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");

let browser, page;
const requests = [];
before(async () => {
  // As the studio does: everything in one file, the module compressed.
  const html = `<!doctype html><meta charset="utf-8"><title>module</title>
<script id="module" type="text/plain">${base64(wasm)}</script>
<script id="exceptions" type="text/plain">${base64(readFileSync(join(folder, "exceptions.wasm")))}</script>
<script id="worker" type="text/plain">${readFileSync(join(folder, "worker.js"), "utf8").replace(/<\/script/g, "<\\/script")}</script>
<script type="module">${readFileSync(join(folder, "mubody.mjs"), "utf8").replace(/export\{(.*?)\};?\s*$/s, (_, names) => `Object.assign(window, {${names.split(",").map((n) => n.split(" as ").reverse().join(":")).join(",")}});`)}
window.bytesOf = async (id) => {
  const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
  return new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
};
const source = document.getElementById("worker").textContent;
window.started = (async () => loadMubody({ module: bytesOf("module"), worker: () => new Worker(URL.createObjectURL(new Blob([source]))) }))();
</script>`;
  const file = join(folder, "test/module.html");
  writeFileSync(file, html);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  page = await browser.newPage();
  page.on("request", (r) => requests.push(r.url()));
  page.on("pageerror", (e) => console.error(e));
  await page.goto(pathToFileURL(file).href);
});
after(() => browser?.close());

test("exceptions are thrown and caught in the browser", async () => {
  const found = await page.evaluate(async () => {
    const nothing = new Proxy({}, { get: () => () => 0 });
    const { instance } = await WebAssembly.instantiate(await bytesOf("exceptions"), { wasi_snapshot_preview1: nothing });
    instance.exports._initialize();
    return [instance.exports.exceptions(), instance.exports.many_times(100000)];
  });
  assert.deepEqual(found, [0, 0]);
});

test("the four-bar moves soon after the page was opened", async (t) => {
  const text = readFileSync(join(examples, "four_bar/model.toml"), "utf8");
  await page.reload();
  const times = await page.evaluate(async (text) => {
    const mubody = await window.started;
    const loaded = performance.now();
    await mubody.run({ text }).result;
    const first = performance.now();
    const more = [];
    for (let k = 0; k < 10; ++k) more.push((await mubody.run({ text }, { bare: true }).result).milliseconds);
    return { loaded, first, again: Math.min(...more) };
  }, text);
  t.diagnostic(`loaded after ${times.loaded.toFixed()} ms, first motion after ${times.first.toFixed()} ms, a run takes ${times.again.toFixed(1)} ms`);
  assert.ok(times.first < 5000);
});

test("a run tells how far it is, and can be stopped", async () => {
  const text = readFileSync(join(examples, "four_bar/model.toml"), "utf8");
  const found = await page.evaluate(async (text) => {
    const mubody = await window.started;
    const shares = [];
    const running = mubody.run({ text, set: ["analysis.end=100000"] }, { bare: true }, (share) => {
      shares.push(share);
      if (shares.length === 3) running.cancel();
    });
    const name = await running.result.then(() => "it ended", (e) => e.name);
    const again = await mubody.run({ text }).result;
    return { name, shares, ok: again.ok };
  }, text);
  assert.equal(found.name, "Cancelled");
  assert.ok(found.shares[2] > found.shares[0] && found.shares[2] < 1);
  assert.ok(found.ok);
});

test("digits are found beside other runs, and the numbers stay", async () => {
  const text = readFileSync(join(examples, "four_bar/model.toml"), "utf8");
  const found = await page.evaluate(async (text) => {
    const mubody = await window.started;
    const long = mubody.run({ text, set: ["analysis.end=100000"] }, { estimate: true });
    const plain = await mubody.run({ text }).result;
    long.cancel();
    const ended = await long.result.then(() => "it ended", (e) => e.name);
    const judged = await mubody.run({ text }, { estimate: true }).result;
    const columns = (run) => run.tables.find((t) => t.name === "bodies").columns.map((c) => [...c.values]);
    return { ended, before: plain.digits, after: judged.digits, same: JSON.stringify(columns(plain)) === JSON.stringify(columns(judged)) };
  }, text);
  assert.equal(found.ended, "Cancelled");
  assert.equal(found.before, null);
  assert.ok(found.after.positions > 2, JSON.stringify(found.after));
  assert.ok(found.same);
});

/** A number that stands for all numbers of the tables. */
function digest(tables) {
  let h = 0x811c9dc5;
  for (const { columns } of tables)
    for (const { values } of columns)
      for (const word of new Uint32Array(Float64Array.from(values, (x) => (Number.isNaN(x) ? 0 : x)).buffer)) h = Math.imul(h ^ word, 0x01000193) >>> 0;
  return h;
}

test("examples give in the browser what they give in node", { timeout: 1200_000 }, async () => {
  const module = await WebAssembly.compile(wasm);
  await page.evaluate(`window.digest = ${digest}`);
  for (const name of readdirSync(examples)) {
    const path = join(examples, name, "model.toml");
    if (!existsSync(path)) continue;
    const files = {};
    for (const file of readdirSync(join(examples, name))) if (/\.(csv|tir|stl|obj)$/.test(file)) files[file] = readFileSync(join(examples, name, file), "utf8");
    const source = { text: readFileSync(path, "utf8"), name: `${name}/model.toml`, files };
    const here = (await Library.load(module)).run(source, { bare: true });
    const there = await page.evaluate(async (source) => {
      const result = await (await window.started).run(source, { bare: true }).result;
      return { verdict: result.verdict, digest: digest(result.tables) };
    }, source);
    assert.deepEqual(there, { verdict: here.verdict, digest: digest(here.tables) }, name);
  }
});

test("nothing was fetched", () => {
  assert.deepEqual(requests.filter((url) => !/^(file|blob|data):/.test(url)), []);
});
