// Bundles the pages into templates, one HTML file each, and writes them as a C++ source for the program.
//
//   node build.mjs OUTPUT_FOLDER
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { pagesOf } from "./pages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../build/web");
const names = ["planar", "spatial", "charts", "sweep"];
const portion = 8000; // characters of a string literal; compilers need only accept 65536 bytes

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
let source = `// Made from web/ by web/build.mjs.\n#include "mubody/report/report_template.h"\n\nnamespace mubody::io {\nstd::string_view report_template(std::string_view page) {\n`;
for (const [page, html] of Object.entries(await pagesOf(names, build, join(here, "node_modules")))) {
  await writeFile(join(out, `${page}.html`), html);
  source += `  if (page == "${page}")\n    return ${literals(html)};\n`;
}
source += "  return {};\n}\n}  // namespace mubody::io\n";
await writeFile(join(out, "report_template.cpp"), source);
