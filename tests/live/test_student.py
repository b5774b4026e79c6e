"""The site of publish/live.py in Chromium, as a student with a tablet uses it."""

import pytest

from publish import live, notebooks
from teaching import collect
from tests.live.lab import FOLDER, Opened, check_after_run
from tests.project.test_readme import ROOT, text_of

pytestmark = pytest.mark.live

FIRST = "01"


def assert_guides_state(site, loaded):
    """What the site takes, and what a browser has loaded when Python is ready."""
    whole = round(sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) / 1e6)
    start = round(loaded / 1e6)
    model = round((ROOT / "attention_lib" / "data" / "model.npz").stat().st_size / 1e6)
    loads = f"The folder has {whole} MB. A reader's browser loads {start} MB until the first picture, and {model} more"
    assert loads in text_of("docs/publishing.md")
    assert f"{start} MB once, and {model} MB more for the first sentence" in text_of("teaching/README.md")
    assert f"in your browser: {start} MB before the first cell" in text_of("publish/site/front.md")


def test_first_notebook_as_a_student_uses_it(empty, site, host, tmp_path):
    loaded = []
    empty.on("requestfinished", lambda request: loaded.append(request))
    opened = Opened(empty, host, "notebooks", notebooks.PATHS[FIRST])
    page = opened.page
    assert not page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty")

    # As much is loaded as the bar and the guides say.
    opened.page.locator("#lab-bar progress").wait_for()
    opened.wait_until_bar_says("Python is ready")
    total = int(page.locator("script[data-total]").get_attribute("data-total"))
    files = [r for r in loaded if "/pyodide/" in r.url and not r.url.endswith((".mjs", "startup.py"))]
    assert sum(request.sizes()["responseBodySize"] for request in files) == total
    assert_guides_state(site, sum(request.sizes()["responseBodySize"] for request in loaded))

    opened.run_all()
    check_after_run(opened, tmp_path / "seen.ipynb")

    answer = "def dot_product(a, b):\n    return (a * b).sum()\n\ncheck.dot_product(dot_product)"
    opened.run("nb01-20", answer)
    opened.shown("nb01-20").filter(has_text="Right").wait_for()

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
    again = Opened(empty, host, "notebooks", notebooks.PATHS[FIRST])
    assert "a @ b" in again.cell("nb01-20").locator(".cm-content").text_content()
    again.wait_until_bar_says("Python is ready")
    again.write("nb01-sentence", "")
    again.cell("nb01-20").locator(".cm-content").tap()
    again.press("run")
    again.shown("nb01-20").filter(has_text="makes 'check':\ntap Run above").wait_for()
    again.press("run-above")
    again.shown("nb01-20").filter(has_text="Right").wait_for()

    # The menus react to a finger too, and links open what they name.
    with again.page.expect_download():
        again.page.get_by_role("menuitem", name="File", exact=True).tap()
        again.page.get_by_role("menuitem", name="Download", exact=True).tap()
    text = again.follow(again.link("glossary"))
    text.get_by_role("heading", level=1, name="glossary").wait_for()
    following = again.follow(again.link(notebooks.PATHS["02"].name))
    heading = notebooks.title(notebooks.read(notebooks.PATHS["02"]).cells).split("$")[0]
    following.locator(".jp-Notebook h1").filter(has_text=heading).wait_for()
    assert not again.faults + opened.faults


@pytest.mark.release
def test_old_copy_is_told_and_a_fresh_one_can_be_had(empty, host):
    path = notebooks.PATHS["02"]
    first = next(cell.id for cell in notebooks.read(path).cells if cell.cell_type == "code")
    opened = Opened(empty, host, "notebooks", path)
    opened.write(first, "mine = 1")
    opened.page.wait_for_timeout(6_000)
    opened.page.close()

    empty.route("**/versions.json", lambda route: route.fulfill(json={path.name: "another"}))
    opened = Opened(empty, host, "notebooks", path)
    page = opened.follow(opened.page.locator("p", has_text="Your copy of this notebook").get_by_role("link"))
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


@pytest.mark.parametrize("app", ["", *live.APPS])
def test_site_that_is_opened_as_a_file_says_why_it_is_empty(app, empty, site):
    page = empty.new_page()
    page.goto((site / FOLDER / app / "index.html").as_uri())
    page.get_by_text("opened as a file").wait_for()
