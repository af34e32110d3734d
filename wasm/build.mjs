// Bundles the TypeScript of this folder: library.mjs for node, mubody.mjs for pages, worker.js for their workers.
//
//   node build.mjs OUTPUT_FOLDER
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const out = process.argv[2];
const common = { bundle: true, target: "es2022", legalComments: "none", logLevel: "warning", absWorkingDir: here };
await build({ ...common, entryPoints: ["library.ts"], format: "esm", outfile: join(out, "library.mjs") });
await build({ ...common, entryPoints: ["mubody.ts"], format: "esm", minify: true, outfile: join(out, "mubody.mjs") });
await build({ ...common, entryPoints: ["worker.ts"], format: "iife", minify: true, outfile: join(out, "worker.js") });
