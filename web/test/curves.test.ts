import assert from "node:assert/strict";
import test from "node:test";
import { curveStyles, cssColour } from "../src/body_colours";
import { stemOf, titleOf } from "../src/charts/plot_titles";
import { Channels, type RunReport, type Scene } from "../src/data";
import { firstChoice } from "../src/first_choice";
import { choicesOf, switched } from "../src/units";

const place = { body: 0, at: [0, 0, 0] as [number, number, number] };
const scene: Scene = {
  dim: 2, size: 1, ground: [], ties: [], gaps: [],
  bodies: [{ name: "crank", shapes: [] }, { name: "rod.end", colour: "#123456", shapes: [] }, { name: "slider", shapes: [] }],
  joints: [{ name: "A", type: "revolute", driver: false, i: place, j: { ...place, body: 1 }, axis: [0, 0, 1] },
    { name: "motor", type: "motor", driver: true, i: place, j: { ...place, body: 1 }, axis: [0, 0, 1] }],
  points: [{ name: "tip", body: 3, at: [1, 0, 0] }],
};

test("a curve has the colour of its body, the second one of a body is dashed, others take what is left", () => {
  const styles = curveStyles(["crank.omega", "rod.end.x", "rod.end.y", "tip.x", "A.on_crank.fx", "kinetic"], scene);
  assert.deepEqual(styles.map((s) => s.colour), [0, "#123456", "#123456", 2, 0, 3]);
  assert.deepEqual(styles.map((s) => s.dash !== undefined), [false, false, true, false, true, false]);
  assert.equal(cssColour(13), "var(--series-1)");
});

test("titles say what curves have in common", () => {
  const unit = (u: string) => () => u;
  assert.equal(titleOf(["tip.x", "tip.y"], unit("m")), "tip: x, y");
  assert.equal(titleOf(["crank.omega", "rod.omega"], unit("rad/s")), "Angular velocities");
  assert.equal(titleOf(["kinetic"], unit("J")), "kinetic");
  assert.equal(titleOf(["a", "b"], unit("apples")), "a, b");
  assert.equal(stemOf(["A.on_crank.fx", "A.on_crank.fy"]), "A.on_crank.");
  assert.equal(stemOf(["tip.x", "tips.x"]), "");
});

const f4 = (...numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString("base64");
const f8 = (...numbers: number[]) => Buffer.from(new Float64Array(numbers).buffer).toString("base64");
const column = (name: string, unit: string, ...numbers: number[]) => ({ name, unit, data: f4(...numbers) });
const report = (tables: RunReport["tables"], more: Partial<RunReport> = {}) => ({ kind: "run", scene, reactions: [], plots: [], times: f8(0, 1, 2), tables, ...more }) as unknown as RunReport;
const firstOf = (r: RunReport) => firstChoice(r, new Channels(r.times, r.tables));
const bodies = { name: "bodies", columns: [column("crank.omega", "rad/s", 1, 2, 3), column("rod.end.omega", "rad/s", 1e-13, 0, 1e-12), column("slider.omega", "rad/s", 1, 2, 3)] };

test("rounding is not plotted, and nothing twice", () => {
  assert.deepEqual(firstOf(report([bodies])), [{ title: "Angular velocities", channels: ["crank.omega"] }]);
  const energy = { name: "energy", columns: [column("kinetic", "J", 1, 2, 1), column("potential", "J", 0, 1e-15, 0), column("total", "J", 1, 2, 1)] };
  assert.deepEqual(firstOf(report([energy])), [{ title: "Energies", channels: ["kinetic"] }]);
});

test("in an inverse analysis what the driver gives comes first", () => {
  const drives = { name: "drives", columns: [column("motor.drive", "N m", 3, 2, 4), column("motor.power", "W", 1, 5, 9)] };
  const plots = firstOf(report([bodies, drives]));
  assert.deepEqual(plots[0], { title: "What the driver gives", channels: ["motor.drive"] });
  assert.deepEqual(plots[1].channels, ["crank.omega"]);
});

test("the plots of the model come as they are asked for, with titles", () => {
  const r = report([bodies], { plots: [{ title: "Mine", channels: ["rod.end.omega", "missing"] }] });
  assert.deepEqual(firstOf(r), [{ title: "Mine", channels: ["rod.end.omega"] }]);
});

const rad = (unit: string, factor: number) => ({ rad: { unit, factor }, "rad/s2": { unit: `${unit}/s2`, factor } });

test("a switch of units replaces its own units and no others", () => {
  const all = [{}, rad("deg", 57)];
  const mm = { m: { unit: "mm", factor: 1000 } };
  assert.deepEqual(switched(mm, all, all[1]), { ...mm, ...all[1] });
  assert.deepEqual(switched({ ...mm, ...all[1] }, all, all[0]), mm);
});

test("a unit that the model asks for stays among the choices", () => {
  const s = { label: "lengths", unit: "m", choices: [{ m: { unit: "mm", factor: 1000 } }] };
  assert.equal(choicesOf(s, {}).length, 2);
  assert.deepEqual(choicesOf(s, { m: { unit: "cm", factor: 100 }, N: { unit: "kN", factor: 1e-3 } })[2], { m: { unit: "cm", factor: 100 } });
});

test("other units reach whoever listens, with other numbers", () => {
  const channels = new Channels(f8(0, 1, 2), [bodies]);
  let heard = 0;
  channels.onUnits(() => ++heard);
  assert.equal(channels.shown("crank.omega")!.values[1], 2);
  channels.shownUnits = { "rad/s": { unit: "rpm", factor: 30 / Math.PI } };
  assert.equal(heard, 1);
  assert.ok(Math.abs(channels.shown("crank.omega")!.values[1] - 60 / Math.PI) < 1e-5);
  assert.equal(channels.get("crank.omega")!.values[1], 2);
});
