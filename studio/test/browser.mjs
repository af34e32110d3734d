// A browser for the tests of the studio, and a page in it that watches over itself.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const root = fileURLToPath(new URL("../../", import.meta.url));
export const studio = process.env.MUBODY_STUDIO ?? join(root, "build/studio.html");
export const program = process.env.MUBODY_PROGRAM ?? join(root, "build/bin/mubody");
export const examples = join(root, "examples");
export const pictures = process.env.SCREENSHOTS ?? join(root, "build/studio/screenshots");
mkdirSync(pictures, { recursive: true });

export const sizes = { desktop: { width: 1400, height: 860 }, laptop: { width: 1100, height: 700 }, tablet: { width: 820, height: 1100 }, phone: { width: 390, height: 844 } };
export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });

/** Whether times of a clock say something of the page: not where much else runs.  MUBODY_TIMES=1 says that they do. */
export const judged = () => process.env.MUBODY_TIMES === "1" || loadavg()[0] < availableParallelism() + 1;

/** Opens the studio from disk.  `check()` complains about errors and about requests that leave the page. */
export async function open(browser, { size = sizes.desktop, scheme = "light", hash = "", context: given } = {}) {
  const context = given ?? await browser.newContext({ viewport: size, colorScheme: scheme, offline: true, hasTouch: size.width < 900, acceptDownloads: true });
  context.setDefaultTimeout(60000); // a busy computer is no fault of the page
  const page = await context.newPage();
  const faults = [];
  const requests = [];
  page.on("request", (r) => /^(data|blob):/.test(r.url()) || requests.push(r.url()));
  page.on("pageerror", (e) => faults.push(`${e.message}\n${e.stack}`));
  page.on("console", (m) => m.type() === "error" && faults.push(m.text()));
  const url = pathToFileURL(studio).href + hash;
  await page.goto(url);
  const check = () => {
    assert.deepEqual(faults, []);
    for (const request of requests) assert.equal(request.split("#")[0], url.split("#")[0]);
  };
  const close = async () => {
    check();
    await context.close();
  };
  return { page, context, check, close, hand: new Hand(page) };
}

/** The text of the model, as the page keeps it. */
export const textOf = (page) => page.evaluate(() => localStorage.getItem("mubody.studio.model") ?? "");

/** Puts a text into the editor, as by paste. */
export async function type(page, text) {
  await page.click("#tab-text");
  await page.click(".cm-content");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.evaluate((t) => {
    const data = new DataTransfer();
    data.setData("text/plain", t);
    document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

/** Waits until the corner says something that matches. */
export const says = (page, pattern) => page.waitForFunction((p) => new RegExp(p).test(document.querySelector(".freedom")?.textContent ?? ""), pattern.source);

/** Opens an example from the gallery and waits for its run. */
export async function example(page, id) {
  await page.click("#tab-gallery");
  await page.click(`[data-example="${id}"]`);
  await ran(page);
}
/** Waits until the newest text has run, or cannot. */
export const ran = (page) => page.waitForFunction(() => {
  const { document: model, ran, checked } = globalThis.mubodyStudio;
  const done = ran.value?.text === model.text && (ran.value.result || ran.value.fault);
  return done || (checked.value?.text === model.text && !checked.value.answer.ok);
}, undefined, { polling: 30 });

/** What a person does with the mouse on the canvas; places are pixels of the canvas. */
class Hand {
  constructor(page) {
    this.page = page;
  }
  async at([x, y]) {
    const box = await this.page.locator(".drawing > canvas").boundingBox();
    return [box.x + x, box.y + y];
  }
  async click(p) {
    await this.page.mouse.click(...(await this.at(p)));
  }
  async drag(a, b, steps = 5) {
    await this.page.mouse.move(...(await this.at(a)));
    await this.page.mouse.down();
    await this.page.mouse.move(...(await this.at(b)), { steps });
    await this.page.waitForTimeout(60);
    await this.page.mouse.up();
    await this.page.waitForTimeout(60);
  }
  async tool(id) {
    await this.page.click(`[data-tool="${id}"]`);
  }
  /** A four-bar with a motor, as the guide says. */
  async fourBar() {
    await this.tool("link");
    await this.drag([300, 400], [330, 300]);
    await this.drag([330, 300], [560, 240]);
    await this.drag([560, 240], [520, 400]);
    await this.tool("ground");
    await this.click([300, 400]);
    await this.click([520, 400]);
  }
}
