// Values as TOML.

export const keyText = (name: string) => (/^[A-Za-z0-9_-]+$/.test(name) ? name : quoted(name));

export function quoted(text: string): string {
  const escaped = text.replace(/["\\]/g, "\\$&").replace(/[\0-\x1f\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `"${escaped}"`;
}

/** A number with as many digits as it needs, at most `digits`. */
export function numberText(x: number, digits = 10): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
  const rounded = Number(x.toPrecision(digits));
  return String(rounded === 0 ? 0 : rounded);
}

export const arrayText = (items: readonly string[]) => `[${items.join(", ")}]`;
export const tableText = (entries: readonly (readonly [string, string])[]) => `{${entries.map(([k, v]) => `${keyText(k)} = ${v}`).join(", ")}}`;
