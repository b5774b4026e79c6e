"""Every notebook runs to its end on the site of publish/live.py, in Chromium, and its links open what they name.

    pip install -r tests/requirements-browser.txt -r publish/requirements.txt && pytest -m live

What a notebook holds after a run is read from the file that Download gives.
"""

import pytest

from publish import notebooks
from tests.live.lab import FOLDER, PATIENCE, TABLET, Opened, check_after_run

pytestmark = [pytest.mark.live, pytest.mark.release]

FIRST = "01"  # test_student.py runs it
IN_LAB = "07"


@pytest.fixture(scope="module")
def context(browser):
    """What one tablet's browser keeps, for all tests that do not need an empty one: it has loaded Python once."""
    with browser.new_context(**TABLET) as context:
        context.set_default_timeout(PATIENCE)
        yield context


@pytest.mark.parametrize("number", sorted({*notebooks.PATHS} - {FIRST, IN_LAB, "10"}))
def test_notebook_runs_to_its_end_and_its_links_open_what_they_name(number, context, address, tmp_path):
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


def test_notebook_runs_to_its_end_in_jupyterlab_and_its_links_open_beside_it(browser, port, tmp_path):
    address = f"http://127.0.0.1:{port}/{FOLDER}"  # a host that browsers trust
    with browser.new_context(has_touch=True) as context:
        context.set_default_timeout(PATIENCE)
        opened = Opened(context, address, "lab", notebooks.PATHS[IN_LAB])
        opened.run_all()
        check_after_run(opened, 400, tmp_path / "seen.ipynb")
        (_, text), *_, (following, target) = opened.links()
        assert text.endswith(".md") and target.endswith(".ipynb")
        following.tap()
        opened.page.locator(".lm-TabBar-tabLabel").filter(has_text=target).wait_for()
        assert not opened.faults


# Saves of a changed notebook, some of which begin before another has ended. Without a margin each newer file counts.
SAVES = """async () => {
    const { context } = jupyterapp.shell.currentWidget;
    context._lastModifiedCheckMargin = 0;
    const saves = [];
    for (let i = 0; i < 60; i++) {
        context.model.dirty = true;
        saves.push(context.save());
        await new Promise((resolve) => setTimeout(resolve, i % 7));
    }
    const all = Promise.all(saves).then(() => "saved");
    return Promise.race([all, new Promise((resolve) => setTimeout(resolve, 30_000, "asked"))]);
}"""


def test_saves_that_overlap_ask_nothing(context, address):
    opened = Opened(context, address, "notebooks", notebooks.PATHS["02"])
    opened.page.wait_for_timeout(1000)
    assert opened.page.evaluate(SAVES) == "saved"
    opened.page.close()
