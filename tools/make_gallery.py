#!/usr/bin/env python3
"""The reports of all examples, with an index page: pictures, and what each example teaches.

    tools/make_gallery.py PROGRAM FOLDER
"""
import csv
import html
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
# Results are shown even where they cannot be trusted, for an example may be about that.
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


def region_picture(program, out):
    """The gains for which Runge-Kutta of order four is stable, as a picture."""
    table, points, (width, height) = out / "region.csv", 56, (560, 392)
    run(program, "stability", "--integrator", "rk4", "--region", str(table), "--points", str(points))
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table.unlink()
    w, h = width / points, height / points
    cells = "".join(
        f'<rect x="{k // points * w:.1f}" y="{height - (k % points + 1) * h:.1f}" width="{w:.1f}" height="{h:.1f}"/>'
        for k, row in enumerate(rows) if row["stable[1]"] == "1")
    (out / "stability.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-24 -24 {width + 48} {height + 48}"><g fill="#2f6fb3">{cells}</g>'
        f'<path d="M0 0V{height}H{width}" fill="none" stroke="#5d6671" stroke-width="3"/></svg>', encoding="utf-8")


def extras(program, out):
    """Pages that belong to no single example."""
    four_bar, pendulum = str(EXAMPLES / "four_bar"), str(EXAMPLES / "double_pendulum")
    small = ("--quiet", "--size", "560x392")
    run(program, "compare", four_bar, "--quiet", "--repeat", "1", "--steps", "1e-3,2e-3,4e-3", "-s", "analysis.end=2",
        "-o", str(out / "comparison"), "--report", str(out / "comparison.html"))
    run(program, "picture", four_bar, *small, "-s", "analysis.end=2", "-s", "analysis.treatment=standard",
        "--plot", "position", "-o", str(out / "comparison.svg"))
    run(program, "stability", "--report", str(out / "stability.html"))
    region_picture(program, out)
    run(program, "report", pendulum, "--quiet", "-s", "analysis.type=modes", "-s", "analysis.about=equilibrium",
        "-o", str(out / "modes.html"))
    run(program, "picture", pendulum, *small, "-o", str(out / "modes.svg"))
    for name, title, sentence in (
            ("modes", "Modes of a double pendulum", "Frequencies, damping ratios and shapes of small motions, each moving."),
            ("comparison", "Methods compared",
             "The four-bar linkage under all treatments of the constraints: violation, energy, cost."),
            ("stability", "Regions of stability", "Which gains of Baumgarte's method suit which integrator and step.")):
        yield CARD.format(name=name, picture=f'<img src="{name}.svg" alt="" loading="lazy">', title=title, sentence=sentence)


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
