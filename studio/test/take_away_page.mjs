// What a person takes away from the studio: files that other programs read, and a link that holds the model.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { examples, launch, open, program } from "./browser.mjs";

let browser;
const folder = mkdtempSync(join(tmpdir(), "mubody-studio-"));
before(async () => (browser = await launch()));
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const model = readFileSync(join(examples, "four_bar/model.toml"), "utf8");
const load = async (page, text) => {
  await page.evaluate((t) => globalThis.mubodyStudio.document.load(t), text);
  await page.waitForFunction((t) => globalThis.mubodyStudio.ran.value?.text === t && globalThis.mubodyStudio.ran.value.result, text, { polling: 30 });
};

/** The files that one entry of the menu makes. */
async function taken(page, id, files = 1) {
  const got = [];
  const all = new Promise((done) => page.on("download", (d) => got.push(d) === files && done()));
  if (!(await page.locator(`[data-export="${id}"]`).isVisible())) await page.locator(".panel-export summary").click();
  await page.click(`[data-export="${id}"]`);
  await all;
  page.removeAllListeners("download");
  return Promise.all(got.map(async (d) => ({ name: d.suggestedFilename(), bytes: readFileSync(await d.path()) })));
}

test("model, results, report: numbers are those of the program to 1e-9", async () => {
  const { page, close } = await open(browser);
  await load(page, model);
  const [toml] = await taken(page, "toml");
  assert.equal(toml.bytes.toString(), model);
  const tables = await page.evaluate(() => globalThis.mubodyStudio.ran.value.result.tables.length);
  const csv = await taken(page, "csv", tables);
  writeFileSync(join(folder, "model.toml"), model);
  execFileSync(program, ["run", join(folder, "model.toml"), "-q", "-o", join(folder, "native")]);
  const columns = (text) => {
    const [head, ...lines] = text.trim().split("\n");
    const rows = lines.map((l) => l.split(",").map(Number));
    return new Map(head.split(",").map((name, k) => [name, rows.map((r) => r[k])]));
  };
  const mine = columns(csv.find((f) => f.name.endsWith("bodies.csv")).bytes.toString());
  const native = columns(readFileSync(join(folder, "native/bodies.csv"), "utf8"));
  let rows = 0;
  for (const [k, t] of native.get("time[s]").entries()) {
    const at = mine.get("time[s]").findIndex((x) => Math.abs(x - t) < 1e-12);
    if (at < 0) continue;
    ++rows;
    for (const name of ["crank.x[m]", "coupler.angle[rad]", "follower.omega[rad/s]"]) assert.ok(Math.abs(mine.get(name)[at] - native.get(name)[k]) <= 1e-9 * (1 + Math.abs(native.get(name)[k])), `${name} at ${t}`);
  }
  assert.equal(rows, native.get("time[s]").length);
  const [report] = await taken(page, "report");
  const text = report.bytes.toString();
  assert.match(text, /^<!doctype html>/);
  assert.ok(text.includes('"kind":"run"') && !text.includes("@DATA@"));
  await close();
});

test("pictures and films: SVG, PNG, GIF, WebM, glTF", async () => {
  const { page, close } = await open(browser);
  await load(page, model.replace(/end = .*/, "end = 0.6"));
  await page.getByLabel("speed of the animation").selectOption({ label: "1×" });
  assert.match((await taken(page, "svg"))[0].bytes.toString(), /<svg/);
  assert.equal((await taken(page, "png"))[0].bytes.subarray(1, 4).toString(), "PNG");
  const gif = (await taken(page, "gif"))[0].bytes;
  assert.equal(gif.subarray(0, 6).toString(), "GIF89a");
  assert.ok(gif.length > 20000 && gif.length < 4e6, `${gif.length} bytes`);
  writeFileSync(join(folder, "film.gif"), gif);
  const size = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: "image/gif" }));
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, gif.toString("base64"));
  assert.deepEqual(size, [560, 420]);
  const webm = (await taken(page, "webm"))[0].bytes;
  assert.equal(webm.readUInt32BE(0), 0x1a45dfa3, "no EBML header");
  assert.equal((await taken(page, "gltf"))[0].bytes.subarray(0, 4).toString(), "glTF");
  await close();
});

test("C code compiles", async () => {
  const { page, close } = await open(browser);
  await load(page, model);
  const files = await taken(page, "c", 2);
  for (const { name, bytes } of files) writeFileSync(join(folder, name), bytes);
  execFileSync("cc", ["-std=c99", "-c", "-o", join(folder, "model.o"), join(folder, files.find((f) => f.name.endsWith(".c")).name)], { stdio: "pipe" });
  await close();
});

test("a link holds the model: its size is told, and another page opens it", async () => {
  const { page, context, check } = await open(browser);
  await load(page, model);
  await page.keyboard.press("Alt+l");
  await page.waitForFunction(() => location.hash.startsWith("#m="));
  assert.match(await page.locator(".message").textContent(), /\d characters/);
  const hash = await page.evaluate(() => location.hash);
  check();
  await context.close();
  const other = await open(browser, { hash });
  await other.page.waitForFunction((t) => globalThis.mubodyStudio.document.text === t, model);
  // What is edited then is kept, and not lost to the model of the address.
  await other.page.evaluate(() => globalThis.mubodyStudio.document.apply([{ from: 0, to: 0, insert: "# mine\n" }], { origin: "test" }));
  await other.page.reload();
  await other.page.waitForFunction((t) => globalThis.mubodyStudio.document.text === `# mine\n${t}`, model);
  await other.close();
  const cut = await open(browser, { hash: hash.slice(0, -40) });
  await cut.page.getByText("The link is damaged").waitFor();
  await cut.close();
});
