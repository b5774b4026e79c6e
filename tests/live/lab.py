"""The site of publish/live.py in Chromium, used with a finger: every notebook runs there to its end.

    pip install -r tests/requirements-browser.txt -r publish/requirements.txt && pytest -m live

The site is served as docs/publishing.md says, by Python's own server, in a folder of it. What a notebook holds after
a run is read from the file that Download gives.
"""

import re

import pytest

from publish import live, notebooks
from teaching import collect
from tests.chromium import CLASSROOM, remove_numbers, wait_for_all_cells

pytestmark = pytest.mark.live

FIRST = "01"
SLOW = "06"  # runs for minutes: it begins first, and is read last
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

# Notes in a page what its bar says.
RECORD = """
window.said = [];
new MutationObserver(() => {
  const words = document.querySelector("#lab-bar [role=status]")?.textContent.replace(/\\s+/g, " ");
  if (words && words !== said.at(-1)) said.push(words);
}).observe(document, { childList: true, subtree: true });
"""


@pytest.fixture(scope="module")
def site(pyodide, tmp_path_factory):
    """A folder with the site in FOLDER, built from Pyodide's files."""
    pytest.importorskip("jupyterlite_pyodide_kernel", reason="needs publish/requirements.txt")
    www = tmp_path_factory.mktemp("live")
    live.build(www / FOLDER, str(pyodide))
    return www


@pytest.fixture(scope="module")
def address(port):
    """The site's address over plain http, from a host with a name."""
    return f"http://{CLASSROOM}:{port}/{FOLDER}"


@pytest.fixture(scope="module")
def context(browser):
    """What one tablet's browser keeps, for all tests that do not need an empty one: it has loaded Python once."""
    with browser.new_context(**TABLET) as context:
        context.set_default_timeout(PATIENCE)
        yield context


@pytest.fixture
def empty(browser):
    """A browser that has kept nothing."""
    with browser.new_context(**TABLET) as context:
        context.set_default_timeout(PATIENCE)
        yield context


class Opened:
    """A notebook opened at the site's address in `app`; `faults` has what it asked other machines for, what was not
    there, and errors of the page."""

    def __init__(self, context, site, app, path):
        self.faults = []
        host = site.removesuffix(f"/{FOLDER}")
        # On a trusted host a service worker asks for the last of these.
        self.here = (f"{site}/", "data:", f"blob:{host}/", f"{host}/api/service-worker-heartbeat")
        self.page = context.new_page()
        self.old_copy = self.page.locator("#lab-bar").get_by_text("Your copy of this notebook")
        self.page.on("request", self.note_request)
        self.page.on("response", self.note_response)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.stored = notebooks.read(path)
        self.page.goto(f"{site}/{app}/index.html?path={path.name}")
        self.wait_for_cells()

    def note_request(self, request):
        if not request.url.startswith(self.here):
            self.faults.append(f"asks for {request.url}")

    def note_response(self, response):
        if response.status == 404 and not response.url.endswith(KNOWN_MISSING):
            self.faults.append(f"is not there: {response.url}")

    def wait_for_cells(self):
        self.cell(self.stored.cells[-1].id).wait_for(state="attached")

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

    def links(self):
        """The links to other files of the site that are shown in cells, with the file's name."""
        for cell in self.stored.cells:
            targets = re.findall(r"\]\((?:[^):]*/)?([^):/]+\.(?:ipynb|md))\)", cell.source)
            if cell.cell_type == "markdown" and targets:
                shown = self.cell(cell.id)
                shown.scroll_into_view_if_needed()
                shown.evaluate(
                    "shown => shown.querySelectorAll('details').forEach(fold => { fold.open = true })"
                )
                for target in targets:
                    yield shown.locator(f"a[href*='{target.removesuffix('.md')}']").first, target

    def follow(self, link):
        """Taps a link, and gives the page that it opens."""
        with self.page.expect_popup() as opened:
            link.tap()
        opened.value.on("response", self.note_response)
        return opened.value


