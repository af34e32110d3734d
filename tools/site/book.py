"""What the documentation site is made of: the order of its pages, where files of the tree are in it, its live reports.

A page asks for a report in a comment, which other viewers do not show, with the words of `mubody report`; the model is
named from the page's folder:

    <!-- report: models/garage_door.toml --set analysis.end=4 -->
"""
import re
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"
LIVE = ROOT / "build/site-live"                        # what the program makes for the site, under the paths of the site
sys.path.insert(0, str(ROOT / "tools"))

import check_docs  # noqa: E402  (beside this folder)
import make_gallery  # noqa: E402

FENCE = check_docs.FENCE
LINK = re.compile(r"(\[[^\[\]]*\])\(([^()\s]+)\)")                # text, target
TARGET = re.compile(r"(\])\(([^()\s]+)\)")                        # the text may begin on the line before
REPORT = re.compile(r"^<!-- report: (.+?) -->$", re.MULTILINE)


def place(path):
    """Where a file or folder of the tree is in the site, or None."""
    path = path.resolve()
    if path.is_relative_to(DOCS):
        return path.relative_to(DOCS).as_posix()
    if path == ROOT / "README.md":
        return "index.md"
    if path.is_dir() and (path / "README.md").exists():
        path = path / "README.md"
    if not path.is_file() or not path.is_relative_to(ROOT):
        return None
    name = path.relative_to(ROOT).as_posix()
    return name if path.suffix == ".md" else f"source/{name}.txt"


def source(uri):
    """The file of the tree from which a page of the site is made."""
    return DOCS / uri if (DOCS / uri).exists() else ROOT / uri


def pages():
    """The files of all pages."""
    listed = [path for _, entries in chapters() for _, _, path in entries]
    return list(dict.fromkeys([*sorted(DOCS.rglob("*.md")), *listed, *(p / "README.md" for p in examples())]))


def linked_sources():
    """Files that are no pages, and to which pages link."""
    for page in pages():
        for _, target in TARGET.findall(prose(page)):
            path = (page.parent / target.partition("#")[0]).resolve()
            if (place(path) or "").startswith("source/"):
                yield path


def prose(path):
    return "\n".join(line for _, line in check_docs.prose(path))


def chapters():
    """The sections of docs/index.md that have links: title, and entries (group, title of the page, path)."""
    found, seen = [], set()
    for section in re.split(r"^## ", prose(DOCS / "index.md"), flags=re.MULTILINE)[1:]:
        entries = []
        for number, group in enumerate(re.split(r"^### ", section, flags=re.MULTILINE)):
            head = group.partition("\n")[0].strip() if number else None
            for title, target in LINK.findall(group):
                path = (DOCS / target.partition("#")[0]).resolve()
                if path.suffix == ".md" and path not in seen and not check_docs.EXTERNAL.match(target):
                    seen.add(path)
                    name = " ".join(title[1:-1].split())
                    entries.append((head, name[:1].upper() + name[1:], path))
        found.append((section.partition("\n")[0].strip(), entries))
    return [(title, entries) for title, entries in found if entries]


def examples():
    """The folders of the examples, in the order of examples/README.md."""
    links = LINK.findall((EXAMPLES / "README.md").read_text(encoding="utf-8"))
    folders = [EXAMPLES / target for _, target in links]
    listed = [f for f in folders if (f / "README.md").exists() and (f / "model.toml").exists()]
    others = sorted(p.parent for p in EXAMPLES.glob("*/README.md"))
    return list(dict.fromkeys([*listed, *others]))


def report_name(page, number):
    """The path in the site of the report that a page of docs/ asks for, counted from 0."""
    return page.relative_to(DOCS).with_suffix(f".report{number or ''}.html").as_posix()


def wanted_reports():
    """Name in the site, and words for the program, of all reports that pages ask for."""
    for page in sorted(DOCS.rglob("*.md")):
        for number, text in enumerate(REPORT.findall(page.read_text(encoding="utf-8"))):
            model, *options = shlex.split(text)
            yield report_name(page, number), ["report", str(page.parent / model), *options]
