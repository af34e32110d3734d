// What is drawn on the canvas, as text: places, bodies, and the joints that follow from where bodies meet.
import { Editing } from "./editing";
import { freshName, freshPlace, takenNames } from "./names";
import { bodiesAt, pinsAt, usualUnit, type Xy, writtenPlace } from "./sketch";
import { literal, quantityText } from "./units";
import { arrayText, numberText, quoted, tableText } from "../toml/write";

/** The unit in which new lengths are written. */
export const unitOf = (e: Editing) => usualUnit(e.toml) ?? "mm";

export const xyText = (e: Editing, [x, y]: Xy, unit = unitOf(e)) => arrayText([quantityText(x, unit), quantityText(y, unit)]);
export const lengthText = (e: Editing, length: number) => quantityText(length, unitOf(e));
export const directionText = ([x, y]: Xy) => arrayText([numberText(x, 8), numberText(y, 8)]);
const namesText = (names: readonly string[]) => arrayText(names.map(quoted));

/** A model that nothing was drawn into begins with its sections in the usual order. */
export const emptyModel = `# Drawn in the studio.
name = "my mechanism"
gravity = [0, -9.81]

[places]

[bodies]

[joints]

[analysis]
type = "forward"
end = 4

[output]
step = 0.01
`;

/** A text without bodies and places is replaced by the usual frame of a model. */
export function begun(text: string): Editing {
  if (text.trim()) return new Editing(text);
  const editing = new Editing("");
  editing.make([{ from: 0, to: 0, insert: emptyModel }]);
  return editing;
}

export function addPlace(e: Editing, at: Xy, name = freshPlace(e.toml)): string {
  e.add(["places", name], xyText(e, at));
  return name;
}

/** The places without those that lie where an earlier one does; all of them if fewer than two would be left. */
function apart(e: Editing, places: readonly string[]): readonly string[] {
  const at = places.map((p) => writtenPlace(e.toml, p)?.join());
  const left = places.filter((_, k) => at[k] === undefined || at.indexOf(at[k]) === k);
  return left.length > 1 ? left : places;
}

/** A rod through two places, or a plate through more. */
export function addBody(e: Editing, places: readonly string[], more: readonly (readonly [string, string])[] = [["mass", "1"]]): string {
  const name = freshName(e.toml, "link");
  const corners = apart(e, places);
  e.add(["bodies", name], tableText([["through", namesText(corners)], ...more]));
  for (const place of corners) joinAt(e, place);
  return name;
}

/** Puts a place on the ground; what goes through it is pinned there. */
export function addGround(e: Editing, place: string) {
  const through = e.node("bodies", "ground", "through");
  if (bodiesAt(e.toml, place).through.includes("ground")) return;
  if (through?.kind === "array") e.addItem(through, quoted(place));
  else if (e.table("bodies", "ground")) e.add(["bodies", "ground", "through"], namesText([place]));
  else addFirst(e, "bodies", "ground", tableText([["through", namesText([place])]]));
  joinAt(e, place);
}

/** Adds an element before all others of its section. */
function addFirst(e: Editing, section: string, name: string, value: string) {
  const first = e.table(section)?.sections[0]?.entries[0];
  if (!first) return e.add([section, name], value);
  e.make([{ from: first.from, to: first.from, insert: `${name} = ${value}\n` }]);
}

/** Where several bodies meet there is a pin, unless something holds them already.  `also` is a body that lies there without
 * going through the place. */
export function joinAt(e: Editing, place: string, also?: string) {
  const { through, shaped } = bodiesAt(e.toml, place);
  const others = also === undefined || [...through, ...shaped].includes(also) ? shaped : [...shaped, also];
  const all = [...through, ...others];
  if (all.length < 2) return;
  const there = pinsAt(e.toml, place);
  const held = new Set(there.flatMap((p) => p.bodies ?? through));
  const loose = all.filter((b) => !held.has(b));
  if (!loose.length) return;
  const named = there.find((p) => p.bodies && !p.listed);
  if (named)
    for (const body of loose) {
      const list = e.node("joints", named.joint, "bodies");
      if (list?.kind === "array") e.addItem(list, quoted(body));
    }
  else if (there.length || others.length) addPin(e, place, there.length ? [[...held][0], ...loose] : all);
  else addPin(e, place);
}

/** A pin named after its place if the name is free; without bodies it is for all that go through. */
function addPin(e: Editing, place: string, bodies?: readonly string[]) {
  const free = !takenNames(e.toml).has(place);
  const entries: [string, string][] = [["type", quoted("revolute")]];
  if (bodies) entries.push(["bodies", namesText(bodies)]);
  if (!free) entries.push(["at", quoted(place)]);
  e.add(["joints", free ? place : freshName(e.toml, "pin")], tableText(entries));
}

/** A block that slides on the ground along a direction, pinned to what goes through the place. */
export function addSlider(e: Editing, place: string, direction: Xy, size: number): string {
  const name = freshName(e.toml, "slider");
  const angle = Math.atan2(direction[1], direction[0]);
  const entries: [string, string][] = [["shape", quoted("box")], ["at", quoted(place)], ["length", lengthText(e, size)], ["width", lengthText(e, 0.6 * size)],
    ["thickness", lengthText(e, 0.5 * size)], ["mass", "1"]];
  if (angle !== 0) entries.push(["angle", quoted(`${numberText((angle * 180) / Math.PI, 8)} deg`)]);
  e.add(["bodies", name], tableText(entries));
  e.add(["joints", freshName(e.toml, "guide")], tableText([["type", quoted("translational")], ["bodies", namesText(["ground", name])], ["at", quoted(place)], ["axis", directionText(direction)]]));
  joinAt(e, place);
  return name;
}

