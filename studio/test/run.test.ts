import assert from "node:assert/strict";
import test from "node:test";
import { Channels, type Scene, type Vec3 } from "../../web/src/data";
import { Motion } from "../../web/src/motion";
import { applied } from "../src/document";
import { addMeasures, instantCentre, transmissionAngle } from "../src/run/measures";
import { parameterIn, rangeOf, rewritten, written } from "../src/run/parameter";
import { fineStep } from "../src/run/rows";
import { startMotion } from "../src/run/start_pose";
import { missed, pointsOf } from "../src/run/target";
import type { ModelInfo } from "../../wasm/interface";
import { heldOf } from "../src/run/held";
import { movedBody, movedMarker, turned, whyNot } from "../src/run/turned";
import { framesOf } from "../src/share/film";
import { compressed, gifOf, paletteOf } from "../src/share/gif";
import { hashOf, textOfHash } from "../src/share/link";
import { setNode } from "../src/toml/edits";
import { parseToml } from "../src/toml/tree";

const still = { x: 0, y: 0, vx: 0, vy: 0, omega: 0 };
const near = (a: number, b: number, little = 1e-9) => assert.ok(Math.abs(a - b) <= little, `${a} is not ${b}`);

test("a rolling disc turns about the point where it touches, a sliding block about none", () => {
  const [x, y] = instantCentre({ x: 3, y: 0.5, vx: 2, vy: 0, omega: -4 }, still)!;
  near(x, 3);
  near(y, 0);
  assert.equal(instantCentre({ ...still, vx: 1 }, still), undefined);
});

test("three centres of three bodies lie on a line (Kennedy)", () => {
  const a = { x: 1, y: 2, vx: 0.3, vy: -0.7, omega: 1.1 };
  const b = { x: -2, y: 0.4, vx: -0.2, vy: 0.9, omega: -0.6 };
  const [p, q, r] = [instantCentre(a, still)!, instantCentre(b, still)!, instantCentre(a, b)!];
  near((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]), 0, 1e-12);
});

test("the angle of transmission of a four-bar is that of the law of cosines", () => {
  // Crank a = 1, coupler b = 3, follower c = 3, ground d = 3: cos μ = (b² + c² − e²) / 2bc with e the diagonal.
  const [a, b, c, d] = [1, 3, 3, 3];
  const place = (body: number, at: Vec3) => ({ body, at });
  const joint = (name: string, i: { body: number; at: Vec3 }, j: { body: number; at: Vec3 }, driver = false) => ({ name, type: "revolute", driver, i, j, axis: [0, 0, 1] as Vec3 });
  const scene: Scene = {
    dim: 2, size: 1, ground: [], ties: [], gaps: [], points: [],
    bodies: ["crank", "coupler", "follower"].map((name) => ({ name, shapes: [] })),
    joints: [joint("A", place(0, [0, 0, 0]), place(1, [0, 0, 0])), joint("B", place(1, [a, 0, 0]), place(2, [0, 0, 0])),
      joint("C", place(2, [b, 0, 0]), place(3, [c, 0, 0])), joint("D", place(0, [d, 0, 0]), place(3, [0, 0, 0])), joint("motor", place(0, [0, 0, 0]), place(1, [0, 0, 0]), true)],
  };
  const crank = 0.8;
  const B = [a * Math.cos(crank), a * Math.sin(crank)];
  const e = Math.hypot(B[0] - d, B[1]);
  const phi = Math.atan2(-B[1], d - B[0]) + Math.acos((b * b + e * e - c * c) / (2 * b * e));
  const C = [B[0] + b * Math.cos(phi), B[1] + b * Math.sin(phi)];
  const poses = [0, 0, crank, B[0], B[1], phi, d, 0, Math.atan2(C[1], C[0] - d)];
  const channels = new Channels(Float64Array.of(0, 1), []);
  scene.bodies.forEach((body, k) => ["x", "y", "angle"].forEach((part, n) => channels.add("bodies", `${body.name}.${part}`, "", () => Float32Array.of(poses[3 * k + n], poses[3 * k + n]))));
  addMeasures(channels, scene, new Motion(scene, channels));
  assert.deepEqual(channels.names.filter((n) => n.endsWith("transmission_angle")), ["C.transmission_angle"]);
  const mu = Math.acos((b * b + c * c - e * e) / (2 * b * c));
  near(channels.get("C.transmission_angle")!.values[0], Math.min(mu, Math.PI - mu), 1e-6);
  near(transmissionAngle([0, 0, 0], [1, 0, 0], [-1, 1e-9, 0]), 0, 1e-8);
});

