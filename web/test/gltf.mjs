// Animations as other programs get them: Khronos' validator has nothing to say about them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import validator from "gltf-validator";
import { examples, folder, mubody, removeFolder } from "./browser.mjs";

after(removeFolder);

// In the plane and in space; with contacts and springs.
for (const [example, bodies] of [["four_bar", 3], ["iltis_suspension", 2], ["newtons_cradle", 5], ["spring_mass_damper", 1]])
  test(`the animation of ${example} is valid glTF`, async () => {
    mubody(["picture", `${examples}${example}`, "-q", "-o", `${example}.glb`]);
    const { issues, info, mimeType } = await validator.validateBytes(new Uint8Array(readFileSync(join(folder, `${example}.glb`))));
    assert.deepEqual(issues.messages, []);
    assert.equal(mimeType, "model/gltf-binary");
    assert.equal(info.version, "2.0");
    assert.equal(info.animationCount, 1);
    assert.ok(info.totalTriangleCount > 10 * bodies);
  });

test("one that was cut off is not", async () => {
  mubody(["picture", `${examples}four_bar`, "-q", "-o", "cut.glb"]);
  const bytes = readFileSync(join(folder, "cut.glb"));
  const { issues } = await validator.validateBytes(new Uint8Array(bytes.subarray(0, bytes.length - 400)));
  assert.ok(issues.numErrors > 0);
});
