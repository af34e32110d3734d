import assert from "node:assert/strict";
import test from "node:test";
import { Channels, type RunReport, type Scene } from "../src/data";
import { hasModes, ModeMotions, wordsOf } from "../src/modes";
import { Motion } from "../src/motion";

const f4 = (...numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString("base64");
const f8 = (...numbers: number[]) => Buffer.from(new Float64Array(numbers).buffer).toString("base64");
const scene: Scene = { dim: 2, size: 1, ground: [], ties: [], joints: [], points: [], gaps: [], bodies: [{ name: "rod", shapes: [] }] };
const channels = new Channels(f8(0), [{ name: "bodies", columns: [["rod.x", 1], ["rod.y", 2], ["rod.angle", 0.5]].map(([name, v]) => ({ name: String(name), unit: "m", data: f4(Number(v)) })) }]);
// Two modes of three rows: the first moves x, the second the angle.
const modes: NonNullable<RunReport["modes"]> = {
  list: [{ frequency: 1, damping_ratio: 0, real: 0, imaginary: 6 }, { frequency: 2, damping_ratio: 0.1, real: -1, imaginary: 12 }],
  motion: { rows: 3, columns: [
    { name: "rod.x", unit: "m", data: f4(1.5, 0.5, 1.5, 1, 1, 1) }, { name: "rod.y", unit: "m", data: f4(2, 2, 2, 2, 2, 2) },
    { name: "rod.angle", unit: "rad", data: f4(0.5, 0.5, 0.5, 0.75, 0.25, 0.75) }] },
};

test("each mode moves as it was sampled, farther with a larger amplitude, and not at all without", () => {
  const motions = new ModeMotions(modes, channels);
  assert.equal(motions.sampled, 2);
  const motion = new Motion(scene, channels);
  motions.rest(motion);
  assert.deepEqual(motion.rest![1].x, [1, 2, 0]);
  motion.take(motions.columnsOf(0, 1));
  assert.equal(motion.times.length, 3);
  assert.deepEqual(motion.pose(1, 0).x, [1.5, 2, 0]);
  motion.take(motions.columnsOf(0, 2));
  assert.deepEqual(motion.pose(1, 1).x, [0, 2, 0]);
  motion.take(motions.columnsOf(0, 0));
  assert.deepEqual(motion.pose(1, 1).x, [1, 2, 0]);
  motion.take(motions.columnsOf(1, 2));
  assert.deepEqual(motion.pose(1, 0).x, [1, 2, 0]);
  assert.ok(Math.abs(motion.pose(1, 0).turned[0][0] - Math.cos(1)) < 1e-6);
});

test("all modes together show how far anything goes", () => {
  const motion = new Motion(scene, new ModeMotions(modes, channels).all());
  const { low, high } = motion.extent();
  assert.deepEqual([low[0], high[0]], [0.5, 1.5]);
});

test("a mode is described in words", () => {
  const mode = (real: number, imaginary: number) => wordsOf({ frequency: 0, damping_ratio: 0, real, imaginary });
  assert.match(mode(0, 0), /free motion/);
  assert.match(mode(-1, 0), /dies out without oscillating/);
  assert.match(mode(2, 0), /grows without/);
  assert.match(mode(0, 5), /neither/);
  assert.match(mode(-Math.LN2, 2 * Math.PI), /leaves 50 %/);
  assert.match(mode(0.1, 5), /it grows/);
});

test("no modes, or modes of what cannot move", () => {
  assert.ok(hasModes({ scene, modes } as RunReport));
  assert.ok(!hasModes({ scene, modes: null } as RunReport));
  assert.ok(!hasModes({ scene, modes: { list: [], motion: { rows: 0, columns: [] } } } as unknown as RunReport));
});
