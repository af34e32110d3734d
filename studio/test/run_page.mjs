// Runs in the studio as a person sees them: motion after edits, overlays, sliders, analyses, comparisons, space.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { example, examples, judged, launch, open, pictures, ran, sizes, textOf } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

const canvasSum = async (page) => {
  const bytes = await page.locator(".place.stage canvas:visible").first().screenshot();
  let sum = 0;
  for (const b of bytes) sum = (sum * 31 + b) >>> 0;
  return sum;
};
const scrub = async (page, row) => {
  await page.locator(".scrub").evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input"));
  }, row);
  await page.waitForTimeout(80);
};
const shot = (page, name) => page.screenshot({ path: join(pictures, `${name}.png`) });

test("a four-bar plays, scrubs and goes back to the start", async () => {
  const { page, close } = await open(browser);
  await example(page, "four_bar");
  const start = await canvasSum(page);
  await page.locator(".drawing canvas").focus();
  await page.keyboard.press("Space");
  await page.waitForFunction(() => Number(document.querySelector(".scrub").value) > 5);
  await page.keyboard.press("Space");
  assert.notEqual(await canvasSum(page), start);
  await scrub(page, 300);
  const shown = await page.evaluate(() => globalThis.mubodyStudio.shown.value.row);
  assert.equal(shown, 300);
  await page.keyboard.press("Home");
  await page.waitForTimeout(100);
  assert.equal(await page.evaluate(() => globalThis.mubodyStudio.shown.value), undefined);
  await close();
});

test("after an edit of a small model the motion is there at once", async () => {
  const { page, close } = await open(browser);
  await example(page, "slider_crank_driven");
  const times = await page.evaluate(async () => {
    const { document: model, ran } = globalThis.mubodyStudio;
    const all = [];
    for (let k = 0; k < 25; ++k) {
      const began = performance.now();
      const done = new Promise((resolve) => {
        const stop = ran.watch((now) => now?.text === model.text && (stop(), resolve()));
      });
      model.apply([{ from: 0, to: 0, insert: `# ${k}\n` }], { origin: "test" });
      await done;
      all.push(performance.now() - began);
    }
    return all.sort((a, b) => a - b);
  });
  console.log(`# from the edit to the motion: ${times.slice(0, 8).map((t) => Math.round(t)).join(", ")} ms`);
  // The least is ours; what is above it is the computer's other business.
  assert.ok(times[0] < 100 || !judged(), `${times} ms`);
  await close();
});

test("arrows, velocities, instant centres and a target path change the drawing", async () => {
  const { page, close } = await open(browser);
  await example(page, "four_bar");
  await scrub(page, 60);
  await page.click("#tab-show");
  for (const name of ["Reactions", "Velocities", "Instant centres"]) {
    const without = await canvasSum(page);
    await page.getByRole("button", { name, exact: true }).click();
    await page.waitForTimeout(120);
    assert.notEqual(await canvasSum(page), without, name);
  }
  await shot(page, "run-overlays");
  const without = await canvasSum(page);
  await page.getByLabel("target path: x, y in each line").fill("0, 3\n1, 3.5\n2, 3.8");
  await page.waitForTimeout(120);
  assert.notEqual(await canvasSum(page), without);
  assert.match(await page.locator(".show-panel output").textContent(), /tip misses it by [\d.]+ mm/);
  assert.match(await page.locator(".readings").textContent(), /transmission angle at C/);
  await close();
});

test("a slider changes the text and the motion; a family stays behind", async () => {
  const { page, close } = await open(browser);
  await example(page, "quick_return");
  await page.click("#tab-parameters");
  const slider = page.locator(".parameter input[type=range]").first();
  const name = (await slider.getAttribute("aria-label")).replace("parameter ", "");
  const before = await page.evaluate(() => globalThis.mubodyStudio.document.text);
  await page.getByLabel("Keep a family").check();
  for (const share of [0.48, 0.52]) {
    await slider.evaluate((s, at) => {
      s.value = String(Number(s.min) + at * (Number(s.max) - Number(s.min)));
      s.dispatchEvent(new Event("input"));
      s.dispatchEvent(new Event("change"));
    }, share);
    await ran(page);
  }
  const after = await page.evaluate(() => globalThis.mubodyStudio.document.text);
  const changed = after.split("\n").filter((line, k) => line !== before.split("\n")[k]);
  assert.equal(changed.length, 1, changed.join("\n"));
  assert.ok(changed[0].includes(name));
  assert.ok((await page.locator(".panel-plots .entry.other").count()) > 0);
  await scrub(page, 100);
  await shot(page, "run-family");
  await page.keyboard.press("Control+z");
  await page.getByRole("button", { name: "Clear the family" }).click();
  assert.equal(await page.locator(".panel-plots .entry.other").count(), 0);
  await close();
});

