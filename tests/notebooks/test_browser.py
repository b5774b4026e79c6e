"""Every notebook in JupyterLab, opened as README says.

    pip install -r tests/requirements-browser.txt && pytest -m browser

A copy is served, so that nothing a front end saves changes the stored files. What is seen is compared with the
stored notebook cell by cell. (What cells print when they run again is compared by nbval, and that all notebooks run
in a browser is tested in tests/live.)
"""

import contextlib
import os
import re
import shlex
import shutil
import socket
import subprocess
import sysconfig
import time
from pathlib import Path

import nbformat
import pytest

from publish import execute
from tests.few import few_of
from tests.notebooks.stored import ROOT, images, prose

pytestmark = pytest.mark.browser

DESKTOP = {"width": 1440, "height": 900}
SENTENCE = execute.FOLD["data"]["text/plain"]
NOTEBOOKS = [path.name for path in execute.stored(ROOT / "notebooks")]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Of Jupyter as README starts it, in a copy of the notebooks and with settings of its own."""
    folder = tmp_path_factory.mktemp("jupyter")
    for name in ("notebooks", "figures"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(".*"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = set(re.findall(r"^python3 .*\.venv/bin/jupyter (lab .*)\.ipynb$", readme, re.MULTILINE))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ["--no-browser", "--allow-root", f"--port={port}", "--IdentityProvider.token="]
    jupyter = [Path(sysconfig.get_path("scripts")) / "jupyter", *shlex.split(f"{command}.ipynb"), *options]
    variables = ["JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"]
    settings = os.environ | {name: str(folder / name) for name in variables}
    with subprocess.Popen(jupyter, cwd=folder, env=settings, stdin=subprocess.DEVNULL) as process:
        with contextlib.closing(socket.socket()) as asked:
            while asked.connect_ex(("127.0.0.1", port)):
                assert process.poll() is None, "Jupyter did not start"
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
        process.terminate()


READ = """() => [...document.querySelectorAll('.jp-Notebook .jp-Cell')].map(cell => {
    const all = selector => [...cell.querySelectorAll(selector)].filter(found => found.checkVisibility());
    const texts = selector => all(selector).map(found => found.textContent.trim());
    return {
        // What stands around a formula that was not drawn, and those that MathJax refuses.
        faults: [
            ...(texts('.jp-MarkdownOutput').join(' ').match(/.{0,20}\\$.{0,20}/g) ?? []),
            ...texts('.jp-MarkdownOutput :is(mjx-merror, [data-mjx-error])'),
        ],
        folds: texts(':is(.jp-InputPlaceholder, .jp-OutputPlaceholder)'),
        pictures: [...cell.querySelectorAll(':is(.jp-MarkdownOutput, .jp-OutputArea-output) img')].map(
            image => image.complete && image.naturalWidth > 0),
    };
})"""


def expected(cell):
    """What READ sees of a cell: its folds are a line for its code, for its output, or for both."""
    if cell.cell_type == "markdown":
        return {"faults": [], "folds": [], "pictures": [True] * len(re.findall(r"!\[|<img\b", prose(cell)))}
    is_folded = cell.metadata.get("jupyter", {}).get("outputs_hidden", False)
    folds = [SENTENCE] * is_folded
    if "hide-input" in cell.metadata.get("tags", []):
        folds = [f"# {SENTENCE}" if is_folded else cell.source.partition("\n")[0]]
    pages = [] if is_folded else [output.get("data", {}).get("text/html", "") for output in cell.outputs]
    return {"faults": [], "folds": folds, "pictures": [True] * sum(len(images(page)) for page in pages)}


@pytest.mark.parametrize("name", few_of(NOTEBOOKS, NOTEBOOKS[4:5]))
def test_notebook_is_complete_in_jupyterlab(address, open_page, name):
    stored = nbformat.read(ROOT / "notebooks" / name, as_version=4)
    # Without "reset" JupyterLab would open again what the page before had open.
    page = open_page(f"{address}/lab/tree/notebooks/{name}?reset", offline=False, viewport=DESKTOP)
    page.locator(".jp-Notebook .jp-Cell").nth(len(stored.cells) - 1).wait_for(
        timeout=120_000, state="attached"
    )
    wanted, until = [expected(cell) for cell in stored.cells], time.monotonic() + 60
    while page.evaluate(READ) != wanted and time.monotonic() < until:
        page.wait_for_timeout(200)
    pairs = zip(stored.cells, page.evaluate(READ), wanted, strict=True)
    assert not [(cell.id, looks, should) for cell, looks, should in pairs if looks != should]
    asked = [line for line in page.log if line.startswith("requests ") and address[4:] not in line]
    assert not asked  # of other machines
