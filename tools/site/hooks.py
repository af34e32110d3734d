"""What mkdocs does for this site beyond its own: order of pages, links out of docs/, live reports, formulas.

The order is that of docs/index.md.  A formula that KaTeX refuses is a warning, and so is a link out of docs/ that leads
nowhere; tools/make_site.py makes warnings fail.
"""
import atexit
import html
import json
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import book  # noqa: E402  (beside this file)
from mkdocs.structure.files import File  # noqa: E402

log = logging.getLogger("mkdocs.hooks")
KATEX = Path("/usr/share/javascript/katex")
MODEL = re.compile(r"^\[[^\]]*\]\(([^()\s]+\.toml)\)$", re.MULTILINE)
FORMULA = re.compile(r'<(span|div) class="arithmatex">\\([\[(])(.*?)\\[\])]</\1>', re.DOTALL)
CELL = re.compile(r"<td[^>]*>.*?</td>", re.DOTALL)
CODE = re.compile(r"(?<=<code>)[^<]*(?=</code>)")
OPTION = re.compile(r"(?<!\S)--?[\w-]+")
ARTICLE = re.compile(r"<article.*?</article>", re.DOTALL)
TEXT = re.compile(r"(?<=>)[^<>]*\de-\d[^<>]*(?=<)")
NUMBER = re.compile(r"\d[\d.]*e-\d+")
WHOLE = r'<span class="whole">\g<0></span>'
LIVE_REPORT = """<div class="live"><iframe src="{name}" title="Report" loading="lazy"></iframe>
<p><a href="{name}">The report on a page of its own</a></p></div>"""


def navigation():
    """Sections with their groups, in the order of the index; the examples follow their own table."""
    nav = [{"Home": "index.md"}]
    for section, entries in book.chapters():
        pages, groups = [], {}
        for group, title, path in entries:
            if group and group not in groups:
                groups[group] = []
                pages.append({group: groups[group]})
            (groups[group] if group else pages).append({title: book.place(path)})
            if path == book.EXAMPLES / "README.md":
                pages += [{book.make_gallery.words_of(p)[0]: book.place(p)} for p in book.examples()]
        nav.append({section: pages})
    return nav


def on_config(config):
    config["nav"] = navigation()
    config["mdx_configs"]["toc"]["slugify"] = lambda text, _: book.check_docs.slug(text)
    return config


def paths_of(nav):
    for entry in nav if isinstance(nav, list) else nav.values():
        if isinstance(entry, str):
            yield entry
        else:
            yield from paths_of(entry)


def on_files(files, config):
    def add(name, folder):
        if files.get_file_from_path(name) is None:
            files.append(File(name, str(folder), config["site_dir"], config["use_directory_urls"]))

    for name in paths_of(config["nav"]):
        add(name, book.ROOT)
    for path in [p for p in book.LIVE.rglob("*") if p.is_file()]:
        add(path.relative_to(book.LIVE).as_posix(), book.LIVE)
    add("site.css", HERE)
    for path in [KATEX / "katex.min.css", *sorted((KATEX / "fonts").glob("*.woff2"))]:
        add(path.relative_to(KATEX.parent).as_posix(), KATEX.parent)
    return files


def relinked(markdown, path):
    """Links out of docs/ lead to where those files are in the site."""
    here = Path(book.place(path)).parent

    def moved(match):
        target, mark, anchor = match[2].partition("#")
        if not target or book.check_docs.EXTERNAL.match(match[2]):
            return match[0]
        place = book.place(path.parent / target)
        if place is None:
            log.warning(f"{path}: the site has no place for the link {match[2]}")
            return match[0]
        return f"{match[1]}({os.path.relpath(place, here)}{mark}{anchor})"

    fence, lines = None, []
    for line in markdown.split("\n"):
        match = book.FENCE.match(line)
        if match and fence in (None, match[1]):
            fence = None if fence else match[1]
        lines.append(line if fence else book.TARGET.sub(moved, line))
    return "\n".join(lines)


