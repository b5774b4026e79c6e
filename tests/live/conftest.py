"""What the tests of this folder share: Pyodide's files, a browser, and the site of publish/live.py.

The site is served as docs/publishing.md says, by Python's own server, in a folder of it.
"""

import functools
import http.server
import subprocess
import threading

import pytest

from publish import live
from tests.chromium import CLASSROOM
from tests.live import source
from tests.live.lab import FOLDER, PATIENCE, TABLET


@pytest.fixture(scope="session")
def pyodide():
    """The folder with Pyodide's files."""
    try:
        return source.folder()
    except (OSError, SystemExit, subprocess.SubprocessError) as error:
        pytest.skip(f"Pyodide {live.PYODIDE} could not be put together: {error}")


@pytest.fixture(scope="module")
def host(site):
    """The address at which the module's `site` is served, over plain http, from a host with a name."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{CLASSROOM}:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def site(pyodide, tmp_path_factory):
    """A folder with the site in FOLDER, built from Pyodide's files."""
    pytest.importorskip("jupyterlite_pyodide_kernel", reason="needs publish/requirements.txt")
    www = tmp_path_factory.mktemp("live")
    live.build(www / FOLDER, str(pyodide))
    return www


@pytest.fixture
def empty(browser):
    """A browser that has kept nothing."""
    with browser.new_context(**TABLET) as context:
        context.set_default_timeout(PATIENCE)
        yield context
