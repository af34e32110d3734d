import assert from "node:assert/strict";
import test from "node:test";
import { between, bytesOf, Channels, rowAt, valueAt, type RawTable, type RunReport } from "../src/data";
import { firstChoice } from "../src/first_choice";

const base64 = (numbers: Float32Array | Float64Array) => Buffer.from(numbers.buffer).toString("base64");

const times = base64(new Float64Array([0, 0.5, 2]));
const tables: RawTable[] = [
  { name: "bodies", columns: [{ name: "rod.x", unit: "m", data: base64(new Float32Array([1, 3, -1])) }] },
  { name: "channels", columns: [{ name: "rod.x", unit: "m", data: base64(new Float32Array([0, 0, 0])) }, { name: "speed", unit: "m/s", data: base64(new Float32Array([NaN, 2, 4])) }] },
];

test("bytes come back as they were", () => {
  assert.deepEqual([...bytesOf(Buffer.from([0, 255, 7, 128]).toString("base64"))], [0, 255, 7, 128]);
});

test("channels are found by name; the first table with a name has it", () => {
  const channels = new Channels(times, tables);
  assert.deepEqual(channels.names, ["rod.x", "speed"]);
  assert.equal(channels.table("rod.x"), "bodies");
  assert.deepEqual([...channels.get("rod.x")!.values], [1, 3, -1]);
  assert.equal(channels.get("nothing"), undefined);
});

test("values are exact at rows and on a line between them", () => {
  const x = new Channels(times, tables).get("rod.x")!;
  assert.equal(valueAt(x, 0), 1);
  assert.equal(valueAt(x, 0.5), 3);
  assert.equal(valueAt(x, 2), -1);
  assert.equal(valueAt(x, 0.25), 2);
  assert.equal(valueAt(x, -1), 1);
  assert.equal(valueAt(x, 9), -1);
});

test("a value that is not a number stays one", () => {
  const speed = new Channels(times, tables).get("speed")!;
  assert.ok(Number.isNaN(valueAt(speed, 0)));
  assert.equal(valueAt(speed, 2), 4);
});

test("rows of no results", () => {
  assert.equal(rowAt([], 1), 0);
  assert.equal(rowAt([3], 5), 0);
  assert.equal(new Channels("", []).times.length, 0);
});

test("between rows", () => assert.equal(between([0, 10, 20], 1.5), 15));

test("channels are shown in the units of the model, and stay as they are for the mechanism", () => {
  const channels = new Channels(times, tables, undefined, { m: { unit: "mm", factor: 1000 } });
  assert.equal(channels.shownUnit("rod.x"), "mm");
  assert.deepEqual([...channels.shown("rod.x")!.values], [1000, 3000, -1000]);
  assert.deepEqual([...channels.get("rod.x")!.values], [1, 3, -1]);
  assert.equal(channels.shown("speed"), channels.get("speed"));
  assert.equal(channels.shown("nothing"), undefined);
});

test("plots that the model asks for come first, as far as there are such channels", () => {
  const channels = new Channels(times, tables);
  const report = { plots: [{ title: "Way", channels: ["rod.x", "gone"] }, { title: "", channels: ["gone"] }] } as unknown as RunReport;
  assert.deepEqual(firstChoice(report, channels), [{ title: "Way", channels: ["rod.x"] }]);
});
