// Moving, removing, renaming and copying what a model has.
import { becomeBar } from "./masses";
import type { Item } from "../context";
import type { Editing } from "./editing";
import { addBody, joinAt, unitOf, xyText } from "./draw";
import { distancesFrom, freshName, freshPlace, standsAtItsName, takenNames, texts, usesOf } from "./names";
import { bodiesAt, literalXy, namesIn, pinsAt, sketchedBodies, type Xy } from "./sketch";
import { literal, quantityText } from "./units";
import { numberText, quoted, tableText } from "../toml/write";

/** Moves a place; false if it is given by a formula, which is changed in the text. */
export function movePlace(e: Editing, name: string, to: Xy): boolean {
  const node = e.node("places", name);
  const written = literalXy(node);
  if (written && node?.kind === "array") {
    // Components that stay keep their characters.
    for (const k of [0, 1]) {
      const item = (e.node("places", name) as typeof node).items[k];
      const { value } = written[k];
      // A zero is written without a unit; it gets that of the others.
      const unit = written[k].unit || (value === 0 ? written[1 - k].unit || unitOf(e) : "");
      if (Math.abs(value - to[k]) > 1e-12 * Math.max(1, Math.abs(value))) e.replace(item, quantityText(to[k], unit));
    }
    return true;
  }
  const near = e.slot("places", name)?.table?.node("near");
  if (literalXy(near)) {
    e.replace(near!, xyText(e, to));
    return true;
  }
  return false;
}

/** Removes the element, and what cannot be without it. */
export function removeItems(e: Editing, items: readonly Item[]) {
  for (const { section, name } of items) {
    if (section === "places") removePlace(e, name);
    else if (section === "bodies") removeBody(e, name);
    else if (e.slot(section, name)) removeElement(e, section, name);
  }
}

/** The elements that use a name, each once. */
function usersOf(e: Editing, section: string, name: string): { section: string; element: string; key: string }[] {
  const found = new Map<string, { section: string; element: string; key: string }>();
  for (const { path, key } of usesOf(e.toml, section, name)) found.set(`${path[0]} ${path[1]} ${key}`, { section: path[0], element: path[1], key });
  return [...found.values()];
}

/** Takes a name out of a list of names. */
function dropFromList(e: Editing, path: readonly string[], name: string) {
  for (;;) {
    const node = e.node(...path);
    if (node?.kind !== "array") return;
    const k = node.items.findIndex((n) => n.kind === "string" && n.value === name);
    if (k < 0) return;
    e.removeItem(node, k);
  }
}

/** Texts such as "crank.angle" in the lists of the analysis, the output and the report. */
function dropChannels(e: Editing, name: string) {
  for (;;) {
    const found = texts(e.toml).find(({ path, node }) => path.length === 2 && ["analysis", "output", "report"].includes(path[0]) && (node.value === name || node.value.startsWith(`${name}.`)));
    if (!found) return;
    const node = e.node(...found.path);
    if (node?.kind !== "array") return e.remove(found.path);
    const k = node.items.findIndex((n) => n.from === found.node.from);
    if (k < 0) return;
    e.removeItem(node, k);
  }
}

/** A joint, driver, force or point, with what refers to it. */
function removeElement(e: Editing, section: string, name: string) {
  const places = section === "joints" ? namesIn(e.node(section, name, "at")) : [];
  e.remove([section, name]);
  dropChannels(e, name);
  if (section === "joints" || section === "markers") removeUsers(e, section, name);
  // Joints of a list are named after their places.
  if (section === "joints") for (const place of places) if (!e.slot("joints", place)) removeUsers(e, "joints", place);
}

function removeUsers(e: Editing, section: string, name: string) {
  for (const user of usersOf(e, section, name)) {
    if (!e.slot(user.section, user.element)) continue;
    if (user.section === "analysis") dropFromList(e, [user.section, user.element], name);
    else removeElement(e, user.section, user.element);
  }
}

function removeBody(e: Editing, name: string) {
  const body = sketchedBodies(e.toml).find((b) => b.name === name);
  if (!body) return;
  const places = [...new Set([...body.through, ...(body.at ? [body.at] : [])])];
  for (const { section, element, key } of usersOf(e, "bodies", name)) {
    if (!e.slot(section, element)) continue;
    const list = e.node(section, element, key);
    if (section === "joints" && list?.kind === "array" && list.items.length > 2) dropFromList(e, [section, element, key], name);
    // Elements between the ground as such and others do not need places on it.
    else if (name !== "ground") removeElement(e, section, element);
  }
  if (name !== "ground") dropChannels(e, name);
  e.remove(["bodies", name]);
  for (const place of places) {
    unpin(e, place);
    if (e.slot("places", place) && !isUsed(e, place)) e.remove(["places", place]);
  }
}

const isUsed = (e: Editing, place: string) => usesOf(e.toml, "places", place).length > 0 || distancesFrom(e.toml, place).length > 0 || pinsAt(e.toml, place).length > 0;

/** Removes pins of a place where fewer than two bodies meet. */
function unpin(e: Editing, place: string) {
  for (const pin of pinsAt(e.toml, place)) {
    if (pin.bodies || bodiesAt(e.toml, place).through.length >= 2) continue;
    removePin(e, pin.joint, place);
  }
}

/** Takes a place out of a joint that stands at several, or removes the joint. */
export function removePin(e: Editing, joint: string, place: string) {
  const at = e.node("joints", joint, "at");
  if (at?.kind !== "array" || at.items.length < 2) return removeElement(e, "joints", joint);
  dropFromList(e, ["joints", joint, "at"], place);
  removeUsers(e, "joints", place);
}

