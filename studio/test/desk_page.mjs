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

test("a length that is typed goes where the line snaps", async () => {
  const { page, hand, close } = await open(browser);
  await hand.tool("link");
  await hand.click([300, 400]);
  // Nearly along 30 degrees, to which the line snaps.
  await page.mouse.move(...(await hand.at([300 + 260, 400 - 151.5])));
  await page.keyboard.type("120");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /link1/.test(globalThis.mubodyStudio.document.text));
  const text = await textOf(page);
  const [dx, dy] = place(text, "B").map((v, k) => v - place(text, "A")[k]);
  assert.ok(Math.abs(Math.hypot(dx, dy) - 120) < 1e-5, `${dx}, ${dy}`);
  assert.ok(Math.abs((Math.atan2(dy, dx) * 180) / Math.PI - 30) < 1e-5, `${dx}, ${dy}`);
  await close();
});

test("a stroke that is refused leaves nothing behind", async () => {
  const { page, hand, close } = await open(browser);
  await hand.tool("link");
  await hand.drag([300, 400], [330, 300]);
  await says(page, /freedom/);
  const before = await textOf(page);
  await hand.tool("spring");
  await hand.drag([600, 200], [700, 200]);
  assert.match(await message(page), /two different bodies/);
  assert.equal(await textOf(page), before);
  await close();
});

test("fields refuse what the program would refuse, and say why", async () => {
  const { page, hand, close } = await open(browser);
  await hand.fourBar();
  await ran(page);
  const before = await textOf(page);
  await page.evaluate(() => globalThis.mubodyStudio.selection.set([{ section: "bodies", name: "link1" }]));
  const mass = page.locator('.inspector input[aria-label="mass"]');
  for (const [typed, why] of [["heavy", /'heavy' is not a number/], ["-1", /positive|negative/], ["3 m", /unit 'm' is a length/]]) {
    await mass.fill(typed);
    await page.keyboard.press("Enter");
    await page.waitForFunction((pattern) => new RegExp(pattern).test(document.querySelector(".message").textContent), why.source);
    assert.equal(await textOf(page), before);
  }
  await mass.fill("2 kg");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /link1 = .*mass = "2 kg"/.test(globalThis.mubodyStudio.document.text));
  const named = page.locator('.inspector input[aria-label="name"]');
  await named.fill("link2");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /there is a body link2 already/.test(document.querySelector(".message").textContent));
  await page.click("#tab-masses");
  const cell = page.getByLabel("mass of link2");
  await cell.fill("much");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /'link2'.*'much'/.test(document.querySelector(".message").textContent));
  assert.ok(!/much/.test(await textOf(page)));
  await close();
});

test("the corner names redundant joints, and opens no empty box", async () => {
  const { page, hand, close } = await open(browser);
  const corner = page.locator(".freedom");
  await says(page, /^empty/);
  await corner.click();
  assert.ok(await page.locator(".remarks").isHidden());
  // A parallelogram with a third rocker.
  await type(page, `gravity = [0, -9.81]
[places]
A = [0, 0]
B = [0, 1]
C = [1, 0]
D = [1, 1]
E = [2, 0]
F = [2, 1]
[bodies]
ground = {through = ["A", "C", "E"]}
one = {through = ["A", "B"], mass = 1}
two = {through = ["C", "D"], mass = 1}
three = {through = ["E", "F"], mass = 1}
bar = {through = ["B", "D", "F"], mass = 1}
[joints]
pins = {type = "revolute", at = ["A", "B", "C", "D", "E", "F"]}
[analysis]
end = 1
`);
  await says(page, /redundant/);
  await corner.click();
  assert.match(await page.locator(".remarks").textContent(), /follows from [A-F]/);
  await hand.click([20, 500]);
  await page.locator(".remarks").waitFor({ state: "hidden" });
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
