// What the library offers to pages: checks, runs, dragging, motions that are stepped, pictures, and the list of elements.
//
//   docs/api/wasm.md
//
// This file has types alone.  `mubody.ts` makes them, over a worker in which the library runs as WebAssembly; `library.ts`
// has the same calls without a worker, which return at once.
//
// All numbers are in SI units and radians.  Bodies are numbered as in the model: 0 is the ground, k is the k-th body.  The
// poses of all bodies are one array, without the ground:
//
//   plane   3 numbers for each body: x, y, angle
//   space   7 numbers for each body: x, y, z, e0, e1, e2, e3        position of the centre of mass, and unit quaternion
//
// Points of a body are in its axes, from its centre of mass; in the plane the third number is zero and may be left out.
import type { Load, RunReport, Scene, Summary } from "../web/src/data";

export type { Load, RunReport, Scene, Summary };

/** x, y and, in space, z. */
export type Point = readonly number[];

/** Files that a model reads, such as CSV data or meshes, by their names relative to the model file. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Which model a call is about. */
export interface Source {
  text: string;
  /** The name of the model file in messages and reports; default "model.toml". */
  name?: string;
  files?: Files;
  /** Changes as on the command line, "key.of.a.value=value", as in `--set`. */
  set?: readonly string[];
}

// ---------------------------------------------------------------------------------------------------- checking

/** A place in the text of the model.  Lines and columns count from 1; line 0 is the file as a whole. */
export interface Place {
  line: number;
  column: number;
}

/** Something that is wrong with the model. */
export interface Problem extends Place {
  /** What is wrong, what was expected, what to do, without the place. */
  message: string;
  /** The file, if it is another one than the model's: data, or an included file. */
  file?: string;
  /** The key that it is about, as in "bodies.crank.mass", where the place belongs to one. */
  key?: string;
}

/** Where a key and its value stand.  The names of elements are keys too: "bodies.crank" stands in its header. */
export interface KeyPlaces {
  key: Place;
  value: Place;
}

/** A frame fixed to a body. */
export interface MarkerInfo {
  body: number;
  at: Point;
  /** Turn from body axes to marker axes: unit quaternion, scalar first. */
  turn: readonly [number, number, number, number];
  /** In the plane: the same as an angle. */
  angle: number;
}

/** A joint, a driver or a force. */
export interface ElementInfo {
  name: string;
  /** The word after `type =`, as in elements(). */
  type: string;
  /** "joints", "drivers" or "forces": the section it stands in. */
  section: string;
  /** The two frames; those of a force on one body are the ground and that body. */
  i: MarkerInfo;
  j: MarkerInfo;
  /** The names of other joints that it couples, as gears and motors at joints do. */
  couples: string[];
  place: Place;
}

export interface BodyInfo {
  name: string;
  mass: number;
  /** Plane: one number about z; space: Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the centre of mass, body axes. */
  inertia: number[];
  /** At the start. */
  velocity: Point;
  omega: Point;
  /** What the file leaves out, so that assembly chooses it. */
  left_out: { position: boolean; orientation: boolean; velocity: boolean; omega: boolean };
  place: Place;
}

/** What a model contains.  There is one as soon as the text could be read, even if it cannot be assembled. */
export interface ModelInfo {
  name: string;
  dim: 2 | 3;
  gravity: [number, number, number];
  bodies: BodyInfo[];
  joints: ElementInfo[];
  forces: ElementInfo[];
  /** Points of interest. */
  points: { name: string; marker: MarkerInfo; place: Place }[];
  /** The places of the file, in global axes at the start. */
  places: { name: string; at: Point; place: Place }[];
  parameters: { name: string; value: number; place: Place }[];
  /** What the file asks for. */
  analysis: { type: string; start: number; end: number; integrator: string; formulation: string; treatment: string };
  /** The plain drawing data of reports and pictures: shapes of bodies and ground, springs, rods, joints, points. */
  scene: Scene;
  /** Where forces act, and the channels of their components. */
  loads: Load[];
  /** Lengths, masses and times that go well with the mechanism; there once it has been assembled. */
  scales?: { length: number; mass: number; time: number };
}

/** The answer of check(). */
export interface Checked {
  /** Whether the analysis that the model asks for can be run. */
  ok: boolean;
  /** Mistakes of the text, in its order; where there are any, `model` is null. */
  errors: Problem[];
  /** Why the mechanism cannot be assembled or the analysis cannot be done; null if it can. */
  obstacle: Problem | null;
  /** What does not look right: loose bodies, redundant joints, unusual values. */
  warnings: string[];
  model: ModelInfo | null;
  /** Poses as the file gives them, and after assembly (the best attempt, if it fails). */
  given: Float64Array;
  assembled: Float64Array;
  /** Degrees of freedom and redundant equations, as in summary.json; null without a model. */
  freedom: Summary["freedom"] | null;
  assembly: Summary["assembly"] | null;
  /** Where every key of the text stands, by its path, as in "joints.A.i"; entries of arrays by their numbers from 0.  Empty for
   * texts that are no TOML. */
  places: Record<string, KeyPlaces>;
  milliseconds: number;
}

