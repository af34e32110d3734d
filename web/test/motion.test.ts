import assert from "node:assert/strict";
import test from "node:test";
import { arrowsOf, usualLength } from "../src/arrows";
import { Channels, stagesOf, type Load, type RunReport, type Scene, type Shape, type Tie, type Vec3 } from "../src/data";
import { choicesOf, exaggerated } from "../src/exaggerate";
import { Motion, rotation, transformed } from "../src/motion";

const f4 = (...numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString("base64");
const f8 = (...numbers: number[]) => Buffer.from(new Float64Array(numbers).buffer).toString("base64");
const near = (a: number[], b: number[]) => a.forEach((v, k) => assert.ok(Math.abs(v - b[k]) < 1e-6, `${a} is not ${b}`));

const scene: Scene = {
  dim: 2, size: 1, ground: [], ties: [{ name: "s", kind: "spring", i: { body: 0, at: [0, 0, 0] }, j: { body: 1, at: [1, 0, 0] } }],
  bodies: [{ name: "rod", shapes: [{ type: "link", points: [[-1, 0, 0], [1, 0, 0]] }] }],
  joints: [{ name: "A", type: "revolute", driver: false, i: { body: 0, at: [0, 0, 0] }, j: { body: 1, at: [-1, 0, 0] }, axis: [0, 0, 1] }],
  points: [{ name: "tip", body: 1, at: [1, 0, 0] }], gaps: [],
};
const column = (name: string, unit: string, ...numbers: number[]) => ({ name, unit, data: f4(...numbers) });
const tables = [
  { name: "bodies", columns: [column("rod.x", "m", 1, 0), column("rod.y", "m", 0, 1), column("rod.angle", "rad", 0, Math.PI / 2), column("rod.vx", "m/s", 0, 3), column("rod.vy", "m/s", 2, 4)] },
  { name: "joints", columns: [column("A.on_rod.fx", "N", 1, 2), column("A.on_rod.fy", "N", 0, -1)] },
];
const channels = new Channels(f8(0, 1), tables);

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

test("the extent holds solids", () => {
  const solid: Shape = { type: "solid", points: [[-3, 0, 0], [1, 2, 0], [1, 0, 5]], triangles: [0, 1, 2], edges: [0, 1] };
  const made = { ...scene, bodies: [{ name: "rod", shapes: [solid] }] };
  const { low, high } = new Motion(made, channels).extent();
  near(low, [-2, -2, 0]);
  near(high, [2, 2, 5]);
});

test("the extent holds all positions", () => {
  const { low, high } = new Motion(scene, channels).extent();
  near(low, [0, 0, 0]);
  near(high, [2, 2, 0]);
});

test("a floor is wide and flat, a block as large as it is", () => {
  const floor: Shape = { type: "box", at: [1, 2, 0.5], x: [1, 0, 0], axis: [0, 0, 1], size: [4, 2, 0] };
  const still = new Motion({ ...scene, bodies: [], ties: [], ground: [floor] }, new Channels("", []));
  near(still.extent().low, [-1, 1, 0.5]);
  near(still.extent().high, [3, 3, 0.5]);
});

test("quaternions turn as they should: a quarter about z, a third about the diagonal", () => {
  const turn = (e: number[], p: [number, number, number]) => transformed({ x: [0, 0, 0], turned: rotation(e) }, p);
  near(turn([Math.SQRT1_2, 0, 0, Math.SQRT1_2], [1, 0, 0]), [0, 1, 0]);
  near(turn([1, 1, 1, 1], [1, 0, 0]), [0, 1, 0]);
});

const plain = { body: 1, moment: false, sign: 1 };
const at = (body: number, x: number, y = 0) => ({ body, at: [x, y, 0] as Vec3 });
function arrowsWith(loads: Load[], more: [string, ...number[]][] = [], gaps: Scene["gaps"] = []) {
  const columns = more.map(([name, ...numbers]) => column(name, "N", ...numbers));
  const raw = [...tables, { name: "forces", columns }];
  const all = new Channels(f8(0, 1), raw);
  const motion = new Motion({ ...scene, gaps }, all);
  return arrowsOf({ scene: { ...scene, gaps }, loads } as unknown as RunReport, motion, all);
}

test("arrows carry the numbers of their channels", () => {
  const arrows = arrowsWith([{ ...plain, name: "s", parts: ["s.force", "", ""], at: at(1, 1), toward: at(0, 0) }], [["s.force", 5, 10]]);
  const of = (kind: string) => arrows.filter((a) => a.kind === kind);
  near(of("reaction")[0].vector(1), [2, -1, 0]);
  near(of("reaction")[0].at(1), [0, 0, 0]);
  // A spring that pulls draws the body to the ground: from (0, 2) downwards.
  near(of("applied")[0].at(1), [0, 2, 0]);
  near(of("applied")[0].vector(1), [0, -10, 0]);
  near(of("velocity")[0].vector(1), [3, 4, 0]);
  assert.equal(usualLength(of("velocity"), 2), 2);
});

test("rounding does not make a scale: one real moment among many that are none", () => {
  const arrows = arrowsWith([0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => ({ ...plain, name: `m${k}`, moment: true, parts: ["", "", `m${k}.moment`], at: at(1, 0) })),
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => [`m${k}.moment`, k ? 1e-17 : 3, k ? 1e-17 : 4]));
  assert.equal(usualLength(arrows.filter((a) => a.moment), 2), 3);
});

