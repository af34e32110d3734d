import assert from "node:assert/strict";
import test from "node:test";
import { difference, applied, isAnother, ModelDocument } from "../src/document";
import { Random } from "./random";

test("ends of lines are one character, however a text comes", () => {
  const model = new ModelDocument("a\r\nb\r\n");
  assert.equal(model.text, "a\nb\n");
  model.replace("a\r\nc\rd", { origin: "test" });
  assert.equal(model.text, "a\nc\nd");
  model.apply([{ from: 1, to: 2, insert: "\r\n\r\n" }], { origin: "test" });
  assert.equal(model.text, "a\n\nc\nd");
  model.undo();
  model.undo();
  assert.equal(model.text, "a\nb\n");
  model.load("x\r\n");
  assert.equal(model.text, "x\n");
});

test("another model is told from an edit", () => {
  const model = new ModelDocument(`name = "one"\n${"# much of it\n".repeat(20)}`);
  const found: boolean[] = [];
  model.subscribe((change) => found.push(isAnother(change)));
  model.apply([{ from: 8, to: 11, insert: "two" }], { origin: "text" });
  model.replace("name = \"three\"", { origin: "text" });
  model.undo();
  model.replace("", { origin: "canvas" });
  model.replace("name = \"four\"", { origin: "load" });
  assert.deepEqual(found, [false, true, true, false, true]);
});

test("undo goes back to the start to the character, redo to the end", () => {
  for (let seed = 1; seed <= 300; ++seed) {
    const random = new Random(seed);
    let now = 0;
    const start = "alpha beta\ngamma";
    const model = new ModelDocument(start, () => now);
    let mirror = start;
    model.subscribe(({ edits, before, after }) => {
      assert.equal(before, mirror);
      mirror = applied(mirror, edits);
      assert.equal(mirror, after);
    });
    const texts = [start];
    for (let k = 0; k < 30; ++k) {
      now += random.below(2000);
      const from = random.below(model.text.length + 1);
      const to = Math.min(model.text.length, from + random.below(5));
      const rest = to + random.below(model.text.length - to + 1);
      model.apply([{ from: rest, to: rest, insert: random.pick(["", "z\n"]) }, { from, to, insert: random.pick(["", "x", "yy\n"]) }],
        { origin: random.pick(["text", "canvas"]), group: random.pick([undefined, "typing", "drag"]) });
      texts.push(model.text);
      if (random.below(6) === 0 && model.canUndo) {
        const there = model.text;
        model.undo();
        assert.ok(model.canRedo);
        model.redo();
        assert.equal(model.text, there);
      }
    }
    const end = model.text;
    while (model.canUndo) model.undo();
    assert.equal(model.text, start);
    while (model.canRedo) model.redo();
    assert.equal(model.text, end);
  }
});

test("edits of one group are taken back together, typing only within a second", () => {
  let now = 0;
  const model = new ModelDocument("", () => now);
  const type = (c: string) => model.apply([{ from: model.text.length, to: model.text.length, insert: c }], { origin: "text", group: "typing" });
  type("a"), type("b"), (now += 5000), type("c");
  assert.equal(model.depth, 2);
  model.undo();
  assert.equal(model.text, "ab");
  model.closeGroup();
  type("d");
  assert.equal(model.depth, 2);
  assert.equal(model.canRedo, false);
});

test("a difference is one edit, also between repeated letters", () => {
  for (const [a, b] of [["aaa", "aa"], ["aa", "aaaa"], ["", "x"], ["abc", "abc"], ["xay", "xby"]]) assert.equal(applied(a, difference(a, b)), b);
});

test("an edit that changes nothing is no step", () => {
  const model = new ModelDocument("abc");
  model.apply([{ from: 1, to: 2, insert: "b" }], { origin: "canvas" });
  assert.equal(model.canUndo, false);
});