test("a target is read line by line, and how far a path misses it", () => {
  const { points, wrong } = pointsOf("x, y\n0, 0\n1; 2\n# a comment\n\n3 4\nfive, 6\n", 0.5);
  assert.deepEqual(points, [[0, 0], [0.5, 1], [1.5, 2]]);
  assert.deepEqual(wrong, [7]);
  const { rms, largest } = missed([[0, 1], [1, -2]], [[-5, 0], [5, 0]]);
  near(rms, Math.sqrt(2.5));
  near(largest, 2);
  assert.ok(Number.isNaN(missed([], [[0, 0]]).rms));
});

test("parameters keep their units and their quotes; formulas are no sliders", () => {
  assert.deepEqual(written("0.3"), { value: 0.3, unit: "", quoted: false });
  assert.deepEqual(written('"60 deg"'), { value: 60, unit: " deg", quoted: true });
  assert.deepEqual(written("-1_000"), { value: -1000, unit: "", quoted: false });
  assert.equal(written('"= 2*a"'), undefined);
  assert.equal(written("[1, 2]"), undefined);
  assert.equal(rewritten(written('"60 deg"')!, 45.5), '"45.5 deg"');
  assert.deepEqual(rangeOf(-2), [-3, -1]);
  assert.deepEqual(rangeOf(0), [-1, 1]);
});

test("a parameter with a range keeps it, and its slider goes from end to end", () => {
  const text = '[parameters]\na = {value = "20 cm", min = "100 mm", max = "= 0.1*3"}  # here\nb = {value = 2, max = 3}\nc = 1\n[parameters.d]\nvalue = "= a"\n';
  const toml = parseToml(text);
  const a = parameterIn(toml, "a")!;
  assert.deepEqual(a.ends.map((end) => end && Math.round(end * 1e9) / 1e9), [10, undefined]);
  assert.deepEqual(rangeOf(a.written.value, a.ends).map((end) => Math.round(end * 1e9) / 1e9), [10, 30]);
  assert.equal(applied(text, setNode(a.node, rewritten(a.written, 25))), text.replace("20 cm", "25 cm"));
  assert.deepEqual(parameterIn(toml, "b")!.ends, [undefined, 3]);
  assert.deepEqual(parameterIn(toml, "c")!.ends, [undefined, undefined]);
  assert.equal(parameterIn(toml, "d"), undefined);
});

test("rows are made closer by a whole number, where the step is written", () => {
  assert.equal(fineStep("[output]\nstep = 0.5\n", 10), 0.5 / 6);
  assert.equal(fineStep('[output]\nstep = "50 ms"\n', 2), 0.05 / 3);
  assert.equal(fineStep("[output]\nstep = 0.001\n", 10), undefined);
  assert.equal(fineStep('[output]\nstep = "= h"\n', 10), undefined);
  assert.equal(fineStep("[output", 10), undefined);
});

test("handles write positions, orientations and markers, and nothing else", () => {
  const text = "# kept\n[bodies]\ncrank = {mass = 1, position = [0, 0, 1]}  # here\nrod = {through = [\"A\", \"B\"]}\n\n[joints.A]\ntype = \"spherical\"\ni = {body = \"crank\", at = [0, 0, 0]}\n";
  assert.equal(applied(text, movedBody(text, "crank", [1, 2, 1e-15])), text.replace("[0, 0, 1]", "[1, 2, 0]"));
  assert.match(applied(text, turned(text, ["bodies", "crank"], [-0.5, 0.5, 0.5, 0.5])), /orientation = \{quaternion = \[0\.5, -0\.5, -0\.5, -0\.5\]\}/);
  assert.equal(applied(text, movedMarker(text, ["joints", "A", "i"], [0.1, 0, 0])), text.replace("at = [0, 0, 0]", "at = [0.1, 0, 0]"));
  assert.match(whyNot(text, "rod")!, /places/);
  assert.equal(whyNot(text, "crank"), undefined);
  assert.match(whyNot(text, "other")!, /not written/);
});

