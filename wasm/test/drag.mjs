// Dragging: the time of the solver for a frame, and that nothing jumps to another branch.  The time is that of the processor, so
// that other programs on this machine do not count.
//
//   MUBODY_EXAMPLES  the folder of the examples
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Library } from "../library.mjs";

const frame = 1000 / 30; // ms
const library = await Library.load(await WebAssembly.compile(readFileSync(new URL("../mubody.wasm", import.meta.url))));

/** A point of a body in the plane, in global axes. */
function pointOf(poses, body, [u, v]) {
  const [x, y, a] = poses.slice(3 * (body - 1), 3 * body);
  return [x + u * Math.cos(a) - v * Math.sin(a), y + u * Math.sin(a) + v * Math.cos(a)];
}

/** Drags a point along targets, and says how long the slowest frame took.  The compiler of the engine works beside the first
 * frames, which are dragged once before. */
function dragAlong(session, body, at, targets) {
  const begin = library.pullDrag(session, body, at, targets[0]).poses;
  for (const target of targets) library.pullDrag(session, body, at, target);
  library.placeDrag(session, begin);
  const states = [];
  let slowest = 0;
  for (const target of targets) {
    const before = process.cpuUsage();
    states.push(library.pullDrag(session, body, at, target));
    const { user, system } = process.cpuUsage(before);
    slowest = Math.max(slowest, (user + system) / 1000);
  }
  return { states, slowest };
}

/** An angle without whole turns. */
const turn = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
/** Whether two poses of a leg are of one branch: on another, links would be turned by a large angle or be centimetres away. */
const sameBranch = (a, b) => a.every((x, k) => (k % 3 < 2 ? Math.abs(x - b[k]) < 5e-3 : Math.abs(turn(x - b[k])) < 0.15));

/** The largest difference of any number of two poses. */
const apart = (a, b) => Math.max(...a.map((x, k) => Math.abs(x - b[k])));

test("Jansen's leg follows its foot", (t) => {
  const text = readFileSync(join(examples(), "jansen_leg/model.toml"), "utf8");
  const { model } = library.check({ text });
  const { body, at } = model.points[0].marker;
  const { session, poses } = library.openDrag({ text });
  const begin = pointOf(poses, body, at);

  // Its own path: that of the foot as the crank turns.
  const run = library.run({ text }, { bare: true });
  const rows = Array.from({ length: run.times.length }, (_, k) => run.poses.slice(k * poses.length, (k + 1) * poses.length));
  const own = dragAlong(session, body, at, rows.map((row) => pointOf(row, body, at)));
  t.diagnostic(`along its path ${own.slowest.toFixed(1)} ms for the slowest frame`);
  own.states.forEach((s, k) => {
    assert.ok(s.violation < 1e-11, `joints hold in frame ${k}`);
    assert.ok(s.distance < 1e-4, `the foot is on its path in frame ${k}: ${s.distance} m away`);
    assert.ok(sameBranch(s.poses, rows[k]), `the branch in frame ${k}`);
  });

  // A circle that it cannot follow: wherever it is, it is there with the crank where it then is in the run.
  library.placeDrag(session, poses);
  const circle = Array.from({ length: 241 }, (_, k) => [begin[0] + 0.03 * Math.sin((k * Math.PI) / 120), begin[1] + 0.03 * (1 - Math.cos((k * Math.PI) / 120))]);
  const round = dragAlong(session, body, at, circle);
  t.diagnostic(`along a circle ${round.slowest.toFixed(1)} ms for the slowest frame`);
  round.states.forEach((s, k) => {
    assert.ok(s.violation < 1e-11, `joints hold in frame ${k}`);
    const there = rows.reduce((best, row) => (Math.abs(turn(row[2] - s.poses[2])) < Math.abs(turn(best[2] - s.poses[2])) ? row : best));
    assert.ok(sameBranch(s.poses, there), `the branch in frame ${k}`);
  });
  assert.ok(Math.max(own.slowest, round.slowest) < frame);
  library.close(session);
});

test("a closed chain of 20 links follows, and comes back on the same branch", (t) => {
  const links = 20;
  const lines = ["[bodies]"];
  const bend = (k) => 0.3 * Math.sin((k * Math.PI * 3) / links);
  const nodes = Array.from({ length: links + 1 }, (_, k) => [k * 0.1, bend(k)]);
  nodes.forEach(([x, y], k) => k < links && lines.push(`b${k} = {mass = 1, inertia = 0.001, through = [[${x}, ${y}], [${nodes[k + 1]}]]}`));
  lines.push("[joints]");
  for (let k = 0; k <= links; ++k)
    lines.push(`j${k} = {type = "revolute", bodies = ["${k === 0 ? "ground" : `b${k - 1}`}", "${k === links ? "ground" : `b${k}`}"], at = [${nodes[k]}]}`);
  const text = "gravity = [0, -9.81]\n" + lines.join("\n");
  const { session, poses } = library.openDrag({ text });
  const begin = pointOf(poses, 10, [0, 0]);
  const path = Array.from({ length: 121 }, (_, k) => [begin[0] + 0.2 * Math.sin((k * Math.PI) / 30), begin[1] + 0.2 * (1 - Math.cos((k * Math.PI) / 30))]);
  const { states, slowest } = dragAlong(session, 10, [0, 0], path);
  t.diagnostic(`${slowest.toFixed(1)} ms for the slowest frame`);
  assert.ok(slowest < frame);
  states.forEach((s, k) => {
    assert.ok(s.violation < 1e-11, `joints hold in frame ${k}`);
    assert.ok(s.distance < 1e-6, `the hand is followed in frame ${k}`);
    if (k > 0) assert.ok(apart(s.poses, states[k - 1].poses) < 0.3, `a jump in frame ${k}`);
  });
  library.close(session);
});

function examples() {
  return process.env.MUBODY_EXAMPLES;
}
