// The desk around the model: menus, colours, tabs of the browser, a canvas that is closed, and fields that refuse.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { example, launch, open, ran, says, sizes, textOf, type } from "./browser.mjs";

let browser;
before(async () => void (browser = await launch()));
after(() => browser?.close());

const message = (page) => page.locator(".message").textContent();
const place = (text, name) => new RegExp(`^${name} = \\[(?:"([-\\d.]+) mm"|0), (?:"([-\\d.]+) mm"|0)\\]`, "m").exec(text)?.slice(1).map((v) => Number(v ?? 0));

test("menus stay within the window, and close when something else is clicked", async () => {
  for (const [name, size] of Object.entries(sizes)) {
    const { page, hand, close } = await open(browser, { size });
    await says(page, /^empty/);
    for (const menu of ["New", "Take away"]) {
      await page.getByText(menu, { exact: true }).click();
      const body = page.locator(".head .menu[open] .menu-body");
      await page.waitForTimeout(50);
      const box = await body.boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= size.width, `${menu} on a ${name}: ${box.x} to ${box.x + box.width} of ${size.width}`);
      if (name === "desktop") {
        await hand.click([300, 300]);
        await body.waitFor({ state: "hidden" });
      } else await page.keyboard.press("Escape");
    }
    await close();
  }
});

test("colours that were chosen are there the next time", async () => {
  const { page, close } = await open(browser, { scheme: "light" });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), "light");
  await page.click(".theme");
  assert.equal(await theme(), "dark");
  await page.reload();
  assert.equal(await theme(), "dark");
  await close();
});

test("two tabs keep a model each; a third begins with what was edited last", async () => {
  const { page, context, hand, close } = await open(browser);
  await hand.tool("link");
  await hand.drag([300, 400], [330, 300]);
  const one = await textOf(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await says(other, /freedom/);
  await type(other, one.replace("my mechanism", "another"));
  await says(other, /freedom/);
  const text = (tab) => tab.evaluate(() => globalThis.mubodyStudio.document.text);
  for (const tab of [page, other]) await tab.reload();
  assert.equal(await text(page), one);
  assert.match(await text(other), /another/);
  const third = await context.newPage();
  await third.goto(page.url());
  assert.match(await text(third), /another/);
  await hand.drag([330, 300], [460, 260]);
  await third.reload();
  assert.match(await text(third), /another/);
  await close();
});

test("the canvas is closed for a model in space, and says why", async () => {
  const { page, hand, close } = await open(browser);
  await example(page, "heavy_top");
  await page.click("#tab-canvas");
  await page.locator(".closed").waitFor();
  assert.match(await page.locator(".closed").textContent(), /in space: it is edited in the text/);
  assert.ok(await page.locator('[data-tool="link"]').isDisabled());
  const before = await textOf(page);
  await page.keyboard.press("r");
  await hand.drag([300, 300], [400, 300]);
  assert.equal(await textOf(page), before);
  await page.locator(".closed button").click();
  await page.locator(".space-stage canvas").waitFor();
  await example(page, "four_bar");
  await page.click("#tab-canvas");
  await page.locator(".closed").waitFor({ state: "hidden" });
  assert.ok(await page.locator('[data-tool="link"]').isEnabled());
  await close();
});

test("keys are written as they are called", async () => {
  const { page, close } = await open(browser);
  await page.keyboard.press("F1");
  const keys = await page.locator("dialog kbd").allTextContents();
  assert.ok(keys.some((k) => /^Delete or Backspace$/.test(k)), keys.join("; "));
  assert.ok(keys.some((k) => /Ctrl\+Z/.test(k)));
  assert.ok(keys.includes("R"));
  await page.keyboard.press("Escape");
  await close();
});
