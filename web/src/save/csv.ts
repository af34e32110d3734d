// Numbers as CSV: what a plot or a table shows, in the units in which it shows them.

/** The shortest text that reads back as the same 32-bit number. */
export function shortest(v: number): string {
  if (!Number.isFinite(v)) return Number.isNaN(v) ? "nan" : v > 0 ? "inf" : "-inf";
  const wanted = Math.fround(v);
  if (wanted !== v) return String(v); // a 64-bit number, as times are
  for (let digits = 6; digits < 9; ++digits) if (Math.fround(Number(v.toPrecision(digits))) === wanted) return String(Number(v.toPrecision(digits)));
  return String(Number(v.toPrecision(9)));
}

/** A cell of text, in quotes where it needs them. */
export const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

const headOf = (name: string, unit: string) => cell(unit ? `${name}[${unit}]` : name);

export interface CsvColumn {
  name: string;
  unit: string;
  values: ArrayLike<number>;
}

/** Columns of the same length below each other, with names as the files of the program have them: "crank.x[m]". */
export function csvOf(columns: CsvColumn[]): string {
  const rows = Math.max(0, ...columns.map((c) => c.values.length));
  const lines = [columns.map((c) => headOf(c.name, c.unit)).join(",")];
  for (let k = 0; k < rows; ++k) lines.push(columns.map((c) => (k < c.values.length ? shortest(c.values[k]) : "")).join(","));
  return `${lines.join("\n")}\n`;
}

/** Columns over their own times, rows at all times that any of them has; a column without a value there is left empty. */
export function csvOverTime(columns: (CsvColumn & { times: ArrayLike<number> })[], low = -Infinity, high = Infinity): string {
  const all = new Set<number>();
  for (const c of columns) for (let k = 0; k < c.times.length; ++k) if (c.times[k] >= low && c.times[k] <= high) all.add(c.times[k]);
  const times = [...all].sort((a, b) => a - b);
  const at = columns.map(() => 0);
  const lines = [["time[s]", ...columns.map((c) => headOf(c.name, c.unit))].join(",")];
  for (const t of times)
    lines.push([shortest(t), ...columns.map((c, n) => {
      while (at[n] < c.times.length && c.times[at[n]] < t) ++at[n];
      return c.times[at[n]] === t ? shortest(c.values[at[n]]) : "";
    })].join(","));
  return `${lines.join("\n")}\n`;
}

/** The cells of a table of the page. */
export function csvOfTable(table: HTMLTableElement): string {
  const text = (e: Element) => cell((e.textContent ?? "").replace(/\u2212/g, "-").replace(/\u202f/g, ""));
  return [...table.rows].map((row) => [...row.cells].map(text).join(",")).join("\n") + "\n";
}