// ------------------------------------------------------------------------------------------------------ running

export interface RunOptions {
  /** The analysis in place of the file's: "forward", "kinematic", "inverse", "equilibrium", "modes", "assembly", ... */
  type?: string;
  /** The end of the time span [s]. */
  end?: number;
  /** Time between rows of the results [s]. */
  step?: number;
  /** Further changes, as in Source.set. */
  set?: readonly string[];
  /** Leaves out what only reports need (RunResult.report is null), which saves time where many runs are made. */
  bare?: boolean;
  /** Finds the digits that can be trusted, by computing the motion once more; other calls do not wait for such a run. */
  estimate?: boolean;
}

/** A table of results; the first column is usually the time. */
export interface ResultTable {
  /** "bodies", "joints", "points", "forces", "energy", "violations", "channels", "modes", ... */
  name: string;
  rows: number;
  columns: { name: string; unit: string; values: Float64Array }[];
}

export interface ResultEvent {
  t: number;
  /** "singular position", "dead point", "lost branch", "redundancy", "touch", "part", "stick" or "slip". */
  kind: string;
  what: string;
}

export interface RunResult {
  /** The content of summary.json. */
  summary: Summary;
  /** Whether the run reached its end and can be trusted, and why or why not; with digits where they were estimated. */
  ok: boolean;
  trusted: boolean;
  verdict: string;
  /** The fewest digits of positions, velocities, ...; null where the error was not estimated. */
  digits: Record<string, number> | null;
  events: ResultEvent[];
  tables: ResultTable[];
  /** The data of the report's page, as its placeholder gets them; null for bare runs. */
  report: RunReport | null;
  /** Times [s] and the poses of all bodies at each, one after the other, for drawing; empty where nothing moves. */
  times: Float64Array;
  poses: Float64Array;
  /** Poses of modes: `rows` instants of one period of each mode; null if the analysis is another one. */
  modes: { rows: number; poses: Float64Array[] } | null;
  /** The files of results as texts, by name: "bodies.csv", ..., "summary.json", made only when they are asked for. */
  csv(table: string): string;
  milliseconds: number;
}

/** A call that can be stopped. */
export interface Running<T> {
  result: Promise<T>;
  /** Stops it; the promise is rejected with a Cancelled. */
  cancel(): void;
}

/** The share done in [0, 1]. */
export type OnProgress = (share: number) => void;

// ------------------------------------------------------------------------------------------------------ dragging

/** What stays as it is while something is dragged. */
export type Lock =
  | { kind: "point"; body: number; at: Point } // a point of a body stays where it is
  | { kind: "angle"; body: number } // a body does not turn
  | { kind: "length"; body: number; at: Point; other: number; other_at: Point }; // the distance of two points stays

export interface DragOptions {
  /** Drivers that stay in force.  All others are left out, since a motor would hold what is to be dragged. */
  drivers?: readonly string[];
  /** Poses to begin at; default: the assembled start. */
  from?: Float64Array;
}

export interface DragState {
  poses: Float64Array;
  /** How far the dragged point has stayed away from its target [m]: constraints do not let it come nearer. */
  distance: number;
  /** The largest gap of a joint, lengths in m, angles in rad: of the size of rounding. */
  violation: number;
  /** Steps of the path from where it was, and time of the solver. */
  steps: number;
  milliseconds: number;
}

/** A mechanism that follows the pointer.  It moves in small steps, so that it stays on its branch, and of all positions that
 * the constraints allow takes those nearest to where it was. */
export interface DragSession {
  readonly dim: 2 | 3;
  /** Names of the bodies; body k is bodies[k - 1]. */
  readonly bodies: readonly string[];
  /** The poses at present. */
  readonly poses: Float64Array;
  /** Pulls a point of a body towards a target in global axes. */
  drag(body: number, at: Point, target: Point, locks?: readonly Lock[]): Promise<DragState>;
  /** Turns a body by an angle [rad] about the global axis z, as a handle does. */
  turn(body: number, angle: number, locks?: readonly Lock[]): Promise<DragState>;
  /** Begins anew at these poses, after closing their gaps. */
  place(poses: Float64Array): Promise<DragState>;
  close(): void;
}

// ---------------------------------------------------------------------------------------------- stepping in time

export interface StepState {
  t: number;
  poses: Float64Array;
  /** False where the motion cannot go on, and why. */
  ok: boolean;
  why: string;
  /** What happened on the way: touches, singular positions, ... */
  events: ResultEvent[];
  /** Values of the channels that were asked for, in their order. */
  values: Float64Array;
  /** The force of the hand [N], global axes. */
  hand: Point;
  milliseconds: number;
}

