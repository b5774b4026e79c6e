"""Every notebook runs to its end on the site of publish/live.py, in Chromium. What it holds then is in its download.

pip install -r tests/requirements-browser.txt -r publish/requirements.txt && pytest -m live
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
def test_notebook_runs_to_its_end(number, context, address, tmp_path):
    opened = Opened(context, address, "notebooks", notebooks.PATHS[number])
    opened.run_all()
    check_after_run(opened, 400, tmp_path / "seen.ipynb")
    opened.page.close()


def test_notebook_runs_to_its_end_in_jupyterlab_and_its_links_open_beside_it(browser, port, tmp_path):
    address = f"http://127.0.0.1:{port}/{FOLDER}"  # a host that browsers trust
    following = notebooks.PATHS["08"].name
    with browser.new_context(has_touch=True) as context:
        context.set_default_timeout(PATIENCE)
        opened = Opened(context, address, "lab", notebooks.PATHS[IN_LAB])
        opened.run_all()
        check_after_run(opened, 400, tmp_path / "seen.ipynb")
        opened.link(following).tap()
        opened.page.locator(".lm-TabBar-tabLabel").filter(has_text=following).wait_for()
        assert not opened.faults
