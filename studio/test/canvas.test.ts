import assert from "node:assert/strict";
import test from "node:test";
import { Camera } from "../src/canvas/camera";
import { setLength } from "../src/canvas/dimension";
import { bodyAt, geometry, isInside, localPoint } from "../src/canvas/geometry";
import { lockedShift, lockedTarget, snap, typedDimension } from "../src/canvas/snap";
import { commit, Editing } from "../src/model/editing";
import { addBody, addGear, addGround, addMotor, addPlace, addSlider, begun, joinAt } from "../src/model/draw";
import { movePlace, removeItems, renameItem } from "../src/model/change";
import { useMaterial } from "../src/model/masses";
import { keepPose } from "../src/model/pose";
import { lengthUnits, quantityOf } from "../src/model/units";
import { ModelDocument } from "../src/document";
import { keyName } from "../src/commands";
import { contextBefore } from "../src/text/help";
import { spanOfProblem } from "../src/text/places";

const near = (a: readonly number[], b: readonly number[], by = 1e-12) => a.forEach((v, k) => assert.ok(Math.abs(v - b[k]) <= by, `${a} is not ${b}`));

test("a point snaps to a place before the grid, and to a round angle only from near by", () => {
  const places = new Map([["A", [0.013, 0.02] as const]]);
  assert.equal(snap([0.015, 0.02], { places, reach: 0.005, step: 0.01 }).place, "A");
  assert.deepEqual(snap([0.031, 0.018], { places, reach: 0.005, step: 0.01 }), { at: [0.03, 0.02], why: "grid" });
  assert.deepEqual(snap([0.031, 0.018], { places, reach: 0.005, step: 0.01, free: true }).at, [0.031, 0.018]);
  const round = snap([0.1, 0.0578], { places: new Map(), reach: 0.01, step: 0.01, from: [0, 0] });
  assert.equal(round.why, "angle");
  near([Math.atan2(round.at[1], round.at[0])], [Math.PI / 6], 1e-12);
  near([Math.hypot(...round.at)], [0.12], 1e-12);
  assert.equal(snap([0.1, 0.05], { places: new Map(), reach: 0.01, step: 0.01, from: [0, 0] }).why, "grid");
  // As long as another link, unless the grid is so already.
  const like = snap([0.1, 0.043], { places: new Map(), reach: 0.01, step: 0.01, from: [0, 0], lengths: [0.11] });
  assert.equal(like.why, "length");
  near([Math.hypot(...like.at)], [0.11]);
  assert.equal(snap([0.031, 0.041], { places: new Map(), reach: 0.01, step: 0.01, from: [0, 0], lengths: [0.05] }).why, "grid");
});

test("locks leave a dragged point where they allow", () => {
  const places = new Map([["A", [0, 0] as const], ["B", [1, 0] as const], ["C", [1, 1] as const]]);
  near(lockedTarget("B", [0, 2], places, [{ kind: "length", a: "A", b: "B" }]), [0, 1]);
  near(lockedTarget("B", [3, 2], places, [{ kind: "angle", a: "A", b: "B" }]), [3, 0]);
  near(lockedTarget("B", [3, 2], places, [{ kind: "point", place: "B" }]), [1, 0]);
  near(lockedTarget("B", [3, 2], places, [{ kind: "point", place: "A" }]), [3, 2]);
  near(lockedTarget("B", [3, 2], places, [{ kind: "length", a: "A", b: "B" }, { kind: "length", a: "C", b: "B" }]), [1, 0]);
});

test("what is moved together keeps its locks, and those to others", () => {
  const places = new Map([["A", [0, 0] as const], ["B", [1, 0] as const], ["C", [1, 1] as const]]);
  near(lockedShift(["A", "B"], [0.3, 0.4], places, [{ kind: "length", a: "A", b: "B" }, { kind: "angle", a: "A", b: "B" }]), [0.3, 0.4]);
  near(lockedShift(["A", "B"], [0.3, 0.4], places, [{ kind: "point", place: "A" }]), [0, 0]);
  near(lockedShift(["A", "B"], [0.3, 0.4], places, [{ kind: "angle", a: "C", b: "B" }]), [0, 0.4]);
  const [dx, dy] = lockedShift(["A", "B"], [3, 1], places, [{ kind: "length", a: "B", b: "C" }]);
  near([Math.hypot(dx, dy - 1)], [1]);
});

test("typed dimensions are lengths with or without a unit and angles in degrees", () => {
  assert.deepEqual(typedDimension("120", 1e-3, lengthUnits), { length: 0.12, angle: undefined });
  near([typedDimension("12 cm @ 90", 1, lengthUnits)!.length!, typedDimension("12 cm @ 90", 1, lengthUnits)!.angle!], [0.12, Math.PI / 2]);
  for (const wrong of ["", "x", "-3", "3 kg", "@", "0"]) assert.equal(typedDimension(wrong, 1, lengthUnits), undefined, wrong);
  assert.equal(quantityOf("= a", lengthUnits), undefined);
});

