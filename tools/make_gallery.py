#!/usr/bin/env python3
"""The reports of all examples, with an index page: pictures, and what each example teaches.

    tools/make_gallery.py PROGRAM FOLDER
"""
import html
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
# Results are worth showing even where they are not to be trusted: an example may be about that.
SHOWN = (0, 4, 5)

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>mubody gallery</title>
<style>
:root {{ color-scheme: light dark; --page: light-dark(#f4f5f7, #0f1319); --card: light-dark(#fff, #161c24);
  --ink: light-dark(#1b222c, #e8ecf2); --soft: light-dark(#5a6675, #9aa6b5); --edge: light-dark(#d3d9e0, #303a47);
  --accent: light-dark(#1f66d1, #6aa8ff); }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }}
header, main {{ max-width: 1240px; margin: 0 auto; padding: 1.4rem 1.2rem 0.4rem; }}
h1 {{ margin: 0; font-size: 1.5rem; }}
header p {{ margin: 0.2rem 0 0; color: var(--soft); }}
main {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 280px), 1fr)); gap: 1.1rem;
  padding-bottom: 2rem; }}
a {{ display: flex; flex-direction: column; color: inherit; text-decoration: none; background: var(--card);
  border: 1px solid var(--edge); border-radius: 14px; overflow: hidden; }}
a:hover, a:focus-visible {{ border-color: var(--accent); outline: 1px solid var(--accent); }}
img {{ width: 100%; aspect-ratio: 10 / 7; object-fit: contain; background: #fff; display: block;
  border-bottom: 1px solid var(--edge); }}
h2 {{ margin: 0.8rem 1rem 0; font-size: 1.05rem; }}
a p {{ margin: 0.2rem 1rem 1rem; color: var(--soft); font-size: 0.92rem; }}
</style>
</head>
<body>
<header><h1>mubody gallery</h1><p>Each picture opens a report: the mechanism moving, plots, and what there is to say about the run.</p></header>
<main>
{cards}
</main>
</body>
</html>
"""
CARD = '<a href="{name}.html">{picture}<h2>{title}</h2><p>{sentence}</p></a>'


def run(program, *words):
    answer = subprocess.run([program, *words], capture_output=True, text=True)
    if answer.returncode not in SHOWN:
        sys.exit(f"mubody {' '.join(words)}: {answer.stderr.strip()}")


def words_of(folder):
    """The title of an example, and the sentence on what it teaches."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    teaches = re.search(r"^\*\*Teaches:\*\*\s+(.+?)(?:\n\s*\n|\Z)", text, re.MULTILINE | re.DOTALL)
    sentence = " ".join(teaches[1].split()) if teaches else ""
    sentence = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence)
    return title[1] if title else folder.name, sentence[:1].upper() + sentence[1:]


def marked(text):
    """Text of a README as HTML: only `code` is marked."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def example(program, folder, out):
    name = folder.name
    run(program, "report", str(folder), "--quiet", "-o", str(out / f"{name}.html"))
    run(program, "picture", str(folder), "--quiet", "--strobe", "6", "--size", "560x392", "-o", str(out / f"{name}.svg"))
    title, sentence = words_of(folder)
    picture = f'<img src="{name}.svg" alt="" loading="lazy">'
    return CARD.format(name=name, picture=picture, title=marked(title), sentence=marked(sentence))


def extras(program, out):
    """Pages that belong to no single example."""
    four_bar = str(EXAMPLES / "four_bar")
    run(program, "compare", four_bar, "--quiet", "--repeat", "1", "--steps", "1e-3,2e-3,4e-3", "-s", "analysis.end=2",
        "-o", str(out / "comparison"), "--report", str(out / "comparison.html"))
    run(program, "stability", "--report", str(out / "stability.html"))
    yield CARD.format(name="comparison", picture="", title="Methods compared",
                      sentence="The four-bar linkage under all treatments of the constraints: violation, energy, cost.")
    yield CARD.format(name="stability", picture="", title="Regions of stability",
                      sentence="Which gains of Baumgarte's method suit which integrator and step.")


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    program, out = arguments[0], Path(arguments[1])
    out.mkdir(parents=True, exist_ok=True)
    folders = sorted({p.parent for p in EXAMPLES.glob("*/model.*") if p.suffix in (".toml", ".mub")})
    with ThreadPoolExecutor(2) as pool:
        cards = list(pool.map(lambda folder: example(program, folder, out), folders))
    cards += extras(program, out)
    (out / "index.html").write_text(PAGE.format(cards="\n".join(cards)), encoding="utf-8")
    print(f"gallery of {len(folders)} examples in {out / 'index.html'}")


if __name__ == "__main__":
    main(sys.argv[1:])