function removePlace(e: Editing, name: string) {
  for (const body of sketchedBodies(e.toml)) {
    const left = body.through.filter((p) => p !== name);
    if (left.length === body.through.length && body.at !== name) continue;
    if (body.name === "ground" ? left.length >= 1 : left.length >= 2) dropFromList(e, ["bodies", body.name, "through"], name);
    else removeBody(e, body.name);
    const table = e.table("bodies", body.name);
    if (left.length === 2 && table?.get("thickness") && !table.get("shape")) becomeBar(e, body.name, left);
  }
  for (const pin of pinsAt(e.toml, name)) removePin(e, pin.joint, name);
  for (const { section, element } of usersOf(e, "places", name)) {
    if (!e.slot(section, element)) continue;
    if (section === "places") removePlace(e, element);
    else if (section === "bodies") removeBody(e, element);
    else removeElement(e, section, element);
  }
  for (const { place } of distancesFrom(e.toml, name)) removePlace(e, place);
  e.remove(["places", name]);
}

/** A new name everywhere: where it is defined, where it is used, and in formulas and channels. */
export function renameItem(e: Editing, { section, name }: Item, to: string) {
  // A pin that stands at the place of its name goes with the place, and stays there if it gets a name of its own.
  const joint = e.table("joints", name);
  const atName = joint !== undefined && standsAtItsName(joint);
  if (section === "joints" && atName) e.add(["joints", name, "at"], quoted(name));
  for (;;) {
    const use = usesOf(e.toml, section, name)[0];
    if (!use) break;
    e.replace(use.node, quoted(to));
  }
  // Each change moves what follows, so the next one is looked for anew.
  for (let given = section === "places" && distancesFrom(e.toml, name)[0]; given; given = distancesFrom(e.toml, name)[0]) e.renameKey(given.table.get(name)!, to);
  if (section !== "places") renameInTexts(e, name, to);
  const slot = e.slot(section, name);
  if (slot) e.renameKey(slot, to);
  if (section === "places" && atName && takenNames(e.toml).has(to)) e.add(["joints", name, "at"], quoted(to));
  else if (section === "places" && atName) {
    renameItem(e, { section: "joints", name }, to);
    e.remove(["joints", to, "at"]);
  }
}

/** crank.angle in formulas and in lists of channels. */
function renameInTexts(e: Editing, name: string, to: string) {
  const word = new RegExp(`(?<![A-Za-z0-9_.-])${name.replace(/[-]/g, "\\$&")}(?=\\.[A-Za-z_])`, "g");
  const seen = (text: string) => text.replace(word, to);
  for (;;) {
    const use = texts(e.toml).find(({ path, node }) => path[0] !== "name" && seen(node.value) !== node.value);
    if (!use) return;
    e.replace(use.node, quoted(seen(use.node.value)));
  }
}

/** Bodies once more, with places of their own that are shifted; the new bodies. */
export function copyBodies(e: Editing, bodies: readonly string[], shift: Xy, placeAt: (name: string) => Xy | undefined): string[] {
  const twin = new Map<string, string>();
  const chosen = sketchedBodies(e.toml).filter((b) => bodies.includes(b.name) && b.name !== "ground" && (b.through.length || b.at));
  for (const body of chosen)
    for (const place of [...body.through, ...(body.at ? [body.at] : [])]) {
      const at = placeAt(place);
      if (twin.has(place) || !at) continue;
      const name = freshPlace(e.toml);
      twin.set(place, name);
      e.add(["places", name], xyText(e, [at[0] + shift[0], at[1] + shift[1]]));
    }
  return chosen.flatMap(({ name, through, at }) => {
    const table = e.table("bodies", name)!;
    const rest = [...table.slots.values()].filter((s) => s.node && s.name !== "through" && s.name !== "at")
      .map((s): [string, string] => [s.name, e.text.slice(s.node!.from, s.node!.to).replace(/"([^"]*)"/g, (whole, word: string) => (twin.has(word) ? quoted(twin.get(word)!) : whole))]);
    if ([...through, ...(at ? [at] : [])].some((p) => !twin.has(p))) return [];
    if (through.length) return [addBody(e, through.map((p) => twin.get(p)!), rest)];
    const copy = freshName(e.toml, "body");
    e.add(["bodies", copy], tableText([["at", quoted(twin.get(at!)!)], ...rest]));
    joinAt(e, twin.get(at!)!);
    return [copy];
  });
}

/** The direction of an element, which is written in global axes. */
export function setDirection(e: Editing, section: string, name: string, [x, y]: Xy) {
  const axis = e.node(section, name, "axis");
  if (axis) e.replace(axis, `[${numberText(x, 8)}, ${numberText(y, 8)}]`);
}

/** Writes where bodies stand: for those whose position and angle are numbers. */
export function poseBody(e: Editing, name: string, [x, y, angle]: readonly number[]) {
  const position = e.node("bodies", name, "position");
  const written = literalXy(position);
  if (written && position) e.replace(position, `[${quantityText(x, written[0].unit)}, ${quantityText(y, written[1].unit)}]`);
  const turn = e.node("bodies", name, "angle");
  const quantity = turn && literal(turn, { rad: 1, deg: Math.PI / 180 });
  if (quantity) e.replace(turn, quantityText(angle, quantity.unit, { rad: 1, deg: Math.PI / 180 }));
}
