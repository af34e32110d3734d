// The desk around the model: menus, colours, tabs of the browser, a canvas that is closed, and fields that refuse.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { example, launch, open, ran, says, sizes, textOf, type } from "./browser.mjs";

let browser;
before(async () => void (browser = await launch()));
after(() => browser?.close());

const message = (page) => page.locator(".message").textContent();
const place = (text, name) => new RegExp(`^${name} = \\[(?:"([-\\d.]+) mm"|0), (?:"([-\\d.]+) mm"|0)\\]`, "m").exec(text)?.slice(1).map((v) => Number(v ?? 0));

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