test("components in the axes of a body turn with it, and moments stay about z", () => {
  // The rod has turned by a quarter at the second row: its x is up.
  const turn: [number, number, number, number] = [1, 0, 0, 0];
  const arrows = arrowsWith([
    { ...plain, name: "b", sign: -1, parts: ["b.fx", "b.fy", ""], axes: { body: 1, turn }, at: at(1, 0) },
    { ...plain, name: "b", moment: true, parts: ["", "", "b.mz"], axes: { body: 1, turn }, at: at(1, 0) },
  ], [["b.fx", 0, 7], ["b.fy", 0, 0], ["b.mz", 0, 2]]);
  const applied = arrows.filter((a) => a.kind === "applied");
  near(applied[0].vector(1), [0, -7, 0]);
  assert.equal(applied[0].moment, false);
  near(applied[1].vector(1), [0, 0, 2]);
  assert.equal(applied[1].moment, true);
});

test("a contact acts where the bodies touch: on a flat, beside and within a circle, at given points", () => {
  const force: [string, string, string] = ["c.fx", "c.fy", ""];
  const channels: [string, ...number[]][] = [["c.fx", 1, 1], ["c.fy", 0, 0], ["c.x", 5, 6], ["c.y", 7, 8]];
  const place = (load: Partial<Load>) => arrowsWith([{ ...plain, name: "c", parts: force, at: at(1, 0), ...load }], channels).find((a) => a.kind === "applied")!.at(1);
  near(place({ shift: at(0, 0, -0.5) }), [0, 0.5, 0]); // the rod's centre is at (0, 1)
  near(place({ shift: at(1, 0, -0.5) }), [0.5, 1, 0]); // a flat of the rod itself has turned with it
  near(place({ from: at(0, 0), reach: -0.25 }), [0, 0.75, 0]);
  near(place({ from: at(0, 0), reach: 0.25 }), [0, 1.25, 0]);
  near(place({ point: ["c.x", "c.y", ""] }), [6, 8, 0]);
});

test("a load without channels has no arrow", () => {
  assert.equal(arrowsWith([{ ...plain, name: "film", parts: ["film.film_fx", "film.film_fy", ""], at: at(1, 0) }]).filter((a) => a.kind === "applied").length, 0);
});

test("clearance ten times as large: the journal goes ten times as far, and touches when it touches", () => {
  const gap = { name: "C", i: at(0, 1, 0), j: at(1, 0, 0), radius_i: 0.1, radius_j: 0.09 };
  const shapes: Shape[] = [{ type: "link", points: [[0, 0, 0], [1, 0, 0]] }, { type: "disc", at: [0, 0, 0], axis: [0, 0, 1], radius: 0.09 }];
  // The centre of the rod is 0.01 m to the right of the bearing: it touches.
  const there = new Channels(f8(0), [{ name: "bodies", columns: [column("rod.x", "m", 1.01), column("rod.y", "m", 0), column("rod.angle", "rad", Math.PI)] }]);
  const bearing: Shape = { type: "disc", at: [1, 0, 0], axis: [0, 0, 1], radius: 0.1, hollow: true };
  const playful: Scene = { ...scene, gaps: [gap], ties: [], ground: [bearing], bodies: [{ name: "rod", shapes }] };
  const motion = new Motion(playful, there);
  for (const times of [1, 5, 10, 100]) {
    const shown = exaggerated(playful, motion, 0, times);
    const [link, journal] = shown.bodies[0].shapes as [Extract<Shape, { points: Vec3[] }>, Extract<Shape, { type: "disc" }>];
    const hole = shown.ground[0] as Extract<Shape, { type: "disc" }>;
    const centre = transformed(motion.pose(1, 0), journal.at);
    near(centre, [1 + 0.01 * times, 0, 0]);
    near(transformed(motion.pose(1, 0), link.points[0]), centre);
    near(link.points[1], [1, 0, 0]);
    near([centre[0] + journal.radius], [1 + hole.radius]);
    near([hole.radius - journal.radius], [0.01 * times]);
    assert.ok(journal.radius > 0);
  }
  assert.equal(exaggerated(playful, motion, 0, 1), playful);
  assert.deepEqual(choicesOf(playful, motion), [1, 2, 5, 10, 20]); // a fifth of 1 m
  assert.deepEqual(choicesOf(scene, motion), []);
});

