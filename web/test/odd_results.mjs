// Results as they should not be: pages that work all the same, or clear errors.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { examples, folder, launch, mubody, open, phone, picture, removeFolder, scrub, settled } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
  mubody(["run", `${examples}four_bar`, "-q", "-o", "planar", "--report", "planar.html"]);
});
after(async () => {
  await browser?.close();
  removeFolder();
});

/** A chain of bars; names may be long. */
function chain(bodies, name = (k) => `rod${k}`, more = "") {
  let text = 'name = "chain"\ngravity = [0, -9.81]\n\n[bodies]\n';
  for (let k = 0; k < bodies; ++k) text += `"${name(k)}" = {mass = 1, inertia = 0.1, position = [${k + 0.5}, 0]}\n`;
  text += "\n[joints]\n";
  for (let k = 0; k < bodies; ++k)
    text += `J${k} = {type = "revolute", bodies = ["${k ? name(k - 1) : "ground"}", "${name(k)}"], at = [${k}, 0]}\n`;
  return `${text}\n[analysis]\nend = 0.02\nintegrator = "rk4"\nstep = 0.01\n${more}`;
}

async function opens(file) {
  const { page, close } = await open(browser, file);
  await page.keyboard.press("ArrowRight");
  await settled(page);
  await picture(page, `odd-${file.replace(".html", "")}`);
  await close();
}

test("one body, no motion: an assembly has one row", async () => {
  writeFileSync(join(folder, "one.toml"), chain(1, undefined, 'type = "assembly"\n'));
  mubody(["report", "one.toml", "-q"]);
  await opens("one.html");
});

test("warnings and what assembly changed stand above the mechanism", async () => {
  writeFileSync(join(folder, "moved.toml"), chain(2).replace("position = [1.5, 0]", "position = [4.5, 0]").replace("at = [1, 0]", "i = [0.5, 0], j = [-0.5, 0]"));
  mubody(["report", "moved.toml", "-q"]);
  const { page, close } = await open(browser, "moved.html");
  const text = await page.locator(".notices").textContent();
  assert.match(text, /assembly moves body 'rod1' by .*: joint 'J1' gaped by 3/);
  assert.match(text, /closed a gap of 3 .* most of all rod1\.x from 4\.5 to/);
  const tops = await Promise.all([".verdict", ".notices", ".view"].map((part) => page.locator(part).first().evaluate((e) => e.getBoundingClientRect().top)));
  assert.ok(tops[0] < tops[1] && tops[1] < tops[2], `${tops}`);
  await page.locator("#assembly summary").click();
  assert.ok(await page.locator("#assembly td", { hasText: "rod1.x" }).isVisible());
  await picture(page, "odd-moved");
  await close();
});

test("a thousand bodies", async () => {
  writeFileSync(join(folder, "many.toml"), chain(1000));
  mubody(["report", "many.toml", "-q"], [0, 5]);
  assert.ok(statSync(join(folder, "many.html")).size < 20e6);
  await opens("many.html");
});

test("very long names, with signs that mean something elsewhere", async () => {
  writeFileSync(join(folder, "long.toml"), chain(2, (k) => `${"very_long_name_".repeat(20)}${k}_script_<b>_&amp;`));
  try {
    mubody(["report", "long.toml", "-q"]);
  } catch (e) {
    assert.match(e.message, /long\.toml:\d+/); // names that a model may not have are refused by line
    writeFileSync(join(folder, "long.toml"), chain(2, (k) => `${"very_long_name_".repeat(20)}${k}`));
    mubody(["report", "long.toml", "-q"]);
  }
  await opens("long.html");
  const { page, close } = await open(browser, "long.html", { size: phone });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${wide} pixels too wide`);
  await close();
});

/** The report of the four-bar with its data changed. */
function changed(file, change) {
  const html = readFileSync(join(folder, "planar.html"), "utf8");
  const [, head, data, tail] = html.match(/^([^]*<script type="application\/json" id="data">)([^]*?)(<\/script>[^]*)$/);
  const report = JSON.parse(data);
  change(report);
  writeFileSync(join(folder, file), head + JSON.stringify(report).replace(/</g, "\\u003c") + tail);
}

test("numbers that are not finite leave gaps", async () => {
  changed("nan.html", (report) => {
    for (const table of report.tables)
      for (const column of table.columns) {
        const bytes = Buffer.from(column.data, "base64");
        for (let row = 300; row < bytes.length / 4; ++row) bytes.writeFloatLE(NaN, 4 * row);
        column.data = bytes.toString("base64");
      }
    report.summary.statistics.energy_residual = null;
  });
  await opens("nan.html");
  const { page, close } = await open(browser, "nan.html");
  await scrub(page, 900);
  assert.equal(await page.locator('[data-channel="kinetic"] .value').textContent(), "–");
  await close();
});

test("no rows at all", async () => {
  changed("empty.html", (report) => {
    report.times = "";
    for (const table of report.tables) for (const column of table.columns) column.data = "";
  });
  await opens("empty.html");
});

test("contacts and events are listed, and lead to their times", async () => {
  changed("contacts.html", (report) => {
    report.contacts = [{ contact: "bump", onset: 2.5, end: null, speed_in: 1, speed_out: null, peak_force: 9, peak_at: 2.6, deepest: 1e-5, energy_lost: 0.1 }];
    report.events = [{ t: 1.25, kind: "dead point", what: "crank" }];
  });
  const { page, close } = await open(browser, "contacts.html");
  await page.locator("#events").getByRole("button", { name: "2.5 s" }).click();
  assert.equal(await page.locator(".scrub").inputValue(), "250");
  await close();
});

test("results of an unknown model are points, a damaged file is refused", async () => {
  mubody(["report", "planar", "-q", "-o", "points.html"]);
  await opens("points.html");
  writeFileSync(join(folder, "planar/energy.csv"), "time[s],kinetic[J]\n0,nan\n");
  assert.throws(() => mubody(["report", "planar", "-q"]), /energy\.csv:2: .*finite/);
});
