"""A Chromium without a window for the browser tests, driven by Playwright (tests/requirements-browser.txt).

    python tests/chromium.py        print the path of one, or fail where there is none

Every name but this machine's is answered with "not found", so that pages cannot reach the network. CLASSROOM is
this machine under a name that browsers do not trust: there a page is no secure context.
"""

import os
import shutil
import sys
from contextlib import contextmanager

import pytest

CLASSROOM = "classroom.test"
# Playwright adds what a run without a window needs, such as --no-sandbox.
LAUNCH_OPTIONS = (
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    f"--host-resolver-rules=MAP {CLASSROOM} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)


def chromium_path():
    """The path of a Chromium: $CHROMIUM, or one on PATH. None where there is none."""
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


@contextmanager
def chromium():
    """A running Chromium, as Playwright's Browser. Skips the test where it or Playwright is missing."""
    reason = "needs tests/requirements-browser.txt and a Chromium on PATH (or named by $CHROMIUM)"
    sync_api = pytest.importorskip("playwright.sync_api", reason=reason)
    path = chromium_path()
    if path is None:
        pytest.skip(reason)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=LAUNCH_OPTIONS)
        try:
            yield browser
        finally:
            browser.close()


# JupyterLab, Notebook 7, and both of them as JupyterLite

PROMPTS = ".jp-Notebook .jp-CodeCell .jp-InputPrompt:not(.jp-Placeholder-prompt)"
HAVE_RUN = """prompts => document.querySelector('[data-mime-type="application/vnd.jupyter.stderr"]') ||
    [...document.querySelectorAll(prompts)].every(prompt => /\\d/.test(prompt.textContent))"""


def remove_numbers(page):
    """Takes the stored numbers of cells off the page, so that only new ones count."""
    page.eval_on_selector_all(PROMPTS, "all => all.forEach(prompt => { prompt.textContent = ''; })")


def wait_for_all_cells(page, seconds):
    """Waits until each cell has a number, except for those whose code is hidden, or one has failed."""
    page.wait_for_function(HAVE_RUN, arg=PROMPTS, polling=300, timeout=1000 * seconds)


if __name__ == "__main__":
    path = chromium_path()
    print(path or "no Chromium was found")
    sys.exit(path is None)
