// Reports that are no history, and reports on paper.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { columns, examples, launch, mubody, open, removeFolder, scrub, settled, shots, stage } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
  mubody(["run", `${examples}four_bar`, "-q", "-o", "planar", "--report", "planar.html"]);
  mubody(["report", `${examples}spatial_slider_crank`, "-q", "-o", "spatial.html"]);
  mubody(["run", `${examples}spring_mass_damper`, "-q", "-o", "modes", "--analysis", "modes", "-s", "analysis.about=equilibrium", "--report", "modes.html"]);
  mubody(["run", `${examples}iltis_suspension`, "-q", "-o", "iltis", "--analysis", "modes", "--report", "modes-in-space.html"]);
  mubody(["run", `${examples}iltis_suspension`, "-q", "-o", "rest", "--analysis", "equilibrium", "--report", "rest.html"]);
});
after(async () => {
  await browser?.close();
  removeFolder();
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

test("what --set changed is shown beside the model file", async () => {
  const { page, close } = await open(browser, "modes.html");
  assert.deepEqual(await page.locator("#model .changes li").allTextContents(), ["analysis.about=equilibrium", "analysis.type=modes"]);
  await close();
  const plain = await open(browser, "planar.html");
  assert.equal(await plain.page.locator("#model .changes").count(), 0);
  await plain.close();
});

for (const file of ["planar", "spatial", "modes"])
  test(`paper: drawings of ${file} keep their proportions, and nothing lies on anything else`, async () => {
    const { page, close } = await open(browser, `${file}.html`);
    const shape = () => page.locator(".stage canvas").evaluate((c) => [c.width / c.height, c.clientWidth / c.clientHeight]);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    const [drawn, laidOut] = await shape();
    assert.ok(Math.abs(drawn / laidOut - 1) < 0.01, `${drawn} on ${laidOut}`);
    const boxes = await page.locator(".view, .card, .summary > .block").evaluateAll((all) => all.map((e) => e.getBoundingClientRect()).map((b) => [b.top, b.bottom, b.right]));
    boxes.slice(1).forEach(([top], k) => assert.ok(top >= boxes[k][1] - 1, `part ${k + 1} begins at ${top}, before ${boxes[k][1]}`));
    const width = (182 / 25.4) * 96;
    assert.ok(boxes.every(([, , right]) => right <= width + 1), "wider than the paper");
    await page.emulateMedia({ media: "screen" });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    const [again, onScreen] = await shape();
    assert.ok(Math.abs(again / onScreen - 1) < 0.01);
    await close();
  });

test("agreement: differences over means, with bias and limits", async () => {
  mubody(["run", `${examples}four_bar`, "-q", "-o", "coarse", "-s", "analysis.step=0.01", "-s", "output.step=0.01"], [0, 5]);
  mubody(["agree", "coarse", "planar", "--channels", "coupler.x,coupler.angle", "--report", "agree.html", "--differences", "agree.csv"]);
  const { page, close } = await open(browser, "agree.html");
  assert.equal(await page.locator(".agree").count(), 2);
  const plot = page.locator('.agree[data-channel="coupler.x"] .plot').first();
  const times = columns("agree.csv").difference.length / 2;
  assert.equal(await plot.locator("circle[fill]:not([visibility])").count(), times);
  assert.equal(await plot.locator("path[stroke-dasharray='7 5']").count(), 2);
  await close();
});

test("stability: responses, and roots within and outside of the unit circle", async () => {
  mubody(["stability", "--integrator", "euler", "--points", "20", "--report", "stability.html"]);
  const { page, close } = await open(browser, "stability.html");
  assert.deepEqual(await page.locator("figure[data-damping]").evaluateAll((all) => all.map((f) => f.dataset.damping)), ["over-damped", "critically damped", "under-damped"]);
  const unit = await page.locator(".unit").evaluate((c) => [c.cx, c.cy, c.r].map((v) => v.baseVal.value));
  const sizes = await page.locator(".root").evaluateAll((all, [x, y, r]) => all.map((c) => Math.hypot(c.cx.baseVal.value - x, c.cy.baseVal.value - y) / r), unit);
  assert.equal(sizes.length, 12);
  assert.ok(Math.abs(Math.max(...sizes) - 2.3256) < 1e-3, `${Math.max(...sizes)}`);
  assert.ok(sizes.filter((s) => s < 1).length >= 8);
  await close();
});

test("tables: a curve over one variable, a surface over two with values to read", async () => {
  mubody(["precompute", `${examples}crank_slider`, "-q", "-o", "crank.rt", "--report", "curves.html"]);
  const curves = await open(browser, "curves.html");
  await curves.page.getByLabel("quantity", { exact: true }).selectOption({ label: "slider.x [m]" });
  await curves.page.locator(".plot-holder svg path").first().waitFor({ state: "attached" });
  assert.equal(await curves.page.locator(".plot-holder svg path").count(), 1);
  await curves.close();
  mubody(["precompute", `${examples}double_pendulum`, "-q", "-o", "two.rt", "--bound", "1e-3", "--range", "A.angle=-0.2:0.2", "--range", "B.angle=-0.2:0.2",
    "--report", "tables.html"]);
  const { page, close } = await open(browser, "tables.html");
  const options = await page.locator("select.quantity option").allTextContents();
  assert.ok(options.some((text) => text.startsWith("J(B.angle, A.angle)")), options.join());
  await page.getByLabel("quantity", { exact: true }).selectOption({ label: options.find((text) => text.startsWith("J(B.angle, A.angle)")) });
  assert.equal(await page.locator("canvas.relief").count(), 1);
  assert.ok((await page.locator(".contour").count()) > 3);
  const map = page.locator("canvas.heat");
  const box = await map.boundingBox();
  await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2);
  const told = Number((await page.locator(".map .readout").textContent()).split("= ").pop().replace("\u2212", "-"));
  const [low, high] = (await page.locator(".level").allTextContents()).map(Number).sort((p, q) => p - q).filter((_, k, all) => k === 0 || k === all.length - 1);
  assert.ok(told > low - (high - low) && told < high + (high - low), `${told} beside lines from ${low} to ${high}`);
  await close();
});

for (const file of ["agree", "stability", "tables", "modes", "modes-in-space", "rest"])
  test(`screenshots of ${file}: desktop and phone, light and dark`, () => shots(browser, file));