def differences(stored, seen):
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
    """The slow notebook, which runs while the others do: in JupyterLab, from a host that browsers trust."""
    with browser.new_context(has_touch=True) as context:
        context.set_default_timeout(PATIENCE)
        opened = Opened(context, f"http://127.0.0.1:{port}/{FOLDER}", "lab", notebooks.PATHS[SLOW])
        opened.run_all()
        yield opened


def check_after_run(opened, seconds, file):
    wait_for_all_cells(opened.page, seconds)
    assert not opened.page.locator(".lab-kept").count()
    seen = opened.download(file)
    found = [*differences(opened.stored, seen), *opened.faults]
    assert not found, "\n".join(found)
    # What the kernel writes was there, or the notebook would have counted as changed when it was opened.
    assert {name: seen.metadata[name] for name in live.METADATA} == live.METADATA


@pytest.mark.parametrize("number", [number for number in notebooks.PATHS if number not in (FIRST, SLOW)])
def test_notebook_runs_to_its_end_and_its_links_open_what_they_name(number, slow, context, address, tmp_path):
    opened = Opened(context, address, "notebooks", notebooks.PATHS[number])
    opened.run_all()
    check_after_run(opened, 400, tmp_path / "seen.ipynb")
    for link, target in opened.links():
        page = opened.follow(link)
        if target.endswith(".md"):
            page.get_by_role("heading", level=1, name=target.removesuffix(".md")).wait_for()
        else:
            page.wait_for_url(f"{address}/notebooks/index.html?path={target}", wait_until="commit")
            assert (notebooks.FOLDER / target).is_file()
        page.close()
    opened.page.close()
    assert not opened.faults


def test_first_notebook_as_a_student_uses_it(slow, empty, address, tmp_path):
    loaded = []
    empty.add_init_script(RECORD)
    empty.on("requestfinished", lambda request: loaded.append(request))
    opened = Opened(empty, address, "notebooks", notebooks.PATHS[FIRST])
    page = opened.page
    assert not page.evaluate("isSecureContext")
    assert not page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty")
    # Folded, until it is run. A table with controls can be used before.
    assert opened.cell("nb01-13").locator(".jp-OutputPlaceholder").is_visible()
    assert not opened.shown("nb01-13").count()
    opened.cell("nb01-explorer").scroll_into_view_if_needed()
    opened.shown("nb01-explorer").locator("select[name=head]").select_option("5")
    opened.shown("nb01-explorer").get_by_text("layer 1, head 5").first.wait_for()

    # What is loaded is said from the first moment, and it is as much as that.
    opened.wait_until_bar_says("Python is ready")
    total = int(page.locator("script[data-total]").get_attribute("data-total"))
    said = [re.search(r"Python is loading: +(\d+) of (\d+) MB", words) for words in page.evaluate("said")]
    parts, totals = zip(*(map(int, found.groups()) for found in said if found))
    assert {parts[0], parts[-1], *totals} == {0, round(total / 1e6)} and len(set(parts)) > 4
    files = [r for r in loaded if "/pyodide/" in r.url and not r.url.endswith((".mjs", "startup.py"))]
    assert sum(request.sizes()["responseBodySize"] for request in files) == total

    opened.run_all()
    check_after_run(opened, 400, tmp_path / "seen.ipynb")
    assert opened.shown("nb01-13").last.is_visible()

    answer = "def dot_product(a, b):\n    return (a * b).sum()\n\ncheck.dot_product(dot_product)"
    opened.run("nb01-20", answer)
    opened.shown("nb01-20").filter(has_text="Right").wait_for()

    # The model is there already: nothing is loaded again.
    opened.run("nb01-sentence", "print(*model.read('Zebras sleep.')['tokens'])")
    opened.shown("nb01-sentence").filter(has_text="[CLS] zebra ##s sleep . [SEP]").wait_for()
    assert "Loading" not in opened.shown("nb01-sentence").first.text_content()

    (handed_in := tmp_path / "handed-in").mkdir()
    opened.download(handed_in / "Ada_Lovelace_01_dot_product.ipynb")
    results = collect.read_class(handed_in).best.set_index("exercise").result
    assert results["dot_product"] == "right"

    # An endless loop is ended, and the page says how.
    opened.run("nb01-sentence", "while True: pass")
    opened.wait_until_bar_says("one that never ends is ended with Restart")
    opened.press("restart")
    page.get_by_role("button", name="Confirm Kernel Restart").tap()
    opened.wait_until_bar_says("Python is ready")

    # The tablet drops the page twelve seconds after lines were written.
    opened.write("nb01-20", answer.replace("(a * b).sum()", "a @ b"))
    page.wait_for_timeout(12_000)
    page.close()
    again = Opened(empty, address, "notebooks", notebooks.PATHS[FIRST])
    assert "a @ b" in again.cell("nb01-20").locator(".cm-content").text_content()
    again.wait_until_bar_says("Python is ready")
    again.write("nb01-sentence", "")
    again.cell("nb01-20").locator(".cm-content").tap()
    again.press("run")
    again.shown("nb01-20").filter(has_text="makes 'check':\ntap Run above").wait_for()
    again.press("run-above")
    again.shown("nb01-20").filter(has_text="Right").wait_for()

    # The menus react too, the next notebook opens, and the logo shows the list of all.
    with again.page.expect_download():
        again.page.get_by_role("menuitem", name="File", exact=True).tap()
        again.page.get_by_role("menuitem", name="Download", exact=True).tap()
    following = {target: link for link, target in again.links()}[notebooks.PATHS["02"].name]
    heading = notebooks.title(notebooks.read(notebooks.PATHS["02"]).cells).split("$")[0]
    again.follow(following).locator(".jp-Notebook h1").filter(has_text=heading).wait_for()
    listed = again.follow(again.page.locator("#jp-NotebookLogo"))
    with listed.expect_popup() as opened_there:
        listed.get_by_text(notebooks.PATHS["03"].name).tap()
    opened_there.value.locator(".jp-Notebook .jp-Cell").first.wait_for()
    assert not again.faults + opened.faults


