// Bundles the pages into templates, one HTML file each, and writes them as a C++ source for the program.
//
//   node build.mjs OUTPUT_FOLDER
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../build/web");
const pages = ["planar", "spatial", "charts", "sweep"];
const portion = 8000; // characters of a string literal; compilers need only accept 65536 bytes

const common = { bundle: true, minify: true, write: false, target: "es2022", legalComments: "none", absWorkingDir: here, logLevel: "warning" };
const textOf = async (entry, more = {}) => (await build({ ...common, entryPoints: [entry], ...more })).outputFiles[0].text;

/** What would end the script within the page. */
const inScript = (text) => text.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");

/** The text as adjacent raw string literals. */
function literals(text) {
  const parts = [];
  for (let k = 0; k < text.length; ) {
    let end = Math.min(text.length, k + portion);
    if (/[\ud800-\udbff]/.test(text[end - 1])) --end; // never within a pair
    parts.push(`R"mubody(${text.slice(k, end)})mubody"`);
    k = end;
  }
  return parts.join("\n");
}

await mkdir(out, { recursive: true });
const template = await readFile(join(here, "template.html"), "utf8");
const plotStyle = await textOf("node_modules/uplot/dist/uPlot.min.css");
const style = plotStyle + (await textOf("src/style.css"));
const sweepStyle = await textOf("src/sweep.css");
let source = `// Made from web/ by web/build.mjs.\n#include "mubody/report/report_template.h"\n\nnamespace mubody::io {\nstd::string_view report_template(std::string_view page) {\n`;
for (const page of pages) {
  const script = await textOf(`src/${page}.ts`, { format: "iife", charset: "utf8" });
  // Replacements are functions: a text may hold $&.
  const html = template.replace("@STYLE@", () => (page === "sweep" ? style + sweepStyle : style)).replace("@SCRIPT@", () => inScript(script));
  await writeFile(join(out, `${page}.html`), html);
  source += `  if (page == "${page}")\n    return ${literals(html)};\n`;
}
source += "  return {};\n}\n}  // namespace mubody::io\n";
await writeFile(join(out, "report_template.cpp"), source);