export interface StepOptions {
  /** Channels to read at every call of advance(). */
  channels?: readonly string[];
}

/** A hand that pulls a point of a body with a spring and a damper. */
export interface Hand {
  body: number;
  at: Point;
  /** Where the hand is, in global axes. */
  target: Point;
  /** [N/m] and [N s/m]; chosen to suit the body where they are left out. */
  stiffness?: number;
  damping?: number;
}

/** A motion that is advanced as its page is drawn. */
export interface StepSession {
  readonly dim: 2 | 3;
  readonly bodies: readonly string[];
  /** Names of the inputs, and of all channels with their units. */
  readonly inputs: readonly string[];
  readonly channels: readonly { name: string; unit: string }[];
  /** Goes on by dt [s]. */
  advance(dt: number): Promise<StepState>;
  /** Takes hold of a point, or moves the hand that holds it; null lets go. */
  hand(hand: Hand | null): Promise<void>;
  /** Sets an input from now on. */
  set(input: string, value: number): Promise<void>;
  /** Back to the start. */
  reset(): Promise<StepState>;
  close(): void;
}

// --------------------------------------------------------------------------------------- pictures, files, elements

export interface PictureOptions {
  /** Bodies in poses other than the start's. */
  poses?: Float64Array;
  /** Names of pins and points; default true. */
  labels?: boolean;
}

export interface Pictures {
  /** The mechanism at its start, and the graph of its bodies and joints, as SVG. */
  svg: string;
  topology: string;
}

/** A file that was made. */
export interface MadeFile {
  name: string;
  text: string;
}

/** A key of an element. */
export interface FieldInfo {
  name: string;
  type: string;
  unit: string;
  /** The value if the key is left out; null if it must not be. */
  default: string | null;
  meaning: string;
}

/** A kind of element, as `mubody list --format json` gives it. */
export interface KindInfo {
  name: string;
  summary: string;
  fields: FieldInfo[];
  [fact: string]: unknown;
}

/** The registry by category: "bodies", "joints", "drivers", "forces", "laws", "functions", ..., "analyses". */
export type Elements = Record<string, KindInfo[]>;

/** A text with a unit, such as "60 deg", as a number in SI units, or why it is none. */
export type Converted = { value: number } | { message: string };

/** The library in a page.  Calls are answered in their order; runs have a worker of their own, so that dragging and checking
 * go on meanwhile. */
export interface Mubody {
  readonly version: string;
  check(source: Source): Promise<Checked>;
  run(source: Source, options?: RunOptions, onProgress?: OnProgress): Running<RunResult>;
  drag(source: Source, options?: DragOptions): Promise<DragSession>;
  simulate(source: Source, options?: StepOptions): Promise<StepSession>;
  pictures(source: Source, options?: PictureOptions): Promise<Pictures>;
  /** The motion as a binary glTF file, after a run of the model. */
  gltf(source: Source, options?: RunOptions): Running<Uint8Array>;
  /** C of the model: a header and a source. */
  emit(source: Source, name?: string): Running<MadeFile[]>;
  /** The tables of a mechanism as a real-time file, and what was found out about them. */
  precompute(source: Source, onProgress?: OnProgress): Running<{ file: Uint8Array; report: unknown }>;
  /** The report of a run as an HTML file; the templates of its pages must have been given to loadMubody(). */
  report(source: Source, options?: RunOptions, onProgress?: OnProgress): Running<string>;
  elements(): Promise<Elements>;
  /** The JSON Schema of model files; null as long as the library has none. */
  schema(): Promise<object | null>;
  /** Reads a value with its unit, as in a model file, as a number in the unit `si`, as in "rad". */
  convert(text: string, si: string): Promise<Converted>;
  /** A model in MUBODYNA's format as TOML. */
  toml(source: Source): Promise<string>;
  /** Ends the workers. */
  close(): void;
}

/** A mistake of the user: the model cannot be what was meant. */
export interface ModelFailure extends Error {
  name: "ModelFailure";
  problems: Problem[];
}

/** A call that was stopped. */
export interface Cancelled extends Error {
  name: "Cancelled";
}

/** How the library is loaded. */
export interface LoadOptions {
  /** The module: its bytes, or a compiled one. */
  module: WebAssembly.Module | BufferSource | Promise<WebAssembly.Module | BufferSource>;
  /** Makes a worker that runs `worker.ts`, as in () => new Worker(URL.createObjectURL(blob)). */
  worker: () => Worker;
  /** The templates of reports by name ("planar", "spatial"), which build/web/NAME.html are; without them report() fails. */
  pages?: (name: string) => Promise<string>;
}

/** Declared here, made in mubody.ts. */
export type LoadMubody = (options: LoadOptions) => Promise<Mubody>;