test("handles hold bodies, points of joints, and named markers, which turn where they have an orientation", () => {
  const text = '[markers]\ntip = {body = "a", at = [1, 0, 0], orientation = {axis = [1, 0, 0], angle = 0}}\nfar = {marker = "tip", at = [1, 0, 0]}\n[joints]\nA = {type = "spherical", i = "tip", j = {body = "b", at = [0, 1, 0]}}\nB = {type = "spherical", i = "far", j = "tip"}\n';
  const end = (body: number, at: number[]) => ({ body, at, turn: [1, 0, 0, 0], angle: 0 });
  const joint = (name: string, i: unknown, j: unknown) => ({ name, section: "joints", i, j });
  const model = { bodies: [{ name: "a" }, { name: "b" }], forces: [], joints: [joint("A", end(1, [1, 0, 0]), end(2, [0, 1, 0])), joint("B", end(1, [2, 0, 0]), end(1, [1, 0, 0]))] };
  const held = heldOf(model as unknown as ModelInfo, text);
  assert.deepEqual(held.map((h) => h.name), ["a", "b", "tip", "A.j"]);
  assert.deepEqual(held.slice(2).map((h) => h.kind === "marker" && [h.path.join("."), h.turns]), [["markers.tip", true], ["joints.A.j", false]]);
});

test("the start is a motion of one row", () => {
  const scene: Scene = { dim: 2, size: 1, ground: [], ties: [], gaps: [], points: [], joints: [], bodies: [{ name: "a", shapes: [] }, { name: "b", shapes: [] }] };
  const { motion } = startMotion(scene, Float64Array.of(0, 0, 0, 1, 2, Math.PI / 2));
  assert.deepEqual(motion.pose(2, 0).x, [1, 2, 0]);
  near(motion.at({ body: 2, at: [1, 0, 0] }, 0)[1], 3, 1e-6);
});

/** Reads what compressed() writes, code by code. */
function decompressed(data: number[]): number[] {
  const least = data[0];
  const bytes: number[] = [];
  for (let at = 1; data[at]; at += data[at] + 1) bytes.push(...data.slice(at + 1, at + 1 + data[at]));
  const [clear, end] = [1 << least, (1 << least) + 1];
  let [bits, have, at, size] = [0, 0, 0, least + 1];
  let table: number[][] = [];
  let before: number[] | undefined;
  const out: number[] = [];
  for (;;) {
    while (have < size) (bits |= bytes[at++] << have), (have += 8);
    const code = bits & ((1 << size) - 1);
    bits >>>= size;
    have -= size;
    if (code === end) return out;
    if (code === clear) {
      table = Array.from({ length: end + 1 }, (_, k) => [k]);
      size = least + 1;
      before = undefined;
      continue;
    }
    const entry: number[] = code < table.length ? table[code] : [...before!, before![0]];
    out.push(...entry);
    if (before && table.length < 4096) table.push([...before, entry[0]]);
    if (table.length === 1 << size && size < 12) ++size;
    before = entry;
  }
}

test("a GIF holds its pixels, also where the table of codes is full", () => {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (const [n, kinds] of [[10, 2], [20000, 3], [60000, 256]]) {
    const pixels = Uint8Array.from({ length: n }, () => Math.floor(random() * kinds));
    assert.deepEqual(decompressed(compressed(pixels)), [...pixels]);
  }
});

test("the palette of a GIF has the colours of the drawing, and the nearest of them for others", async () => {
  const image = Uint8ClampedArray.of(248, 0, 0, 255, 248, 0, 0, 255, 0, 0, 248, 255);
  const { colours, nearest } = paletteOf([image]);
  assert.deepEqual(colours[0], [255, 0, 0]);
  assert.equal(nearest[31 << 10], 0);
  const bytes = new Uint8Array(await gifOf({ width: 3, height: 1, images: [image, image], delay: 0.04 }).arrayBuffer());
  assert.equal(String.fromCharCode(...bytes.subarray(0, 6)), "GIF89a");
  assert.equal(bytes[bytes.length - 1], 0x3b);
});

test("films last as long as the motion at its speed", () => {
  assert.deepEqual(framesOf(2, 1, 25), { count: 50, step: 0.04, delay: 0.04 });
  const long = framesOf(100, 1);
  near(long.count * long.step, 100);
  near(long.count * long.delay, 100);
});

test("an address holds a model and gives it back to the character; a cut one is refused", async () => {
  const text = "name = \"Überhang ½\"\n" + "[bodies]\n".repeat(500);
  const hash = await hashOf(text);
  assert.ok(hash.length < 200 && /^m=[\w-]+$/.test(hash));
  assert.equal(await textOfHash(`#${hash}`), text);
  assert.equal(await textOfHash("#other"), undefined);
  await assert.rejects(textOfHash(`#${hash.slice(0, -6)}`), /damaged/);
});
