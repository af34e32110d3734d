#!/usr/bin/env python3
"""Equations, sections, figures and tables that are cited exist.

Looks in documents and sources for citations of the documents in tools/citations.toml, and holds their numbers against
what is listed there.  A number belongs to the work named last before it in its paragraph ("Flores & Lankarani (2012),
sec. 8, eqs. 172-173"), to the one behind it ("Table 1 of Flores & Lankarani (2012)"), or to the one in the heading
above.  In tables under such a heading the first column has numbers of equations.  Sections by letter, as in section (g),
are those of MUBODYNA's manual.  Prints each breach as file:line and exits 1.

    tools/check_citations.py               check this tree
    tools/check_citations.py --list        print all citations that were found
    tools/check_citations.py --self-test   check that planted breaches are found
"""
import re
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INVENTORY = Path(__file__).with_name("citations.toml")
FOLDERS = ("mubody", "cli", "python", "web", "tests", "benchmarks", "examples", "docs")
TEXTS = (".md", ".h", ".c", ".cpp", ".py", ".ts", ".toml")
KINDS = {"eq": "equations", "equation": "equations", "error in": "equations", "misprint in": "equations",
         "sec": "sections", "section": "sections", "ch": "sections", "chapter": "sections",
         "fig": "figures", "figure": "figures", "tab": "tables", "table": "tables"}
NUMBER = r"\(?(?:\d+(?:\.\d+)*[a-d]?(?![\w°%]|\.\d|\s?(?:kg|m|mm|N|s|ms|rad)\b)|(?<=\()[a-z](?=\)))\)?"
ASIDE = r"(?:\s*\([^()\d][^()]*\))?"  # as in: eqs. 41 (with Φ) and 49
LIST = rf"{NUMBER}(?:{ASIDE}(?:\s*[–-]\s*|,?\s+(?:and|to|or)\s+|,\s*){NUMBER})*"
CITED = re.compile(rf"\b(eq|equation|sec|section|ch|chapter|fig|figure|tab|table|error in|misprint in)s?\b\.?\s+({LIST})",
                   re.IGNORECASE)
BY_SECTION = re.compile(r"(?<![\w.])[1-6]\.\d(?:\.\d+){1,2}[a-d]?(?![\w.]*\d)")
OTHER = re.compile(r"\(?\b(?:1[6-9]|20)\d\d[a-z]?\)")  # the year of any other publication
HEADING = re.compile(r"^#{1,6}\s+(.*)$")
COMMENT = re.compile(r"^\s*(?://+|#)\s?(.*)$")
FIRST_CELL = re.compile(rf"^\|\s*({LIST})")
PARTS = re.compile(r"(\d+(?:\.\d+)*)[a-d]?|\(([a-z])\)")
LETTERS = "Flores (2010)"


def key(number):
    return [ord(number)] if number.isalpha() else [int(part) for part in number.split(".")]


class Document:
    """What can be cited of one document."""

    def __init__(self, entry):
        self.name = entry["name"]
        self.cited = [re.compile(pattern) for pattern in entry["cited"]]
        self.by_section = entry.get("numbered_by_section", False)
        self.ranges = {}
        for kind in set(KINDS.values()):
            ends = [(r.split("-")[0], r.split("-")[-1]) for r in entry[kind]]
            self.ranges[kind] = [(key(first), key(last)) for first, last in ends]

    def has(self, kind, number):
        k = key(number)
        return any(len(k) == len(first) and k[:-1] == first[:-1] and first <= k <= last
                   for first, last in self.ranges[kind])


