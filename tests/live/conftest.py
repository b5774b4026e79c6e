"""What the tests of this folder share: Pyodide's files, a server, a browser."""

import contextlib
import functools
import http.server
import threading

import pytest

from publish import live
from tests.chromium import chromium
from tests.live import source


@pytest.fixture(scope="session")
def pyodide():
    """The folder with Pyodide's files."""
    try:
        return source.folder()
    except SystemExit as error:
        pytest.skip(f"Pyodide {live.PYODIDE} could not be put together: {error}")


class Handler(http.server.SimpleHTTPRequestHandler):
    """`python -m http.server`, without its log."""

    def log_message(self, *args):
        pass

    def copyfile(self, file, to):
        with contextlib.suppress(ConnectionError):  # the page was closed
            super().copyfile(file, to)


@pytest.fixture(scope="module")
def port(site):
    """The port at which the module's `site` is served."""
    handler = functools.partial(Handler, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running
