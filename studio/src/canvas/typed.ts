// A small field at the pointer, in which lengths and angles are typed.
import { h } from "../../../web/src/dom";
import type { Point } from "../../../web/src/plane_shapes";

export interface Ask {
  at: Point;
  label: string;
  value: string;
  hint?: string;
  /** False if the text is not understood: the field stays. */
  done(text: string): boolean;
}

/** Opens the field; Enter takes what is typed, Escape and a click elsewhere give it up. */
export function ask(host: HTMLElement, { at, label, value, hint, done }: Ask) {
  host.querySelector(".typed")?.remove();
  const input = h("input", { type: "text", class: "typed-input", value, "aria-label": label, size: 12, spellcheck: "false" });
  const field = h("div", { class: "typed" }, h("label", {}, h("span", {}, label), input), hint ? h("span", { class: "soft" }, hint) : null);
  field.style.left = `${Math.max(6, Math.min(host.clientWidth - 190, at[0] + 14))}px`;
  field.style.top = `${Math.max(6, Math.min(host.clientHeight - 70, at[1] + 14))}px`;
  const close = () => {
    if (!field.isConnected) return;
    field.remove();
    (host.querySelector("canvas") as HTMLElement | null)?.focus();
  };
  input.addEventListener("keydown", (e) => {
    e.stopPropagation();
    if (e.key === "Escape") close();
    if (e.key !== "Enter") return;
    if (done(input.value)) close();
    else input.setAttribute("aria-invalid", "true");
  });
  input.addEventListener("blur", () => setTimeout(close, 150));
  host.append(field);
  input.focus();
  if (value.length > 1) input.select();
  else input.setSelectionRange(value.length, value.length);
}
