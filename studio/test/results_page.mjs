// Results belong to the model that is there: digits, first plots, and what is shown of an earlier model.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { example, launch, open, ran, textOf } from "./browser.mjs";

let browser;
before(async () => void (browser = await launch()));
after(() => browser?.close());

const edit = (page, from, to) => page.evaluate(([a, b]) => {
  const { document: model } = globalThis.mubodyStudio;
  model.replace(model.text.replace(a, b), { origin: "test" });
}, [from, to]);
const plotted = (page) => page.locator(".panel-plots .entry").evaluateAll((all) => all.map((e) => e.dataset.channel));
const badge = (page) => page.locator("button.verdict").textContent();

test("digits that can be trusted come after the run, and stop nothing", async () => {
  const { page, close } = await open(browser);
  await example(page, "four_bar");
  const first = await page.evaluate(() => globalThis.mubodyStudio.ran.value.estimating);
  assert.equal(first, true);
  await page.waitForFunction(() => globalThis.mubodyStudio.ran.value.estimating === false);
  assert.match(await badge(page), /^\d+ digits? in positions$/);
  await page.click("#tab-verdict");
  assert.match(await page.locator("#accuracy").textContent(), /Estimated from a second motion/);
  // What is kept and shown is the same run; an edit while digits are being found gives up those of the text before.
  const runs = await page.evaluate(async () => {
    const { document: model, ran } = globalThis.mubodyStudio;
    const all = [];
    ran.watch((now) => all.push([now.text === model.text, now.estimating]));
    model.replace(model.text.replace(/end = .*/, "end = 40"), { origin: "test" });
    await new Promise((done) => ran.watch((now) => now.result?.times.at(-1) === 40 && done()));
    await new Promise((done) => setTimeout(done, 800));
    model.replace(model.text.replace(/end = .*/, "end = 1"), { origin: "test" });
    const began = performance.now();
    await new Promise((done) => ran.watch((now) => now.result?.times.at(-1) === 1 && !now.estimating && done()));
    return { all, took: performance.now() - began };
  });
  assert.deepEqual(runs.all, [[true, true], [true, true], [true, false]]);
  console.log(`# from the edit to the digits: ${Math.round(runs.took)} ms`);
  await close();
});

test("another model has first plots of its own; those that were chosen stay over edits", async () => {
  const { page, close } = await open(browser);
  await example(page, "four_bar");
  const before = await plotted(page);
  await example(page, "pendulum");
  const pendulum = await plotted(page);
  assert.ok(pendulum.length > 0);
  assert.notDeepEqual(pendulum, before);
  // One is taken away, and stays away over an edit.
  await page.locator(".panel-plots .card").first().getByRole("button", { name: /^remove the plot/ }).click();
  const chosen = await plotted(page);
  await edit(page, "mass = 1,", "mass = 2,");
  await ran(page);
  assert.deepEqual(await plotted(page), chosen);
  await example(page, "four_bar");
  assert.deepEqual(await plotted(page), before);
  await close();
});

test("first plots follow a drawing that grows", async () => {
  const { page, hand, close } = await open(browser);
  await hand.tool("link");
  await hand.drag([300, 400], [330, 300]);
  await hand.tool("ground");
  await hand.click([300, 400]);
  await ran(page);
  await page.locator(".panel-plots .entry").first().waitFor();
  assert.ok(!(await plotted(page)).some((name) => name.startsWith("link2")));
  await hand.tool("link");
  await hand.drag([330, 300], [460, 260]);
  await ran(page);
  await page.waitForFunction(() => [...document.querySelectorAll(".panel-plots .entry")].some((e) => e.dataset.channel.startsWith("link2")));
  await close();
});

test("results of an earlier model say so until the next run", async () => {
  const { page, close } = await open(browser);
  await example(page, "four_bar");
  assert.equal(await page.locator(".stale-note").textContent(), "");
  await page.locator(".drawing canvas").focus();
  await page.keyboard.press("End");
  const good = await textOf(page);
  await edit(page, "type =", "typ =");
  await page.waitForFunction(() => /earlier model: this one has a mistake/.test(document.querySelector(".stale-note").textContent));
  assert.ok(Number(await page.locator(".panel-plots .plots").evaluate((e) => getComputedStyle(e).opacity)) < 0.6);
  assert.match(await page.locator(".place.stage .tab-bodies").evaluate((e) => getComputedStyle(e, "::after").content), /earlier model/);
  await page.evaluate((text) => globalThis.mubodyStudio.document.replace(text, { origin: "test" }), good);
  await page.waitForFunction(() => document.querySelector(".stale-note").textContent === "");
  assert.equal(await page.locator(".panel-plots .plots").evaluate((e) => getComputedStyle(e).opacity), "1");
  await close();
});

test("the bar of progress goes with the run that it is of", async () => {
  const { page, close } = await open(browser);
  await example(page, "four_bar");
  await edit(page, "end = 10", "end = 10000");
  await page.waitForFunction(() => globalThis.mubodyStudio.progress.value > 0);
  await edit(page, "type =", "typ =");
  await page.waitForFunction(() => globalThis.mubodyStudio.checked.value.answer.errors.length > 0);
  await page.waitForFunction(() => document.querySelector("progress").hidden, undefined, { timeout: 5000 });
  await close();
});
