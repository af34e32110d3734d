// What a person does: draws a four-bar, drives it, drags it, undoes, types, mends a mistake, and comes back.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { judged, launch, open, pictures, program, says, sizes, textOf, type } from "./browser.mjs";

let browser;
before(async () => void (browser = await launch()));
after(() => browser?.close());

const place = (text, name) => new RegExp(`^${name} = \\[(?:"([-\\d.]+) mm"|0), (?:"([-\\d.]+) mm"|0)\\]`, "m").exec(text)?.slice(1).map((v) => Number(v ?? 0));
const length = (text, a, b) => Math.hypot(...place(text, a).map((v, k) => v - place(text, b)[k]));

test("an empty page has nothing wrong", async () => {
  const { page, hand, close } = await open(browser);
  await says(page, /^empty/);
  await hand.tool("point");
  await hand.click([300, 300]);
  await says(page, /^no body yet/);
  assert.equal(await page.locator(".cm-lintRange-error, .cm-lintPoint-error, .verdict:visible").count(), 0);
  await close();
});

test("a four-bar is drawn, driven, dragged, and undone", async () => {
  const { page, hand, close } = await open(browser);
  await hand.fourBar();
  await says(page, /^1 freedom/);
  await hand.tool("motor");
  await hand.click([300, 400]);
  await says(page, /^0 freedoms/);
  await page.waitForFunction(() => /type = "kinematic"/.test(localStorage.getItem("mubody.studio.model")));
  await hand.tool("trace");
  await hand.click([440, 272]);
  const drawn = await textOf(page);
  for (const word of ['ground = {through = ["A", "D"]}', 'link1 = {through = ["A", "B"], mass = 1}', 'motor1 = {type = "angle"', 'E = {body = "link2", at = "E"}']) assert.ok(drawn.includes(word), word);

  // The hand drags the crank: lengths stay, to the digits that are written.
  const lengths = (t) => [["A", "B"], ["B", "C"], ["C", "D"]].map(([a, b]) => length(t, a, b));
  await hand.tool("hand");
  await hand.drag([330, 300], [290, 310], 12);
  await page.waitForFunction((t) => localStorage.getItem("mubody.studio.model") !== t, drawn);
  const dragged = await textOf(page);
  assert.notDeepEqual(place(dragged, "B"), place(drawn, "B"));
  lengths(drawn).forEach((l, k) => assert.ok(Math.abs(lengths(dragged)[k] - l) < 1e-6 * l, `${k}: ${lengths(dragged)[k]} of ${l}`));
  await page.keyboard.press("Control+z");
  assert.equal(await textOf(page), drawn);

  // Back to the beginning and forth again.
  for (let k = 0; k < 20; ++k) await page.keyboard.press("Control+z");
  assert.equal(await textOf(page), "");
  for (let k = 0; k < 20; ++k) await page.keyboard.press("Control+Shift+z");
  assert.equal(await textOf(page), dragged);
  await close();
});

test("the analysis follows the drawing: a rod more hangs freely, without the motor forces move it", async () => {
  const { page, hand, close } = await open(browser);
  const wait = (type) => page.waitForFunction((t) => new RegExp(`type = "${t}"`).test(localStorage.getItem("mubody.studio.model")) && globalThis.mubodyStudio.ran.value?.text === globalThis.mubodyStudio.document.text, type);
  await hand.fourBar();
  await hand.tool("motor");
  await hand.click([300, 400]);
  await wait("kinematic");
  const closed = await textOf(page);
  await hand.tool("link");
  await hand.drag([560, 240], [650, 200]);
  await wait("forward");
  await page.keyboard.press("Control+z");
  assert.equal(await textOf(page), closed);
  await hand.tool("select");
  await page.evaluate(() => globalThis.mubodyStudio.selection.set([{ section: "drivers", name: "motor1" }]));
  await page.keyboard.press("Delete");
  await wait("forward");
  await close();
});

