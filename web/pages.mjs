// Bundles pages into templates, one HTML file each with @DATA@ where the program puts its data.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** What would end a script within the page. */
export const inScript = (text) => text.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");

/** The pages of these names as texts.  `build` is that of esbuild; `packages` is where its packages lie, `more` goes to it. */
export async function pagesOf(names, build, packages, more = {}) {
  const common = { bundle: true, minify: true, write: false, target: "es2022", legalComments: "none", absWorkingDir: here, logLevel: "warning", ...more };
  const textOf = async (entry, options = {}) => (await build({ ...common, entryPoints: [entry], ...options })).outputFiles[0].text;
  const template = await readFile(join(here, "template.html"), "utf8");
  const style = (await textOf(join(packages, "uplot/dist/uPlot.min.css"))) + (await textOf("src/style.css"));
  const sweepStyle = await textOf("src/sweep.css");
  const pages = {};
  for (const name of names) {
    const script = await textOf(`src/${name}.ts`, { format: "iife", charset: "utf8" });
    // Replacements are functions: a text may hold $&.
    pages[name] = template.replace("@STYLE@", () => (name === "sweep" ? style + sweepStyle : style)).replace("@SCRIPT@", () => inScript(script));
  }
  return pages;
}
