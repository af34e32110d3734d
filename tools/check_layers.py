#!/usr/bin/env python3
"""Includes may only point to the same folder or to an earlier layer of tools/layers.txt.

The library is mubody/<layer>/; outside it, each folder of DOORS may include any layer but no other door,
except that `mubody bench` measures the problems of benchmarks/, and that tests look at the declarations of verbs.
Prints every include that points the wrong way as file:line and exits 1.

    tools/check_layers.py               check this tree
    tools/check_layers.py --self-test   check that a planted violation is found
"""
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOORS = ("cli", "python", "web", "fmu", "wasm", "tests", "benchmarks")
PASSAGES = {("cli", "benchmarks"), ("tests", "cli")}
FACES = ("mubody/mubody.h", "mubody/own_elements.h")  # what programs include; nothing in the library does
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')


def read_layers(text):
    """Folder -> rank; folders on one line share a rank."""
    lines = [line.split("#")[0].split() for line in text.splitlines()]
    return {name: rank for rank, names in enumerate(filter(None, lines)) for name in names}


def place_of(path, ranks):
    """The layer or door that a path, relative to the root, belongs to; None for anything else."""
    parts = path.split("/")
    if parts[0] == "mubody" and len(parts) > 2:
        inner = "/".join(parts[1:3])
        return inner if inner in ranks else parts[1]
    return parts[0] if parts[0] in DOORS else None


def objection(source, target, ranks):
    """Why `source` may not include `target` (both places), or None."""
    if target is None or source == target:
        return None
    if (source, target) in PASSAGES:
        return None
    if target in DOORS:
        return f"{source} may not include {target}"
    if target not in ranks:
        return f"{target} is not in tools/layers.txt"
    if source in DOORS or ranks[target] < ranks[source]:
        return None
    side = "lies beside" if ranks[target] == ranks[source] else "lies above"
    return f"{source} may not include {target}, which {side} it"


def wrong_arrows(root, ranks):
    found = []
    for top in ("mubody", *DOORS):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".c", ".cpp") or "node_modules" in path.parts:
                continue
            name = path.relative_to(root).as_posix()
            source = place_of(name, ranks)
            if source is None and name in FACES:
                continue
            if source is None:
                found.append(f"{name}:1: a source of the library belongs into the folder of a layer")
                continue
            if source not in ranks and source not in DOORS:
                found.append(f"{name}:1: {source} is not in tools/layers.txt")
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                why = match and objection(source, place_of(match[1], ranks), ranks)
                if why:
                    found.append(f"{name}:{number}: {why}: {match[1]}")
    return found


def self_test():
    """Plants one arrow of each forbidden kind among permitted ones, and expects exactly those."""
    ranks = read_layers("low  # the first\n\nleft right\nhigh\n")
    files = {
        "mubody/low/a.h": '#pragma once\n#include "mubody/high/a.h"\n#include <vector>\n',
        "mubody/left/a.h": '#include "mubody/low/a.h"\n#include "mubody/left/b.h"\n#include "mubody/right/a.h"\n',
        "mubody/left/deep/b.cpp": '#include "mubody/left/a.h"\n  #  include "mubody/high/a.h"\n',
        "mubody/right/a.h": '#include "mubody/stray/a.h"\n#include "tests/help.h"\n',
        "mubody/high/a.h": '#include "mubody/low/a.h"\n#include "mubody/right/a.h"\n',
        "mubody/stray/a.h": "",
        "mubody/loose.h": "",
        "cli/main.cpp": '#include "mubody/high/a.h"\n#include "cli/verbs.h"\n#include "tests/help.h"\n',
        "tests/low/a_test.cpp": '#include "tests/help.h"\n#include "mubody/high/a.h"\n',
    }
    expected = {
        "mubody/low/a.h:2", "mubody/left/a.h:3", "mubody/left/deep/b.cpp:2", "mubody/right/a.h:1",
        "mubody/right/a.h:2", "mubody/stray/a.h:1", "mubody/loose.h:1", "cli/main.cpp:3",
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        found = {message.split(": ")[0] for message in wrong_arrows(Path(folder), ranks)}
    return [f"self-test: missed {p}" for p in sorted(expected - found)] + [
        f"self-test: objected to {p}" for p in sorted(found - expected)]


def main(arguments):
    if arguments == ["--self-test"]:
        problems = self_test()
    elif not arguments:
        problems = wrong_arrows(ROOT, read_layers((ROOT / "tools/layers.txt").read_text(encoding="utf-8")))
    else:
        problems = [__doc__]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
