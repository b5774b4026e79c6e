"""Every notebook in JupyterLab, opened as README says.

    pip install -r tests/requirements-browser.txt && pytest -m browser

A copy is served, so that nothing a front end saves changes the stored files. What is seen is compared with the
stored notebook cell by cell; of one notebook again after Run All Cells. (What cells print when they run again is
compared by nbval, and that all notebooks run in a browser is tested in tests/live.)
"""

import os
import re
import shlex
import shutil
import socket
import subprocess
import sysconfig
import time
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest

from publish import execute
from tests.chromium import chromium, start_all_cells, wait_for_all_cells
from tests.few import few_of
from tests.notebooks.stored import ROOT, images, prose

pytestmark = pytest.mark.browser

SENTENCE = execute.FOLD["data"]["text/plain"]
NOTEBOOKS = [path.name for path in execute.stored(ROOT / "notebooks")]


def answers(port):
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def server(folder):
    """Jupyter as README starts it, in a copy of the notebooks and with settings of its own; yields its address."""
    for name in ("notebooks", "figures"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(".*"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = set(re.findall(r"^python3 .*\.venv/bin/jupyter (lab .*)\.ipynb$", readme, re.MULTILINE))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = [
        "--no-browser",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--IdentityProvider.token=",
    ]
    jupyter = [Path(sysconfig.get_path("scripts")) / "jupyter", *shlex.split(f"{command}.ipynb"), *options]
    variables = ["JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"]
    settings = os.environ | {name: str(folder / name) for name in variables}
    process = subprocess.Popen(jupyter, cwd=folder, env=settings, stdin=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 120
        while not answers(port):
            assert process.poll() is None and time.monotonic() < until
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=60)


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Of a served copy of the notebooks, a function that opens one: the page, the stored notebook, and a list of
    the addresses on other machines that the page asks for."""
    folder = tmp_path_factory.mktemp("jupyter")
    with server(folder) as address, chromium() as browser:
        here = re.compile(rf"(http|ws){re.escape(address[4:])}/|data:|blob:")

        @contextmanager
        def opened(name):
            stored = nbformat.read(folder / "notebooks" / name, as_version=4)
            elsewhere = []
            with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
                context.set_default_timeout(120_000)
                page = context.new_page()
                for event in ("request", "websocket"):
                    page.on(event, lambda asked: here.match(asked.url) or elsewhere.append(asked.url))
                # Without "reset" JupyterLab would open again what the page before had open.
                page.goto(f"{address}/lab/tree/notebooks/{name}?reset")
                last = page.locator(".jp-Notebook .jp-Cell").nth(len(stored.cells) - 1)
                last.wait_for(state="attached")
                yield page, stored, elsewhere

        yield opened


READ = """() => [...document.querySelectorAll('.jp-Notebook .jp-Cell')].map(cell => {
    const all = selector => [...cell.querySelectorAll(selector)].filter(found => found.checkVisibility());
    const texts = selector => all(selector).map(found => found.textContent.trim());
    // In a document of its own, where no copy of a picture is loaded.
    const inert = document.implementation.createHTMLDocument(), words = inert.body;
    for (const part of cell.querySelectorAll('.jp-MarkdownOutput')) words.append(inert.importNode(part, true));
    for (const part of words.querySelectorAll('code, pre, script, mjx-container')) part.remove();
    return {
        // What stands around a formula that was not drawn, those that MathJax refuses, and what stderr has.
        faults: [
            ...(words.textContent.match(/.{0,20}\\$.{0,20}/g) ?? []),
            ...texts('.jp-MarkdownOutput :is(mjx-merror, [data-mjx-error])'),
            ...texts('.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stderr"]'),
        ],
        folds: texts(':is(.jp-InputPlaceholder, .jp-OutputPlaceholder)'),
        pictures: [...cell.querySelectorAll(':is(.jp-MarkdownOutput, .jp-OutputArea-output) img')].map(
            image => image.complete && image.naturalWidth > 0),
    };
})"""


def expected(cell, has_run):
    """What READ sees of a cell: its folds are a line for its code, for its output, or for both."""
    if cell.cell_type == "markdown":
        return {"faults": [], "folds": [], "pictures": [True] * len(re.findall(r"!\[|<img\b", prose(cell)))}
    is_folded = not has_run and cell.metadata.get("jupyter", {}).get("outputs_hidden", False)
    folds = [SENTENCE] * is_folded
    if "hide-input" in cell.metadata.get("tags", []):
        folds = [f"# {SENTENCE}" if is_folded else cell.source.partition("\n")[0]]
    pages = [] if is_folded else [output.get("data", {}).get("text/html", "") for output in cell.outputs]
    return {"faults": [], "folds": folds, "pictures": [True] * sum(len(images(page)) for page in pages)}


def assert_complete(page, stored, has_run):
    """Whether each cell looks as it should, once it does, or after a minute."""
    wanted, until = [expected(cell, has_run) for cell in stored.cells], time.monotonic() + 60
    while page.evaluate(READ) != wanted and time.monotonic() < until:
        page.wait_for_timeout(200)
    pairs = zip(stored.cells, page.evaluate(READ), wanted, strict=True)
    assert not [(cell.id, looks, should) for cell, looks, should in pairs if looks != should]


# Whether the page's kernel is connected: cells run earlier may be lost.
READY = """async () => (await (await fetch('/api/sessions')).json()).some(({path, kernel}) =>
    location.pathname.endsWith(path) && kernel.connections > 0 && kernel.execution_state === 'idle'
)"""


@pytest.mark.parametrize("name", few_of(NOTEBOOKS, NOTEBOOKS[4:5]))
def test_notebook_is_complete_in_jupyterlab(opened, name):
    with opened(name) as (page, stored, elsewhere):
        assert_complete(page, stored, has_run=False)
        assert elsewhere == []


def test_answers_unfold_where_a_notebook_is_run(opened):
    """Notebook 3 has figures, an explorer, and folded answers and code."""
    with opened("03_softmax.ipynb") as (page, stored, elsewhere):
        page.wait_for_function(READY, polling=300)
        start_all_cells(page)
        wait_for_all_cells(page, 120)
        assert_complete(page, stored, has_run=True)
        assert elsewhere == []
