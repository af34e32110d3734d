"""The programs that documents print are run, page by page."""
import json
import re

import pytest
from conftest import ROOT

PAGES = sorted((ROOT / "docs/python").glob("*.md")) + [ROOT / "README.md"]
BLOCK = re.compile(r"(?:<!-- file: (\S+) -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What some programs need and Debian's small set does not have.
OPTIONAL = ("matplotlib", "pandas", "scipy")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_programs_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for file, language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if file:
            (tmp_path / file).write_text(text)
        if language == "python":
            try:
                exec(compile(text, page.name, "exec"), names)
            except ImportError as error:
                assert error.name in OPTIONAL, error


NOTEBOOKS = sorted((ROOT / "docs/python/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(notebook, monkeypatch):
    monkeypatch.chdir(notebook.parent)
    names = {}
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), notebook.name, "exec"), names)
