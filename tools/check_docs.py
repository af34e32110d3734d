#!/usr/bin/env python3
"""Links in the documents lead somewhere, and their programs are compiled.

Checks every relative link, with its anchor, in the *.md files of this tree, and every reference of the form
docs/theory/joints.md#revolute in sources and models.  Every page of docs/ is listed in docs/index.md, which is the order of the
site too.  A block of C++ with a main() is a program: it is the same, word for word, as one in tests/outside/, which is built
and run.  Programs read the table of docs/glossary.md: its rows are `| words | our word | [place](link) |`, and no word stands
twice.  Prints each breach as file:line and exits 1.

    tools/check_docs.py               check this tree
    tools/check_docs.py --self-test   check that planted breaches are found
"""
import re
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("mubody", "cli", "python", "web", "wasm", "studio", "tests", "benchmarks", "examples")
SOURCES = (".h", ".cpp", ".py", ".ts", ".toml", ".cmake")
FENCE = re.compile(r"^\s*(```|~~~)")
CODE = re.compile(r"(`+).+?\1")
LINK = re.compile(r"\]\(\s*<?([^()\s<>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^\s{0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)")
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$")
HTML_ANCHOR = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")
REFERENCE = re.compile(r"\bdocs/[\w./-]*?\.md(?:#[\w-]+)?")
MAIN = re.compile(r"^int main\(", re.MULTILINE)
EXTERNAL = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def lines_of(path):
    return path.read_text(encoding="utf-8", errors="replace").splitlines()


def prose(path):
    """Number and text of the lines that are not inside a fenced block."""
    fence = None
    for number, line in enumerate(lines_of(path), 1):
        match = FENCE.match(line)
        if match and fence in (None, match[1]):
            fence = None if fence else match[1]
        elif not fence:
            yield number, line


