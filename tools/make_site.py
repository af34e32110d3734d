#!/usr/bin/env python3
"""The documentation site, from docs/ and the examples, with live reports made by the program.

    tools/make_site.py PROGRAM FOLDER

Needs mkdocs-material and KaTeX (tools/setup.sh docs), and no network.  A warning fails, as does
a page that docs/index.md does not list, and a link that leads nowhere.
"""
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "site"))

import book  # noqa: E402  (in site/)
import check_site  # noqa: E402


def live(program):
    """Reports and pictures of the examples, reports of the pages, sources that pages link to."""
    shutil.rmtree(book.LIVE, ignore_errors=True)
    jobs = []
    for folder in book.examples():
        out = book.LIVE / "examples" / folder.name
        jobs.append((out / "report.html", ["report", str(folder)]))
        jobs.append((out / "picture.svg", ["picture", str(folder), "--strobe", "6", "--size", "820x500"]))
    jobs += [(book.LIVE / name, words) for name, words in book.wanted_reports()]
    for path, _ in jobs:
        path.parent.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda job: book.make_gallery.run(program, *job[1], "--quiet", "-o", str(job[0])), jobs))
    for path in book.linked_sources():
        copy = book.LIVE / book.place(path)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return sum(path.suffix == ".html" for path, _ in jobs)


def complain(problems):
    if problems:
        sys.exit("\n".join(problems))


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    program, site = arguments[0], Path(arguments[1]).resolve()
    complain(book.check_docs.breaches(book.ROOT))
    count = live(program)
    words = ["mkdocs", "build", "--strict", "--clean", "-f", str(HERE / "site/mkdocs.yml"), "-d", str(site)]
    answer = subprocess.run(words, check=False, capture_output=True, text=True)
    if answer.returncode != 0:
        sys.exit("".join(line for line in answer.stderr.splitlines(True) if not line.startswith(("INFO", "DEBUG"))))
    complain(check_site.breaches(site))
    pages = sum(1 for _ in site.rglob("*.html")) - count
    print(f"mubody: a site of {pages} pages and {count} live reports in {site / 'index.html'}")


if __name__ == "__main__":
    main(sys.argv[1:])
