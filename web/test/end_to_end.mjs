// Reports as people get them: written by the program, opened from disk in a browser without a network.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { columns, examples, folder, launch, mubody, open, picture, removeFolder, scrub, settled, shots, shown, stage } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
  mubody(["run", `${examples}four_bar`, "-q", "-o", "planar", "--report", "planar.html"]);
  mubody(["report", `${examples}spatial_slider_crank`, "-q", "-o", "spatial.html"]);
  mubody(["compare", `${examples}four_bar`, "-q", "-o", "compare", "--report", "compare.html", "--repeat", "1",
    "-s", "analysis.end=1", "--steps", "1e-3,2e-3", "--treatments", "standard,baumgarte,projection,penalty"]);
  mubody(["run", `${examples}clearance_slider_crank`, "-q", "-o", "clearance", "--report", "clearance.html"]);
  mubody(["stability", "--report", "stability.html", "--points", "60"]);
});
after(async () => {
  await browser?.close();
  removeFolder();
});

test("the animation of a planar mechanism moves and stops", async () => {
  const { page, close } = await open(browser, "planar.html");
  const start = await stage(page);
  await page.getByRole("button", { name: "play (space)" }).click();
  await page.waitForFunction(() => Number(document.querySelector(".scrub").value) > 20);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "pause (space)" }).click();
  assert.notEqual(await stage(page), start);
  const row = await page.locator(".scrub").inputValue();
  await settled(page);
  assert.equal(await page.locator(".scrub").inputValue(), row);
  await close();
});

test("the keyboard plays, steps and jumps", async () => {
  const { page, close } = await open(browser, "planar.html");
  const row = async () => Number(await page.locator(".scrub").inputValue());
  await page.locator("h1").click();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await row(), 1);
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal(await row(), 11);
  await page.keyboard.press("End");
  assert.equal(await row(), 1000);
  await page.keyboard.press("Home");
  await page.keyboard.press(" ");
  await page.waitForFunction(() => Number(document.querySelector(".scrub").value) > 3);
  await page.keyboard.press(" ");
  assert.equal(await page.getByRole("button", { name: "play (space)" }).count(), 1);
  await close();
});

test("scrubbing moves the cursor in all plots, a click in a plot moves the time", async () => {
  const { page, close } = await open(browser, "planar.html");
  const heads = () => page.locator(".cards .playhead").evaluateAll((all) => all.map((e) => e.getBoundingClientRect().left));
  await scrub(page, 100);
  const early = await heads();
  await scrub(page, 700);
  const late = await heads();
  assert.equal(early.length, 3);
  early.forEach((x, k) => assert.ok(late[k] > x + 50, `plot ${k}: from ${x} to ${late[k]}`));
  const over = page.locator(".cards .u-over").first();
  const box = await over.boundingBox();
  await over.click({ position: { x: box.width / 2, y: box.height / 2 } });
  const row = Number(await page.locator(".scrub").inputValue());
  assert.ok(Math.abs(row - 500) <= 3, `row ${row}`);
  await close();
});

test("numbers are those of the CSV files, at ten times", async () => {
  const { page, close } = await open(browser, "planar.html");
  const files = Object.assign({}, ...["bodies", "joints", "energy"].map((name) => columns(`planar/${name}.csv`)));
  const names = await page.locator("[data-channel]").evaluateAll((all) => all.map((e) => e.dataset.channel));
  assert.ok(names.length >= 7);
  for (let k = 0; k < 10; ++k) {
    const row = Math.round((k * 1000) / 9);
    await scrub(page, row);
    const time = parseFloat((await page.locator(".transport .time").textContent()).replace("\u2212", "-"));
    assert.ok(Math.abs(time - files.time[row]) < 5e-3, `time ${time}`);
    for (const name of names) {
      const expected = files[name][row];
      // Six digits are shown of 32-bit numbers.
      const tolerance = 6e-6 * Math.abs(expected) + 1e-30;
      const value = await shown(page, name);
      assert.ok(Math.abs(value - expected) <= tolerance, `${name} at row ${row}: ${value}, in the file ${expected}`);
    }
  }
  await close();
});

test("channels can be searched, plotted and set against each other", async () => {
  const { page, close } = await open(browser, "planar.html");
  await page.getByRole("button", { name: "+ Plot" }).click();
  await page.getByLabel("search channels").fill("tip.");
  await page.getByLabel("tip.x", { exact: false }).first().check();
  await page.getByLabel("tip.y", { exact: false }).first().check();
  await page.getByRole("button", { name: "Show" }).click();
  const card = page.locator(".card").last();
  await card.getByRole("button", { name: "Phase" }).click();
  await scrub(page, 300);
  const dot = card.locator("svg circle");
  assert.equal(await dot.getAttribute("visibility"), "visible");
  const before = await dot.getAttribute("cx");
  await scrub(page, 400);
  assert.notEqual(await dot.getAttribute("cx"), before);
  await picture(page, "planar-phase");
  await close();
});

