import assert from "node:assert/strict";
import test from "node:test";
import { Clock } from "../src/clock";
import { firstShown, lineColours, workLines, errorOf, type Run } from "../src/compare_page";
import { share } from "../src/bars";
import { shade } from "../src/stability_page";
import { decades, drawable, logRange, outline, padded } from "../src/time_plot";
import { usualSpeed } from "../src/transport";
import { axisOf } from "../src/xy_chart";

test("gaps where there is no number; sizes on a logarithmic axis", () => {
  assert.deepEqual(drawable(new Float32Array([1, NaN, -2]), false), [1, null, -2]);
  assert.deepEqual(drawable(new Float32Array([1, 0, -2]), true), [1, null, 2]);
  const sound = new Float32Array([1, 2]);
  assert.equal(drawable(sound, true), sound);
});

test("ranges hold their values, and a constant has room", () => {
  const [low, high] = padded(3, 3);
  assert.ok(low < 3 && high > 3);
  assert.deepEqual(padded(null, null), [-1, 1]);
  assert.deepEqual(logRange(3e-5, 0.2), [1e-5, 1]);
  assert.deepEqual(logRange(0, 1), [1e-16, 1]);
  assert.deepEqual(decades(1e-3, 1), [1e-3, 1e-2, 1e-1, 1]);
  assert.ok(decades(1e-16, 1).length <= 8);
});

test("axes map their ends into the frame", () => {
  const axis = axisOf([-2, 6], false, 5);
  assert.ok(axis.to(-2) > 0 && axis.to(6) < 1);
  const log = axisOf([2e-6, 0.3, NaN, 0], true, 6);
  assert.equal(log.to(1e-6), 0);
  assert.equal(log.to(1), 1);
  assert.ok(axisOf([], false, 5).marks.length > 0);
});

test("the clock steps by rows, snaps when it stops and begins again after the end", () => {
  const clock = new Clock(new Float64Array([0, 0.1, 0.2, 0.3]));
  let notified = 0;
  clock.onChange(() => ++notified);
  clock.step(2);
  assert.equal(clock.t, 0.2);
  clock.step(9);
  assert.equal(clock.row, 3);
  clock.toTime(0.12);
  assert.equal(clock.row, 1);
  clock.advance(0.05);
  assert.ok(Math.abs(clock.t - 0.15) < 1e-12);
  clock.pause();
  assert.equal(clock.row, Math.round(clock.row));
  clock.advance(5);
  assert.equal(clock.row, 0);
  assert.ok(notified >= 5);
  const empty = new Clock(new Float64Array());
  empty.play();
  empty.step(1);
  assert.equal(empty.t, 0);
});

test("short motions are slowed down, long ones hurried", () => {
  assert.equal(usualSpeed(10), 1);
  assert.equal(usualSpeed(0.04), 0.01);
  assert.ok(usualSpeed(300) >= 10);
  assert.equal(usualSpeed(0), 1);
});

test("a line of the work-precision diagram is a treatment with an integrator", () => {
  const run = (treatment: string, evaluations: number, error: number, outcome = "passed") =>
    ({ treatment, integrator: "rk4", evaluations, outcome, error: { length: error, angle: error / 2 } }) as Run;
  const lines = workLines([run("a", 200, 1e-6), run("a", 100, 1e-4), run("b", 100, 1e-3), run("b", 50, 1, "diverged")], (r) => r.evaluations);
  assert.deepEqual(lines, [{ name: "a, rk4", x: [100, 200], y: [1e-4, 1e-6] }, { name: "b, rk4", x: [100], y: [1e-3] }]);
  assert.ok(Number.isNaN(errorOf({ error: null } as Run)));
});

test("eight curves at most are drawn to begin with, in different colours", () => {
  const run = (treatment: string, step: number, outcome = "passed") => ({ treatment, integrator: "rk4", step, rtol: null, outcome }) as Run;
  const names = [..."abcdefghijklm"];
  const runs = [0.001, 0.002].flatMap((step) => names.map((name) => run(name, step, name === "b" ? "diverged" : "passed")));
  const first = firstShown(runs);
  assert.deepEqual(first, [0, 2, 3, 4, 5, 6, 7, 8]);
  const colours = lineColours(runs);
  assert.deepEqual(first.map((k) => colours.get(`${runs[k].treatment}, rk4`)), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(colours.size, names.length);
  runs[12].error = { length: 1e-9, angle: null };
  assert.deepEqual(firstShown(runs), [0, 2, 3, 4, 5, 6, 7, 12], "the most accurate are among them");
  runs[12].treatment = "a(by=qr)";
  assert.deepEqual(firstShown(runs), [0, 2, 3, 4, 5, 6, 7, 8], "but variants are not");
});

test("bars begin at zero, or at the smallest on a logarithmic scale", () => {
  assert.equal(share(1, [1, 4], false), 0.25);
  assert.equal(share(4, [1, 4], true), 1);
  assert.ok(share(1, [1, 4], true) > 0);
  assert.equal(share(NaN, [1, 4], false), 0);
});

test("what grows has no colour, what decays faster has more", () => {
  assert.equal(shade(1.01), 0);
  assert.equal(shade(NaN), 0);
  assert.ok(shade(0.2) > shade(0.9) && shade(0.9) > 0);
});

test("a band follows the error that has been reached", () => {
  const channel = { table: "t", name: "x", unit: "m", times: new Float64Array([0, 1, 2]), values: new Float32Array([1, 2, 3]) };
  assert.deepEqual(outline(channel), []);
  const band = { times: [0, 2], errors: [0, 0.5] };
  assert.deepEqual(outline({ ...channel, band }), [[0, 1], [1, 2.5], [2, 3.5], [2, 2.5], [1, 1.5], [0, 1]]);
});
