// Models that come and go: files from the disk, new models, and undo between them.  A photo is traced.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { launch, open, says, textOf, type } from "./browser.mjs";

let browser;
const folder = mkdtempSync(join(tmpdir(), "mubody-studio-"));
before(async () => void (browser = await launch()));
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name, content) => (writeFileSync(join(folder, name), content), join(folder, name));
const state = (page, what) => page.evaluate(what);
const message = (page) => page.locator(".message").textContent();
const ran = (page) => page.waitForFunction(() => globalThis.mubodyStudio.ran.value?.text === globalThis.mubodyStudio.document.text && globalThis.mubodyStudio.ran.value.result);

/** Files that are chosen after a click. */
async function choose(page, click, files) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), click()]);
  await chooser.setFiles(files);
}
const openFiles = (page, files) => choose(page, async () => {
  await page.getByText("New", { exact: true }).click();
  await page.click('[data-command="open"]');
}, files);

const driven = `name = "driven"
gravity = [0, -9.81]
[bodies]
arm = {mass = 1, inertia = 0.1, position = [0.2, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "arm"], at = [0, 0]}
[drivers]
turn = {type = "angle", joint = "pin", value = {type = "spline", data = {file = "turn.csv", columns = ["time", "angle"]}}}
[analysis]
type = "kinematic"
end = 1
`;

test("files from the disk: a model with lines of Windows and with data, which undo gives back", async () => {
  const { page, close } = await open(browser);
  await openFiles(page, [file("mine.toml", driven.replaceAll("\n", "\r\n")), file("turn.csv", "time,angle\n0,0\n0.5,1\n1,0\n")]);
  await ran(page);
  assert.equal(await textOf(page), driven);
  await page.click(".cm-content");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("# mine");
  await ran(page);
  assert.equal(await textOf(page), `${driven}# mine`);
  await page.keyboard.press("Control+z");
  // Another model takes the place of this one, with its files; undo brings both back.
  await page.click("#tab-gallery");
  await page.click('[data-example="pendulum"]');
  await ran(page);
  assert.deepEqual(await state(page, () => Object.keys(globalThis.mubodyStudio.files.value)), []);
  await page.locator(".drawing > canvas").focus();
  await page.keyboard.press("Control+z");
  assert.equal(await textOf(page), driven);
  await ran(page);
  await openFiles(page, [file("broken.toml", Buffer.from([0xff, 0xfe, 0x00]))]);
  await page.getByText("is no text in UTF-8").waitFor();
  assert.equal(await textOf(page), driven);
  await close();
});

test("what is gone is neither selected nor played", async () => {
  const { page, hand, close } = await open(browser);
  await hand.fourBar();
  await ran(page);
  const drawn = await textOf(page);
  assert.ok(await page.locator(".inspector").isVisible());
  while (await state(page, () => globalThis.mubodyStudio.document.canUndo)) await page.keyboard.press("Control+z");
  assert.equal(await textOf(page), "");
  await page.getByText("Plots appear here").waitFor();
  assert.deepEqual(await state(page, () => globalThis.mubodyStudio.selection.value), []);
  assert.ok(await page.locator(".inspector").isHidden());
  assert.ok(await page.getByRole("button", { name: "play (space)" }).isDisabled());
  for (let k = 0; k < 20; ++k) await page.keyboard.press("Control+Shift+z");
  await ran(page);
  assert.equal(await textOf(page), drawn);
  // An empty model begins with an empty desk, and the first rod does not move it.
  await page.keyboard.press("Alt+n");
  await says(page, /^empty/);
  await hand.tool("link");
  await hand.drag([200, 200], [300, 200]);
  await ran(page);
  await hand.drag([300, 200], [300, 300]);
  await says(page, /freedoms/);
  assert.equal((await textOf(page)).match(/^[A-Z] = \[/gm)?.length, 3, "the second rod did not begin where the first one ended");
  await close();
});

test("a drawing in inches has a grid of inches, and says what a formula holds", async () => {
  const { page, close } = await open(browser);
  await type(page, `[parameters]\nL = "4 in"\n[places]\nA = [0, 0]\nB = ["3 in", "4 in"]\nC = ["= L", "8 in"]\n[bodies]\nground = {through = ["A"]}\narm = {through = ["A", "B"], mass = 1}\nrod = {through = ["B", "C"], mass = 1}\n[joints]\nA = {type = "revolute"}\nB = {type = "revolute"}\n[analysis]\ntype = "forward"\nend = 1\n`);
  await ran(page);
  const nudge = async (name) => {
    await page.evaluate((n) => globalThis.mubodyStudio.selection.set([{ section: "places", name: n }]), name);
    await page.locator(".drawing > canvas").focus();
    await page.keyboard.press("ArrowRight");
  };
  await nudge("B");
  await page.waitForFunction(() => !localStorage.getItem("mubody.studio.model").includes('"3 in"'));
  const [, inches] = /^B = \["([\d.]+) in", "4 in"\]/m.exec(await textOf(page));
  assert.ok(Math.abs(Number(inches) * 20 - Math.round(Number(inches) * 20)) < 1e-9, inches);
  await nudge("C");
  await page.getByText("C: given by a formula").waitFor();
  await close();
});

/** A picture of 400 x 300 pixels as the browser makes it. */
const photoOf = async (page) => Buffer.from(await page.evaluate(() => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 400, height: 300 });
  const c = canvas.getContext("2d");
  c.fillStyle = "#c8dcc8";
  c.fillRect(0, 0, 400, 300);
  c.fillStyle = "#f00";
  c.fillRect(95, 145, 10, 10);
  c.fillRect(295, 145, 10, 10);
  return canvas.toDataURL("image/png").split(",")[1];
}), "base64");

