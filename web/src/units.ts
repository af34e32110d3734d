// The switch of units: degrees, millimetres, turns per minute.  Results stay as they are; only what is shown changes.
import type { Channels, ShownUnits, UnitSwitch } from "./data";
import { h } from "./dom";
import { unit } from "./format";

/** The units after a choice: those of the choice in place of what the switch had before. */
export function switched(units: ShownUnits, all: ShownUnits[], choice: ShownUnits): ShownUnits {
  const rest = Object.entries(units).filter(([from]) => !all.some((c) => from in c));
  return { ...Object.fromEntries(rest), ...choice };
}

/** What a switch offers: the units of the program first, then its own, and what the model asks for if it is none of them. */
export function choicesOf(s: UnitSwitch, units: ShownUnits): ShownUnits[] {
  const all: ShownUnits[] = [{}, ...s.choices];
  const asked = units[s.unit];
  if (asked && !s.choices.some((c) => c[s.unit].unit === asked.unit)) {
    const family = new Set(s.choices.flatMap((c) => Object.keys(c)));
    all.push(Object.fromEntries(Object.entries(units).filter(([from]) => family.has(from))));
  }
  return all;
}

export function unitSwitches(switches: UnitSwitch[], channels: Channels): HTMLElement[] {
  return switches.map((s) => {
    const choices = choicesOf(s, channels.shownUnits);
    const now = channels.shownUnits[s.unit]?.unit ?? s.unit;
    const select = h("select", { "aria-label": `unit of ${s.label}`, title: `unit of ${s.label}`, class: "unit-switch" },
      ...choices.map((c, k) => {
        const name = c[s.unit]?.unit ?? s.unit;
        return h("option", { value: k, selected: name === now }, unit(name));
      }));
    select.addEventListener("change", () => (channels.shownUnits = switched(channels.shownUnits, choices, choices[Number(select.value)])));
    return select;
  });
}
