"""The site of publish/live.py in Chromium: every notebook runs there to its end, as a class would use it.

    pip install -r tests/requirements-browser.txt -r publish/requirements.txt && pytest -m live

The site is served as docs/publishing.md says, by Python's own server. What a notebook holds after a run is read
from the file that File, Download gives.
"""

import re

import pytest

from publish import live, notebooks
from teaching import collect
from tests.chromium import CLASSROOM, choose, start_all_cells, wait_for_all_cells

pytestmark = pytest.mark.live

FIRST = "01"
SLOW = "06"  # runs for minutes: it begins first, and is read last
# What data.load prints where it fetches the model.
LOADING = re.compile(r"Loading model\.npz, .*\n")
# Cells whose text outputs differ there from the stored ones, and why.
DIFFERENT = {
    "nb01-62": "prints the type of its numbers: int64 is not what whole numbers are there by default",
}


@pytest.fixture(scope="module")
def site(pyodide, tmp_path_factory):
    """The site in a folder, built from Pyodide's files."""
    pytest.importorskip("jupyterlite_pyodide_kernel", reason="needs publish/requirements.txt")
    out = tmp_path_factory.mktemp("live") / "out"
    live.build(out, str(pyodide))
    return out


class Opened:
    """A notebook opened at the site's address in `app`, in a browser that has kept nothing; `elsewhere` has what
    it asked other machines for."""

    def __init__(self, context, site, app, path):
        self.elsewhere = []
        context.set_default_timeout(60_000)
        here = (f"{site}/", "data:", f"blob:{site}/")
        context.on("request", lambda asked: asked.url.startswith(here) or self.elsewhere.append(asked.url))
        self.page = context.new_page()
        self.stored = notebooks.read(path)
        self.page.goto(f"{site}/{app}/index.html?path={path.name}")
        self.wait_for_cells()

    def wait_for_cells(self):
        self.cell(self.stored.cells[-1].id).wait_for(state="attached")

    def cell(self, id):
        number = next(i for i, cell in enumerate(self.stored.cells) if cell.id == id)
        return self.page.locator(".jp-Notebook .jp-Cell").nth(number)

    def shown(self, id):
        """The outputs of a cell, as an element each."""
        return self.cell(id).locator(".jp-OutputArea-output")

    def replace(self, id, source):
        """Writes `source` into a cell and runs it."""
        self.cell(id).locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(source)
        self.page.keyboard.press("Shift+Enter")

    def download(self, file):
        """The notebook as File, Download gives it, saved as `file`."""
        with self.page.expect_download() as download:
            choose(self.page, "File", "Download")
        download.value.save_as(file)
        return notebooks.read(file)


def faults(stored, seen):
    """What differs in a notebook that ran from the stored one, a line each."""
    for before, after in zip(stored.cells, seen.cells, strict=True):
        assert before.id == after.id
        if before.id not in DIFFERENT and texts(before) != texts(after):
            yield f"{after.id} shows {texts(after)} in place of {texts(before)}"


def texts(cell):
    """What a cell shows as text: what it prints, its results, errors, and the descriptions of its pictures."""
    shown = [output for output in cell.get("outputs", []) if output.get("metadata") != {"fold": True}]
    found = [o.get("text") or o.get("evalue") or o.get("data", {}).get("text/plain", "") for o in shown]
    # That kernel gives an empty result where an object shows nothing by itself.
    return [text for text in (LOADING.sub("", text) for text in found) if text]


@pytest.fixture(scope="module")
def slow(browser, port):
    """The slow notebook, which runs while the others do."""
    with browser.new_context() as context:
        opened = Opened(context, f"http://127.0.0.1:{port}", "lab", notebooks.PATHS[SLOW])
        start_all_cells(opened.page)
        yield opened


def check_after_run(opened, seconds, file):
    wait_for_all_cells(opened.page, seconds)
    seen = opened.download(file)
    found = [*faults(opened.stored, seen)]
    found += [f"asks for {address}" for address in opened.elsewhere]
    assert not found, "\n".join(found)
    # What the kernel writes was there, or the notebook would have counted as changed when it was opened.
    assert {name: seen.metadata[name] for name in live.METADATA} == live.METADATA


@pytest.mark.parametrize("number", [number for number in notebooks.PATHS if number not in (FIRST, SLOW)])
def test_notebook_runs_to_its_end(number, slow, browser, port, tmp_path):
    with browser.new_context() as context:
        opened = Opened(context, f"http://127.0.0.1:{port}", "lab", notebooks.PATHS[number])
        start_all_cells(opened.page)
        check_after_run(opened, 150, tmp_path / "seen.ipynb")


def test_first_notebook_as_a_student_uses_it_on_a_tablet(slow, browser, port, tmp_path):
    """In Notebook 7, over plain http from a host with a name."""
    with browser.new_context(viewport={"width": 768, "height": 1024}, has_touch=True) as context:
        opened = Opened(context, f"http://{CLASSROOM}:{port}", "notebooks", notebooks.PATHS[FIRST])
        page = opened.page
        assert not page.evaluate("isSecureContext")
        # Folded, until it is run.
        assert opened.cell("nb01-13").locator(".jp-OutputPlaceholder").is_visible()
        assert not opened.shown("nb01-13").count()
        start_all_cells(opened.page)
        check_after_run(opened, 150, tmp_path / "seen.ipynb")
        assert opened.shown("nb01-13").last.is_visible()

        answer = "def dot_product(a, b):\n    return (a * b).sum()\n\ncheck.dot_product(dot_product)"
        opened.replace("nb01-20", answer)
        opened.shown("nb01-20").filter(has_text="Right").wait_for()

        # The model is there already: nothing is loaded again.
        sentence = "Zebras sleep."
        opened.replace("nb01-sentence", f"print(*model.read({sentence!r})['tokens'])")
        opened.shown("nb01-sentence").filter(has_text="[CLS] zebra ##s sleep . [SEP]").wait_for()
        assert "Loading" not in opened.shown("nb01-sentence").first.text_content()

        (handed_in := tmp_path / "handed-in").mkdir()
        opened.download(handed_in / "Ada_Lovelace_01_dot_product.ipynb")
        results = collect.read_class(handed_in).best.set_index("exercise").result
        assert results["dot_product"] == "right"

        # What was written is kept in the browser.
        page.keyboard.press("Control+S")
        page.reload()
        opened.wait_for_cells()
        assert "(a * b).sum()" in opened.cell("nb01-20").locator(".cm-content").text_content()
        assert not opened.elsewhere


def test_slow_notebook_has_run_to_its_end(slow, tmp_path):
    check_after_run(slow, 300, tmp_path / "seen.ipynb")
