import assert from "node:assert/strict";
import test from "node:test";
import { count, number, powerOfTen, quantity, roundBelow, shortened, ticks, ticksOf, unit } from "../src/format";

test("numbers have six digits, no trailing zeros, and a true minus sign", () => {
  assert.equal(number(1234.5678), "1234.57");
  assert.equal(number(-0.25), "\u22120.25");
  assert.equal(number(0), "0");
  assert.equal(number(-0), "0");
  assert.equal(number(500, 1), "500");
  assert.equal(number(123456.7, 3), "123000");
  assert.equal(number(1.5e-7, 3), "1.5e\u22127");
  assert.equal(number(2e12), "2e12");
});

test("what is not a number is a dash", () => {
  for (const x of [NaN, null, undefined]) assert.equal(number(x), "–");
  assert.equal(number(Infinity), "∞");
});

test("units are written as in books", () => {
  assert.equal(unit("m/s2"), "m/s²");
  assert.equal(unit("N m"), "N·m");
  assert.equal(unit("m|rad"), "m or rad");
  assert.equal(quantity(2, "1"), "2");
});

test("no axis has a negative zero, and all labels differ", () => {
  for (const [low, high] of [[-1, 1], [-1e-9, 2e-9], [-3e5, 5e5], [0.1, 0.1001], [-0.04, 0.02]]) {
    const { values, increment } = ticksOf(low, high, 5);
    const labels = ticks(values, increment);
    assert.ok(values.length >= 2, `${low} to ${high}`);
    assert.equal(new Set(labels).size, labels.length, labels.join(" "));
    assert.ok(!labels.some((l) => /^\u22120(\.0*)?$/.test(l)), labels.join(" "));
    assert.ok(values.every((v) => v >= low - increment * 1e-6 && v <= high + increment * 1e-6));
  }
});

test("round numbers are 1, 2 or 5 times a power of ten", () => {
  assert.equal(roundBelow(0.037), 0.02);
  assert.equal(roundBelow(780), 500);
  assert.equal(roundBelow(1), 1);
  assert.equal(roundBelow(NaN), 1);
});

test("powers, counts and long names", () => {
  assert.equal(powerOfTen(-12), "10⁻¹²");
  assert.equal(powerOfTen(0), "1");
  assert.equal(count(1234567), "1\u202f234\u202f567");
  const long = "x".repeat(500);
  assert.equal(shortened(long, 30).length, 30);
  assert.equal(shortened("crank", 30), "crank");
});

test("labels of an axis show their values: a quarter is not 0.3", () => {
  assert.deepEqual(ticks([0, 0.25, 0.5, 0.75, 1], 0.25), ["0", "0.25", "0.50", "0.75", "1.00"]);
  assert.deepEqual(ticks([0, 25, 50], 25), ["0", "25", "50"]);
  assert.deepEqual(ticks([0, 2.5e-4, 5e-4], 2.5e-4), ["0", "2.5e\u22124", "5e\u22124"]);
  assert.deepEqual(ticks([1e6, 1.25e6], 2.5e5), ["1e6", "1.25e6"]);
});
