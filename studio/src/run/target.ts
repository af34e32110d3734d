// The path that a point ought to follow, and how far it stays away from it.

export type Xy = [number, number];

/** Points from text: two numbers in each line, apart by a comma, a semicolon or blanks; other lines are told. */
export function pointsOf(text: string, scale = 1): { points: Xy[]; wrong: number[] } {
  const points: Xy[] = [];
  const wrong: number[] = [];
  text.split(/\r?\n/).forEach((line, k) => {
    if (!line.trim() || line.trim().startsWith("#")) return;
    const numbers = line.trim().split(/\s*[,;\s]\s*/).map(Number);
    if (numbers.length >= 2 && numbers.slice(0, 2).every(Number.isFinite)) points.push([scale * numbers[0], scale * numbers[1]]);
    else if (points.length || k > 0) wrong.push(k + 1); // the first line may be a heading
  });
  return { points, wrong };
}

/** The distance of a point from a stretch of a line. */
function fromStretch([x, y]: Xy, [ax, ay]: Xy, [bx, by]: Xy): number {
  const [ux, uy] = [bx - ax, by - ay];
  const size = ux * ux + uy * uy;
  const share = size > 0 ? Math.min(1, Math.max(0, ((x - ax) * ux + (y - ay) * uy) / size)) : 0;
  return Math.hypot(x - ax - share * ux, y - ay - share * uy);
}

/** For each point of the target the distance to the nearest place of the path: root of the mean square, and largest. */
export function missed(target: readonly Xy[], path: readonly (readonly number[])[]): { rms: number; largest: number } {
  if (!target.length || !path.length) return { rms: NaN, largest: NaN };
  const distances = target.map((p) => {
    let least = Infinity;
    for (let k = 0; k < path.length; ++k) {
      const a = path[Math.max(0, k - 1)];
      least = Math.min(least, fromStretch(p, [a[0], a[1]], [path[k][0], path[k][1]]));
    }
    return least;
  });
  return { rms: Math.sqrt(distances.reduce((s, d) => s + d * d, 0) / distances.length), largest: Math.max(...distances) };
}