def test_old_copy_is_told_and_a_fresh_one_can_be_had(empty, address):
    path = notebooks.PATHS["02"]
    first = next(cell.id for cell in notebooks.read(path).cells if cell.cell_type == "code")
    opened = Opened(empty, address, "notebooks", path)
    opened.write(first, "mine = 1")
    opened.page.wait_for_timeout(6_000)
    assert not opened.old_copy.is_visible()
    opened.page.close()

    empty.route("**/versions.json", lambda route: route.fulfill(json={path.name: "another"}))
    opened = Opened(empty, address, "notebooks", path)
    assert "mine" in opened.cell(first).locator(".cm-content").text_content()
    opened.old_copy.wait_for()
    page = opened.follow(opened.old_copy.get_by_role("link"))
    opened.page.close()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").tap()
    assert "mine = 1" in download.value.path().read_text(encoding="utf-8")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Start fresh").tap()
    page.get_by_role("link", name=path.name).tap()
    cell = page.locator(".jp-Notebook .jp-CodeCell .cm-content").first
    cell.filter(has_text="import").wait_for()
    assert "mine" not in cell.text_content()
    page.goto(f"{address}/fresh.html")
    page.get_by_text("No notebook of yours is kept").wait_for()


@pytest.mark.parametrize("app", ["", *live.APPS])
def test_site_that_is_opened_as_a_file_says_why_it_is_empty(app, empty, site):
    page = empty.new_page()
    page.goto((site / FOLDER / app / "index.html").as_uri())
    page.get_by_text("opened as a file").wait_for()


def test_slow_notebook_has_run_to_its_end_and_its_links_open_beside_it(slow, tmp_path):
    check_after_run(slow, 400, tmp_path / "seen.ipynb")
    (_, text), *_, (following, target) = slow.links()
    assert text.endswith(".md") and target.endswith(".ipynb")
    following.tap()
    slow.page.locator(".lm-TabBar-tabLabel").filter(has_text=target).wait_for()
    assert not slow.faults
