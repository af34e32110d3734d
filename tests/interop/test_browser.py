"""The report of a run moves inside the page of a notebook, in a real browser."""
import os
import shutil
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NOTEBOOK = Path(__file__).resolve().parent.parent.parent / "docs/python/notebooks/1_four_bar.ipynb"


@pytest.fixture(scope="module")
def page_of_notebook(tmp_path_factory):
    """The notebook with its results, as a page."""
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter
    book = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    file = tmp_path_factory.mktemp("notebook") / "four_bar.html"
    file.write_text(HTMLExporter().from_notebook_node(book)[0], encoding="utf-8")
    return file


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
def test_the_report_moves_inside_a_notebook(page_of_notebook, tmp_path):
    from playwright.sync_api import sync_playwright
    shots = Path(os.environ.get("SCREENSHOTS", tmp_path))
    shots.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(120000)
        page.goto(page_of_notebook.as_uri(), wait_until="domcontentloaded")
        report = page.frame_locator("iframe[srcdoc]").last
        stage = report.locator(".stage canvas")
        stage.scroll_into_view_if_needed()
        report.locator(".play").click()
        pictures = []
        for k in range(2):
            page.wait_for_timeout(1000)
            pictures.append(stage.screenshot())
            page.screenshot(path=shots / f"notebook_{k + 1}.png")
        browser.close()
    assert pictures[0] != pictures[1]
