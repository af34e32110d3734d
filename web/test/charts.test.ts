import assert from "node:assert/strict";
import test from "node:test";
import { decibels, responseAt } from "../src/charts/bode";
import { cellOf, cellsOf, distinct, endsOf } from "../src/charts/cells";
import { linesOf } from "../src/charts/line_family";
import { extent, type Axis } from "../src/sweep_data";

const axis = (name: string, values: number[]): Axis => {
  const [low, high] = extent(values);
  return { name, varied: true, values: Float64Array.from(values), low, high };
};
const all = (n: number) => new Uint8Array(n).fill(1);

test("few different values make a grid, many make equal cells", () => {
  assert.deepEqual(distinct([2, 1, 2, 1 + 1e-15], all(4)), [1, 2]);
  assert.deepEqual(endsOf([1, 2, 4], all(3), 10).edges, [0.5, 1.5, 3, 5]);
  const many = endsOf(Array.from({ length: 300 }, (_, k) => k), all(300), 20);
  assert.ok(many.at.length <= 20 && many.at.length >= 5);
  assert.equal(many.edges[0], 0);
  assert.equal(many.edges[many.edges.length - 1], 299);
  assert.equal(cellOf(many, 299), many.at.length - 1);
  assert.equal(cellOf(many, 300), -1);
});

test("a cell has the mean of its rows; those not chosen do not count", () => {
  const [x, y, z] = [[1, 1, 2, 2, 2], [5, 6, 5, 6, 6], [10, 20, 30, 40, 60]];
  const cells = cellsOf(x, y, z, all(5));
  assert.deepEqual([...cells.mean], [10, 20, 30, 50]);
  assert.deepEqual([...cells.count], [1, 1, 1, 2]);
  assert.ok(Number.isNaN(cellsOf(x, y, z, [1, 1, 0, 1, 1]).mean[2]));
});

test("one line for each value of the third column, in order along x", () => {
  const lines = linesOf(axis("a[m]", [3, 1, 2, 3, 1, 2]), axis("y", [9, 1, 4, 18, 2, 8]), axis("b[kg]", [1, 1, 1, 2, 2, 2]), all(6));
  assert.deepEqual(lines.map((l) => [l.name, l.x, l.y]), [["b = 1 kg", [1, 2, 3], [1, 4, 9]], ["b = 2 kg", [1, 2, 3], [2, 8, 18]]]);
  assert.deepEqual(linesOf(axis("a", [1, 1]), axis("y", [2, 4]), undefined, all(2))[0].y, [3]);
});

test("between frequencies a power law stays one", () => {
  const frequency = Float64Array.of(1, 10, 100);
  const r = { name: "y per f", unit: "m/N", gain: Float32Array.of(1, 0.01, 0.0001), phase: Float32Array.of(0, -1, -3) };
  const { gain, phase } = responseAt(frequency, r, Math.sqrt(10));
  assert.ok(Math.abs(gain - 0.1) < 1e-6 && Math.abs(phase + 0.5) < 1e-6);
  assert.ok(Math.abs(decibels(0.1) + 20) < 1e-12);
});