test("a drawn four-bar has the numbers of the program", async () => {
  const { page, hand, close } = await open(browser);
  await hand.fourBar();
  await hand.tool("motor");
  await hand.click([300, 400]);
  await says(page, /^0 freedoms/);
  await page.waitForFunction(() => /type = "kinematic"/.test(localStorage.getItem("mubody.studio.model")));
  const folder = mkdtempSync(join(tmpdir(), "mubody-studio-"));
  const text = await textOf(page);
  writeFileSync(join(folder, "model.toml"), text);
  execFileSync(program, ["run", join(folder, "model.toml"), "--out", join(folder, "out")], { stdio: "ignore" });
  const [head, ...rows] = readFileSync(join(folder, "out/bodies.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  const mine = await page.evaluate((t) => globalThis.mubodyStudio.library.then((l) => l.run({ text: t }).result).then((r) => r.tables.find((x) => x.name === "bodies").columns.map((c) => ({ name: c.name, values: [...c.values] }))), text);
  let worst = 0;
  head.forEach((name, k) => {
    const column = mine[k];
    assert.equal(column.name, name.replace(/\[.*\]$/, ""));
    const peak = Math.max(...rows.map((r) => Math.abs(Number(r[k]))), 1e-12);
    rows.forEach((r, n) => (worst = Math.max(worst, Math.abs(Number(r[k]) - column.values[n]) / peak)));
  });
  assert.ok(rows.length > 100);
  assert.ok(worst < 1e-9, String(worst));
  await close();
});

test("lengths are typed: while drawing, on the canvas and in the properties", async () => {
  const { page, hand, close } = await open(browser);
  await hand.tool("link");
  await page.mouse.move(...(await hand.at([300, 400])));
  await hand.click([300, 400]);
  await page.mouse.move(...(await hand.at([420, 380])));
  await page.keyboard.type("120 @ 30");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /link1/.test(localStorage.getItem("mubody.studio.model") ?? ""));
  assert.ok(Math.abs(length(await textOf(page), "A", "B") - 120) < 1e-6);
  await page.fill('.inspector input[aria-label="length"]', "150 mm");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(50);
  assert.ok(Math.abs(length(await textOf(page), "A", "B") - 150) < 1e-6);
  await page.fill('.inspector input[aria-label="angle"]', "90 deg");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(50);
  const text = await textOf(page);
  assert.ok(Math.abs(place(text, "B")[1] - place(text, "A")[1] - 150) < 1e-6);
  // Names change everywhere.
  await page.fill('.inspector input[aria-label="name"]', "crank");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /^crank = /m.test(localStorage.getItem("mubody.studio.model")));
  await close();
});

test("a mistake in the text is underlined with its message, and mended", async () => {
  const { page, hand, check, close } = await open(browser);
  await hand.fourBar();
  await says(page, /^1 freedom/);
  const good = await textOf(page);
  await type(page, good.replace("mass = 1}", "mas = 1}"));
  await says(page, /mistake|not complete/);
  await page.waitForSelector(".cm-lintRange-error");
  assert.equal(await page.locator(".cm-lintRange-error").first().innerText(), "mas");
  await page.hover(".cm-lintRange-error");
  await page.waitForSelector(".cm-diagnostic");
  assert.match(await page.locator(".cm-diagnostic").first().innerText(), /mass/);
  // What is missing at the end of a line is underlined there, too.
  await type(page, good.replace("[joints]", "[joints]\nZ ="));
  await page.waitForFunction(() => document.querySelector(".cm-lintRange-error")?.textContent === "=");
  await type(page, good);
  await says(page, /^1 freedom/);
  assert.equal(await page.locator(".cm-lintRange-error").count(), 0);
  // A text that is no TOML: the canvas says so and changes nothing.
  await type(page, `${good}\n[`);
  await says(page, /mistake|not complete/);
  await hand.tool("link");
  await hand.drag([100, 100], [200, 100]);
  assert.equal(await textOf(page), `${good}\n[`);
  check();
  await close();
});

