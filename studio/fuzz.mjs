// Bundles test/fuzz.ts and runs it.
//
//   node fuzz.mjs MODULE [SEQUENCES] [FIRST_SEED]
import { spawnSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../build/studio/fuzz.mjs");
const [module, ...more] = process.argv.slice(2);
await build({ entryPoints: [join(here, "test/fuzz.ts")], bundle: true, platform: "node", format: "esm", outfile: out, logLevel: "warning" });
const { status } = spawnSync(process.execPath, [out, resolve(module), ...more], { cwd: here, stdio: "inherit" });
process.exit(status ?? 1);
