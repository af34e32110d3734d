// All examples in the module against the program, table by table: equal to 1e-8 of a column's peak, and to 1e-5 where bodies
// touch.  A column of which nothing but round-off is expected has no peak of its own, so that the largest among those of
// its unit counts; violations and the residual of the energy, which are zero at best, are not compared.  The module must take
// no more memory after many runs than after a few.
//
//   MUBODY_PROGRAM  the program;  MUBODY_EXAMPLES  the folder of the examples
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { after, test } from "node:test";
import { Library } from "../library.mjs";

const program = process.env.MUBODY_PROGRAM;
const examples = process.env.MUBODY_EXAMPLES;
const usual = 1e-8;
const touching = 1e-5;
const rounding = 1e-12; // of the largest number of a table, and of one
/** What is changed for a comparison, in the module and in the program. */
function changes(name, text) {
  // The integrators of SUNDIALS are not in the module, which takes another one in their place: the program takes that one too.  Its
  // steps are chosen by errors, so that contacts need a tolerance at which these do not show.
  const absent = /integrator *= *"(bdf|adams)"/.exec(text)?.[1];
  if (absent) return [`analysis.integrator=${absent === "bdf" ? "radau" : "auto"}`, "analysis.rtol=1e-11"];
  // A car that stands slips by a quotient of two speeds that vanish: rounding shows in it as much as errors of steps do.
  return name === "car/rest.toml" ? ["analysis.rtol=1e-9"] : [];
}

const out = mkdtempSync(join(tmpdir(), "mubody-wasm-"));
after(() => rmSync(out, { recursive: true }));
const module = await WebAssembly.compile(readFileSync(new URL("../mubody.wasm", import.meta.url)));

/** All files below a folder, by their names relative to it. */
export function filesBelow(folder, top = folder) {
  const all = {};
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) Object.assign(all, filesBelow(path, top));
    else if (statSync(path).size < 50e6) all[relative(top, path)] = readFileSync(path);
  }
  return all;
}

/** The models: every text with an analysis or bodies of its own in the folder of an example. */
function models() {
  const all = [];
  for (const entry of readdirSync(examples, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    for (const name of readdirSync(join(examples, entry.name)))
      if (/\.(toml|mub)$/.test(name)) all.push(join(examples, entry.name, name));
  }
  return all.sort();
}

/** The columns of a CSV file by their names. */
function readColumns(file) {
  const [head, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  const names = head.split(",").map((cell) => cell.replace(/^"|"$/g, "").replace(/\[[^[\]]*\]$/, ""));
  const columns = Object.fromEntries(names.map((name) => [name, new Float64Array(lines.length)]));
  lines.forEach((line, row) => line.split(",").forEach((cell, k) => (columns[names[k]][row] = cell === "" ? NaN : Number(cell))));
  return columns;
}

const peakOf = (values) => values.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);

/** The largest difference of two tables, by the peaks of columns of one unit.  What is at rest has accelerations of round-off beside
 * that of gravity [m/s²]. */
function difference(table, columns, gravity) {
  const peaks = { "m/s2": gravity };
  for (const { name, unit } of table.columns) peaks[unit] = Math.max(peaks[unit] ?? 0, peakOf(columns[name]));
  const nothing = rounding * Math.max(1, ...Object.values(peaks));
  let worst = { share: 0, name: "" };
  for (const { name, unit, values } of table.columns) {
    if (name === "residual") continue;
    const native = columns[name];
    assert.equal(values.length, native.length, `${table.name}: rows`);
    for (let row = 0; row < values.length; ++row) {
      if (!Number.isFinite(native[row]) && !Number.isFinite(values[row])) continue;
      const away = Math.abs(values[row] - native[row]);
      const share = away <= nothing ? 0 : away / peaks[unit];
      if (!(share <= worst.share)) worst = { share, name: `${table.name}: ${name} in row ${row}` };
    }
  }
  return worst;
}

for (const model of models()) {
  const name = relative(examples, model);
  test(`${name} gives what the program gives`, async (t) => {
    const folder = join(out, name.replaceAll("/", "_"));
    const text = readFileSync(model, "utf8");
    const set = changes(name, text);
    let failed = null;
    try {
      execFileSync(program, ["run", model, "--out", folder, "--quiet", ...set.flatMap((change) => ["--set", change])], { stdio: "pipe" });
    } catch (e) {
      failed = e; // results that cannot be trusted are results nevertheless
    }
    const library = await Library.load(module);
    const source = { text, name: `${basename(dirname(model))}/${basename(model)}`, files: filesBelow(dirname(model)), set };
    let result;
    try {
      result = library.run(source, { bare: true });
    } catch (e) {
      assert.ok(failed, `the program runs it, the module says: ${e.message}`);
      return;
    }
    const { forces, gravity } = library.check(source).model; // those of files that are included too
    const contact = readdirSync(folder).includes("contacts.csv") || forces.some((f) => /contact|tyre|teeth|stop/.test(f.type));
    for (const table of result.tables) {
      if (table.rows === 0 || table.name === "violations") continue;
      const worst = difference(table, readColumns(join(folder, `${table.name}.csv`)), Math.hypot(...gravity));
      t.diagnostic(`${worst.share.toExponential(1)} ${worst.name}`);
      assert.ok(worst.share <= (contact ? touching : usual), `${worst.name} differs by ${worst.share} of the peak`);
    }
  });
}

test("memory is given back after runs", async () => {
  const library = await Library.load(module);
  const text = readFileSync(join(examples, "four_bar/model.toml"), "utf8");
  const once = () => {
    library.run({ text, set: ["analysis.end=0.05"] });
    library.check({ text });
    assert.throws(() => library.run({ text: "[bodies]\n" }));
    const { session } = library.openDrag({ text });
    library.close(session);
  };
  for (let k = 0; k < 20; ++k) once();
  const before = library.memory;
  for (let k = 0; k < 1000; ++k) once();
  assert.equal(library.memory, before);
});
