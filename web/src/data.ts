// The content of a report file, as mubody/report/write_report.cpp writes it, and its columns as arrays.

export type Vec3 = [number, number, number];

export type Shape =
  | { type: "link" | "plate"; points: Vec3[] }
  | { type: "disc"; at: Vec3; axis: Vec3; radius: number; hollow?: boolean; bearing?: boolean }
  | { type: "box"; at: Vec3; x: Vec3; axis?: Vec3; size: Vec3 }
  | { type: "guide"; at: Vec3; x: Vec3; axis?: Vec3; length: number }
  | { type: "pin"; at: Vec3; axis: Vec3 }
  | { type: "ground"; at: Vec3; axis?: Vec3 }
  | { type: "sphere"; at: Vec3; radius: number }
  | { type: "mass"; at: Vec3 }
  | { type: "solid"; points: Vec3[]; triangles: number[]; edges?: number[] }; // three points each; of edges two

/** A point of a body: 0 is the ground, k is bodies[k - 1]. */
export interface Place {
  body: number;
  at: Vec3;
}

export interface Scene {
  dim: 2 | 3;
  size: number; // a length that goes well with the mechanism [m]
  bodies: { name: string; colour?: string; size?: number; shapes: Shape[] }[];
  ground: Shape[];
  ties: Tie[];
  joints: { name: string; type: string; driver: boolean; i: Place; j: Place; axis: Vec3 }[];
  points: { name: string; body: number; at: Vec3 }[];
  gaps: Gap[];
}

/** A part without a body of its own that reaches from i to j. */
export interface Tie {
  name: string;
  kind: "rod" | "cylinder" | "spring" | "damper" | "spiral" | "bush";
  i: Place;
  j: Place;
  barrel?: number; // length of a cylinder's barrel, from i [m]
  telescopic?: boolean; // a tube between barrel and rod comes out half as far as the rod
}

/** How far from i the barrel and the tube of a cylinder reach when it has that length; the rod goes on to j. */
export function stagesOf(tie: Tie, length: number): [number, number] {
  const barrel = Math.min(tie.barrel ?? 0, length);
  return [barrel, tie.telescopic ? (barrel + length) / 2 : barrel];
}

/** A pin or frame of body j that has some play in body i; without radii something elastic holds it. */
export interface Gap {
  name: string;
  i: Place;
  j: Place;
  radius_i: number;
  radius_j: number;
}

/** Where a force or moment acts, and its channels: the form of mubody/picture/loads.h. */
export interface Load {
  name: string;
  body: number;
  moment: boolean;
  sign: number;
  parts: [string, string, string];
  axes?: { body: number; turn: [number, number, number, number] };
  toward?: Place;
  at: Place;
  point?: [string, string, string];
  from?: Place;
  reach?: number;
  shift?: Place;
}

export interface Mode {
  frequency: number;
  damping_ratio: number;
  real: number;
  imaginary: number;
}

export interface RawColumn {
  name: string;
  unit: string;
  data: string; // base64 of little-endian numbers of 4 bytes
}

export interface RawTable {
  name: string;
  columns: RawColumn[];
}

export interface Moved {
  name: string;
  unit: string;
  from: number;
  to: number;
  /** False where the model had left the value out. */
  written?: boolean;
}

export interface Accuracy {
  estimated_from: string;
  words: string;
  missing?: string;
  predictable_until?: number;
  /** The fewest digits of positions, velocities, ... */
  digits?: Record<string, number>;
  channels?: { channel: string; unit: string; error: number; time: number; range: number; digits: number; band?: number[] }[];
  /** The times of the bands of channels whose error can be seen. */
  band_times?: number[];
}

export interface Summary {
  version: string;
  model: string;
  analysis: string;
  outcome: { word: string; time: number; why: string };
  trusted: boolean;
  verdict: string;
  integrator: string;
  treatment: string;
  freedom: {
    coordinates: number;
    equations: number;
    counted: number;
    rank: number;
    actual: number;
    rolling: number;
    redundant: { equation: string; joints: string[]; reason: string }[];
  };
  reactions_not_unique: string[];
  loops: { joints: string; singular_positions_passed: number; branches_lost: number }[];
  assembly: {
    iterations: number;
    violation_before: number;
    violation_after: number;
    moved: { positions: Moved[]; velocities: Moved[] };
  };
  statistics: Record<string, number | string | null>;
  /** The estimated error of a motion, where there is an estimate. */
  accuracy?: Accuracy;
  remarks: string[];
}

export interface Contact {
  contact: string;
  onset: number;
  end?: number | null;
  speed_in: number;
  speed_out?: number | null;
  peak_force: number;
  peak_at: number;
  deepest: number;
  energy_lost: number;
}

/** Units in which numbers are shown, by those that they were computed in. */
export type ShownUnits = Record<string, { unit: string; factor: number }>;

/** A kind of numbers whose unit a reader may choose: the unit of the columns, and the units to choose from. */
export interface UnitSwitch {
  label: string;
  unit: string;
  choices: ShownUnits[];
}

/** Gains and phases over frequencies; numbers are base64. */
export interface BodeReport {
  frequency: string;
  responses: { name: string; unit: string; gain: string; phase: string }[];
}

/** Another result, to be laid over the one that is shown. */
export interface OtherRun {
  name: string;
  times: string;
  tables: RawTable[];
}

/** A plot that the model asks for. */
export interface WantedPlot {
  title: string;
  channels: string[];
}

