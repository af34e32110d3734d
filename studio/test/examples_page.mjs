// Every example opens, is checked, runs and shows, without an error in the console.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { examples, launch, open } from "./browser.mjs";

let browser;
let opened;
before(async () => {
  browser = await launch();
  opened = await open(browser);
});
after(() => browser?.close());

/** Data files beside a model, as the page gets them when they are dropped. */
function filesBeside(folder) {
  const all = {};
  for (const name of readdirSync(folder)) if (/\.(csv|toml|stl|obj|tir)$/.test(name) && name !== "model.toml" && name !== "expected.csv") all[name] = readFileSync(join(folder, name), "utf8");
  return all;
}

for (const name of readdirSync(examples).filter((n) => existsSync(join(examples, n, "model.toml"))))
  test(`${name} opens, runs and shows`, async () => {
    const { page, check } = opened;
    const text = readFileSync(join(examples, name, "model.toml"), "utf8");
    await page.evaluate(({ text, files }) => {
      const { mubodyStudio: studio } = globalThis;
      studio.files.set(files);
      studio.document.load(text);
    }, { text, files: filesBeside(join(examples, name)) });
    const state = await page.waitForFunction((t) => {
      const { checked, ran, library } = globalThis.mubodyStudio;
      void library;
      if (checked.value?.text !== t) return false;
      const { answer } = checked.value;
      if (answer.errors.length) return { errors: answer.errors.map((p) => p.message) };
      if (answer.obstacle) return { errors: [answer.obstacle.message] };
      return ran.value?.text === t ? { fault: ran.value.fault, rows: ran.value.result?.times.length } : false;
    }, text, { timeout: 240000 }).then((h) => h.jsonValue());
    assert.deepEqual(state.errors ?? [], []);
    assert.equal(state.fault, undefined);
    await page.waitForTimeout(60);
    check();
  });
