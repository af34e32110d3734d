// A browser for the tests of whole reports, and a page in it that watches over itself.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const desktop = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };
export const examples = process.env.MUBODY_EXAMPLES ?? fileURLToPath(new URL("../../examples/", import.meta.url));
export const program = process.env.MUBODY_PROGRAM ?? fileURLToPath(new URL("../../build/bin/mubody", import.meta.url));
const pictures = process.env.SCREENSHOTS ?? fileURLToPath(new URL("../../build/web/screenshots/", import.meta.url));

export const folder = mkdtempSync(join(tmpdir(), "mubody-web-"));
export const removeFolder = () => rmSync(folder, { recursive: true, force: true });

/** Runs the program; with some exit codes there are results all the same. */
export function mubody(words, fine = [0]) {
  try {
    return execFileSync(program, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (e) {
    if (!fine.includes(e.status)) throw new Error(`mubody ${words.join(" ")}: ${e.stderr || e.message}`);
    return e.stdout;
  }
}

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });

/** Opens a report from disk.  `check()` complains about errors and about requests that leave the page. */
export async function open(browser, file, { size = desktop, scheme = "light" } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, offline: true, hasTouch: size === phone });
  context.setDefaultTimeout(120000); // a busy computer is no fault of the page
  const page = await context.newPage();
  const faults = [];
  const requests = [];
  page.on("request", (r) => /^(data|blob):/.test(r.url()) || requests.push(r.url()));
  page.on("pageerror", (e) => faults.push(e.message));
  page.on("console", (m) => m.type() === "error" && faults.push(m.text()));
  const url = pathToFileURL(join(folder, file)).href;
  await page.goto(url);
  await page.waitForSelector("h1");
  await settled(page);
  const check = () => {
    assert.deepEqual(faults, []);
    assert.deepEqual(requests, [url]);
  };
  const close = async () => {
    check();
    await context.close();
  };
  return { page, check, close };
}

/** After two frames what was asked for has been drawn. */
export const settled = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Waits until what a function returns is what it should be, and complains with the last value if that does not happen. */
export async function becomes(value, right, patience = 10_000) {
  const end = Date.now() + patience;
  for (;;) {
    const now = await value();
    if (right(now)) return now;
    if (Date.now() > end) throw new Error(`still ${JSON.stringify(now)}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

export async function picture(page, name, fullPage = false) {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage });
}

/** Moves the slider to a row. */
export async function scrub(page, row) {
  await page.locator(".scrub").evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input"));
  }, row);
  await settled(page);
}

/** The picture of the mechanism as a number that changes with it. */
export async function stage(page) {
  const bytes = await page.locator(".stage canvas").screenshot();
  let sum = 0;
  for (const b of bytes) sum = (sum * 31 + b) >>> 0;
  return sum;
}

/** Columns of a CSV file by name, without units. */
export function columns(file) {
  const [head, ...lines] = readFileSync(join(folder, file), "utf8").trim().split("\n").filter((line) => !line.startsWith("#"));
  const rows = lines.map((line) => line.split(",").map(Number));
  return Object.fromEntries(head.split(",").map((title, k) => [title.replace(/\[.*/, ""), rows.map((r) => r[k])]));
}

/** What a read-out shows, as a number. */
export const shown = async (page, name) => {
  const text = await page.locator(`[data-channel="${name}"] .value`).textContent();
  return Number(text.replace(/\u2212/g, "-"));
};

/** Pictures of a report on desk and phone, light and dark; it must not be wider than its window. */
export async function shots(browser, file) {
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
