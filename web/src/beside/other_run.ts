// Another result laid over the one that is shown: a folder of results that the program put into the page, or files that a
// reader drops on it: a report, or CSV files of results.
import { Channels, type OtherRun, type RunReport, type Scene } from "../data";

export interface Beside {
  name: string;
  channels: Channels;
  /** How its bodies are drawn, where that is known. */
  scene?: Scene;
}

export const besideOf = (run: OtherRun): Beside => ({ name: run.name, channels: new Channels(run.times, run.tables) });

/** What a reader must do instead; shown as it stands. */
export class NotARun extends Error {}

/** The run within the text of a report of the program. */
export function runOfReport(text: string, name: string): Beside {
  const match = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(text);
  if (!match) throw new NotARun(`${name} is no report of mubody: it holds no data. Drop a report.html, or CSV files of a results folder`);
  const report = JSON.parse(match[1]) as RunReport;
  if (report.kind !== "run") throw new NotARun(`${name} is a report of another kind (${report.kind}); only that of a run can be laid over a run`);
  return { name, channels: new Channels(report.times, report.tables), scene: report.scene };
}

/** The columns of a CSV file of results: "time[s],crank.x[m]", and rows of numbers. */
export function tableOfCsv(text: string, name: string): { times: Float64Array; columns: { name: string; unit: string; values: Float32Array }[] } {
  const lines = text.split(/\r?\n/).filter((line) => line && !line.startsWith("#"));
  const heads = (lines[0] ?? "").split(",").map((head) => /^"?(.*?)\[([^\]]*)\]"?$/.exec(head.trim()) ?? [head, head, ""]);
  if (heads[0][1] !== "time") throw new NotARun(`${name} does not begin with a column of times ("time[s]"): it is no history that can be laid over this one`);
  const rows = lines.slice(1).map((line) => line.split(",").map(Number));
  const wrong = rows.findIndex((row) => row.length !== heads.length);
  if (wrong >= 0) throw new NotARun(`${name}, line ${wrong + 2}: ${rows[wrong].length} numbers, but there are ${heads.length} columns`);
  const columns = heads.slice(1).map(([, head, unit], k) => ({ name: head, unit, values: Float32Array.from(rows, (row) => row[k + 1]) }));
  return { times: Float64Array.from(rows, (row) => row[0]), columns };
}

/** CSV files of one run; tables with other times than the first one are left out, and told. */
export function runOfCsv(files: { name: string; text: string }[]): { run: Beside; left: string[] } {
  const tables = files.map((f) => ({ ...tableOfCsv(f.text, f.name), name: f.name }));
  const { times } = tables[0];
  const fits = (t: { times: Float64Array }) => t.times.length === times.length && t.times.every((v, k) => v === times[k]);
  const channels = new Channels(times, []);
  for (const t of tables.filter(fits)) for (const c of t.columns) channels.add(t.name.replace(/\.csv$/, ""), c.name, c.unit, () => c.values);
  const name = files.length === 1 ? files[0].name : `${files[0].name} and ${files.length - 1} more`;
  return { run: { name, channels }, left: tables.filter((t) => !fits(t)).map((t) => t.name) };
}

/** Reads what was dropped or chosen. */
export async function readRun(files: File[]): Promise<{ run: Beside; left: string[] }> {
  const read = await Promise.all(files.map(async (f) => ({ name: f.name, text: await f.text() })));
  const page = read.find((f) => /\.html?$/i.test(f.name));
  if (page) return { run: runOfReport(page.text, page.name), left: [] };
  const tables = read.filter((f) => /\.csv$/i.test(f.name));
  if (!tables.length) throw new NotARun(`${read.map((f) => f.name).join(", ")}: neither a report (.html) nor CSV files of results`);
  return runOfCsv(tables);
}