/** Where the two red spots of the photo are on the canvas, in pixels. */
const spots = (page) => page.evaluate(() => {
  const canvas = document.querySelector(".drawing > canvas");
  const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const found = [];
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x) {
      const at = 4 * (y * width + x);
      if (data[at] > 220 && data[at + 1] < 150 && data[at + 2] < 150) found.push([x, y]);
    }
  const middle = (all) => [0, 1].map((k) => all.reduce((sum, p) => sum + p[k], 0) / all.length);
  const [left, right] = [Math.min(...found.map((p) => p[0])), Math.max(...found.map((p) => p[0]))];
  return [middle(found.filter((p) => p[0] < (left + right) / 2)), middle(found.filter((p) => p[0] >= (left + right) / 2))];
});

test("a photo is scaled by two clicks and a distance, and traced", async () => {
  const { page, hand, close } = await open(browser);
  const photo = file("machine.png", await photoOf(page));
  await choose(page, () => hand.tool("photo"), file("text.png", "this is no picture\n"));
  await page.getByText("text.png is no image that can be shown.").waitFor();
  await choose(page, () => hand.click([300, 300]), photo);
  await page.getByText("Now click two points").waitFor();
  await page.waitForTimeout(100);

  const [a, b] = await spots(page);
  await hand.click(a);
  await page.getByText("And the second point.").waitFor();
  await hand.click(a);
  await page.getByText("That is the first point again").waitFor();
  await hand.click(b);
  await page.getByLabel(/^distance/).fill("nothing");
  await page.keyboard.press("Enter");
  assert.equal(await page.getByLabel(/^distance/).getAttribute("aria-invalid"), "true");
  await page.getByLabel(/^distance/).fill("3 m");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(150);

  // The photo is seen as a whole, and a rod from spot to spot has the length that was typed.
  const [p, q] = await spots(page);
  assert.ok(q[0] - p[0] > 100, "the photo is out of sight");
  const rod = async () => {
    await hand.tool("link");
    await page.keyboard.down("Shift");
    await hand.drag(p, q);
    await page.keyboard.up("Shift");
    await page.waitForFunction(() => /link1/.test(localStorage.getItem("mubody.studio.model") ?? ""));
  };
  await rod();
  const drawn = await textOf(page);
  const [left, right] = ["A", "B"].map((name) => new RegExp(`^${name} = \\["([-\\d.]+) mm", "([-\\d.]+) mm"\\]`, "m").exec(drawn).slice(1).map(Number));
  const length = Math.hypot(right[0] - left[0], right[1] - left[1]);
  assert.ok(Math.abs(length - 3000) < 30, `${length} mm`);
  await page.screenshot({ path: process.env.SHOT ?? join(folder, "photo.png") });

  // It is there again when the page is opened again, in its size.
  await page.reload();
  await ran(page);
  await state(page, () => globalThis.mubodyStudio.document.replace("", { origin: "test" })); // the rod lies over the spots
  await says(page, /^empty/);
  await page.waitForTimeout(300);
  const again = await spots(page);
  assert.ok(Math.abs((again[1][0] - again[0][0]) / (q[0] - p[0]) - 1) < 0.05, `${again} beside ${[p, q]}`);

  // Undo takes back what is drawn and leaves the photo; Delete with its tool takes it away.
  await hand.tool("link");
  await hand.drag([100, 60], [160, 60]);
  await page.keyboard.press("Control+z");
  assert.equal(await textOf(page), "");
  assert.ok((await spots(page))[0].every(Number.isFinite));
  await hand.tool("photo");
  await page.locator(".drawing > canvas").focus();
  await page.keyboard.press("Delete");
  await page.waitForTimeout(100);
  assert.ok(!(await spots(page))[0].every(Number.isFinite), "the photo is still there");
  assert.equal(await state(page, () => localStorage.getItem("mubody.studio.model.photo")), null);
  await close();
});
