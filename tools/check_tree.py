#!/usr/bin/env python3
"""Habits of the sources that no compiler checks.

No source is longer than 500 lines, no folder has more than 40 sources; none puts work off by a marker word; every header
of the library begins with `#pragma once` and a comment that says what it is; what belongs to the library of files is in
the namespace mubody::io, everything else in mubody; two headers of the library do not define classes of one name, of
which the linker would keep one.  Prints each breach as file:line and exits 1.

    tools/check_tree.py               check this tree
    tools/check_tree.py --self-test   check that planted breaches are found
"""
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("mubody", "cli", "python", "fmu", "web", "wasm", "studio", "tests", "benchmarks", "tools", "cmake", "examples", "docs")
SOURCES = (".h", ".c", ".cpp", ".py", ".ts", ".sh", ".cmake")
TEXTS = (*SOURCES, ".toml", ".md")
MOST_LINES = 500
MOST_FILES = 40
IO_ROOMS = ("text", "compiled", "cuda", "fmus", "mubodyna", "reading", "writing", "picture", "report", "fmi")
# Spelled in two parts so that this file does not breach its own rule.
POSTPONED = re.compile(r"\b(?:" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X")) + r")\b")


def wrong_namespace(name, line):
    """Whether a line opens a namespace that a file of the library must not open."""
    parts = name.split("/")
    if parts[0] != "mubody" or len(parts) < 3 or not line.startswith("namespace mubody"):
        return False
    return line.startswith("namespace mubody::io") != (parts[1] in IO_ROOMS)


# A class that a header defines outside of any other.
DEFINED = re.compile(r"^(?:template <.*> )?(?:class|struct|enum class) (\w+)(?: final)?(?: : .*)? \{")


def breaches(root):
    found = []
    crowd = {}
    classes = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in TEXTS or "node_modules" in path.parts or not path.is_file():
                continue
            name = path.relative_to(root).as_posix()
            # Some models of the tests are broken on purpose, down to their encoding.
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            if path.suffix in SOURCES and len(lines) > MOST_LINES:
                found.append(f"{name}:{MOST_LINES + 1}: {len(lines)} lines; split files above {MOST_LINES}")
            if path.suffix in SOURCES:
                crowd[path.parent] = crowd.get(path.parent, 0) + 1
            for number, line in enumerate(lines, 1):
                if wrong_namespace(name, line):
                    found.append(f"{name}:{number}: the wrong namespace for this folder: {line}")
                match = POSTPONED.search(line)
                if match:
                    found.append(f"{name}:{number}: finish it or open an issue: {match[0]}")
            if folder == "mubody" and path.suffix == ".h":
                room = "io" if name.split("/")[1] in IO_ROOMS else "core"
                for number, line in enumerate(lines, 1):
                    match = DEFINED.match(line)
                    other = classes.setdefault((room, match[1]), name) if match else name
                    if other != name:
                        found.append(f"{name}:{number}: {other} defines a class {match[1]} too")
                if lines[:1] != ["#pragma once"]:
                    found.append(f"{name}:1: begin with #pragma once")
                elif not "".join(lines[1:2]).startswith("//"):
                    found.append(f"{name}:2: say in a comment what the file is")
    for folder, count in crowd.items():
        if count > MOST_FILES:
            found.append(f"{folder.relative_to(root).as_posix()}:1: {count} sources; divide folders above {MOST_FILES}")
    return found


def self_test():
    """Plants one breach of each kind beside a sound file, and expects exactly those."""
    good = "#pragma once\n// A sound file.\n"
    files = {
        "mubody/a/good.h": good,
        "mubody/a/long.h": good + "\n" * MOST_LINES,
        "mubody/a/bare.h": "#pragma once\n#include <vector>\n",
        "mubody/a/open.h": "// No guard.\n",
        "mubody/a/empty.h": "",
        "cli/later.cpp": "int main() {}\n// " + "TO" + "DO: more\n",
        "docs/later.md": "FIX" + "ME\n",
        "mubody/text/wrong.h": good + "namespace mubody {\n",
        "mubody/text/right.h": good + "namespace mubody::io {\n",
        "mubody/b/wrong.h": good + "namespace mubody::io {\n",
        "mubody/b/one.h": good + "class Twin {\n",
        "mubody/c/other.h": good + "template <int D> struct Twin final : Base {\n",
        **{f"tests/crowd/{k}.cpp": "\n" for k in range(MOST_FILES + 1)},
    }
    expected = {
        f"mubody/a/long.h:{MOST_LINES + 1}", "mubody/a/bare.h:2", "mubody/a/open.h:1", "mubody/a/empty.h:1",
        "cli/later.cpp:2", "docs/later.md:1", "mubody/text/wrong.h:3", "mubody/b/wrong.h:3", "mubody/c/other.h:3",
        "tests/crowd:1",
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
