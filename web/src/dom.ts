// Functions that make elements of the page in one line each.

type Attributes = Record<string, string | number | boolean | ((event: any) => void) | undefined>;
type Child = Node | string | null | undefined | false;

/** h("button", {class: "x", onclick: f}, "text"). */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return element;
}

/** The same in SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number> = {}, ...children: (Node | string)[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Rows of cells; numbers are aligned right. */
export function table(head: string[], rows: (string | Node)[][], numeric: number[] = []): HTMLElement {
  const kind = (k: number) => (numeric.includes(k) ? "number" : undefined);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `table: ${head.join(", ")}` },
    h("table", { class: head.length > 6 ? "many" : undefined },
      h("thead", {}, h("tr", {}, ...head.map((text, k) => h("th", { scope: "col", class: kind(k) }, text)))),
      h("tbody", {}, ...rows.map((cells) => h("tr", {}, ...cells.map((cell, k) => h("td", { class: kind(k) }, cell)))))));
}

/** A toggle that looks like a button. */
export function toggle(text: string, title: string, on: boolean, changed: (on: boolean) => void): HTMLButtonElement {
  const button = h("button", { type: "button", class: "chip", title, "aria-pressed": String(on) }, text);
  button.addEventListener("click", () => {
    const now = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(now));
    changed(now);
  });
  return button;
}

/** Moves what has been opened to the left, as far as it would stick out of the window. */
function keepInside(body: HTMLElement) {
  body.style.translate = "";
  const { left, right } = body.getBoundingClientRect();
  const beyond = Math.min(right + 8 - document.documentElement.clientWidth, left - 8);
  if (beyond > 0) body.style.translate = `${-beyond}px`;
}

/** A menu that opens below a button; it closes with Escape and with a click elsewhere. */
export function menu(text: string, title: string, content: Node): HTMLDetailsElement {
  const body = h("div", { class: "menu-body" }, content);
  const details = h("details", { class: "menu" }, h("summary", { class: "chip", title }, text), body);
  details.addEventListener("toggle", () => details.open && keepInside(body));
  // What is clicked may keep the event for itself, as canvases and dividers do.
  document.addEventListener("pointerdown", (e) => {
    if (!details.contains(e.target as Node)) details.open = false;
  }, true);
  details.addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return;
    details.open = false;
    details.querySelector("summary")!.focus();
  });
  return details;
}
