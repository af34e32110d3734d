// 'mubody watch' in a browser: what is saved is seen soon after the run, at the same time and from the same side.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { desktop, examples, folder, launch, program, removeFolder, scrub, settled } from "./browser.mjs";

// How soon depends on the machine and on what else it does: MUBODY_TIMES=1 says that nothing else runs, and only then is it judged.
const judged = process.env.MUBODY_TIMES === "1";
const within = 300; // [ms] from the end of a run until its motion is drawn

let browser;
let watch;
let address;
let printed = "";
before(async () => {
  browser = await launch();
  copyFileSync(`${examples}four_bar/model.toml`, join(folder, "m.toml"));
  watch = spawn(program, ["watch", "m.toml", "--no-estimate"], { cwd: folder });
  watch.stdout.on("data", (text) => (printed += text));
  address = await new Promise((done, fail) => {
    watch.on("exit", () => fail(new Error("mubody watch ended")));
    const look = setInterval(() => {
      const found = printed.match(/http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//);
      if (found) clearInterval(look), done(found[0]);
    }, 10);
  });
});
after(async () => {
  await browser?.close();
  watch?.removeAllListeners("exit");
  watch?.kill("SIGINT");
  removeFolder();
});

async function look() {
  const context = await browser.newContext({ viewport: desktop });
  context.setDefaultTimeout(60000);
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (e) => faults.push(e.message));
  page.on("console", (m) => m.type() === "error" && faults.push(m.text()));
  await page.goto(address);
  await page.waitForSelector("#watched", { state: "attached" });
  await page.waitForSelector("h1");
  await settled(page);
  return { page, faults, close: () => context.close() };
}
const version = (page) => page.evaluate(() => JSON.parse(document.getElementById("watched").textContent).version);
/** Waits for a version that is drawn; returns when [ms since 1970]. */
async function drawn(page, wanted) {
  for (;;) {
    try {
      await page.waitForFunction((n) => JSON.parse(document.getElementById("watched")?.textContent ?? "{}").version >= n && document.querySelector(".time"), wanted, { polling: 5 });
      return await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(Date.now())))));
    } catch (e) {
      if (!/context was destroyed|navigation/i.test(e.message)) throw e;
    }
  }
}
/** Saves the model with another mass of the crank. */
function save(mass) {
  const text = readFileSync(join(folder, "m.toml"), "utf8");
  writeFileSync(join(folder, "m.toml"), text.replace(/crank    = \{mass = [^,]*/, `crank    = {mass = ${mass}`));
}

test("a saved model is seen soon after its run, at the same time and from the same side", async () => {
  const { page, faults, close } = await look();
  await page.locator(".stage canvas").hover();
  await page.mouse.down();
  await page.mouse.move(500, 300, { steps: 3 });
  await page.mouse.up();
  await scrub(page, 321);
  const time = await page.locator("output.time").textContent();
  const delays = [];
  for (let mass = 2; mass < (judged ? 12 : 4); ++mass) {
    const before = await version(page);
    const outside = follow(before);
    save(mass);
    const [over, seen] = [await outside, await drawn(page, before + 1)];
    delays.push(seen - over);
    assert.equal(await page.locator("output.time").textContent(), time);
  }
  const canvas = await page.locator(".stage canvas").screenshot();
  await page.reload();
  await page.waitForSelector(".time");
  await settled(page);
  assert.ok(canvas.length > 1000);
  console.log(`seen ${delays.map(Math.round).join(", ")} ms after the run`);
  if (judged) assert.ok(delays.sort((a, b) => a - b)[delays.length >> 1] < within, `seen after ${delays} ms`);
  assert.deepEqual(faults, []);
  await close();
});

/** When another version is ready, as somebody else hears it [ms since 1970]. */
async function follow(old) {
  const answer = await fetch(`${address}events`);
  const reader = answer.body.getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the events ended");
    text += new TextDecoder().decode(value);
    const versions = [...text.matchAll(/"version":(\d+),"state":"ready"/g)].map((m) => Number(m[1]));
    if (versions.some((v) => v > old)) {
      const now = Date.now();
      await reader.cancel();
      return now;
    }
  }
}

test("a model that is wrong leaves the last motion, with its message", async () => {
  const { page, faults, close } = await look();
  const before = await version(page);
  save('"heavy"');
  await page.waitForFunction(() => /m\.toml:\d+/.test(document.querySelector(".watch-line")?.textContent ?? ""));
  assert.equal(await version(page), before);
  save(1);
  await drawn(page, before + 1);
  assert.equal(await page.locator(".watch-line").isHidden(), true);
  assert.deepEqual(faults, []);
  await close();
});
