"""What the tests of this folder share."""

import pytest

from tests.chromium import chromium


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture
def open_page(browser):
    """A function that opens an address offline. The page's `log` has requests of other folders, messages, errors."""
    contexts = []

    def open_page(address, **options):
        def log_request(request):
            if not request.url.startswith((address.rpartition("/")[0] + "/", "data:")):
                page.log.append(f"requests {request.url}")

        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.log = []
        context.on("request", log_request)
        page.on("console", lambda message: page.log.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: page.log.append(f"error: {error}"))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
