"""Every notebook runs to its end on the site of publish/live.py, in Chromium. What it holds then is in its download.

pip install -r tests/requirements-browser.txt -r publish/requirements.txt && pytest -m live
"""

import pytest

from publish import notebooks
from tests.live.lab import PATIENCE, TABLET, Opened, check_after_run

pytestmark = [pytest.mark.live, pytest.mark.release]

IN_LAB = "07"


@pytest.fixture(scope="module")
def context(browser):
    """What one tablet's browser keeps, for all tests that do not need an empty one: it has loaded Python once."""
    with browser.new_context(**TABLET) as context:
        context.set_default_timeout(PATIENCE)
        yield context


@pytest.mark.parametrize("number", sorted({*notebooks.PATHS} - {"01", "10"}))  # test_student.py runs 01
def test_notebook_runs_to_its_end(number, context, host, tmp_path):
    app = "lab" if number == IN_LAB else "notebooks"
    opened = Opened(context, host, app, notebooks.PATHS[number])
    opened.run_all()
    check_after_run(opened, tmp_path / "seen.ipynb")
    opened.page.close()
