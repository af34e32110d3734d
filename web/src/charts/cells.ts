// The rows of a sweep in cells over two columns: those of a grid where the rows make one, else as many as there are rows for.

export interface Ends {
  /** The borders of the cells, one more than there are cells. */
  edges: number[];
  /** The value that stands for each cell. */
  at: number[];
}

export interface Cells {
  x: Ends;
  y: Ends;
  /** Means and counts, row by row along y for each x; NaN where there is no row. */
  mean: Float64Array;
  count: Uint32Array;
}

const mostDistinct = 200;

/** The different values of a column in order; undefined if there are too many to be those of a grid. */
export function distinct(values: ArrayLike<number>, chosen: ArrayLike<number>): number[] | undefined {
  const found: number[] = [];
  const sorted = Array.from(values).filter((v, k) => chosen[k] && Number.isFinite(v)).sort((a, b) => a - b);
  const little = 1e-9 * Math.max(Math.abs(sorted[0] ?? 0), Math.abs(sorted[sorted.length - 1] ?? 0));
  for (const v of sorted) {
    if (found.length && v - found[found.length - 1] <= little) continue;
    if (found.push(v) > mostDistinct) return undefined;
  }
  return found;
}

function around(at: number[]): Ends {
  if (at.length < 2) {
    const half = Math.abs(at[0] ?? 0) * 0.05 || 0.5;
    return { at, edges: [(at[0] ?? 0) - half, (at[0] ?? 0) + half] };
  }
  const edges = at.slice(1).map((v, k) => (v + at[k]) / 2);
  return { at, edges: [2 * at[0] - edges[0], ...edges, 2 * at[at.length - 1] - edges[edges.length - 1]] };
}

function equal(low: number, high: number, n: number): Ends {
  const edges = Array.from({ length: n + 1 }, (_, k) => low + ((high - low) * k) / n);
  return { edges, at: edges.slice(1).map((v, k) => (v + edges[k]) / 2) };
}

/** The cells of a column that has these rows: its own values where it has few, equal ones otherwise. */
export function endsOf(values: ArrayLike<number>, chosen: ArrayLike<number>, most: number): Ends {
  const few = distinct(values, chosen);
  if (few && few.length <= most) return around(few);
  const sound = Array.from(values).filter((v, k) => chosen[k] && Number.isFinite(v));
  const [low, high] = sound.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  return equal(low, high > low ? high : low + 1, Math.max(2, Math.min(most, Math.round(Math.sqrt(sound.length / 3)))));
}

/** Which cell a value lies in; -1 if in none. */
export function cellOf({ edges }: Ends, v: number): number {
  if (!(v >= edges[0] && v <= edges[edges.length - 1])) return -1;
  let [low, high] = [0, edges.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (edges[middle] <= v) low = middle;
    else high = middle;
  }
  return low;
}

export function cellsOf(xs: ArrayLike<number>, ys: ArrayLike<number>, zs: ArrayLike<number>, chosen: ArrayLike<number>): Cells {
  const [x, y] = [endsOf(xs, chosen, 60), endsOf(ys, chosen, 60)];
  const mean = new Float64Array(x.at.length * y.at.length);
  const count = new Uint32Array(mean.length);
  for (let k = 0; k < zs.length; ++k) {
    if (!chosen[k] || !Number.isFinite(zs[k])) continue;
    const [i, j] = [cellOf(x, xs[k]), cellOf(y, ys[k])];
    if (i < 0 || j < 0) continue;
    mean[i * y.at.length + j] += zs[k];
    ++count[i * y.at.length + j];
  }
  mean.forEach((v, k) => (mean[k] = count[k] ? v / count[k] : NaN));
  return { x, y, mean, count };
}
