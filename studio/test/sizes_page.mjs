// The page at four sizes, light and dark: nothing lies outside of the screen or under something else, and pictures to look at.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { examples, launch, open, pictures, says, sizes, type } from "./browser.mjs";

let browser;
before(async () => void (browser = await launch()));
after(() => browser?.close());

for (const [name, size] of Object.entries(sizes))
  for (const scheme of ["light", "dark"])
    test(`${name}, ${scheme}`, async () => {
      const { page, close } = await open(browser, { size, scheme });
      await page.waitForSelector(".welcome:not([hidden])");
      await page.screenshot({ path: join(pictures, `${name}_${scheme}_empty.png`) });
      await type(page, readFileSync(join(examples, "jansen_leg/model.toml"), "utf8"));
      await says(page, /^0 freedoms/);
      await page.waitForFunction(() => globalThis.mubodyStudio.ran.value?.text === globalThis.mubodyStudio.document.text);
      await page.locator(".drawing > canvas").scrollIntoViewIfNeeded();
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(pictures, `${name}_${scheme}.png`) });
      // The page is as wide as the screen, the tools can be reached, and the corner is seen.
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      const covered = await page.evaluate(() => {
        const box = document.querySelector(".freedom").getBoundingClientRect();
        return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.className;
      });
      assert.match(covered, /freedom/);
      await page.click('[data-tool="hand"]');
      const background = await page.evaluate(() => getComputedStyle(document.querySelector(".place.stage")).backgroundColor);
      assert.equal(background, scheme === "dark" ? "rgb(22, 28, 36)" : "rgb(255, 255, 255)");
      await close();
    });
