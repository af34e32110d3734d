// Reads TOML 1.0 with the place of every key and value, so that an edit can change a few characters and nothing else.
//
//   https://toml.io/en/v1.0.0
//
// Places are offsets in the text; an interval ends before `to`.

export interface Span {
  from: number;
  to: number;
}
export interface Key extends Span {
  name: string;
}
/** key = value, or a.b.c = value. */
export interface Entry extends Span {
  path: Key[];
  value: Node;
}
export type Scalar = Span & ({ kind: "string"; value: string } | { kind: "number"; value: number } | { kind: "boolean"; value: boolean } | { kind: "date"; value: string });
export type ArrayNode = Span & { kind: "array"; items: Node[] };
export type InlineNode = Span & { kind: "inline"; entries: Entry[] };
export type Node = Scalar | ArrayNode | InlineNode;

/** What stands under a header [a.b] or, without one, at the beginning of the file. */
export interface Section extends Span {
  header: (Span & { path: Key[]; array: boolean }) | undefined;
  entries: Entry[];
}

export class TomlError extends Error {
  override name = "TomlError";
  constructor(readonly at: number, message: string) {
    super(message);
  }
}

const bareKey = /[A-Za-z0-9_-]/;
const number = /^[+-]?(?:inf|nan|0x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*|(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?)$/;
const date = /^(?:\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?)$/;
const escapes: Record<string, string> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", '"': '"', "\\": "\\" };

class Reader {
  at = 0;
  constructor(readonly text: string) {}

  fail(message: string, at = this.at): never {
    throw new TomlError(at, message);
  }
  private get c(): string {
    return this.text[this.at] ?? "";
  }
  private take(word: string) {
    if (!this.text.startsWith(word, this.at)) this.fail(`expected ${word}`);
    this.at += word.length;
  }
  private blanks() {
    while (this.c === " " || this.c === "\t") ++this.at;
  }
  private comment() {
    if (this.c !== "#") return;
    const end = this.text.indexOf("\n", this.at);
    const words = this.text.slice(this.at, end < 0 ? undefined : end).replace(/\r$/, "");
    const bad = words.search(/[\0-\x08\x0b-\x1f\x7f]/);
    if (bad >= 0) this.fail("control characters are not allowed in comments", this.at + bad);
    this.at += words.length;
  }
  /** Blanks, comments and ends of lines. */
  private space() {
    for (;;) {
      this.blanks();
      this.comment();
      if (this.c === "\n") ++this.at;
      else if (this.text.startsWith("\r\n", this.at)) this.at += 2;
      else return;
    }
  }
  private endOfLine() {
    this.blanks();
    this.comment();
    if (this.at >= this.text.length) return;
    if (this.text.startsWith("\r\n", this.at)) this.at += 2;
    else if (this.c === "\n") ++this.at;
    else this.fail("expected the end of the line");
  }

  private key(): Key {
    const from = this.at;
    if (this.c === '"' || this.c === "'") {
      if (this.text.startsWith('"""', from) || this.text.startsWith("'''", from)) this.fail("a key has one line");
      const name = this.c === '"' ? this.basic() : this.literal();
      return { name, from, to: this.at };
    }
    while (bareKey.test(this.c)) ++this.at;
    if (this.at === from) this.fail("expected a key");
    return { name: this.text.slice(from, this.at), from, to: this.at };
  }
  private path(): Key[] {
    const keys = [this.key()];
    for (;;) {
      const end = this.at;
      this.blanks();
      if (this.c !== ".") {
        this.at = end;
        return keys;
      }
      ++this.at;
      this.blanks();
      keys.push(this.key());
    }
  }
  private entry(): Entry {
    const path = this.path();
    this.blanks();
    this.take("=");
    this.blanks();
    const value = this.value();
    return { path, value, from: path[0].from, to: value.to };
  }

  private value(): Node {
    const from = this.at;
    switch (this.c) {
      case '"':
        return { kind: "string", value: this.text.startsWith('"""', from) ? this.long('"') : this.basic(), from, to: this.at };
      case "'":
        return { kind: "string", value: this.text.startsWith("'''", from) ? this.long("'") : this.literal(), from, to: this.at };
      case "[":
        return this.array();
      case "{":
        return this.inline();
      default:
        return this.word();
    }
  }
  private word(): Scalar {
    const from = this.at;
    while (/[A-Za-z0-9_+.:-]/.test(this.c)) ++this.at;
    // A date and its time may be separated by a blank.
    if (/^\d{4}-\d\d-\d\d$/.test(this.text.slice(from, this.at)) && /^ \d\d:/.test(this.text.slice(this.at, this.at + 4))) {
      ++this.at;
      while (/[0-9:.Zz+-]/.test(this.c)) ++this.at;
    }
    const word = this.text.slice(from, this.at);
    const span = { from, to: this.at };
    if (word === "true" || word === "false") return { kind: "boolean", value: word === "true", ...span };
    if (number.test(word)) return { kind: "number", value: numberOf(word), ...span };
    if (date.test(word)) return { kind: "date", value: word, ...span };
    return this.fail(word ? `${word} is no value; texts stand in quotation marks` : "expected a value", from);
  }

  private character(): string {
    const { c } = this;
    if (c === "" || c === "\n" || c === "\r") this.fail("the text has no closing quotation mark");
    if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(c)) this.fail("control characters are not allowed");
    ++this.at;
    return c;
  }
  private escape(): string {
    const { c } = this;
    ++this.at;
    if (c in escapes) return escapes[c];
    const length = c === "u" ? 4 : c === "U" ? 8 : 0;
    const digits = this.text.slice(this.at, this.at + length);
    if (!length || !/^[0-9A-Fa-f]+$/.test(digits) || digits.length < length) this.fail("unknown escape", this.at - 2);
    const code = parseInt(digits, 16);
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) this.fail("no such character", this.at - 2);
    this.at += length;
    return String.fromCodePoint(code);
  }
  private basic(): string {
    let value = "";
    ++this.at;
    while (this.c !== '"') {
      const c = this.character();
      value += c === "\\" ? this.escape() : c;
    }
    ++this.at;
    return value;
  }
  private literal(): string {
    let value = "";
    ++this.at;
    while (this.c !== "'") value += this.character();
    ++this.at;
    return value;
  }
  private long(mark: string): string {
    let value = "";
    this.at += 3;
    if (this.text.startsWith("\r\n", this.at)) this.at += 2;
    else if (this.c === "\n") ++this.at;
    while (!this.text.startsWith(mark.repeat(3), this.at)) {
      if (this.at >= this.text.length) this.fail("the text has no closing quotation marks");
      if (this.c === "\n" || this.text.startsWith("\r\n", this.at)) {
        value += "\n";
        this.at += this.c === "\n" ? 1 : 2;
      } else if (mark === '"' && this.c === "\\") {
        ++this.at;
        const gap = /^[ \t]*\r?\n[ \t\r\n]*/.exec(this.text.slice(this.at));
        if (gap) this.at += gap[0].length;
        else value += this.escape();
      } else value += this.character();
    }
    this.at += 3;
    // Up to two more marks belong to the text.
    for (let more = 0; more < 2 && this.c === mark; ++more, ++this.at) value += mark;
    return value;
  }

  private array(): ArrayNode {
    const from = this.at;
    const items: Node[] = [];
    ++this.at;
    for (;;) {
      this.space();
      if (this.c === "]") break;
      items.push(this.value());
      this.space();
      if (this.c === ",") ++this.at;
      else if (this.c !== "]") this.fail("expected , or ]");
    }
    ++this.at;
    return { kind: "array", items, from, to: this.at };
  }
  private inline(): InlineNode {
    const from = this.at;
    const entries: Entry[] = [];
    ++this.at;
    this.blanks();
    while (this.c !== "}") {
      entries.push(this.entry());
      this.blanks();
      if (this.c === "}") break;
      this.take(",");
      this.blanks();
      if (this.c === "}") this.fail("a table in braces has no comma at its end");
    }
    ++this.at;
    return { kind: "inline", entries, from, to: this.at };
  }

  file(): Section[] {
    if (this.text.startsWith("\ufeff")) ++this.at;
    let section: Section = { header: undefined, entries: [], from: 0, to: 0 };
    const sections = [section];
    for (;;) {
      this.space();
      section.to = this.at;
      if (this.at >= this.text.length) return sections;
      if (this.c === "[") {
        const from = this.at;
        const array = this.text.startsWith("[[", from);
        this.take(array ? "[[" : "[");
        this.blanks();
        const path = this.path();
        this.blanks();
        this.take(array ? "]]" : "]");
        section = { header: { path, array, from, to: this.at }, entries: [], from, to: this.at };
        sections.push(section);
      } else section.entries.push(this.entry());
      this.endOfLine();
      section.to = this.at;
    }
  }
}

function numberOf(word: string): number {
  const text = word.replace(/_/g, "");
  const special = /^([+-]?)(inf|nan)$/.exec(text);
  if (special) return special[2] === "nan" ? NaN : special[1] === "-" ? -Infinity : Infinity;
  return Number(text);
}

/** The sections of a file in their order.  Throws TomlError. */
export function readToml(text: string): Section[] {
  return new Reader(text).file();
}