test("a body without columns stays at the origin, and no results make no rows", () => {
  const motion = new Motion(scene, new Channels("", []));
  assert.equal(motion.times.length, 0);
  near(motion.pose(1, 0).x, [0, 0, 0]);
  assert.ok(motion.extent().high.every(Number.isFinite));
});

test("a cylinder keeps its barrel, and a tube comes out half as far as the rod", () => {
  const tie: Tie = { name: "leg", kind: "cylinder", i: { body: 0, at: [0, 0, 0] }, j: { body: 1, at: [0, 0, 0] }, barrel: 0.4 };
  assert.deepEqual(stagesOf(tie, 1), [0.4, 0.4]);
  assert.deepEqual(stagesOf({ ...tie, telescopic: true }, 1), [0.4, 0.7]);
  assert.deepEqual(stagesOf(tie, 0.3), [0.3, 0.3]);
});

test("few rows of a motion give it back: cubics are of fourth order, straight lines of second", () => {
  const error = (n: number, names: string[]) => {
    const times = Array.from({ length: n + 1 }, (_, k) => k / n);
    const of = (f: (t: number) => number) => times.map(f);
    const w = 3;
    const all: Record<string, number[]> = {
      x: of((t) => Math.cos(w * t)), y: of((t) => Math.sin(w * t)), angle: of((t) => w * t + 0.2 * Math.sin(t)),
      vx: of((t) => -w * Math.sin(w * t)), vy: of((t) => w * Math.cos(w * t)), omega: of((t) => w + 0.2 * Math.cos(t)),
    };
    const columns = new Channels(Float64Array.from(times), [{ name: "bodies", columns: names.map((p) => column(`rod.${p}`, "", ...all[p])) }]);
    const { x } = new Motion(scene, columns).pose(1, n / 2 + 0.5);
    const t = 0.5 + 0.5 / n;
    return Math.hypot(x[0] - Math.cos(w * t), x[1] - Math.sin(w * t));
  };
  const [positions, rates] = [["x", "y", "angle"], ["vx", "vy", "omega"]];
  const [coarse, fine] = [error(4, [...positions, ...rates]), error(8, [...positions, ...rates])];
  assert.ok(coarse < 2e-3 && coarse / fine > 12, `${coarse} ${fine}`);
  assert.ok(error(8, positions) / coarse > 10);
});

test("a body in space turns on its way, not along a chord, even by more than half a turn between rows", () => {
  const spatial: Scene = { ...scene, dim: 3, ties: [], joints: [], points: [] };
  for (const w of [1, 4]) {
    const e = (t: number) => [Math.cos((w * t) / 2), 0, 0, Math.sin((w * t) / 2)];
    const names = ["x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz"];
    const rows = [0, 1].map((t) => [0, 0, 0, ...e(t), 0, 0, 0, 0, 0, w]);
    rows[1] = rows[1].map((v, k) => (k >= 3 && k < 7 ? -v : v)); // the same rotation, written with the other sign
    const columns = new Channels(f8(0, 1), [{ name: "bodies", columns: names.map((p, k) => column(`rod.${p}`, "", rows[0][k], rows[1][k])) }]);
    const { turned } = new Motion(spatial, columns).pose(1, 0.25);
    const angle = Math.atan2(turned[1][0], turned[0][0]);
    assert.ok(Math.abs(angle - w / 4) < (w === 1 ? 1e-3 : 0.12), `${angle} for ${w / 4}`);
  }
});
