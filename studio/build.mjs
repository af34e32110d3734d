// Bundles the studio into one HTML file with everything inside.
//
//   node build.mjs OUTPUT_FOLDER [WASM_FILE]
//
// The module and the templates of reports are gzipped and in base64; the page unpacks them with DecompressionStream.
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { inScript, pagesOf } from "../web/pages.mjs";
import { readExamples, readTemplates } from "./examples.mjs";
import { alias, packages } from "./packages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "../build"));
const wasmFile = process.argv[3];
const examples = resolve(here, "../examples");
const templates = resolve(here, "../cli/templates");
const most = 6e6; // bytes of the page

const common = { bundle: true, minify: true, write: false, target: "es2022", legalComments: "none", absWorkingDir: here, logLevel: "warning", charset: "utf8" };

/** Folders whose files are found by being there, with what each exports. */
const folders = { "studio-panels": ["src/panels", "panel"], "studio-tools": ["src/canvas/tools", "tool"] };
const filesOf = async (folder, end) => (await readdir(join(here, folder))).filter((name) => name.endsWith(end)).sort();
const made = {
  name: "made",
  setup(b) {
    b.onResolve({ filter: /^studio-(panels|tools|examples|templates)$/ }, ({ path }) => ({ path, namespace: "made" }));
    b.onLoad({ filter: /^studio-examples$/, namespace: "made" }, async () => ({ loader: "json", contents: JSON.stringify(await readExamples(examples)) }));
    b.onLoad({ filter: /^studio-templates$/, namespace: "made" }, async () => ({ loader: "json", contents: JSON.stringify(await readTemplates(templates)) }));
    b.onLoad({ filter: /.*/, namespace: "made" }, async ({ path }) => {
      const [folder, word] = folders[path];
      const files = await filesOf(folder, ".ts");
      const imports = files.map((name, k) => `import { ${word} as p${k} } from "./${name}";`).join("\n");
      return { resolveDir: join(here, folder), contents: `${imports}\nexport const ${word}s = [${files.map((_, k) => `p${k}`).join(", ")}];\n` };
    });
  },
};
const textOf = async (entry, more = {}) => (await build({ ...common, entryPoints: [entry], ...more })).outputFiles[0].text;

const styles = ["node_modules/uplot/dist/uPlot.min.css", "../web/src/style.css", "src/studio.css", ...(await filesOf("src/panels", ".css")).map((name) => `src/panels/${name}`)];
const style = (await Promise.all(styles.map((name) => textOf(name)))).join("");
const script = await textOf("src/main.ts", { format: "iife", alias, plugins: [made] });
const packed = (content) => gzipSync(content, { level: 9 }).toString("base64");
const wasm = wasmFile && existsSync(wasmFile) ? packed(await readFile(wasmFile)) : "";
const pages = packed(JSON.stringify(await pagesOf(["planar", "spatial"], build, packages, { alias })));
const worker = JSON.stringify(await textOf("../wasm/worker.ts", { format: "iife" }));
const template = await readFile(join(here, "template.html"), "utf8");
// Replacements are functions: a text may hold $&.
const page = template.replace("@STYLE@", () => style).replace("@WORKER@", () => inScript(worker)).replace("@WASM@", () => wasm).replace("@PAGES@", () => pages).replace("@SCRIPT@", () => inScript(script));
await mkdir(out, { recursive: true });
await writeFile(join(out, "studio.html"), page);
const size = Buffer.byteLength(page);
if (size > most) {
  console.error(`mubody: build/studio.html has ${size} bytes, more than the ${most} that it may have`);
  process.exit(1);
}
console.log(`mubody: the studio is ${join(out, "studio.html")}, ${(size / 1e6).toFixed(2)} MB`);