test("the camera goes to pixels and back, and zooms about the pointer", () => {
  const camera = new Camera();
  [camera.width, camera.height] = [800, 600];
  near(camera.toWorld(camera.toPixels([0.3, -0.2])), [0.3, -0.2]);
  const at = camera.toWorld([100, 50]);
  camera.zoom(3, [100, 50]);
  near(camera.toWorld([100, 50]), at, 1e-12);
  camera.fit([0, 0], [2, 1]);
  const [low, high] = [camera.toPixels([0, 0]), camera.toPixels([2, 1])];
  assert.ok(low[0] > 0 && high[0] < 800 && low[1] < 600 && high[1] > 0);
  const { line, snap: step } = camera.grid();
  near([line / step % 1], [0], 1e-9);
});

test("what is drawn is what one would write", () => {
  const e = begun("");
  const [a, b, c, d] = [[0, 0], [0.05, 0.09], [0.25, 0.16], [0.2, 0]].map((at) => addPlace(e, at as [number, number]));
  addBody(e, [a, b]), addBody(e, [b, c]), addBody(e, [c, d]);
  addGround(e, a), addGround(e, d);
  addMotor(e, a, "30 rpm");
  for (const line of ['B = ["50 mm", "90 mm"]', 'ground = {through = ["A", "D"]}', 'link2 = {through = ["B", "C"], mass = 1}', 'D = {type = "revolute"}', 'speed1 = "30 rpm"',
    'motor1 = {type = "angle", bodies = ["ground", "link1"], at = "A", axis = [1, 0], value = "= speed1*t"}']) assert.ok(e.text.includes(`\n${line}\n`), `${line}\n${e.text}`);
  addSlider(e, c, [1, 0], 0.04);
  assert.match(e.text, /\nC = \{type = "revolute"\}\n/);
  assert.match(e.text, /pin1 = \{type = "revolute", bodies = \["link2", "slider1"\], at = "C"\}/);
});

test("a wheel that is there keeps its size in a train of gears", () => {
  const e = begun("");
  const [a, b, c] = ([[0, 0], [0.08, 0], [0.21, 0]] as const).map((at) => addPlace(e, at));
  addGear(e, a, b, 0.08);
  addGear(e, b, c, 0.13);
  for (const words of ['disc2 = {shape = "cylinder", at = "B", radius = "40 mm"', 'disc3 = {shape = "cylinder", at = "C", radius = "90 mm"', 'radius_i = "40 mm", radius_j = "90 mm"']) assert.ok(e.text.includes(words), words);
});

test("a body goes with what cannot be without it, and nothing else", () => {
  const text = `[places]\nA = [0, 0]\nB = [1, 0]\nC = [2, 0]\n[bodies]\nground = {through = ["A"]}\na = {through = ["A", "B"], mass = 1} # first\nb = {through = ["B", "C"], mass = 1}\n[joints]\npins = {type = "revolute", at = ["A", "B"]}\n[drivers]\nm = {type = "angle", joint = "A", value = 0}\n[points]\np = {body = "b", at = "C"}\n[analysis]\nhold = ["a.angle", "b.x"]\n`;
  const e = new Editing(text);
  removeItems(e, [{ section: "bodies", name: "a" }]);
  assert.equal(e.text, `[places]\nA = [0, 0]\nB = [1, 0]\nC = [2, 0]\n[bodies]\nground = {through = ["A"]}\nb = {through = ["B", "C"], mass = 1}\n[joints]\n[drivers]\n[points]\np = {body = "b", at = "C"}\n[analysis]\nhold = ["b.x"]\n`);
});

test("a new name is taken everywhere, in formulas too", () => {
  const e = new Editing(`[places]\nA = [0, 0]\nM = {between = ["A", "B"]}\nC = {length = {A = 1, B = 2}}\nD = {length = {A = 3, C = 2}}\n[bodies]\ncrank = {through = ["A", "B"]}\n[joints]\nA = {type = "revolute"}\n[forces]\nf = {type = "force", body = "crank", at = "A", force = ["= crank.vx - A.angle + recrank.x", 0]}\n[analysis]\nhold = ["crank.angle"]\n`);
  renameItem(e, { section: "bodies", name: "crank" }, "arm");
  renameItem(e, { section: "places", name: "A" }, "Zed");
  assert.equal(e.text.replaceAll("Zed", "Z"), `[places]\nZ = [0, 0]\nM = {between = ["Z", "B"]}\nC = {length = {Z = 1, B = 2}}\nD = {length = {Z = 3, C = 2}}\n[bodies]\narm = {through = ["Z", "B"]}\n[joints]\nZ = {type = "revolute"}\n[forces]\nf = {type = "force", body = "arm", at = "Z", force = ["= arm.vx - Z.angle + recrank.x", 0]}\n[analysis]\nhold = ["arm.angle"]\n`);
});