test("zooming one plot zooms all, and back", async () => {
  const { page, close } = await open(browser, "planar.html");
  const box = await page.locator(".cards .u-over").first().boundingBox();
  await page.mouse.move(box.x + box.width * 0.2, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, box.y + 30, { steps: 4 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Whole time" }).click();
  assert.equal(await page.getByRole("button", { name: "Whole time" }).count(), 0);
  await close();
});

test("arrows, traces, names and the centre of mass change the picture", async () => {
  const { page, close } = await open(browser, "planar.html");
  await scrub(page, 60);
  for (const name of ["Reactions", "Velocities", "Mass centre", "Names"]) {
    const without = await stage(page);
    await page.getByRole("button", { name, exact: true }).click();
    await settled(page);
    assert.notEqual(await stage(page), without, name);
  }
  await picture(page, "planar-arrows");
  await close();
});

test("arrows of contacts and of drivers' moments appear when something acts", async () => {
  const { page, close } = await open(browser, "clearance.html");
  const force = columns("clearance/forces.csv")["C.force"];
  await scrub(page, force.indexOf(Math.max(...force)));
  for (const name of ["Forces", "Reactions"]) {
    const without = await stage(page);
    await page.getByRole("button", { name, exact: true }).click();
    await settled(page);
    assert.notEqual(await stage(page), without, name);
  }
  await picture(page, "clearance-arrows");
  await close();
});

test("clearance can be drawn larger, and back", async () => {
  const { page, close } = await open(browser, "clearance.html");
  await scrub(page, 25);
  const plain = await stage(page);
  const choice = page.getByLabel("exaggerate clearance");
  await choice.selectOption({ label: "Clearance ×10" });
  await settled(page);
  assert.notEqual(await stage(page), plain);
  await picture(page, "clearance-exaggerated");
  await choice.selectOption({ label: "Clearance ×1" });
  await settled(page);
  assert.equal(await stage(page), plain);
  await close();
  const fourBar = await open(browser, "planar.html");
  assert.equal(await fourBar.page.getByLabel("exaggerate clearance").count(), 0);
  await fourBar.close();
});

test("no frame of the four-bar takes longer than 100 ms", async () => {
  const { page, close } = await open(browser, "planar.html");
  const times = await page.locator(".scrub").evaluate((slider) => {
    const once = (row) => {
      const start = performance.now();
      slider.value = String(row);
      slider.dispatchEvent(new Event("input"));
      return performance.now() - start;
    };
    // Each drawn three times: the least is ours, what is above it the computer's other business.
    return Array.from({ length: 60 }, (_, k) => Math.min(once(10 * k), once(10 * k + 1), once(10 * k + 2))).sort((a, b) => a - b);
  });
  assert.ok(times[times.length - 1] < 100, `longest ${times.slice(-3)} ms`);
  await close();
});

test("a spatial mechanism moves and can be turned", async () => {
  const { page, close } = await open(browser, "spatial.html");
  const start = await stage(page);
  await scrub(page, 80);
  const later = await stage(page);
  assert.notEqual(later, start);
  const box = await page.locator(".stage canvas").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 230, { steps: 3 });
  await page.mouse.up();
  await settled(page);
  assert.notEqual(await stage(page), later);
  await close();
});

test("a clearance joint: its gap is plotted, its contacts are those of the file", async () => {
  const { page, close } = await open(browser, "clearance.html");
  const [, first, ...others] = readFileSync(join(folder, "clearance/contacts.csv"), "utf8").trim().split("\n");
  assert.equal(await page.locator("#events table").last().locator("tbody tr").count(), Math.min(200, 1 + others.length));
  const [name, onset] = first.split(",");
  const row = (await page.locator("#events table").last().locator("tbody tr").first().textContent()) ?? "";
  assert.ok(row.startsWith(name + String(Number(Number(onset).toPrecision(6)))), row);
  const gap = columns("clearance/forces.csv")["C.gap"];
  for (const k of [0, 0.2, 0.5, 0.9, 1].map((share) => Math.round(share * (gap.length - 1)))) {
    await scrub(page, k);
    assert.ok(Math.abs((await shown(page, "C.gap")) - gap[k]) <= 6e-6 * Math.abs(gap[k]) + 1e-30, `row ${k}`);
  }
  const start = await stage(page);
  await scrub(page, 40);
  assert.notEqual(await stage(page), start);
  await close();
});

test("a comparison has a row per run, curves and a diagram", async () => {
  const { page, close } = await open(browser, "compare.html");
  assert.equal(await page.locator("tbody tr").count(), 8);
  assert.equal(await page.locator(".plot-grid canvas").count(), 5);
  assert.equal(await page.locator(".bars .bar-name").count(), 8);
  assert.ok((await page.locator("svg circle[r='4.5']").count()) >= 6);
  await page.getByLabel("measure of work").selectOption("cpu");
  const key = page.locator(".run-key").first();
  assert.equal(await key.getAttribute("aria-pressed"), "true");
  await key.click();
  assert.equal(await key.getAttribute("aria-pressed"), "false");
  const first = (await page.locator("tbody tr").first().textContent()) ?? "";
  assert.match(first, /standard.*rk4.*0\.001 s/);
  await close();
});

test("regions of stability are drawn for each integrator", async () => {
  const { page, close } = await open(browser, "stability.html");
  assert.ok((await page.locator(".region").count()) >= 4);
  await picture(page, "stability-desktop-light", true);
  await close();
});

test("paper: controls go, tables stay", async () => {
  const { page, close } = await open(browser, "planar.html", { scheme: "dark" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator(".transport").isVisible(), false);
  assert.equal(await page.locator("#reactions").isVisible(), true);
  assert.equal(await page.locator("#model pre").isVisible(), true);
  assert.match((await page.locator(".print-only").textContent()) ?? "", /at 0 s/);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
  const pdf = await page.pdf({ path: join(folder, "planar.pdf") });
  assert.ok(pdf.length > 10000);
  await close();
});

for (const file of ["planar", "spatial", "clearance", "compare"])
  test(`screenshots of ${file}: desktop and phone, light and dark`, () => shots(browser, file));

test("sizes: a 10 s four-bar below 1.5 MB, and no path of this computer", () => {
  assert.ok(statSync(join(folder, "planar.html")).size < 1.5e6);
  for (const file of ["planar", "spatial", "compare"])
    assert.ok(!readFileSync(join(folder, `${file}.html`), "utf8").includes(folder));
});
