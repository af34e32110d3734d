// What a reader does with a report beyond looking: other units, another run laid over it, files to take away.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { columns, desktop, examples, folder, launch, mubody, open, phone, picture, removeFolder, scrub, settled, shown, stage } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
  mubody(["run", `${examples}four_bar`, "-q", "-o", "first", "--report", "plain.html"]);
  mubody(["run", `${examples}four_bar`, "-q", "-o", "second", "-s", "bodies.crank.mass=2", "--report", "second.html"]);
  mubody(["report", "first", "-q", "--model", `${examples}four_bar/model.toml`, "--overlay", "second", "-o", "over.html"]);
  mubody(["report", `${examples}slider_crank_driven`, "-q", "-o", "inverse.html", "-s", "analysis.type=inverse"]);
  mubody(["report", `${examples}spatial_slider_crank`, "-q", "-o", "spatial.html"]);
  mubody(["run", `${examples}spring_mass_damper`, "-q", "-o", "bode", "--report", "bode.html", "-s", "analysis.type=modes", "-s", 'analysis.inputs=["mass.x"]', "-s", 'output.channels=["mass.x"]']);
  mubody(["picture", `${examples}four_bar`, "-q", "-o", "four_bar.svg"]);
});
after(async () => {
  await browser?.close();
  removeFolder();
});

/** The text, or the bytes, of the file that a press of a button makes. */
async function saved(page, press) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}
async function saveOf(page, place, kind) {
  const menu = place.locator("details.menu", { hasText: "Save" });
  await menu.locator("summary").click();
  const file = await saved(page, () => menu.getByRole("button", { name: kind }).click());
  await page.keyboard.press("Escape");
  return file;
}
const isPng = (bytes) => bytes.length > 2000 && bytes.subarray(1, 4).toString() === "PNG";

test("a plot is saved as it is shown: CSV with the numbers of the files, PNG and SVG with its title", async () => {
  const { page, close } = await open(browser, "plain.html");
  const card = page.locator(".card").first();
  const title = await card.locator(".plot-title").textContent();
  assert.equal(title, "Angular velocities");
  const csv = await saveOf(page, card, "CSV");
  assert.equal(csv.name, "Angular_velocities.csv");
  const [head, ...rows] = csv.bytes.toString().trim().split("\n");
  assert.match(head, /^time\[s\],crank\.omega\[rad\/s\]/);
  const expected = columns("first/bodies.csv");
  assert.equal(rows.length, expected.time.length);
  for (const k of [0, 77, 500, 1000]) {
    const [t, value] = rows[k].split(",").map(Number);
    assert.equal(t, expected.time[k]);
    assert.ok(Math.abs(value - expected["crank.omega"][k]) <= 1e-7 * Math.abs(value));
  }
  const svg = (await saveOf(page, card, "SVG")).bytes.toString();
  assert.match(svg, /^<svg[^>]*xmlns/);
  assert.ok(svg.includes("Angular velocities") && svg.includes("crank.omega") && !svg.includes("var(--"));
  assert.ok(isPng((await saveOf(page, card, "PNG")).bytes));
  await close();
});

test("the drawing is saved as PNG and SVG, with the colours of the program's pictures", async () => {
  const { page, close } = await open(browser, "plain.html");
  const view = page.locator("section.view");
  assert.ok(isPng((await saveOf(page, view, "PNG")).bytes));
  const svg = (await saveOf(page, view, "SVG")).bytes.toString();
  // The program draws a link with an edge of seven tenths of its colour.
  const crank = [0x2f, 0x6f, 0xb3];
  const edge = `#${crank.map((v) => Math.round(0.7 * v).toString(16)).join("")}`;
  assert.ok(readFileSync(join(folder, "four_bar.svg"), "utf8").includes(edge), "the program draws the first body in another colour");
  assert.ok(svg.includes(`rgb(${crank.join(",")})`), "the page draws the first body in another colour");
  assert.match(await page.locator('[data-channel="crank.omega"] i').evaluate((e) => getComputedStyle(e).backgroundColor), /rgb\(47, 111, 179\)/);
  assert.ok(!svg.includes("color-mix") && svg.includes(">crank</text>"));
  await close();
  const spatial = await open(browser, "spatial.html");
  assert.ok(isPng((await saveOf(spatial.page, spatial.page.locator("section.view"), "PNG")).bytes));
  await spatial.close();
});

test("degrees, turns per minute and millimetres, and back", async () => {
  const { page, close } = await open(browser, "plain.html");
  await scrub(page, 300);
  const plain = await shown(page, "crank.omega");
  await page.getByLabel("unit of angular velocities").selectOption({ label: "rpm" });
  await settled(page);
  assert.ok(Math.abs((await shown(page, "crank.omega")) - (plain * 30) / Math.PI) < 2e-5 * Math.abs(plain * 10));
  assert.match(await page.locator('[data-channel="crank.omega"]').textContent(), /rpm/);
  await page.getByLabel("unit of lengths").selectOption({ label: "mm" });
  await settled(page);
  for (const part of ["#extremes", "#accuracy"]) assert.match(await page.locator(part).textContent(), /\d mm/);
  await page.getByLabel("unit of angular velocities").selectOption({ label: "rad/s" });
  await settled(page);
  assert.equal(await shown(page, "crank.omega"), plain);
  await close();
});

