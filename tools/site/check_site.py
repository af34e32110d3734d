"""Links of a site that was built lead somewhere, and its pages load nothing from a network."""
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {"script": "src", "img": "src", "iframe": "src", "link": "href"}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.targets, self.loads, self.names = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        target = attributes.get(LOADS.get(tag, "href"))
        if target is None:
            return
        # A canonical address is a name and loads nothing.
        if tag in LOADS and attributes.get("rel") != "canonical":
            self.loads.append(target)
        self.targets.append(target)


# A report is checked by its own tests; of those only that they are there.
def is_report(path):
    return ".report" in path.name or path.name == "report.html"


@lru_cache(maxsize=None)
def read(path):
    return Page(path)


def objection(target, page, site):
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return None
    path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if path.is_dir():
        path = path / "index.html"
    if not path.is_relative_to(site) or not path.exists():
        return "leads nowhere"
    if parts.fragment and path.suffix == ".html" and not is_report(path):
        name = unquote(parts.fragment)
        if name not in read(path).names and not name.startswith("__"):
            return "has no such heading"
    return None


def breaches(site):
    site = Path(site).resolve()
    found = []
    for page in sorted(site.rglob("*.html")):
        if is_report(page) or page.name == "404.html":
            continue
        for target in read(page).loads:
            if urlsplit(target).netloc:
                found.append(f"{page.relative_to(site)}: loads {target} from the network")
        for target in dict.fromkeys(read(page).targets):
            why = objection(target, page, site)
            if why:
                found.append(f"{page.relative_to(site)}: {target} {why}")
    return found
