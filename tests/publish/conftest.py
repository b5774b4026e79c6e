"""What the tests of this folder share."""

import pytest

from publish import pages
from tests.chromium import chromium


def run(module, *arguments):
    """Runs a module as a command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", [module.__name__, *map(str, arguments)])
        module.main()


@pytest.fixture(scope="session")
def without_phones():
    """Leaves out the forms of pictures for phones, for which the notebooks would run again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "phone_pictures", lambda path: {})
        yield


@pytest.fixture(scope="session")
def site(without_phones, tmp_path_factory):
    """The folder of the website where no copy is published."""
    out = tmp_path_factory.mktemp("site")
    pages.build(out, "")
    return out


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

        contexts.append(browser.new_context(offline=True, **options))
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
