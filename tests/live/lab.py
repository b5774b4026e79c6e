"""A notebook as a tablet opens it on the site of publish/live.py, and what a test does there with a finger."""

import re

from publish import execute, notebooks
from tests.chromium import remove_numbers, wait_for_all_cells
from tests.notebooks.stored import printed

PATIENCE = 120_000  # milliseconds: the machine may do much else
FOLDER = "course/live"  # where on the server the site is
TABLET = {"viewport": {"width": 768, "height": 1024}, "has_touch": True}
# A list of settings of JupyterLite's that is not there does no harm.
KNOWN_MISSING = "build/schemas/all.json"
# What data.load prints where it fetches the model.
LOADING = re.compile(r"Loading model\.npz, .*\n")
# Cells whose text outputs differ there from the stored ones, and why.
DIFFERENT = {
    "nb01-62": "prints the type of its numbers: int64 is not what whole numbers are there by default",
}


class Opened:
    """A notebook opened in `app` of the site; `faults` has what it asked other machines for, what was not there, and
    errors of the page."""

    def __init__(self, context, host, app, path):
        self.faults = []
        site = f"{host}/{FOLDER}"
        self.here = (f"{site}/", "data:", f"blob:{host}/")
        self.page = context.new_page()
        self.page.on("request", self.note_request)
        self.page.on("response", self.note_response)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.stored = notebooks.read(path)
        self.page.goto(f"{site}/{app}/index.html?path={path.name}")
        self.cell(self.stored.cells[-1].id).wait_for(state="attached")

    def note_request(self, request):
        if not request.url.startswith(self.here):
            self.faults.append(f"asks for {request.url}")

    def note_response(self, response):
        if response.status == 404 and not response.url.endswith(KNOWN_MISSING):
            self.faults.append(f"is not there: {response.url}")

    def cell(self, id):
        number = next(i for i, cell in enumerate(self.stored.cells) if cell.id == id)
        return self.page.locator(".jp-Notebook .jp-Cell").nth(number)

    def shown(self, id):
        """The outputs of a cell, as an element each."""
        return self.cell(id).locator(".jp-OutputArea-output")

    def press(self, button):
        """Taps a button of the toolbar, once it can be."""
        self.page.locator(f"[data-jp-item-name={button}] :not([aria-disabled=true])").first.tap()

    def wait_until_bar_says(self, words):
        self.page.locator("#lab-bar [role=status]").filter(has_text=words).wait_for()

    def write(self, id, source):
        """Writes `source` into a cell."""
        self.cell(id).locator(".cm-content").tap()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(source)

    def run(self, id, source):
        """Writes `source` into a cell and runs it."""
        self.write(id, source)
        self.press("run")

    def run_all(self):
        remove_numbers(self.page)
        self.press("run-all")
        self.page.locator(".lab-kept").first.wait_for()  # what was stored, while Python starts

    def download(self, file):
        """The notebook as the button gives it, saved as `file`."""
        with self.page.expect_download() as download:
            self.press("download")
        download.value.save_as(file)
        return notebooks.read(file)

    def link(self, target):
        """The first link in a cell to another file of the site, by the file's name."""
        link = self.page.locator(f".jp-RenderedMarkdown a[href*='{target}']").first
        link.evaluate("link => { for (let up = link; up; up = up.parentElement) up.open = true; }")  # folds
        return link

    def follow(self, link):
        """Taps a link, and gives the page that it opens."""
        with self.page.expect_popup() as opened:
            link.tap()
        return opened.value


def differences(stored, seen):
    """What differs in a notebook that ran from the stored one, a line each."""
    for before, after in zip(stored.cells, seen.cells, strict=True):
        if before.cell_type == "code" and before.id not in DIFFERENT and texts(before) != texts(after):
            yield f"{after.id} shows {texts(after)} in place of {texts(before)}"


def texts(cell):
    """The lines that a cell shows: what it prints, its results, errors, and the descriptions of its pictures."""
    lines = LOADING.sub("", printed(cell)).splitlines()
    return [line for line in lines if line not in ("", execute.FOLD["data"]["text/plain"])]


def check_after_run(opened, file):
    wait_for_all_cells(opened.page, 400)
    assert not opened.page.locator(".lab-kept").count()
    found = [*differences(opened.stored, opened.download(file)), *opened.faults]
    assert not found, "\n".join(found)