test("runs are kept and compared", async () => {
  const { page, close } = await open(browser);
  await example(page, "pendulum");
  await page.click("#tab-runs");
  await page.getByRole("button", { name: "Keep this run (K)" }).click();
  await page.evaluate(() => {
    const { document: model } = globalThis.mubodyStudio;
    model.replace(model.text.replace(/gravity = .*/, "gravity = [0, -5]"), { origin: "test" });
  });
  await ran(page);
  await page.getByRole("button", { name: "Differences" }).click();
  assert.ok((await page.locator(".panel-runs tbody tr").count()) > 3);
  await page.getByRole("button", { name: "Its model" }).click();
  await ran(page);
  await page.getByRole("button", { name: "Differences" }).click();
  assert.match(await page.locator(".panel-runs").textContent(), /do not differ/);
  await close();
});

test("other analyses: equilibrium, inverse, modes that move, topology", async () => {
  const { page, close } = await open(browser);
  await example(page, "double_pendulum");
  await page.click("#tab-analyses");
  const press = async (name, pattern) => {
    await page.click(`[data-analysis="${name}"]`);
    await page.waitForFunction((p) => new RegExp(p).test(document.querySelector(".analysis-answer")?.textContent ?? ""), pattern);
  };
  await press("equilibrium", "^equilibrium: .*stable");
  await press("modes", "2 frequencies from 0.381");
  assert.equal(await page.locator(".modes tbody tr").count(), 2);
  const one = await canvasSum(page);
  await page.waitForTimeout(300);
  assert.notEqual(await canvasSum(page), one);
  await shot(page, "run-modes");
  await page.click('[data-analysis="topology"]');
  await page.locator(".topology").waitFor();
  await example(page, "slider_crank_driven");
  await page.click("#tab-analyses");
  await press("inverse", "^inverse: ");
  await page.click("#tab-plots");
  await page.getByText("What the driver gives").waitFor();
  await close();
});

test("a model in space is shown in space; its handle moves a body in the text", async () => {
  const { page, close } = await open(browser);
  await example(page, "heavy_top");
  await page.locator(".space-stage canvas").waitFor();
  await page.waitForTimeout(400);
  const before = await page.evaluate(() => globalThis.mubodyStudio.document.text);
  const names = await page.getByLabel("what the handle moves").locator("option").allTextContents();
  await page.getByLabel("what the handle moves").selectOption(names[1]);
  await page.waitForTimeout(200);
  await shot(page, "run-space");
  // The name of a body stands beside its centre, where its handle is.
  const box = await page.locator(".space-stage canvas").boundingBox();
  const at = await page.locator(".space-stage .labels span", { hasText: names[1] }).first().evaluate((e) => /translate\(([-\d.]+)px, ([-\d.]+)px\)/.exec(e.style.transform).slice(1).map(Number));
  const centre = [box.x + at[0] - 8, box.y + at[1] + 8];
  await page.mouse.move(...centre);
  await page.mouse.down();
  await page.mouse.move(centre[0] + 40, centre[1] + 25, { steps: 6 });
  await page.mouse.up();
  const moved = (await page.evaluate(() => globalThis.mubodyStudio.document.text)) !== before;
  assert.ok(moved, "no handle was found");
  const after = await page.evaluate(() => globalThis.mubodyStudio.document.text);
  assert.match(after, /position = \[/);
  await ran(page);
  await page.evaluate(() => globalThis.mubodyStudio.document.undo());
  assert.equal(await page.evaluate(() => globalThis.mubodyStudio.document.text), before);
  await scrub(page, 50);
  await close();
});

test("the verdict: digits or what is wrong, and events", async () => {
  const { page, close } = await open(browser);
  await example(page, "bouncing_ball");
  await page.click("#tab-verdict");
  assert.ok((await page.locator(".panel-verdict #events tbody tr").count()) > 2);
  await page.evaluate(() => globalThis.mubodyStudio.document.apply([{ from: 0, to: 0, insert: "gravity = 3 = 4\n" }], { origin: "test" }));
  await page.waitForFunction(() => document.querySelector("button.verdict.bad"));
  assert.match(await page.locator("button.verdict").textContent(), /cannot run|mistakes/);
  await close();
});

test("four sizes, light and dark", async () => {
  for (const [name, size] of Object.entries(sizes))
    for (const scheme of ["light", "dark"]) {
      const { page, close } = await open(browser, { size, scheme });
      await example(page, "jansen_leg");
      await scrub(page, 40);
      await shot(page, `run-${name}-${scheme}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide on a ${name}`);
      await close();
    }
});

test("the text of an example is that of its file", async () => {
  const { page, close } = await open(browser);
  await example(page, "geneva");
  assert.equal(await textOf(page), readFileSync(join(examples, "geneva/model.toml"), "utf8"));
  await close();
});
