// The page of a sweep as people get it: written by the program, opened from disk in a browser without a network.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { desktop, examples, launch, mubody, open, phone, picture, removeFolder, settled } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
  mubody(["sweep", `${examples}four_bar`, "-q", "-o", "sweep.csv", "--report", "sweep.html", "-s", "analysis.end=1",
    "--vary", "a=1.9:2.1", "--vary", "bodies.crank.mass=normal(0.25, 0.2)", "--sample", "lhs", "150",
    "--keep", "crank.angle,crank.omega,max(tip.vy)"]);
});
after(async () => {
  await browser?.close();
  removeFolder();
});

test("the page shows how many points are good and why others failed", async () => {
  const { page, close } = await open(browser, "sweep.html");
  assert.match(await page.locator(".verdict").textContent(), /\d+ good, \d+ failed/);
  assert.match(await page.locator("main").textContent(), /mass: must not be negative/);
  assert.match(await page.getByRole("status").textContent(), /150 points/);
  await close();
});

test("a range on an axis chooses points, a click lets go", async () => {
  const { page, close } = await open(browser, "sweep.html");
  const canvas = page.locator(".parallel");
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + 84, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 84, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await settled(page);
  const text = await page.getByRole("status").textContent();
  const [, chosen] = /(\d+) of 150 points chosen/.exec(text);
  assert.ok(Number(chosen) > 20 && Number(chosen) < 80, text); // 100 of 332 pixels of a uniform variable
  await page.mouse.click(box.x + 84, box.y + 150);
  assert.doesNotMatch(await page.getByRole("status").textContent(), /chosen,/);
  await close();
});

test("the scatter plot follows its menus", async () => {
  const { page, close } = await open(browser, "sweep.html");
  const before = await page.locator(".scatter").screenshot();
  await page.getByLabel("y", { exact: true }).selectOption({ label: "crank.omega" });
  await settled(page);
  assert.notDeepEqual(await page.locator(".scatter").screenshot(), before);
  await close();
});

test("the page fits a desktop and a phone, light and dark", async () => {
  for (const [device, size] of [["desktop", desktop], ["phone", phone]])
    for (const scheme of ["light", "dark"]) {
      const { page, close } = await open(browser, "sweep.html", { size, scheme });
      await picture(page, `sweep-${device}-${scheme}`, true);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide on a ${device}`);
      await close();
    }
});
