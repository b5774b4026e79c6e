"""A browser for the tests that need one, wherever it is installed."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

PLACES = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")
# What a container needs, and what keeps a browser from calling home.
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium():
    """A Chromium started through Playwright; without one the test is skipped.

    The variable CHROMIUM names the program; otherwise it is looked for where systems put it, and
    last among Playwright's own.
    """
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="no browser: the package playwright is missing"
    )
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, PLACES)), None)
    with sync_api.sync_playwright() as playwright:
        program = found or playwright.chromium.executable_path
        if not Path(program).exists():
            pytest.skip(f"no browser: {program} is missing (CHROMIUM may name one)")
        browser = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        try:
            yield browser
        finally:
            browser.close()
