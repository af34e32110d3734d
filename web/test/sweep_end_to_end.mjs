// The page of a sweep as people get it: written by the program, opened from disk in a browser without a network.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { becomes, columns, desktop, examples, launch, mubody, open, phone, picture, removeFolder, settled } from "./browser.mjs";

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
  const status = () => page.getByRole("status").textContent();
  const text = await becomes(status, (t) => /(\d+) of 150 points chosen/.test(t));
  const [, chosen] = /(\d+) of 150 points chosen/.exec(text);
  assert.ok(Number(chosen) > 20 && Number(chosen) < 80, text); // 100 of 332 pixels of a uniform variable
  await page.mouse.click(box.x + 84, box.y + 150);
  await becomes(status, (t) => !/chosen,/.test(t));
  await close();
});

test("the scatter plot follows its menus", async () => {
  const { page, close } = await open(browser, "sweep.html");
  const scatter = () => page.locator(".scatter").screenshot();
  await settled(page);
  const before = await scatter();
  await page.getByLabel("y", { exact: true }).selectOption({ label: "crank.omega" });
  await becomes(async () => Buffer.compare(await scatter(), before), (difference) => difference !== 0);
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

test("a grid has a heat map and lines, whose numbers are those of the rows", async () => {
  mubody(["sweep", `${examples}four_bar`, "-q", "-o", "grid.csv", "--report", "grid.html", "-s", "analysis.end=0.2",
    "--vary", "a=1.9:2.1:5", "--vary", "bodies.crank.mass=0.2:1:4", "--keep", "crank.angle"]);
  const { page, close } = await open(browser, "grid.html");
  const rows = columns("grid.csv");
  const block = (name) => page.locator("section.block", { has: page.getByRole("heading", { name, exact: true }) });
  const csv = async (name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), block(name).getByRole("button", { name: "CSV" }).click()]);
    return readFileSync(await download.path(), "utf8").trim().split("\n");
  };
  const [head, ...cells] = await csv("Heat map");
  assert.match(head, /^parameters\.a,bodies\.crank\.mass,crank\.angle\[rad\],points/);
  assert.equal(cells.length, 20);
  for (const k of [0, 7, 19]) {
    const [a, mass, angle, points] = cells[k].split(",").map(Number);
    const row = rows["parameters.a"].findIndex((v, n) => Math.abs(v - a) < 1e-9 && Math.abs(rows["bodies.crank.mass"][n] - mass) < 1e-9);
    assert.ok(row >= 0 && points === 1 && Math.abs(angle - rows["crank.angle"][row]) < 1e-12);
  }
  const map = page.locator(".heat-map");
  await map.scrollIntoViewIfNeeded();
  await settled(page);
  await map.hover({ position: { x: 120, y: 60 } });
  await becomes(() => block("Heat map").locator(".readout").textContent(),
    (t) => /parameters\.a = 1\.9, .* = 1: crank\.angle \[rad\] = /.test(t));
  const lines = () => block("Lines").locator("path[stroke^='var']").count();
  await becomes(lines, (n) => n === 4);
  await page.getByLabel("one for each").selectOption({ label: "nothing" });
  await becomes(lines, (n) => n === 1);
  await picture(page, "sweep-grid", true);
  await close();
});