test("a drawing stays while the text is being typed", async () => {
  const { page, close } = await open(browser);
  const model = readFileSync(new URL("../../examples/pendulum/model.toml", import.meta.url), "utf8");
  await type(page, model);
  await page.waitForFunction(() => globalThis.mubodyStudio.ran.value?.result);
  await page.waitForTimeout(500); // the view is chosen anew for the motion
  const inked = () => page.evaluate(() => {
    const canvas = document.querySelector(".drawing > canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 0; k < data.length; k += 4) if (Math.max(data[k], data[k + 1], data[k + 2]) - Math.min(data[k], data[k + 1], data[k + 2]) > 40) ++count;
    return count;
  });
  const drawn = await inked();
  assert.ok(drawn > 500, String(drawn));
  for (const wrong of [model.replace("revolute", "revolut"), `${model}\n[joints.Z`]) {
    await type(page, wrong);
    await says(page, /mistake/);
    await page.waitForTimeout(100);
    assert.ok((await inked()) > 0.8 * drawn, "the drawing is gone");
  }
  await page.evaluate(() => globalThis.mubodyStudio.document.replace("", { origin: "test" }));
  await says(page, /empty/);
  await page.waitForTimeout(100);
  assert.ok((await inked()) < 100);
  await close();
});

test("comments and layout survive what the canvas does", async () => {
  const { page, hand, close } = await open(browser);
  const model = `# My model.\ngravity = [0, -9.81]   # down\n\n[places]\n# the ground\nA = [0, 0]\nB = ["50 mm", "90 mm"] # a pin\n\n[bodies]\nground = {through = ["A"]}\narm = { through = ["A", "B"], mass = "1 kg" }   # steel\n\n[joints]\nA = {type = "revolute"}\n`;
  await type(page, model);
  await says(page, /^1 freedom/);
  await page.keyboard.press("Escape");
  await page.locator(".drawing > canvas").focus();
  await page.keyboard.press("v");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((m) => localStorage.getItem("mubody.studio.model") !== m, model);
  const moved = await textOf(page);
  assert.match(moved, /B = \["[\d.]+ mm", "90 mm"\] # a pin/);
  assert.equal(moved.replace(/B = .*/, ""), model.replace(/B = .*/, ""));
  await close();
});

test("the model is there again after the page was closed", async () => {
  const { page, context, hand, close } = await open(browser);
  await hand.fourBar();
  const text = await textOf(page);
  await page.reload();
  await says(page, /^1 freedom/);
  assert.equal(await textOf(page), text);
  assert.match(await page.locator(".cm-content").innerText(), /link3/);
  await page.close();
  const again = await open(browser, { context });
  await says(again.page, /^1 freedom/);
  await again.close();
  void close;
});

test("from opening to the first motion in less than a second and a half", async () => {
  const { page, context, close } = await open(browser);
  await type(page, readFileSync(new URL("../../examples/four_bar/model.toml", import.meta.url), "utf8"));
  await says(page, /^1 freedom/);
  const times = [];
  // What is above the least is the computer's other business.
  for (let k = 0; k < 6 && !(Math.min(...times) < 1500); ++k) {
    const begin = Date.now();
    await page.reload();
    await page.waitForFunction(() => globalThis.mubodyStudio?.ran.value?.result);
    times.push(Date.now() - begin);
  }
  console.log(`# from opening to motion: ${times.join(", ")} ms`);
  assert.ok(Math.min(...times) < 1500 || !judged(), times.join(", "));
  void context;
  await close();
});

test("the guide leads to a four-bar that moves", async () => {
  const { page, hand, close } = await open(browser);
  await page.click('[data-command="guide"]');
  const words = () => page.locator(".guide p").innerText();
  assert.match(await words(), /crank/);
  await hand.drag([300, 400], [330, 300]);
  await page.waitForFunction(() => /Begin the next rod/.test(document.querySelector(".guide p").textContent));
  await hand.drag([330, 300], [560, 240]);
  await hand.drag([560, 240], [520, 400]);
  await page.waitForFunction(() => /Now the ground/.test(document.querySelector(".guide p").textContent));
  await hand.click([300, 400]);
  await hand.click([520, 400]);
  await page.waitForFunction(() => /Motor/.test(document.querySelector(".guide p").textContent));
  await hand.click([300, 400]);
  await page.waitForFunction(() => /Trace/.test(document.querySelector(".guide p").textContent));
  await hand.click([440, 272]);
  await page.waitForFunction(() => /It runs/.test(document.querySelector(".guide p").textContent));
  await page.waitForFunction(() => globalThis.mubodyStudio.ran.value?.result?.ok && globalThis.mubodyStudio.ran.value.text === globalThis.mubodyStudio.document.text);
  await page.screenshot({ path: `${pictures}/guide.png` });
  await close();
});

test("everything is drawn and deleted by keyboard alone", async () => {
  const { page, close } = await open(browser);
  const canvas = page.locator(".drawing > canvas");
  await canvas.focus();
  await page.keyboard.press("r");
  const go = async (keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await go(["ArrowRight", "Enter", "Shift+ArrowRight", "ArrowUp", "Enter"]);
  await page.waitForFunction(() => /link1/.test(localStorage.getItem("mubody.studio.model") ?? ""));
  await go(["Escape", "Escape", "Tab", "Tab", "Tab"]);
  await page.waitForFunction(() => globalThis.mubodyStudio.selection.value[0]?.section === "bodies");
  await page.keyboard.press("Delete");
  await page.waitForFunction(() => !/link1/.test(localStorage.getItem("mubody.studio.model")));
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => /link1/.test(localStorage.getItem("mubody.studio.model")));
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.type("gears");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector('[data-tool="gear"]').getAttribute("aria-pressed") === "true");
  await close();
});

test("locks hold while the hand drags, and while points and bodies are moved", async () => {
  const { page, hand, close } = await open(browser);
  const corners = [[300, 400], [330, 300], [450, 260], [560, 300], [600, 400]];
  await hand.tool("link");
  for (let k = 0; k < 4; ++k) await hand.drag(corners[k], corners[k + 1]);
  await hand.tool("ground");
  await hand.click(corners[0]);
  await hand.click(corners[4]);
  await says(page, /^2 freedoms/);
  const sides = (t) => ["AB", "BC", "CD", "DE"].map(([a, b]) => length(t, a, b));
  const angle = (t) => Math.atan2(place(t, "C")[1] - place(t, "B")[1], place(t, "C")[0] - place(t, "B")[0]);
  const select = (name) => page.evaluate((n) => globalThis.mubodyStudio.selection.set([{ section: "bodies", name: n }]), name);
  const changed = async (drag, from, to) => {
    const before = await textOf(page);
    await drag(from, to, 12);
    await page.waitForFunction((t) => localStorage.getItem("mubody.studio.model") !== t, before);
    await says(page, /^2 freedoms/);
    return textOf(page);
  };
  const drawn = await textOf(page);
  await select("link2");
  await page.getByRole("button", { name: /^lock the angle/ }).click();
  await hand.tool("hand");
  const dragged = await changed(hand.drag.bind(hand), [505, 280], [500, 330]);
  assert.ok(Math.abs(angle(dragged) - angle(drawn)) < 1e-8, `${angle(dragged)} of ${angle(drawn)}`);
  sides(drawn).forEach((l, k) => assert.ok(Math.abs(sides(dragged)[k] - l) < 1e-6 * l));
  assert.ok(Math.abs(place(dragged, "C")[1] - place(drawn, "C")[1]) > 1);
  await page.keyboard.press("Control+z");
  assert.equal(await textOf(page), drawn);
  // The length instead: a point goes round, a body keeps it, and what it moves beside follows the grid.
  await select("link2");
  await page.getByRole("button", { name: /^lock the angle/ }).click();
  await page.getByRole("button", { name: /^lock the length/ }).click();
  await hand.tool("select");
  const round = await changed(hand.drag.bind(hand), corners[2], [430, 200]);
  assert.ok(Math.abs(sides(round)[1] - sides(drawn)[1]) < 1e-6);
  await page.keyboard.press("Control+z");
  await says(page, /^2 freedoms/);
  const moved = await changed(hand.drag.bind(hand), [390, 280], [390, 220]);
  assert.ok(Math.abs(sides(moved)[1] - sides(drawn)[1]) < 1e-6);
  assert.ok(Math.abs(angle(moved) - angle(drawn)) < 1e-9);
  await close();
});

test("no key means two things, and K keeps a run whatever panel is open", async () => {
  const { page, close } = await open(browser);
  const keys = await page.evaluate(() => globalThis.mubodyStudio.commands.all.flatMap((c) => c.keys ?? []));
  assert.deepEqual(keys.filter((key, k) => keys.indexOf(key) !== k), []);
  await type(page, readFileSync(new URL("../../examples/pendulum/model.toml", import.meta.url), "utf8"));
  await page.waitForFunction(() => globalThis.mubodyStudio.ran.value?.result);
  await page.locator(".drawing > canvas").focus();
  await page.keyboard.press("k");
  await page.waitForFunction(() => /Kept as run 1/.test(document.querySelector(".message").textContent));
  await close();
});

test("fingers pan and zoom, and draw", async () => {
  const { page, hand, context, close } = await open(browser, { size: sizes.phone });
  const cdp = await context.newCDPSession(page);
  const touch = async (type, ...points) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: await Promise.all(points.map(async (p, id) => { const [x, y] = await hand.at(p); return { x, y, id }; })) });
  await page.tap('[data-tool="link"]');
  await touch("touchStart", [100, 150]);
  await touch("touchMove", [180, 120]);
  await touch("touchMove", [240, 100]);
  await touch("touchEnd");
  await page.waitForFunction(() => /link1/.test(localStorage.getItem("mubody.studio.model") ?? ""));
  const text = await textOf(page);
  const scale = () => page.evaluate(() => globalThis.mubodyStudio.overlays.value.length >= 0 && document.querySelector(".drawing").getBoundingClientRect().width);
  assert.ok(await scale());
  await touch("touchStart", [100, 200], [200, 200]);
  await touch("touchMove", [60, 200], [240, 200]);
  await touch("touchEnd");
  assert.equal(await textOf(page), text);
  await close();
});