/** The body of a place that moves, if there is one. */
export function movingAt(e: Editing, place: string, not?: string): string | undefined {
  const { through, shaped } = bodiesAt(e.toml, place);
  return [...through, ...shaped].find((b) => b !== "ground" && b !== not);
}

/** A pin of the body at the place that runs in a straight slot of another body. */
export function addSlot(e: Editing, place: string, direction: Xy, slotted: string): string | undefined {
  const body = movingAt(e, place, slotted);
  if (!body) return undefined;
  const name = freshName(e.toml, "slot");
  e.add(["joints", name], tableText([["type", quoted("slot")], ["bodies", namesText([slotted, body])], ["at", quoted(place)], ["axis", directionText(direction)]]));
  return name;
}

export function addDisc(e: Editing, place: string, radius: number): string {
  const name = freshName(e.toml, "disc");
  e.add(["bodies", name], tableText([["shape", quoted("cylinder")], ["at", quoted(place)], ["radius", lengthText(e, radius)], ["width", lengthText(e, radius / 4)], ["mass", "1"]]));
  joinAt(e, place);
  return name;
}

/** Radii of two wheels that touch each other: those of the wheels that are there, as far as they fit between the centres. */
function radiiThatTouch([i, j]: readonly (number | undefined)[], distance: number): [number, number] {
  if (i && j) return [(distance * i) / (i + j), (distance * j) / (i + j)];
  if (i && i < distance) return [i, distance - i];
  if (j && j < distance) return [distance - j, j];
  return [distance / 2, distance / 2];
}

/** Two wheels on the ground that roll on each other; where there is a disc already it becomes one of them, as large as it is. */
export function addGear(e: Editing, a: string, b: string, distance: number): string {
  const places = [a, b];
  const there = places.map((place) => bodiesAt(e.toml, place).shaped.find((n) => e.table("bodies", n)?.text("shape") === "cylinder"));
  const radii = radiiThatTouch(there.map((n) => n && literal(e.node("bodies", n, "radius"))?.value) as (number | undefined)[], distance);
  const wheels = places.map((place, k) => {
    const wheel = there[k] ?? addDisc(e, place, radii[k]);
    addGround(e, place);
    return wheel;
  });
  const name = freshName(e.toml, "gear");
  const [ri, rj] = radii.map((r) => lengthText(e, r));
  e.add(["joints", name], tableText([["type", quoted("gear")], ["bodies", namesText(wheels)], ["i", quoted(a)], ["j", quoted(b)], ["radius_i", ri], ["radius_j", rj]]));
  return name;
}

/** Between two places of different bodies; undefined if both are on one. */
export function addSpring(e: Editing, a: string, b: string, values: readonly (readonly [string, string])[], stem: string, on: { a?: string; b?: string } = {}): string | undefined {
  const grounded = (place: string) => bodiesAt(e.toml, place).through.includes("ground");
  const first = grounded(a) ? "ground" : movingAt(e, a) ?? on.a ?? "ground";
  const second = (grounded(b) && first !== "ground" ? "ground" : undefined) ?? movingAt(e, b, first) ?? on.b ?? (first === "ground" ? undefined : "ground");
  if (!second || first === second) return undefined;
  const name = freshName(e.toml, stem);
  e.add(["forces", name], tableText([["type", quoted("spring")], ["bodies", namesText([first, second])], ["i", quoted(a)], ["j", quoted(b)], ...values]));
  return name;
}

/** Turns a pin evenly, at a speed that is a parameter; the angle counts from where it stands at the start. */
export function addMotor(e: Editing, place: string, rpm: string): string | undefined {
  const { through, shaped } = bodiesAt(e.toml, place);
  const bodies = [...through, ...shaped].slice(0, 2);
  if (bodies.length < 2 || !pinsAt(e.toml, place).length) return undefined;
  const speed = freshName(e.toml, "speed");
  e.add(["parameters", speed], quoted(rpm));
  const name = freshName(e.toml, "motor");
  e.add(["drivers", name], tableText([["type", quoted("angle")], ["bodies", namesText(bodies)], ["at", quoted(place)], ["axis", "[1, 0]"], ["value", quoted(`= ${speed}*t`)]]));
  return name;
}

export function addForce(e: Editing, place: string, force: Xy, body = movingAt(e, place)): string | undefined {
  if (!body) return undefined;
  const name = freshName(e.toml, "force");
  e.add(["forces", name], tableText([["type", quoted("force")], ["body", quoted(body)], ["at", quoted(place)], ["force", directionText(force)]]));
  return name;
}

/** The place to which a pointer has snapped, or a new one there. */
export const placeFor = (e: Editing, at: { at: Xy; place?: string }) => at.place ?? addPlace(e, at.at);

/** A point whose path is drawn. */
export function addTracer(e: Editing, place: string, body = movingAt(e, place)): string | undefined {
  if (!body) return undefined;
  const name = takenNames(e.toml).has(place) ? freshName(e.toml, "point") : place;
  e.add(["points", name], tableText([["body", quoted(body)], ["at", quoted(place)]]));
  return name;
}
