// Sets formulas with KaTeX: one JSON line {tex, display} in, one JSON line {html} or {error} out.
//
//   node formulas.cjs KATEX.js
const katex = require(process.argv[2]);
const lines = require("node:readline").createInterface({ input: process.stdin });

lines.on("line", (line) => {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: "ignore" }) };
  } catch (e) {
    answer = { error: e.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