test("a length changes the number that states it", () => {
  const places = new Map([["A", [0, 0] as const], ["B", [0.03, 0.04] as const], ["C", [0.1, 0] as const]]);
  const e = new Editing('[places]\nA = [0, 0]\nB = ["30 mm", "40 mm"]\nC = {length = {A = "10 cm", B = "8 cm"}, near = [0.1, 0]}\n');
  assert.ok(setLength(e, places, "A", "B", 0.1));
  assert.ok(setLength(e, places, "C", "A", 0.12));
  assert.equal(e.text, '[places]\nA = [0, 0]\nB = ["60 mm", "80 mm"]\nC = {length = {A = "12 cm", B = "8 cm"}, near = [0.1, 0]}\n');
  assert.equal(movePlace(new Editing('[places]\nA = ["= a", 0]\n'), "A", [1, 1]), false);
});

test("a start that a hand has left keeps lengths, and leaves formulas alone", () => {
  const e = new Editing('[places]\nA = [0, 0]\nB = ["100 mm", 0]\nC = ["= 0.2", 0]\n[bodies]\nground = {through = ["A"]}\na = {through = ["A", "B"]}\nb = {through = ["B", "C"]}\n');
  const before = new Map([["a", [0.05, 0, 0] as const], ["b", [0.15, 0, 0] as const]]);
  const turn = 0.4;
  const after = new Map([["a", [0.05 * Math.cos(turn), 0.05 * Math.sin(turn), turn] as const], ["b", [0.15, 0.01, 0] as const]]);
  assert.deepEqual(keepPose(e, new Map([["A", [0, 0]], ["B", [0.1, 0]], ["C", [0.2, 0]]]), before, after), ["C"]);
  const [, x, y] = /B = \["([\d.]+) mm", "([\d.]+) mm"\]/.exec(e.text)!;
  near([Math.hypot(Number(x), Number(y))], [100], 1e-6);
});

test("a material takes the place of the mass", () => {
  const e = new Editing('[places]\nA = [0, 0]\nB = ["100 mm", 0]\n[bodies]\na = {through = ["A", "B"], mass = 1} # rod\n');
  useMaterial(e, "a", 7850, 1);
  assert.match(e.text, /a = \{through = \["A", "B"\], density = 7850, shape = "bar", width = "10 mm", thickness = "2.5 mm"\} # rod/);
});

test("bodies are hit where they are drawn", () => {
  const e = begun("");
  addBody(e, [addPlace(e, [0, 0]), addPlace(e, [0.1, 0])]);
  addBody(e, [addPlace(e, [0.2, 0]), addPlace(e, [0.3, 0]), addPlace(e, [0.25, 0.1])]);
  joinAt(e, "A");
  const now = geometry({ toml: e.toml, answer: undefined, fresh: false, shown: undefined, dragged: undefined });
  assert.equal(bodyAt(now, [0.05, 0.004], 0.005), 1);
  assert.equal(bodyAt(now, [0.25, 0.05], 0.005), 2);
  assert.equal(bodyAt(now, [0.15, 0.05], 0.005), 0);
  assert.ok(isInside([0.5, 0.5], [[0, 0], [1, 0], [1, 1], [0, 1]]) && !isInside([1.5, 0.5], [[0, 0], [1, 0], [1, 1], [0, 1]]));
  near(localPoint({ x: [1, 0, 0], turned: [[0, -1, 0], [1, 0, 0], [0, 0, 1]] }, [1, 2]), [2, 0]);
});

test("edits of the canvas are one step of the history", () => {
  const model = new ModelDocument("");
  const e = begun("");
  addBody(e, [addPlace(e, [0, 0]), addPlace(e, [0.1, 0])]);
  commit(model, e, "draw");
  assert.equal(model.text, e.text);
  assert.equal(model.depth, 1);
  assert.equal(model.undoTitle, "draw");
  model.undo();
  assert.equal(model.text, "");
});

test("keys have one name, and problems one place", () => {
  const key = (key: string, more = {}) => keyName({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });
  assert.deepEqual([key("z", { ctrlKey: true }), key("Z", { metaKey: true, shiftKey: true }), key("?", { shiftKey: true }), key(" ")], ["Mod-z", "Mod-Shift-z", "?", "Space"]);
  assert.deepEqual(spanOfProblem("a = 1\n😀é = mas x", { line: 2, column: 6 }), { from: 12, to: 15 });
  // What is missing at the end of a line is underlined before it.
  assert.deepEqual(spanOfProblem("a = [1,\nb = 2\n", { line: 1, column: 8 }), { from: 6, to: 7 });
  assert.deepEqual(spanOfProblem("a =   \n\n", { line: 2, column: 1 }), { from: 2, to: 3 });
  assert.deepEqual(spanOfProblem('s = "open\n', { line: 1, column: 10 }), { from: 5, to: 9 });
  assert.deepEqual(spanOfProblem("\n", { line: 1, column: 1 }), { from: 0, to: 1 });
  const text = '[joints]\nA = {type = "revolute", bodies = ["a';
  assert.deepEqual(contextBefore(text, text.length), { section: "joints", type: "revolute", inElement: true, inValue: "bodies", word: "a" });
});