def listing(path):
    """A model as a block of code, long enough a fence for whatever is in it."""
    text = path.read_text(encoding="utf-8").rstrip()
    return f'````{"toml" if path.suffix == ".toml" else "text"} title="{path.name}"\n{text}\n````'


def example(markdown, folder):
    """The page of an example: its text, a picture, the model and the report."""
    head, _, rest = markdown.partition("\n")
    models = "\n\n".join(listing(p) for p in sorted(folder.glob("model.*")))
    report = LIVE_REPORT.format(name="report.html")
    return f"{head}\n\n![{head[2:]}](picture.svg)\n{rest}\n\n## The report\n\n{report}\n\n## The model\n\n{models}\n"


def on_page_markdown(markdown, page, config, files):
    path = book.source(page.file.src_uri)
    markdown = MODEL.sub(lambda match: listing(path.parent / match[1]), markdown)
    markdown = relinked(markdown, path)
    if path.parent.parent == book.EXAMPLES:
        page.meta["hide"] = ["toc"]
        return example(markdown, path.parent)
    number = iter(range(99))
    if path.is_relative_to(book.DOCS) and book.REPORT.search(markdown):
        page.meta["hide"] = ["toc"]
        name = lambda: Path(book.report_name(path, next(number))).name  # noqa: E731
        markdown = book.REPORT.sub(lambda _: LIVE_REPORT.format(name=name()), markdown)
    return markdown.replace("<!-- gallery -->", gallery())


def gallery():
    cards = []
    for folder in book.examples():
        title, sentence = book.make_gallery.words_of(folder)
        cards.append(f'<a href="examples/{folder.name}/index.html"><img src="examples/{folder.name}/picture.svg" alt="" '
                     f'loading="lazy"><strong>{html.escape(title)}</strong><span>{book.make_gallery.marked(sentence)}'
                     "</span></a>")
    return f'<div class="gallery">{"".join(cards)}</div>'


class Formulas:
    """A node process that sets formulas."""

    def __init__(self):
        self.node = subprocess.Popen(["node", HERE / "formulas.cjs", KATEX / "katex.js"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True, encoding="utf-8")
        atexit.register(self.node.kill)

    def set(self, tex, display, where):
        self.node.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
        self.node.stdin.flush()
        answer = json.loads(self.node.stdout.readline())
        if "error" in answer:
            log.warning(f"{where}: {answer['error']}")
        return answer.get("html", html.escape(tex))


def unbroken(article):
    """A text in which no line ends within a number or, in tables, an option: browsers break lines after a dash."""
    text = TEXT.sub(lambda match: NUMBER.sub(WHOLE, match[0]), article[0])
    return CELL.sub(lambda cell: CODE.sub(lambda code: OPTION.sub(WHOLE, code[0]), cell[0]), text)


formulas = None


def on_post_page(output, page, config):
    global formulas
    formulas = formulas or Formulas()
    output = FORMULA.sub(lambda m: formulas.set(html.unescape(m[3]), m[2] == "[", page.file.src_uri), output)
    if 'class="arithmatex"' in output:
        log.warning(f"{page.file.src_uri}: a formula was not recognised")
    return ARTICLE.sub(unbroken, output)


def on_post_build(config):
    """What the search needs, as a script, for pages that are opened from the disk."""
    site = Path(config["site_dir"])
    index = (site / "search/search_index.json").read_text(encoding="utf-8")
    worker = next((site / "assets/javascripts/workers").glob("search.*.js")).read_text(encoding="utf-8")
    (site / "search/from_disk.js").write_text(
        f"window.__search = {{index: Promise.resolve({index}),\n"
        f"worker: URL.createObjectURL(new Blob([{json.dumps(worker)}], {{type: 'text/javascript'}}))}};\n",
        encoding="utf-8")