def programs(path):
    """Number of the first line and text of the blocks of C++ with a main()."""
    for match in re.finditer(r"^```cpp\n(.*?)^```$", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        if MAIN.search(match[1]):
            yield match.string.count("\n", 0, match.start(1)) + 1, match[1]


def slug(heading):
    """The anchor that GitHub gives to a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


@lru_cache(maxsize=None)
def anchors(path):
    found, count = set(), {}
    for _, line in prose(path):
        found.update(HTML_ANCHOR.findall(line))
        match = HEADING.match(line)
        if match:
            name = slug(match[1])
            repeated = count[name] = count.get(name, -1) + 1
            found.add(f"{name}-{repeated}" if repeated else name)
    return found


def objection(target, base, root):
    """Why a link from the folder `base` leads nowhere, or None."""
    name, _, anchor = unquote(target).partition("#")
    path = (base / name).resolve()
    if not path.is_relative_to(root):
        return f"{target} leads out of the tree"
    if not path.exists():
        return f"there is no {path.relative_to(root).as_posix()}"
    if path.is_dir() and not path.is_relative_to(root / "docs") and not (path / "README.md").exists():
        return f"the folder {path.relative_to(root).as_posix()} has no README.md, so the site has no page for it"
    if anchor and path.suffix == ".md" and anchor not in anchors(path):
        return f"there is no heading '{anchor}' in {path.relative_to(root).as_posix()}"
    return None


def documents(root):
    for path in sorted(root.rglob("*.md")):
        parts = path.relative_to(root).parts
        if not any(p.startswith((".", "build", "node_modules")) for p in parts[:-1]):
            yield path


def glossary_breaches(root):
    """Rows of the glossary that a program could not read."""
    path, words, found = root / "docs/glossary.md", {}, []
    rows = [(n, line) for n, line in (prose(path) if path.exists() else ()) if line.startswith("|")]
    for number, line in rows[2:]:
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        if len(cells) != 3 or not LINK.search(cells[-1]):
            found.append(f"docs/glossary.md:{number}: a row is | words | our word | [place](link) |")
            continue
        for word in cells[0].lower().split(", "):
            if words.setdefault(word, number) != number:
                found.append(f"docs/glossary.md:{number}: '{word}' stands in line {words[word]} too")
    return found


def unlisted(root):
    """Pages of docs/ that docs/index.md does not lead to."""
    index = root / "docs/index.md"
    text = "\n".join(CODE.sub("", line) for _, line in prose(index)) if index.exists() else ""
    listed = {index, *((index.parent / target.partition("#")[0]).resolve() for target in LINK.findall(text))}
    return [path for path in sorted((root / "docs").rglob("*.md")) if path not in listed]


def breaches(root):
    root = root.resolve()
    found = [f"{path.relative_to(root).as_posix()}:1: docs/index.md has no link to this page" for path in unlisted(root)]
    found += glossary_breaches(root)
    compiled = {path.read_text(encoding="utf-8") for path in (root / "tests/outside").glob("*.cpp")}
    for path in documents(root):
        for number, text in programs(path):
            if text not in compiled:
                found.append(f"{path.relative_to(root).as_posix()}:{number}: no source in tests/outside is this program")
        for number, line in prose(path):
            text = CODE.sub("", line)
            for target in LINK.findall(text) + DEFINITION.findall(text):
                if EXTERNAL.match(target):
                    continue
                why = objection(path.name + target if target.startswith("#") else target, path.parent, root)
                if why:
                    found.append(f"{path.relative_to(root).as_posix()}:{number}: {why}")
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES or "node_modules" in path.parts or not path.is_file():
                continue
            for number, line in enumerate(lines_of(path), 1):
                for target in REFERENCE.findall(line):
                    why = objection(target, root, root)
                    if why:
                        found.append(f"{path.relative_to(root).as_posix()}:{number}: {why}")
    return found


def self_test():
    """Plants one breach of each kind among sound links, and expects exactly those."""
    files = {
        "README.md": "[a](docs/a.md) [b](docs/a.md#one-two) [c](https://x.org/nowhere) [d](docs/)\n"
                     "[gone](docs/gone.md)\n[e](docs/a.md#three)\n[f](../out.md)\n`[g](no.md)`\n[h](mubody)\n",
        "docs/a.md": "# A\n## One, *two*\n## torsion_spring\n[up](../README.md) [here](#torsion_spring)\n[no](#b)\n"
                     "```toml\n# fenced\n[x](y.md)\n```\n[z](#fenced)\n[r]: lost.md\n## A\n[again](#a-1)\n",
        "mubody/a.h": "// docs/a.md#torsion_spring and docs/a.md\n// docs/a.md#torsion-spring\n// docs/theory/b.md\n",
        "docs/index.md": "[a](a.md) [programs](programs.md) [glossary](glossary.md) `[none](none.md)`\n",
        "docs/none.md": "# None\n",
        "build/c.md": "[x](nowhere.md)\n",
        "docs/programs.md": "```cpp\nint x;\n```\n```cpp\nint main() {}\n```\n```cpp\nint main() { }\n```\n",
        "tests/outside/a.cpp": "int main() {}\n",
        "docs/glossary.md": "| word | ours | place |\n|---|---|---|\n| a, b | c | [d](a.md) |\n| e | f |\n| B | g | [h](a.md) |\n",
    }
    expected = {
        "README.md:2", "README.md:3", "README.md:4", "README.md:6", "docs/a.md:5", "docs/a.md:10", "docs/a.md:11", "mubody/a.h:2",
        "mubody/a.h:3", "docs/programs.md:8", "docs/none.md:1", "docs/glossary.md:4", "docs/glossary.md:5",
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        found = {message.split(": ")[0] for message in breaches(Path(folder))}
    return [f"self-test: missed {p}" for p in sorted(expected - found)] + [
        f"self-test: objected to {p}" for p in sorted(found - expected)]


def main(arguments):
    if arguments == ["--self-test"]:
        problems = self_test()
    elif not arguments:
        problems = breaches(ROOT)
    else:
        problems = [__doc__]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
