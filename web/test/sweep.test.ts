import assert from "node:assert/strict";
import test from "node:test";
import { chosen, extent, parts, shade, type Axis } from "../src/sweep_data";

const axis = (values: number[]): Axis => {
  const [low, high] = extent(values);
  return { name: "x", varied: true, values: Float64Array.from(values), low, high };
};

test("an extent skips what is not a number and has a width", () => {
  assert.deepEqual(extent([NaN, 3, -1, Infinity]), [-1, 3]);
  assert.deepEqual(extent([]), [0, 1]);
  const [low, high] = extent([2, 2]);
  assert.ok(low < 2 && high > 2);
});

test("points are chosen by all ranges, and those without a value by none", () => {
  const axes = [axis([0, 1, 2, 3]), axis([5, 6, NaN, 8])];
  assert.deepEqual([...chosen(axes, new Map(), 4)], [1, 1, 1, 1]);
  assert.deepEqual([...chosen(axes, new Map([[0, [1, 3]]]), 4)], [0, 1, 1, 1]);
  assert.deepEqual([...chosen(axes, new Map<number, [number, number]>([[0, [1, 3]], [1, [6, 7]]]), 4)], [0, 1, 0, 0]);
});

test("shades go from one end to the other and stay within", () => {
  assert.equal(shade(-1), shade(0));
  assert.equal(shade(2), shade(1));
  assert.notEqual(shade(0), shade(0.5));
  assert.equal(shade(NaN), "#888");
});

test("a header is a name and a unit", () => {
  assert.deepEqual(parts("max(crank.omega)[rad/s]"), { name: "max(crank.omega)", unit: "rad/s" });
  assert.deepEqual(parts("parameters.a"), { name: "parameters.a", unit: "" });
});
