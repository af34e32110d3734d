// Reports as people get them: written by the program, opened from disk in a browser without a network.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { columns, desktop, examples, folder, launch, mubody, open, phone, picture, removeFolder, scrub, settled, stage } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
  mubody(["run", `${examples}four_bar`, "-q", "-o", "planar", "--report", "planar.html"]);
  mubody(["report", `${examples}spatial_slider_crank`, "-q", "-o", "spatial.html"]);
  mubody(["compare", `${examples}four_bar`, "-q", "-o", "compare", "--report", "compare.html", "--repeat", "1",
    "-s", "analysis.end=1", "--steps", "1e-3,2e-3", "--treatments", "standard,baumgarte,projection,penalty"]);
  mubody(["run", `${examples}clearance_slider_crank`, "-q", "-o", "clearance", "--report", "clearance.html"]);
  mubody(["stability", "--report", "stability.html", "--points", "60"]);
  mubody(["run", `${examples}spring_mass_damper`, "-q", "-o", "modes", "--analysis", "modes", "-s", "analysis.about=equilibrium", "--report", "modes.html"]);
  mubody(["run", `${examples}iltis_suspension`, "-q", "-o", "iltis", "--analysis", "modes", "--report", "modes-in-space.html"]);
  mubody(["run", `${examples}iltis_suspension`, "-q", "-o", "rest", "--analysis", "equilibrium", "--report", "rest.html"]);
});
after(async () => {
  await browser?.close();
  removeFolder();
});

/** What a read-out shows, as a number. */
const shown = async (page, name) => {
  const text = await page.locator(`[data-channel="${name}"] .value`).textContent();
  return Number(text.replace(/\u2212/g, "-"));
};

async function shots(file) {
  for (const [device, size] of [["desktop", desktop], ["phone", phone]])
    for (const scheme of ["light", "dark"]) {
      const { page, close } = await open(browser, `${file}.html`, { size, scheme });
      if (await page.locator(".scrub").count()) await scrub(page, file.startsWith("modes") ? 16 : 60);
      await picture(page, `${file}-${device}-${scheme}`, !(await page.locator(".scrub").count()));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${file} is ${wide} pixels too wide on a ${device}`);
      await close();
    }
}

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

for (const file of ["modes", "modes-in-space"])
  test(`${file}: each can be chosen, moves, and follows its amplitude`, async () => {
    const { page, close } = await open(browser, `${file}.html`);
    const table = columns(`${file === "modes" ? "modes" : "iltis"}/modes.csv`);
    const rows = page.locator(".modes tbody tr");
    assert.equal(await rows.count(), table.mode.length);
    for (let k = 0; k < table.mode.length; ++k) {
      await page.getByRole("button", { name: `show mode ${k + 1}`, exact: true }).click();
      const cells = (await rows.nth(k).locator("td").allTextContents()).map((text) => Number(text.replace(/\u2212/g, "-")));
      assert.ok(Math.abs(cells[1] - table.frequency[k]) <= 1e-4 * table.frequency[k], `frequency ${cells[1]}`);
      assert.ok(Math.abs(cells[2] - table.damping_ratio[k]) <= 1e-3 * Math.abs(table.damping_ratio[k]) + 1e-12, `damping ${cells[2]}`);
      await scrub(page, 0);
      const one = await stage(page);
      await scrub(page, 16);
      assert.notEqual(await stage(page), one, `mode ${k + 1} moves`);
    }
    const before = await stage(page);
    await page.getByLabel("amplitude").fill("0.5");
    await settled(page);
    assert.notEqual(await stage(page), before);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "play (space)" }).click();
    await page.waitForFunction(() => Number(document.querySelector(".scrub").value) > 4);
    await close();
  });

test("one instant: all values in a table, as in the files", async () => {
  const { page, close } = await open(browser, "rest.html");
  assert.equal(await page.locator(".transport").count(), 0);
  for (const [file, name] of [["bodies", "wheel.z"], ["joints", "inner.on_A_arm.fy"]]) {
    const cell = page.locator(`.values tr:has([data-channel="${name}"]) td`).nth(1);
    const shown = Number((await cell.textContent()).replace(/\u2212/g, "-"));
    const expected = columns(`rest/${file}.csv`)[name][0];
    assert.ok(Math.abs(shown - expected) <= 6e-6 * Math.abs(expected), `${name}: ${shown}, in the file ${expected}`);
  }
  await page.getByLabel("search channels").fill("wheel.z");
  assert.equal(await page.locator(".values [data-channel]").count(), 1);
  await close();
});

test("what --set changed is told beside the model file", async () => {
  const { page, close } = await open(browser, "modes.html");
  assert.deepEqual(await page.locator("#model .changes li").allTextContents(), ["analysis.about=equilibrium", "analysis.type=modes"]);
  await close();
  const plain = await open(browser, "planar.html");
  assert.equal(await plain.page.locator("#model .changes").count(), 0);
  await plain.close();
});

test("no frame of the four-bar takes longer than 100 ms", async () => {
  const { page, close } = await open(browser, "planar.html");
  const times = await page.locator(".scrub").evaluate((slider) => {
    const all = [];
    for (let row = 0; row < 60; ++row) {
      const start = performance.now();
      slider.value = String(row * 10);
      slider.dispatchEvent(new Event("input"));
      all.push(performance.now() - start);
    }
    return all.sort((a, b) => a - b);
  });
  // The very longest may be the computer's doing, not ours.
  assert.ok(times[times.length - 2] < 100, `longest ${times.slice(-3)} ms`);
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
  assert.equal(await page.locator(".plot canvas").count(), 1);
  assert.ok((await page.locator("svg circle[r='4.5']").count()) >= 6);
  await page.getByLabel("measure of work").selectOption("cpu");
  await page.getByRole("button", { name: "Energy, dashed" }).click();
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

for (const file of ["planar", "spatial", "clearance", "compare", "modes", "modes-in-space", "rest"])
  test(`screenshots of ${file}: desktop and phone, light and dark`, () => shots(file));

test("sizes: a 10 s four-bar below 1.5 MB, and no path of this computer", () => {
  assert.ok(statSync(join(folder, "planar.html")).size < 1.5e6);
  for (const file of ["planar", "spatial", "compare"])
    assert.ok(!readFileSync(join(folder, `${file}.html`), "utf8").includes(folder));
});

// Odd results ---------------------------------------------------------------------------------------------------

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