export interface RunReport {
  kind: "run";
  plots?: WantedPlot[];
  units?: ShownUnits;
  switches?: UnitSwitch[];
  overlay?: OtherRun;
  summary: Summary;
  parts: {
    gravity: Vec3;
    bodies: { name: string; mass: number; inertia: number[] }[];
    joints: { name: string; type: string; driver: boolean; bodies: string }[];
    forces: { name: string; type: string; bodies: string }[];
  } | null;
  scene: Scene;
  loads: Load[];
  modes: { list: Mode[]; motion: { rows: number; columns: RawColumn[] } } | null; // `rows` rows for each mode
  bode?: BodeReport | null;
  lists: { name: string; columns: { name: string; unit: string }[]; rows: number[][] }[];
  times: string; // base64 of little-endian numbers of 8 bytes
  tables: RawTable[];
  events: { t: number; kind: string; what: string }[];
  reactions: { channel: string; unit: string; unique: string; largest: number; t: number }[];
  extremes: [channel: string, unit: string, least: number, leastAt: number, greatest: number, greatestAt: number][];
  contacts: Contact[];
  thinned: { rows: number; of: number; error: number; channel: string; left_out: number } | null;
  model: ModelFile | null;
}

export interface ModelFile {
  file: string;
  text: string;
  changes: string[]; // made to it before the run, as "key=value"
}

export interface Channel {
  table: string;
  name: string;
  unit: string;
  times: Float64Array;
  values: Float32Array;
  /** The largest error until each time, where it can be seen in a plot. */
  band?: Band;
}

export interface Band {
  times: number[];
  errors: number[];
}

/** The bytes of a base64 text. */
export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  return bytes;
}

export const doubles = (base64: string) => new Float64Array(bytesOf(base64).buffer);
export const floats = (base64: string) => new Float32Array(bytesOf(base64).buffer);

/** A column before its numbers are needed. */
interface Source {
  table: string;
  unit: string;
  values: () => Float32Array;
}

/** All channels of a report by name, decoded on demand. */
export class Channels {
  readonly times: Float64Array;
  private readonly known = new Map<string, Source>();
  private readonly decoded = new Map<string, Channel>();
  private readonly converted = new Map<string, Channel>();
  private readonly bands = new Map<string, Band>();
  private readonly listeners = new Set<() => void>();

  constructor(times: string | Float64Array, tables: RawTable[], accuracy?: Accuracy, private units: ShownUnits = {}) {
    this.times = typeof times === "string" ? doubles(times) : times;
    if (accuracy) this.bound(accuracy);
    for (const table of tables)
      for (const raw of table.columns) this.add(table.name, raw.name, raw.unit, () => floats(raw.data));
  }

  /** Takes the errors of channels, which may be found later than the channels; listeners hear of those that can be seen. */
  bound(accuracy: Accuracy) {
    for (const { channel, band } of accuracy.channels ?? []) {
      if (!band || !accuracy.band_times) continue;
      this.bands.set(channel, { times: accuracy.band_times, errors: band });
      this.decoded.delete(channel);
    }
    if (!this.bands.size) return;
    this.converted.clear();
    for (const listener of this.listeners) listener();
  }

  /** One more column, of as many numbers as there are times; the first of a name counts. */
  add(table: string, name: string, unit: string, values: () => Float32Array) {
    if (!this.known.has(name)) this.known.set(name, { table, unit, values });
  }

  get names(): string[] {
    return [...this.known.keys()];
  }
  has(name: string): boolean {
    return this.known.has(name);
  }
  unit(name: string): string {
    return this.known.get(name)?.unit ?? "";
  }
  table(name: string): string {
    return this.known.get(name)?.table ?? "";
  }
  get(name: string): Channel | undefined {
    const there = this.decoded.get(name);
    if (there) return there;
    const found = this.known.get(name);
    if (!found) return undefined;
    const { table, unit } = found;
    const channel: Channel = { table, name, unit, times: this.times, values: found.values(), band: this.bands.get(name) };
    this.decoded.set(name, channel);
    return channel;
  }
  /** The units in which numbers are shown; listeners hear of others. */
  get shownUnits(): ShownUnits {
    return this.units;
  }
  set shownUnits(units: ShownUnits) {
    this.units = units;
    this.converted.clear();
    for (const listener of this.listeners) listener();
  }
  onUnits(listener: () => void) {
    this.listeners.add(listener);
  }
  /** The unit in which a channel is shown. */
  shownUnit(name: string): string {
    return this.units[this.unit(name)]?.unit ?? this.unit(name);
  }
  /** A channel in the unit in which it is shown; the mechanism moves by those of get(). */
  shown(name: string): Channel | undefined {
    const channel = this.get(name);
    const to = channel && this.units[channel.unit];
    if (!channel || !to) return channel;
    const there = this.converted.get(name);
    if (there) return there;
    const band = channel.band && { times: channel.band.times, errors: channel.band.errors.map((e) => e * to.factor) };
    const converted = { ...channel, unit: to.unit, values: channel.values.map((v) => v * to.factor), band };
    this.converted.set(name, converted);
    return converted;
  }
}

/** Where a time lies among increasing times, as a row with a fraction; within [0, n - 1]. */
export function rowAt(times: ArrayLike<number>, t: number): number {
  const n = times.length;
  if (n === 0 || !(t > times[0])) return 0;
  if (t >= times[n - 1]) return n - 1;
  let low = 0;
  let high = n - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return low + (t - times[low]) / (times[high] - times[low]);
}

/** The value at a row with a fraction, by linear interpolation. */
export function between(values: ArrayLike<number>, row: number): number {
  const low = Math.floor(row);
  const share = row - low;
  return share === 0 ? values[low] : values[low] * (1 - share) + values[low + 1] * share;
}

/** The value of a channel at a time; NaN if it has none. */
export function valueAt(channel: Channel, t: number): number {
  return channel.times.length ? between(channel.values, rowAt(channel.times, t)) : NaN;
}

/** The report in this page. */
export function readReport<T>(): T {
  return JSON.parse(document.getElementById("data")!.textContent!) as T;
}
