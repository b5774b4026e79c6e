"""A Chromium, and pages in it that note what goes wrong, for the tests of several folders."""

import pytest

from tests.chromium import chromium


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture
def open_page(browser):
    """A function that opens an address. The page's `log` has requests of other folders, messages, errors.

    `script` runs before the page's own.
    """
    contexts = []

    def open_page(address, script="", **options):
        def log_request(request):
            if not request.url.startswith((address.rpartition("/")[0] + "/", "data:")):
                page.log.append(f"requests {request.url}")

        contexts.append(browser.new_context(**{"offline": True} | options))
        contexts[-1].add_init_script(script)
        page = contexts[-1].new_page()
        page.log = []
        contexts[-1].on("request", log_request)
        page.on("console", lambda message: page.log.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: page.log.append(f"error: {error}"))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
