import assert from "node:assert/strict";
import test from "node:test";
import { between, contour, isFlat, spread } from "../src/surface";
import { slice } from "../src/tables_page";

test("lines of equal height lie where a plane has that height", () => {
  const [nx, ny] = [5, 4];
  const z = Float64Array.from({ length: nx * ny }, (_, k) => Math.floor(k / ny) + 2 * (k % ny)); // i + 2 j
  for (const level of [0.5, 3.2, 7.9]) {
    const lines = contour(z, nx, ny, level);
    assert.ok(lines.length > 0);
    for (const [a, b] of lines) for (const [i, j] of [a, b]) assert.ok(Math.abs(i + 2 * j - level) < 1e-12);
  }
  assert.equal(contour(z, nx, ny, 11).length, 0);
  assert.ok(Math.abs(between(z, nx, ny, 2.25, 1.5) - 5.25) < 1e-12);
  assert.equal(between(z, nx, ny, nx - 1, ny - 1), 10);
});

test("a closed line round a hill has no ends", () => {
  const n = 21;
  const z = Float64Array.from({ length: n * n }, (_, k) => -((Math.floor(k / n) - 10) ** 2) - ((k % n) - 10) ** 2);
  const ends = new Map<string, number>();
  for (const line of contour(z, n, n, -30)) for (const p of line) ends.set(p.map((v) => v.toFixed(9)).join(), (ends.get(p.map((v) => v.toFixed(9)).join()) ?? 0) + 1);
  assert.ok(ends.size > 20);
  for (const count of ends.values()) assert.equal(count, 2);
});

test("a net over three variables is cut at the first", () => {
  const all = Float32Array.from({ length: 24 }, (_, k) => k);
  assert.deepEqual([...slice(all, [4, 2, 3], 2)], [12, 13, 14, 15, 16, 17]);
});

test("what differs by round-off is flat", () => {
  assert.deepEqual(spread([3, -1, 2]), [-1, 3]);
  assert.ok(isFlat([1, 1 + 1e-7]));
  assert.ok(isFlat([0, 0]));
  assert.ok(!isFlat([0, 1e-9]));
});
