// The examples and templates of the program: their texts, the files that they read, and what they teach.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const data = /\.(csv|tir|stl|obj|toml)$/;

/** Text, or bytes in base64 where they are no text. */
function content(bytes) {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { base64: bytes.toString("base64") };
  }
}

/** [{id, title, teaches, text, files}], by title; folders without a model in TOML are left out. */
export async function readExamples(folder) {
  const found = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const names = await readdir(join(folder, entry.name));
    if (!names.includes("model.toml")) continue;
    const about = names.includes("README.md") ? await readFile(join(folder, entry.name, "README.md"), "utf8") : "";
    const files = {};
    for (const name of names)
      if (data.test(name) && name !== "expected.csv" && name !== "model.toml") files[name] = content(await readFile(join(folder, entry.name, name)));
    found.push({
      id: entry.name,
      title: /^# (.*)/m.exec(about)?.[1] ?? entry.name.replace(/_/g, " "),
      teaches: (/\*\*Teaches:\*\*\s*([\s\S]*?)\n\n/.exec(about)?.[1] ?? "").replace(/\s+/g, " ").replace(/[*`]/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"),
      text: await readFile(join(folder, entry.name, "model.toml"), "utf8"),
      files,
    });
  }
  return found.sort((a, b) => a.title.localeCompare(b.title));
}

/** [{id, about, text}] of the models that `mubody new` copies; the first sentence of each says what it is. */
export async function readTemplates(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".toml")).sort();
  return Promise.all(names.map(async (name) => {
    const text = await readFile(join(folder, name), "utf8");
    return { id: name.replace(/\.toml$/, ""), about: (/^# ([^]*?)[.:](?:\s|$)/.exec(text)?.[1] ?? "").replace(/\s*\n#\s*/g, " "), text };
  }));
}
