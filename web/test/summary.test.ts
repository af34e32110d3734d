import assert from "node:assert/strict";
import test from "node:test";
import { assemblyText } from "../src/summary";

const moved = (name: string, from: number, to: number, written: boolean) => ({ name, unit: "m", from, to, written });
const work = (...positions: ReturnType<typeof moved>[]) => ({ iterations: 3, violation_before: 0.15, violation_after: 1e-16, moved: { positions, velocities: [] } });

test("what assembly did is one sentence that names the largest change of a written value", () => {
  assert.match(assemblyText(work()), /as given/);
  assert.match(assemblyText(work(moved("rod.x", 0, 2, false))), /closed a gap of 0.15 .* kept all values that were given; 1 value left out follows/);
  assert.match(assemblyText(work(moved("rod.x", 0, 2, false), moved("a.x", 1, 1.1, true), moved("b.x", 0.4, 0, true))),
    /changed 2 values that were given, most of all b.x from 0.4 to 0 m/);
});
