import assert from "node:assert/strict";
import test from "node:test";
import { arrowsOf, usualLength } from "../src/arrows";
import { Channels, type RunReport, type Scene } from "../src/data";
import { Motion, rotation, transformed } from "../src/motion";

const f4 = (...numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString("base64");
const f8 = (...numbers: number[]) => Buffer.from(new Float64Array(numbers).buffer).toString("base64");
const near = (a: number[], b: number[]) => a.forEach((v, k) => assert.ok(Math.abs(v - b[k]) < 1e-6, `${a} is not ${b}`));

const scene: Scene = {
  dim: 2, size: 1, ground: [], springs: [{ name: "s", kind: "spring", i: { body: 0, at: [0, 0, 0] }, j: { body: 1, at: [1, 0, 0] } }],
  bodies: [{ name: "rod", shapes: [{ type: "link", points: [[-1, 0, 0], [1, 0, 0]] }] }],
  joints: [{ name: "A", type: "revolute", driver: false, i: { body: 0, at: [0, 0, 0] }, j: { body: 1, at: [-1, 0, 0] }, axis: [0, 0, 1] }],
  points: [{ name: "tip", body: 1, at: [1, 0, 0] }],
};
const column = (name: string, unit: string, ...numbers: number[]) => ({ name, unit, data: f4(...numbers) });
const channels = new Channels(f8(0, 1), [
  { name: "bodies", columns: [column("rod.x", "m", 1, 0), column("rod.y", "m", 0, 1), column("rod.angle", "rad", 0, Math.PI / 2), column("rod.vx", "m/s", 0, 3), column("rod.vy", "m/s", 2, 4)] },
  { name: "joints", columns: [column("A.on_rod.fx", "N", 1, 2), column("A.on_rod.fy", "N", 0, -1)] },
  { name: "forces", columns: [column("s.force", "N", 5, 10)] },
]);

test("a body is where its columns say, turned by its angle", () => {
  const motion = new Motion(scene, channels);
  near(motion.at(scene.points[0], 0), [2, 0, 0]);
  near(motion.at(scene.points[0], 1), [0, 2, 0]);
  near(motion.at({ body: 0, at: [7, 8, 0] }, 1), [7, 8, 0]);
});

test("between rows the angle is between, too", () => {
  const pose = new Motion(scene, channels).pose(1, 0.5);
  near(pose.x, [0.5, 0.5, 0]);
  near(transformed({ ...pose, x: [0, 0, 0] }, [1, 0, 0]), [Math.SQRT1_2, Math.SQRT1_2, 0]);
});

test("the extent holds all positions", () => {
  const { low, high } = new Motion(scene, channels).extent();
  near(low, [0, 0, 0]);
  near(high, [2, 2, 0]);
});

test("quaternions turn as they should: a quarter about z, a third about the diagonal", () => {
  const turn = (e: number[], p: [number, number, number]) => transformed({ x: [0, 0, 0], turned: rotation(e) }, p);
  near(turn([Math.SQRT1_2, 0, 0, Math.SQRT1_2], [1, 0, 0]), [0, 1, 0]);
  near(turn([1, 1, 1, 1], [1, 0, 0]), [0, 1, 0]);
});

test("arrows carry the numbers of their channels", () => {
  const report = { scene, parts: { forces: [{ name: "s", type: "spring", bodies: "", i: scene.springs[0].i, j: scene.springs[0].j }] } } as unknown as RunReport;
  const motion = new Motion(scene, channels);
  const arrows = arrowsOf(report, motion);
  const of = (kind: string) => arrows.filter((a) => a.kind === kind);
  near(of("reaction")[0].vector(1), [2, -1, 0]);
  near(of("reaction")[0].at(1), [0, 0, 0]);
  // A spring that pulls draws the body to the ground: from (0, 2) downwards.
  near(of("applied")[0].vector(1), [0, -10, 0]);
  near(of("velocity")[0].vector(1), [3, 4, 0]);
  assert.equal(usualLength(arrows, "velocity", 2), 2);
  // What a contact calls its force pushes, along a line that is not that of its markers.
  report.parts!.forces[0].type = "disc_contact";
  assert.equal(arrowsOf(report, motion).filter((a) => a.kind === "applied").length, 0);
});

test("a body without columns stays at the origin, and no results make no rows", () => {
  const motion = new Motion(scene, new Channels("", []));
  assert.equal(motion.times.length, 0);
  near(motion.pose(1, 0).x, [0, 0, 0]);
  assert.ok(motion.extent().high.every(Number.isFinite));
});
