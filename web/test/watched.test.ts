import assert from "node:assert/strict";
import test from "node:test";
import { keptOf, wordsOf } from "../src/served/watched";

const kept = {
  t: 1.5, playing: true, speed: 2, outlook: [1, 2, 3], scroll: 40,
  settings: { names: true, centre: false, arrows: { reaction: true, applied: false, velocity: false }, arrowSize: 1, exaggerate: 1, traces: ["tip"] },
};

test("what an earlier version left is taken if it is whole", () => {
  assert.deepEqual(keptOf(JSON.stringify(kept)), kept);
  for (const text of [null, "", "null", "{", "3", "{}", JSON.stringify({ ...kept, t: null }), JSON.stringify({ ...kept, outlook: ["x"] }), JSON.stringify({ ...kept, settings: {} })])
    assert.equal(keptOf(text), undefined, String(text));
});

test("a failed run shows its message, a good one nothing", () => {
  assert.equal(wordsOf({ version: 1, state: "failed", message: "m.toml:3:1: wrong" }), "m.toml:3:1: wrong");
  assert.equal(wordsOf({ version: 1, state: "ready", message: "" }), "");
  assert.match(wordsOf({ version: 1, state: "running", message: "" }), /being run/);
});
