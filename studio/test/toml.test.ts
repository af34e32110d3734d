import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { parse } from "smol-toml";
import { applied, sortedEdits, type Edit } from "../src/document";
import { addItem, addValue, removeItem, removeValue, renameKey, setValue } from "../src/toml/edits";
import { findSlot, parseToml, plain, type Plain, type Table } from "../src/toml/tree";
import { Random } from "./random";

const models = ["../examples", "../docs/cookbook/models"].flatMap((folder) =>
  (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith(".toml")).map((name) => join(folder, name)));

/** The same values as another reader finds; dates as texts. */
function same(text: string) {
  const other = JSON.parse(JSON.stringify(parse(text, { integersAsBigInt: false }), (_, v) => (typeof v === "number" && !Number.isFinite(v) ? String(v) : v)));
  const mine = JSON.parse(JSON.stringify(plain(parseToml(text)), (_, v) => (typeof v === "number" && !Number.isFinite(v) ? String(v) : v)));
  assert.deepEqual(mine, other);
}

const edited = (text: string, edits: Edit[]) => applied(text, sortedEdits(edits, text.length));
const commentsOf = (text: string) => text.split("\n").filter((line) => /^\s*#/.test(line));

test("all models have the values that another reader finds", () => {
  assert.ok(models.length > 50);
  for (const name of models) same(readFileSync(name, "utf8"));
});

test("every value is found at its place", () => {
  for (const name of models) {
    const text = readFileSync(name, "utf8");
    const toml = parseToml(text);
    const look = (table: Table) => {
      for (const slot of table.slots.values()) {
        for (const key of slot.keys) assert.equal(text.slice(key.from, key.to).replace(/^["']|["']$/g, ""), key.name);
        if (slot.node) assert.deepEqual(plain(parseToml(`x = ${text.slice(slot.node.from, slot.node.to)}`)).x, plain(toml).x ?? plain(parseToml(`x = ${text.slice(slot.node.from, slot.node.to)}`)).x);
        if (slot.table) look(slot.table);
      }
    };
    look(toml.root);
  }
});

test("strings, numbers, dates and odd layouts are read as the standard says", () => {
  for (const text of [
    'a = "x\\ty\\u00e9\\U0001F600\\"" # end', "a = 'C:\\x'", 'a = """\n one\\\n   two "" three"""', "a = '''\nb'c'''", 'a = """x"""""',
    "a = 0xff\nb = 0o17\nc = 0b11\nd = 1_000.5e-3\ne = -0\nf = +inf\ng = nan", "a = 1979-05-27T07:32:00.250Z\nb = 1979-05-27\nc = 07:32:00.500\n",
    "a.b.c = 1\na.b.d = 2\n'x y'.\"z\" = 3", "[a . b]\nc = {d = {e = [1, [2, 3], {}]}, f.g = true}\n[a]\nx = 1", "[[l]]\na = 1\n[l.m]\nb = 2\n[[l]]\na = 3\n[l.m]\nb = 4",
    "a = [\n 1, # one\n 2,\n]\n", "\ufeffa = 1\r\nb = 2\r\n# c\r\n[d]\r\n", "", "# only", "[a]\n[b]", 'x = [{a = 1}, {a = 2}]',
  ]) same(text.replace(/^\ufeff/, "") === text ? text : text.slice(1));
  assert.deepEqual(plain(parseToml("\ufeffa = 1\r\n")), { a: 1 });
});

test("what is no TOML is refused with its place", () => {
  for (const [text, at] of [["a = ", 4], ["a = b", 4], ["a = 1 b", 6], ["a = 1\na = 2", 6], ["[a\n", 2], ["a = [1, 2", 9], ["a = {b = 1,}", 11], ['a = "x', 6], ["a = 01", 4], ["= 1", 0], ["[a]\n[a]", 5], ["a = 1\n[a.b]", 7], ["a = {b = 1}\n[a.c]", 13], ["a = 1_", 4]] as const)
    assert.throws(() => parseToml(text), (e: { name: string; at: number }) => e.name === "TomlError" && e.at === at, text);
});

test("adding and removing keep the layout", () => {
  const text = "# top\nname = \"m\"\n\n[bodies]\na = {mass = 1}   # first\nb = {mass = 2}\n\n# joints below\n[joints]\np = {at = [\"A\", \"B\"]}\n";
  const add = (path: string[], value: string) => edited(text, addValue(parseToml(text), path, value));
  assert.equal(add(["bodies", "c"], "{}"), text.replace("b = {mass = 2}\n", "b = {mass = 2}\nc = {}\n"));
  assert.equal(add(["bodies", "a", "x"], "3"), text.replace("{mass = 1}", "{mass = 1, x = 3}"));
  assert.equal(add(["places", "A"], "[0, 0]"), text.replace("[bodies]", "[places]\nA = [0, 0]\n\n[bodies]"));
  assert.equal(add(["forces", "f"], "1"), `${text}\n[forces]\nf = 1\n`);
  assert.equal(add(["gravity"], "[0, 1]"), text.replace("\"m\"\n", "\"m\"\ngravity = [0, 1]\n"));
  const toml = parseToml(text);
  assert.equal(edited(text, removeValue(toml, ["bodies", "a"])), text.replace("a = {mass = 1}   # first\n", ""));
  assert.equal(edited(text, removeValue(toml, ["bodies"])), text.replace(/\[bodies\][^]*?\n\n/, ""));
  const at = findSlot(toml, ["joints", "p", "at"])!.node!;
  assert.ok(at.kind === "array");
  assert.equal(edited(text, removeItem(at, 0)), text.replace('"A", "B"', '"B"'));
  assert.equal(edited(text, removeItem(at, 1)), text.replace('"A", "B"', '"A"'));
  assert.equal(edited(text, addItem(at, '"C"')), text.replace('"A", "B"', '"A", "B", "C"'));
});

/** A random text with comments, in all ways in which tables can be written. */
function randomToml(random: Random): string {
  const names = ["a", "b", "c", "x-1", "y_2", "Z"];
  const gap = () => random.pick(["", " ", "  ", "\t"]);
  const scalar = () => random.pick(["1", "-2.5e3", "true", '"t # x"', "'l'", '"1 mm"', "0x1F", "2020-01-02", '"""a\nb"""']);
  const value = (depth: number): string => {
    const kind = depth > 2 ? 0 : random.below(5);
    if (kind === 1) return `[${gap()}${Array.from({ length: random.below(4) }, () => value(depth + 1)).join(`,${gap()}${random.pick(["", "\n", " # c\n"])}`)}${gap()}]`;
    if (kind === 2) return `{${gap()}${names.slice(0, random.below(4)).map((n) => `${n}${gap()}=${gap()}${value(depth + 9)}`).join(`${gap()},${gap()}`)}${gap()}}`;
    return scalar();
  };
  const lines = (count: number, sub: boolean) => names.slice(0, count).flatMap((n) => [
    ...(random.below(4) ? [] : ["# about " + n]),
    sub && random.below(4) === 0 ? `${n}.p = ${scalar()}\n${n} . "q r" = ${value(1)}` : `${n}${gap()}=${gap()}${value(0)}${random.pick(["", " # end", "  "])}`,
    ...(random.below(5) ? [] : [""]),
  ]);
  const parts = [lines(random.below(4), true).join("\n")];
  for (const head of ["bodies", "joints", "places"].filter(() => random.below(3)))
    if (random.below(3)) parts.push(`${random.pick(["", "# head\n"])}[${head}]${random.pick(["", " # h"])}\n${lines(random.below(5), true).join("\n")}`);
    else parts.push(...names.slice(0, 1 + random.below(3)).map((n) => `[${head}.${n}]\n${lines(random.below(3), false).join("\n")}`));
  return parts.join(random.pick(["\n", "\n\n"])) + random.pick(["", "\n"]);
}

/** All paths of tables and values. */
function pathsOf(value: Plain, at: string[] = []): string[][] {
  if (typeof value !== "object" || Array.isArray(value)) return [at];
  return [at, ...Object.entries(value).flatMap(([k, v]) => pathsOf(v, [...at, k]))];
}
function put(value: { [name: string]: Plain }, path: string[], to: Plain | undefined) {
  let at = value;
  for (const name of path.slice(0, -1)) at = (at[name] ??= {}) as { [name: string]: Plain };
  if (to === undefined) delete at[path.at(-1)!];
  else at[path.at(-1)!] = to;
}
/** Tables that are empty may vanish when their last value is removed. */
const pruned = (value: Plain): Plain =>
  typeof value !== "object" || Array.isArray(value) ? value : Object.fromEntries(Object.entries(value).map(([k, v]) => [k, pruned(v)] as const).filter(([, v]) => typeof v !== "object" || Array.isArray(v) || Object.keys(v).length));

test("3000 random texts are read alike, and random edits change what they should and no comment", () => {
  let edits = 0;
  for (let seed = 1; seed <= 3000; ++seed) {
    const random = new Random(seed);
    let text = randomToml(random);
    same(text);
    for (let round = 0; round < 4; ++round) {
      const toml = parseToml(text);
      const before = plain(toml);
      const expected = structuredClone(before);
      const path = random.pick(pathsOf(before));
      const kind = random.below(4);
      const slot = findSlot(toml, path);
      let made: Edit[] = [];
      if (kind === 0 && slot?.node) made = setValue(toml, path, "77"), put(expected, path, 77);
      else if (kind === 1 && path.length && slot && !slot.list) made = removeValue(toml, path), put(expected, path, undefined);
      else if (kind === 2 && !findSlot(toml, [...path, "new"]) && (!path.length || (slot?.table && !slot.list))) made = addValue(toml, [...path, "new"], '"n"'), put(expected, [...path, "new"], "n");
      else if (kind === 3 && slot && path.length && !findSlot(toml, [...path.slice(0, -1), "other name"])) {
        made = renameKey(slot, "other name");
        const old = path.reduce<Plain>((v, name) => (v as { [name: string]: Plain })[name], before);
        put(expected, path, undefined);
        put(expected, [...path.slice(0, -1), "other name"], old);
      }
      if (!made.length) continue;
      ++edits;
      const after = edited(text, made);
      const where = `seed ${seed} round ${round} kind ${kind} path ${path.join(".")}\n${text}\n---\n${after}`;
      assert.deepEqual(pruned(plain(parseToml(after))), pruned(expected), where);
      same(after);
      if (kind !== 1) for (const comment of commentsOf(text)) if (kind !== 0) assert.ok(after.includes(comment), where);
      text = after;
    }
  }
  assert.ok(edits > 4000, String(edits));
});
