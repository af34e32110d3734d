// Checks the types of the sources, then bundles the unit tests and runs them in node.
//
//   node test.mjs OUTPUT_FOLDER
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { alias } from "./packages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(resolve(process.argv[2] ?? join(here, "../build/studio")), "unit");
const run = (...words) => {
  const { status } = spawnSync(process.execPath, words, { cwd: here, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};

run("node_modules/typescript/bin/tsc", "--noEmit");
const tests = readdirSync(join(here, "test")).filter((name) => name.endsWith(".test.ts"));
await build({ entryPoints: tests.map((name) => join(here, "test", name)), bundle: true, alias, platform: "node", format: "esm", outdir: out, outExtension: { ".js": ".mjs" }, logLevel: "warning" });
run("--test", ...tests.map((name) => join(out, name.replace(/ts$/, "mjs"))));
