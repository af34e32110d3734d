import assert from "node:assert/strict";
import test from "node:test";
import { NotARun, runOfCsv, runOfReport, tableOfCsv } from "../src/beside/other_run";
import { csvOf, csvOverTime, shortest } from "../src/save/csv";
import { fileName } from "../src/save/files";
import { SvgSheet } from "../src/save/svg_sheet";

test("numbers are as short as they can be and read back the same", () => {
  assert.equal(shortest(Math.fround(0.1)), "0.1");
  assert.equal(shortest(1 / 3), String(1 / 3));
  assert.equal(shortest(NaN), "nan");
  let seed = 1;
  for (let k = 0; k < 2000; ++k) {
    seed = (seed * 48271) % 2147483647;
    const v = Math.fround((seed / 2147483647 - 0.5) * 10 ** ((seed % 40) - 20));
    assert.equal(Math.fround(Number(shortest(v))), v);
  }
});

test("curves with other times have rows of their own", () => {
  const a = { name: "a", unit: "m", times: [0, 1, 2], values: Float32Array.of(1, 2, 3) };
  const b = { name: "b, c", unit: "N m", times: [1, 1.5], values: Float32Array.of(7, 8) };
  assert.equal(csvOverTime([a, b]), 'time[s],a[m],"b, c[N m]"\n0,1,\n1,2,7\n1.5,,8\n2,3,\n');
  assert.equal(csvOverTime([a], 0.5, 1.5), "time[s],a[m]\n1,2\n");
  assert.equal(csvOf([{ name: "x", unit: "m", values: [1, 2] }]), "x[m]\n1\n2\n");
});

test("names of files have no signs that a file system refuses", () => {
  assert.equal(fileName("Reaction of A/B on “crank”: fx", "csv"), "Reaction_of_A_B_on_crank_fx.csv");
  assert.equal(fileName("…", "png"), "mubody.png");
});

test("CSV files of results become channels; what does not fit is told", () => {
  const { times, columns } = tableOfCsv("time[s],rod.x[m],n[1]\n0,1,5\n0.5,2,6\n", "bodies.csv");
  assert.deepEqual([...times], [0, 0.5]);
  assert.deepEqual(columns.map((c) => [c.name, c.unit, ...c.values]), [["rod.x", "m", 1, 2], ["n", "1", 5, 6]]);
  const { run, left } = runOfCsv([{ name: "bodies.csv", text: "time[s],rod.x[m]\n0,1\n0.5,2\n" }, { name: "short.csv", text: "time[s],y[m]\n0,1\n" }]);
  assert.equal(run.channels.get("rod.x")!.values[1], 2);
  assert.deepEqual(left, ["short.csv"]);
  assert.throws(() => tableOfCsv("frequency[Hz],x[m]\n1,2\n", "f.csv"), NotARun);
  assert.throws(() => tableOfCsv("time[s],x[m]\n1,2,3\n", "f.csv"), /line 2: 3 numbers, but there are 2 columns/);
});

test("a report of another kind is refused with its kind", () => {
  const page = (data: string) => `<script type="application/json" id="data">${data}</script>`;
  assert.throws(() => runOfReport(page('{"kind":"sweep"}'), "s.html"), /sweep/);
  assert.throws(() => runOfReport("<p>hello</p>", "h.html"), NotARun);
});

test("a drawing of lines has what was drawn, in place, in order", () => {
  const sheet = new SvgSheet(100, 50, { font: "", measureText: () => ({ width: 7 }) as TextMetrics }, (c) => (c === "red" ? [255, 0, 0, 1] : [0, 0, 0, 0.5]));
  sheet.save();
  sheet.translate(10, 20);
  sheet.rotate(Math.PI / 2);
  sheet.fillStyle = "red";
  sheet.fillRect(0, 0, 2, 1);
  sheet.restore();
  sheet.beginPath();
  sheet.arc(50, 25, 10, 0, 2 * Math.PI);
  sheet.stroke();
  sheet.fillText("a<b", 1, 2);
  const text = sheet.text();
  assert.match(text, /M10 20L10 22L9 22L9 20Z" fill="rgb\(255,0,0\)"/);
  assert.match(text, /M60 25A10 10 0 0 1 40 25A10 10 0 0 1 60 25" fill="none" stroke="rgb\(0,0,0\)" stroke-opacity="0.5"/);
  assert.match(text, />a&lt;b<\/text>/);
});