test("a title can be written, and files are called after it", async () => {
  const { page, close } = await open(browser, "plain.html");
  const card = page.locator(".card").first();
  await card.locator(".plot-title").fill("My crank");
  await page.keyboard.press("Enter");
  assert.equal((await saveOf(page, card, "CSV")).name, "My_crank.csv");
  await close();
});

test("another result from the command line lies over the first: in curves, in the drawing, in files", async () => {
  const { page, close } = await open(browser, "over.html");
  await scrub(page, 200);
  const other = columns("second/bodies.csv")["crank.omega"];
  const text = (await page.locator('[data-other="crank.omega"] .value').textContent()).replace(/\u2212/g, "-");
  assert.ok(Math.abs(Number(text) - other[200]) <= 6e-6 * Math.abs(other[200]));
  const both = await stage(page);
  await picture(page, "overlay-desktop-light");
  const csv = (await saveOf(page, page.locator(".card").first(), "CSV")).bytes.toString();
  assert.match(csv.split("\n")[0], /crank\.omega \(second\)\[rad\/s\]/);
  await page.getByRole("button", { name: "Without it" }).click();
  await settled(page);
  assert.equal(await page.locator("[data-other]").count(), 0);
  assert.notEqual(await stage(page), both);
  await close();
});

test("files are chosen or dropped: a report, CSV files, and what is neither is refused with words", async () => {
  const { page, close } = await open(browser, "plain.html");
  const input = page.getByLabel("files of another result");
  await input.setInputFiles(join(folder, "second.html"));
  await page.locator("[data-other]").first().waitFor();
  await input.setInputFiles([join(folder, "second/bodies.csv"), join(folder, "second/joints.csv")]);
  await page.getByText("bodies.csv and 1 more").waitFor();
  assert.ok((await page.locator("[data-other]").count()) > 0);
  await input.setInputFiles(join(folder, "second/summary.json"));
  await page.getByText("neither a report").waitFor();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["time[s],crank.omega[rad/s]\n0,1\n5,2\n"], "dropped.csv"));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.getByText("wide and faint: dropped.csv").waitFor();
  await close();
});

test("the first plot of an inverse analysis is what the driver gives; no plot is of rounding", async () => {
  const { page, close } = await open(browser, "inverse.html");
  assert.equal(await page.locator(".card .plot-title").first().textContent(), "What the driver gives");
  assert.equal(await page.locator(".card").first().locator("[data-channel]").getAttribute("data-channel"), "motor.drive");
  const names = await page.locator(".card [data-channel]").evaluateAll((all) => all.map((e) => e.dataset.channel));
  assert.equal(new Set(names).size, names.length);
  assert.ok(!names.includes("slider.omega"));
  await close();
});

test("modes with inputs have Bode plots, whose values are those of the table", async () => {
  const { page, close } = await open(browser, "bode.html");
  const card = page.locator(".bode-card");
  await card.scrollIntoViewIfNeeded();
  assert.equal(await card.locator(".bode svg").count(), 2);
  const { height } = await page.getByRole("region", { name: "table of modes" }).boundingBox();
  assert.ok(height > 50, `the table of modes is only ${height} pixels high`);
  const table = columns("bode/frequency_response.csv");
  const [gain] = Object.keys(table).filter((name) => name.endsWith(".gain"));
  const { bytes } = await saved(page, () => card.getByRole("button", { name: "CSV" }).click());
  const [head, ...rows] = bytes.toString().trim().split("\n");
  assert.ok(head.startsWith("frequency[Hz],") && head.includes(gain));
  assert.equal(rows.length, table.frequency.length);
  const middle = Math.floor(rows.length / 2);
  const [f, g] = rows[middle].split(",").map(Number);
  assert.ok(Math.abs(f - table.frequency[middle]) <= 1e-12 * f && Math.abs(g - table[gain][middle]) <= 1e-6 * g);
  await card.locator(".bode .plot").first().hover({ position: { x: 250, y: 80 } });
  assert.match(await card.locator(".readout").textContent(), /Hz: .* dB\), .*°/);
  await card.getByRole("button", { name: "dB" }).click();
  assert.match(await card.locator(".bode svg").first().textContent(), /dB/);
  await picture(page, "bode", true);
  await close();
});

test("with another run the page fits a desktop and a phone, light and dark", async () => {
  for (const [device, size] of [["desktop", desktop], ["phone", phone]])
    for (const scheme of ["light", "dark"]) {
      const { page, close } = await open(browser, "over.html", { size, scheme });
      await scrub(page, 260);
      await picture(page, `over-${device}-${scheme}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} pixels too wide on a ${device}`);
      await close();
    }
});
