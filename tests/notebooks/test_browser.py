"""Every notebook in JupyterLab, opened as README says, and one that has everything in Notebook 7.

    pip install -r tests/requirements-browser.txt && pytest -m browser

A copy is served, so that nothing a front end saves changes the stored files. What is seen is compared with the
stored notebook cell by cell; of one notebook again after Run All Cells. (What cells print when they run again is
compared by nbval, and that all notebooks run in a browser is tested in tests/live.)
"""

import os
import platform
import re
import shlex
import shutil
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
from tests.notebooks.stored import ROOT, StartTags, prose

pytestmark = pytest.mark.browser

SENTENCE = execute.FOLD["data"]["text"]
NOTEBOOKS = [path.name for path in execute.stored(ROOT / "notebooks")]


# The server and the browser


@contextmanager
def server(repository, settings):
    """Jupyter as README starts it, with settings of its own; yields the address it would open in a browser."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"^python3 .*\.venv/bin/jupyter (lab .*\.ipynb)$", readme, re.MULTILINE))
    assert len(commands) == 1, "README.md must name one notebook that its commands open in JupyterLab"
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    headless = ["--no-browser", "--ip=127.0.0.1", "--port=0", "--IdentityProvider.token=", *root]
    jupyter = Path(sysconfig.get_path("scripts")) / "jupyter"
    variables = ["JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"]
    log = settings / "log"
    settings.mkdir()
    with log.open("w") as out:
        process = subprocess.Popen(
            [jupyter, *shlex.split(*commands), *headless],
            cwd=repository,
            env=os.environ | {name: str(settings / name) for name in variables},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            until = time.monotonic() + 120
            while True:
                # Jupyter gives the browser this file, which leads to the notebook.
                files = (settings / "JUPYTER_RUNTIME_DIR").glob("jpserver-file-to-run-*.html")
                if address := re.search(r'url=([^"]+)"', "".join(file.read_text() for file in files)):
                    break
                assert process.poll() is None and time.monotonic() < until, log.read_text()
                time.sleep(0.1)
            yield address[1]
        finally:
            process.terminate()
            process.wait(timeout=60)


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Of a served copy of the notebooks, a function that opens one: the page, the stored notebook, and a list of
    the addresses on other machines that the page asks for."""
    folder = tmp_path_factory.mktemp("jupyter")
    repository = folder / "repository"
    for name in ("notebooks", "figures"):
        shutil.copytree(ROOT / name, repository / name, ignore=shutil.ignore_patterns(".*"))
    with server(repository, folder / "settings") as address, chromium() as browser:
        first = f"/lab/tree/notebooks/{NOTEBOOKS[0]}"
        assert address.endswith(first), address
        here = re.compile(rf"(http|ws){re.escape(address.removesuffix(first)[4:])}/|data:|blob:")

        @contextmanager
        def opened(name, app="lab/tree"):
            stored = nbformat.read(repository / "notebooks" / name, as_version=4)
            elsewhere = []
            with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
                context.set_default_timeout(120_000)
                page = context.new_page()
                for event in ("request", "websocket"):
                    page.on(event, lambda asked: here.match(asked.url) or elsewhere.append(asked.url))
                # Without "reset" JupyterLab would open again what the page before had open.
                page.goto(address.replace(first, f"/{app}/notebooks/{name}?reset"))
                last = page.locator(".jp-Notebook .jp-Cell").nth(len(stored.cells) - 1)
                last.wait_for(state="attached")
                yield page, stored, elsewhere

        yield opened


# What is stored, and what is seen


def pictures(cell):
    """How many pictures a cell shows once it is unfolded."""
    if cell.cell_type == "markdown":
        return len(re.findall(r"!\[|<img\b", prose(cell)))
    pages = [output.get("data", {}).get("text/html", "") for output in cell.get("outputs", [])]
    return sum(len(StartTags(page).named("img")) for page in pages)


READ = """() => [...document.querySelectorAll('.jp-Notebook .jp-Cell')].map(cell => {
    const all = selector => [...cell.querySelectorAll(selector)].filter(found => found.checkVisibility());
    const texts = selector => all(selector).map(found => found.textContent.trim());
    // In a document of its own, where no copy of a picture is loaded.
    const inert = document.implementation.createHTMLDocument(), words = inert.body;
    for (const part of cell.querySelectorAll('.jp-MarkdownOutput')) words.append(inert.importNode(part, true));
    for (const part of words.querySelectorAll('code, pre, script, mjx-container')) part.remove();
    return {
        rendered: words.textContent.trim() !== '' || words.querySelector('img, table') !== null,
        // What stands around a formula that was not drawn, and those that MathJax refuses.
        formulas: [
            ...(words.textContent.match(/.{0,20}\\$.{0,20}/g) ?? []),
            ...[...cell.querySelectorAll('.jp-MarkdownOutput :is(mjx-merror, [data-mjx-error])')].map(
                formula => formula.textContent),
        ],
        prompt: texts('.jp-InputPrompt').join(''),
        folds: texts(':is(.jp-InputPlaceholder, .jp-OutputPlaceholder)'),
        outputs: texts('.jp-OutputArea-output').length,
        errors: texts('.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stderr"]'),
        pictures: [...cell.querySelectorAll(':is(.jp-MarkdownOutput, .jp-OutputArea-output) img')].map(
            image => image.complete && image.naturalWidth > 0),
    };
})"""


