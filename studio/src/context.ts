// What the panels of the studio share.
import type { Motion } from "../../web/src/motion";
import type { Scene } from "../../web/src/data";
import type { Pen } from "../../web/src/plane_shapes";
import type { Files } from "../../wasm/interface";
import type { Commands } from "./commands";
import type { ModelDocument } from "./document";
import type { Signal } from "./signal";
import type { Beside } from "./store";
import type { CheckedText, Library, RanText } from "./solver";

/** Something of the model, by the section of the text and its name there. */
export interface Item {
  section: string;
  name: string;
}

/** What the canvas shows in place of the start: a row of a motion. */
export interface Shown {
  scene: Scene;
  motion: Motion;
  row: number;
}

/** Something drawn over the mechanism: arrows, paths, ghosts.  `to` of the pen takes points in global axes. */
export interface Overlay {
  id: string;
  /** Under the bodies, or over them. */
  under?: boolean;
  draw(pen: Pen): void;
}

export interface Context {
  document: ModelDocument;
  /** Files that the model reads, by their names relative to it. */
  files: Signal<Files>;
  /** What the browser keeps beside the text and its files. */
  beside: Beside;
  library: Library;
  /** The newest answer of the program; `text` in it says about which text. */
  checked: Signal<CheckedText | undefined>;
  /** The newest run, first without the digits that can be trusted, and then with them. */
  ran: Signal<RanText | undefined>;
  /** From 0 to 1 while a run is under way. */
  progress: Signal<number | undefined>;
  /** Set by whoever plays a motion, for the canvas and the view in space; undefined while the start is shown. */
  shown: Signal<Shown | undefined>;
  overlays: Signal<readonly Overlay[]>;
  selection: Signal<readonly Item[]>;
  dark: Signal<boolean>;
  /** The keys and the menu of commands. */
  commands: Commands;
  /** A short message at the foot of the page; screen readers say it. */
  say(message: string): void;
  /** Brings a panel to the front. */
  show(panel: string): void;
}

/** A part of the page.  One file in panels/ exports one as `panel`; the build finds it there. */
export interface Panel {
  id: string;
  title: string;
  /** stage: large, at the left; side: at the right; below: under both, tabs; transport: a bar without tabs; bar: in the head. */
  place: "stage" | "side" | "below" | "transport" | "bar";
  /** Tabs and bars are in this order. */
  order: number;
  mount(host: HTMLElement, context: Context): void;
}