test("every tool leaves a model that the program takes", async () => {
  const { page, hand, close } = await open(browser);
  await hand.fourBar();
  await hand.tool("plate");
  for (const p of [[600, 330], [700, 330], [650, 260], [650, 260]]) await hand.click(p);
  await hand.tool("ground");
  await hand.click([600, 330]);
  await hand.tool("slider");
  await hand.drag([650, 260], [730, 260]);
  await hand.tool("spring");
  await hand.drag([330, 300], [330, 150]);
  await hand.tool("damper");
  await hand.drag([560, 240], [640, 140]);
  await hand.tool("force");
  await hand.drag([440, 272], [440, 330]);
  await hand.tool("gear");
  await hand.drag([150, 380], [230, 380]);
  await hand.tool("disc");
  await hand.drag([640, 410], [665, 410]);
  await says(page, /freedom/);
  const state = await page.evaluate(() => { const { answer } = globalThis.mubodyStudio.checked.value; return { errors: answer.errors, obstacle: answer.obstacle }; });
  assert.deepEqual(state, { errors: [], obstacle: null });
  for (const word of ["link4 = {through", "slider1 = ", "spring1 = ", "damper1 = ", "force1 = ", "gear1 = ", "disc3 = "]) assert.ok((await textOf(page)).includes(word), word);
  // All of it is selected by a stroke and deleted; undo brings it back.
  await hand.tool("select");
  const text = await textOf(page);
  await hand.drag([745, 440], [265, 60]);
  await page.keyboard.press("Delete");
  assert.ok(!/link\d = /.test(await textOf(page)));
  await page.keyboard.press("Control+z");
  assert.equal(await textOf(page), text);
  await page.screenshot({ path: `${pictures}/tools.png` });
  await close();
});

test("time runs while a hand pulls", async () => {
  const { page, hand, close } = await open(browser);
  await hand.fourBar();
  await says(page, /^1 freedom/);
  await page.locator(".drawing > canvas").focus();
  await page.keyboard.press("l");
  await page.waitForSelector(".drawing.live");
  const picture = async () => (await page.locator(".drawing > canvas").screenshot()).toString("base64");
  const first = await picture();
  await page.waitForTimeout(600);
  assert.notEqual(await picture(), first);
  await hand.drag([330, 300], [380, 330]);
  await page.keyboard.press("l");
  await page.waitForFunction(() => !document.querySelector(".drawing.live"));
  await close();
});