def fold_of(cell, has_run):
    """The line that stands for a cell's code, for its output, or for both."""
    is_folded = not has_run and cell.metadata.get("jupyter", {}).get("outputs_hidden", False)
    if "hide-input" in cell.metadata.get("tags", []):
        return [f"# {SENTENCE}" if is_folded else cell.source.partition("\n")[0]]
    return [SENTENCE] * is_folded


def faults_of_cell(cell, seen, has_run):
    folds = fold_of(cell, has_run) if cell.cell_type == "code" else []
    answer_is_hidden = any(SENTENCE in fold for fold in folds) and not has_run
    expected = 0 if answer_is_hidden else pictures(cell)
    outputs = [o for o in cell.get("outputs", []) if o.get("metadata") != execute.FOLD["metadata"]]
    if cell.cell_type == "markdown" and not seen["rendered"]:
        yield "is not rendered"
    for formula in seen["formulas"]:
        yield f"has a formula that is not drawn: {formula}"
    if seen["folds"] != folds:
        yield f"shows {seen['folds']} in place of {folds}"
    if seen["pictures"] != [True] * expected:
        yield f"has {expected} pictures, and shows {seen['pictures']}: False is a broken one"
    if cell.cell_type == "code" and bool(seen["outputs"]) != bool(outputs and not answer_is_hidden):
        yield f"shows {seen['outputs']} outputs"
    for text in seen["errors"]:
        yield f"raises an error, or writes to stderr: {text[:200]}"


def faults_of_page(page, stored, has_run):
    """What is wrong on a page, a line each, once nothing is, or after a minute."""
    until = time.monotonic() + 60
    while True:
        seen = page.evaluate(READ)
        found = [f"{len(stored.cells)} cells are stored, and {len(seen)} are seen"]
        if len(seen) == len(stored.cells):
            pairs = zip(stored.cells, seen, strict=True)
            found = [f"{c.id} {fault}" for c, look in pairs for fault in faults_of_cell(c, look, has_run)]
        if not found or time.monotonic() > until:
            return found
        page.wait_for_timeout(200)


# Whether the page's kernel is connected: cells run earlier may be lost.
READY = """async () => (await (await fetch('/api/sessions')).json()).some(({path, kernel}) =>
    location.pathname.endsWith(path) && kernel.connections > 0 && kernel.execution_state === 'idle'
)"""


def is_marked_as_changed(page):
    """Whether JupyterLab marks the open notebook as changed, three seconds after its kernel has started."""
    page.wait_for_function(READY, polling=300)
    page.wait_for_timeout(3000)
    return page.locator(".lm-TabBar-tab.jp-mod-dirty").count() > 0


@pytest.mark.parametrize("name", few_of(NOTEBOOKS, NOTEBOOKS[4:5]))
def test_notebook_is_complete_in_jupyterlab(opened, name):
    with opened(name) as (page, stored, elsewhere):
        found = faults_of_page(page, stored, has_run=False)
        found += [f"asks for {address}" for address in elsewhere]
    assert not found, "\n".join([name, *found])


@pytest.mark.parametrize("app", few_of(["lab/tree", "notebooks"], ["lab/tree"]))
def test_answers_unfold_where_a_notebook_is_run(opened, app):
    """Notebook 3 has figures, an explorer, and folded answers and code. Notebook 7 is made of JupyterLab's parts."""
    with opened("03_softmax.ipynb", app) as (page, stored, elsewhere):
        assert faults_of_page(page, stored, has_run=False) == []
        # JupyterLab stores the version of Python.
        if app == "lab/tree" and stored.metadata.language_info.version == platform.python_version():
            assert not is_marked_as_changed(page)
        page.wait_for_function(READY, polling=300)
        start_all_cells(page)
        wait_for_all_cells(page, 120)
        assert faults_of_page(page, stored, has_run=True) == []
        assert is_marked_as_changed(page) or app == "notebooks"
        assert elsewhere == []