def inventory(path=INVENTORY):
    return [Document(entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["document"]]


def paragraphs(path, text):
    """(heading, pieces) of each paragraph: pieces are (line number, text); rows of tables stand alone."""
    heading, block = "", []
    markdown = path.suffix == ".md"
    for number, line in enumerate([*text.splitlines(), ""], 1):
        match = HEADING.match(line) if markdown else None
        comment = None if markdown else COMMENT.match(line)
        piece = (comment[1] if comment else "" if path.suffix == ".py" else line) if not markdown else line
        alone = match or line.startswith("|") or (not markdown and not comment)
        if alone or not piece.strip():
            if block:
                yield heading, block
            block = []
        if match:
            heading = match[1] if match[0].startswith("# ") or not named_in(heading) else heading
            heading = match[1] if named_in(match[1]) else heading
        if alone and piece.strip():
            yield heading, [(number, piece)]
        elif piece.strip():
            block.append((number, piece))


DOCUMENTS = inventory()


def named_in(text):
    """The document that a text names first."""
    found = [(m.start(), d) for d in DOCUMENTS for p in d.cited for m in [p.search(text)] if m]
    return min(found, key=lambda pair: pair[0])[1] if found else None


def works(text):
    """Where which work is named: (start, end, document), None standing for a publication that is not among these."""
    found = [(m.start(), m.end(), d) for d in DOCUMENTS for p in d.cited for m in p.finditer(text)]
    taken = [(start, end) for start, end, _ in found]
    found += [(m.start(), m.end(), None) for m in OTHER.finditer(text)
              if not any(start <= m.start() < end for start, end in taken)]
    return sorted(found, key=lambda work: work[:2])


def owner(text, start, end, named, heading):
    """The document that a number at start..end of a paragraph belongs to."""
    behind = [d for s, _, d in named if re.fullmatch(r"\s*(?:of|in)\s+(?:the\s+)?", text[end:s] or "-")]
    before = [d for _, e, d in named if e <= start]
    return behind[0] if behind else before[-1] if before else named_in(heading)


def numbers(listing):
    """The single numbers of a list, both ends of ranges included."""
    return [m[1] or m[2] for m in PARTS.finditer(re.sub(r"\([^()\d][^()]{1,}\)", "", listing))]


def citations(path, text):
    """(line, document, kind, number) of everything that is cited in a file."""
    by_section = [d for d in DOCUMENTS if d.by_section and any(p.search(text) for p in d.cited)]
    for heading, pieces in paragraphs(path, text):
        whole = " ".join(piece for _, piece in pieces)

        def line_of(place):
            for number, piece in pieces:
                place -= len(piece) + 1
                if place < 0:
                    return number
            return pieces[-1][0]

        named, seen = works(whole), []
        for match in CITED.finditer(whole):
            kind = KINDS[match[1].lower()]
            seen.append(match.span())
            for number in numbers(match[2]):
                if number.isalpha():
                    document = next(d for d in DOCUMENTS if d.name == LETTERS)
                else:
                    document = owner(whole, match.start(), match.end(), named, heading)
                if document:
                    yield line_of(match.start()), document, kind, number
        row = FIRST_CELL.match(whole)
        if row and path.suffix == ".md" and named_in(heading):
            seen.append(row.span())
            for number in numbers(row[1]):
                yield pieces[0][0], named_in(heading), "equations", number
        for match in BY_SECTION.finditer(whole) if by_section else ():
            if not any(start <= match.start() < end for start, end in seen):
                yield line_of(match.start()), by_section[0], "equations", match[0].rstrip("abcd")


def files(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            hidden = any(part in ("node_modules", "broken", "corpus", "data") for part in path.parts)
            if path.suffix in TEXTS and not hidden and path.is_file():
                yield path
    yield from sorted(root.glob("*.md"))


def all_citations(root):
    for path in files(root):
        text = path.read_text(encoding="utf-8", errors="replace")
        for line, document, kind, number in citations(path, text):
            yield path.relative_to(root).as_posix(), line, document, kind, number


def breaches(root):
    return [f"{name}:{line}: {document.name} has no {kind[:-1]} {number}"
            for name, line, document, kind, number in all_citations(root) if not document.has(kind, number)]


def self_test():
    """Plants one breach of each kind among sound citations, and expects exactly those."""
    files_of = {
        "mubody/a.h": "// Flores & Lankarani (2012), sec. 8, eqs. 172-173; Nikravesh (1988), sec. 77.2\n"
                      "//\n// Marques, Souto & Flores (2017), sec. 2.3, eqs. 41 (with Φ) and 56\n"
                      "int x;  // eq. 9999\n// section (g), section (r)\n// MUBODYNA manual, section (z)\n",
        "mubody/b.h": "// Precomputation (dissertation), secs. 3.3-3.4, eq. 3.3.55\n// of a joint, as in (3.7.68) and (3.7.74)\n",
        "mubody/c.h": "// version 9.9.9 of a program, 3.7.74\n",
        "docs/a.md": "# A\nTable 1 of Flores & Lankarani (2012), and their fig. 63; Marques, Souto &\nFlores (2017), Table 7.\n\n"
                     "Flores (2010), secs. 6 and 7.\n",
        "docs/errata.md": "## Flores & Lankarani (2012)\n\n| eq. | x |\n|---|---|\n| 53, last | 7 |\n| 213 *a* | 8 |\n"
                          "| Table 3 | 9 |\n",
    }
    expected = {"mubody/a.h:3", "mubody/a.h:5", "mubody/a.h:6", "mubody/b.h:1", "mubody/b.h:2", "docs/a.md:2", "docs/a.md:3", "docs/errata.md:6",
                "docs/errata.md:7"}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files_of.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        found = {message.split(": ")[0] for message in breaches(Path(folder))}
    return [f"self-test: missed {p}" for p in sorted(expected - found)] + [
        f"self-test: objected to {p}" for p in sorted(found - expected)]


def main(arguments):
    if arguments == ["--self-test"]:
        problems = self_test()
    elif arguments == ["--list"]:
        for name, line, document, kind, number in all_citations(ROOT):
            print(f"{name}:{line}: {document.name}, {kind[:-1]} {number}")
        return 0
    elif not arguments:
        problems = breaches(ROOT)
    else:
        problems = [__doc__]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
