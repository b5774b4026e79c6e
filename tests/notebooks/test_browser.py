"""Every notebook in JupyterLab, opened as README says, and one that has everything in Notebook 7.

    pip install -r tests/requirements-browser.txt && pytest -m browser

A copy is served, so that nothing a front end saves changes the stored files. Each page is read before anything
runs and after Run All Cells, and compared with the stored notebook cell by cell.
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

from notebooks import execute
from tests.chromium import chromium
from tests.notebooks.stored import ROOT, StartTags, formulas, prose

pytestmark = pytest.mark.browser

OTHER_HOST = re.compile(r"^(?!data:|blob:|(http|ws)://(127\.0\.0\.1|localhost)[:/])")
# What is written to stderr, and the traceback of an error.
ERROR = '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stderr"]'
RAISES = "raises an error, or writes to stderr"
PLANTED = "99_planted.ipynb"
SENTENCE = execute.FOLD["data"]["text"]
NOTEBOOKS = [path.name for path in execute.stored(ROOT / "notebooks")]
# Notebook 7 is made of JupyterLab's parts. Notebook 3 has figures, an explorer, and folded answers and code.
OPENED = [("lab", name) for name in NOTEBOOKS] + [("notebook", "03_softmax.ipynb")]


# The server and the browser


def readme_arguments(front_end):
    """The arguments of `jupyter` in README's run command, for JupyterLab or for Notebook 7."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^python3 .*\.venv/bin/jupyter lab (\S+\.ipynb)$", readme, re.MULTILINE)
    assert len(found) == 1, "README.md must give exactly one command that opens a notebook in JupyterLab"
    return [front_end, *shlex.split(found[0])]


@contextmanager
def server(front_end, repository, settings):
    """Jupyter as README starts it, with settings of its own; yields the address it would open in a browser."""
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    headless = ["--no-browser", "--ip=127.0.0.1", "--port=0", "--IdentityProvider.token=", *root]
    jupyter = Path(sysconfig.get_path("scripts")) / "jupyter"
    variables = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    variables += ("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")
    log = settings / "log"
    settings.mkdir()
    with log.open("w") as out:
        process = subprocess.Popen(
            [jupyter, *readme_arguments(front_end), *headless],
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
def browser():
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def front_end(request, browser, tmp_path_factory):
    """A served copy of the notebooks: a function that opens one of them."""
    folder = tmp_path_factory.mktemp(request.param)
    repository = folder / "repository"
    for name in ("notebooks", "figures"):
        shutil.copytree(ROOT / name, repository / name, ignore=shutil.ignore_patterns(".*"))
    plant(repository / "notebooks" / PLANTED)
    with server(request.param, repository, folder / "settings") as address:
        first = Path(readme_arguments(request.param)[1]).name
        assert address.endswith(first), address

        @contextmanager
        def opened(name):
            """The page, the stored notebook, and a function: the addresses on other hosts that were asked for."""
            stored = nbformat.read(repository / "notebooks" / name, as_version=4)
            asked = []
            # JupyterLab would open again what the page before had open.
            shutil.rmtree(folder / "settings" / "JUPYTERLAB_WORKSPACES_DIR", ignore_errors=True)
            with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
                context.set_default_timeout(120_000)
                context.route(OTHER_HOST, lambda route: route.abort())
                context.on("request", lambda request: asked.append(request.url))
                page = context.new_page()
                page.on("websocket", lambda socket: asked.append(socket.url))
                page.goto(address.removesuffix(first) + name)
                last = page.locator(".jp-Notebook .jp-Cell").nth(len(stored.cells) - 1)
                last.wait_for(state="attached")
                yield page, stored, lambda: sorted({url for url in asked if OTHER_HOST.match(url)})

        yield opened


# What is stored, and what is seen


def pictures(cell):
    """How many pictures a cell shows once it is unfolded."""
    if cell.cell_type == "markdown":
        return len(re.findall(r"!\[|<img\b", prose(cell)))
    pages = [output.get("data", {}).get("text/html", "") for output in cell.get("outputs", [])]
    return sum(len(StartTags(page).named("img")) for page in pages)


def is_folded(cell):
    return cell.cell_type == "code" and cell.metadata.get("jupyter", {}).get("outputs_hidden", False)


READ = """() => [...document.querySelectorAll('.jp-Notebook .jp-Cell')].map(cell => {
    const all = selector => [...cell.querySelectorAll(selector)].filter(found => found.checkVisibility());
    const texts = selector => all(selector).map(found => found.textContent.trim());
    // In a document of its own, where no copy of a picture is loaded.
    const inert = document.implementation.createHTMLDocument(), words = inert.body;
    for (const part of cell.querySelectorAll('.jp-MarkdownOutput')) words.append(inert.importNode(part, true));
    for (const part of words.querySelectorAll('code, pre, script, mjx-container')) part.remove();
    return {
        rendered: words.textContent.trim() !== '' || words.querySelector('img, table') !== null,
        dollars: words.textContent.match(/.{0,20}\\$.{0,20}/g) ?? [],
        formulas: cell.querySelectorAll('.jp-MarkdownOutput mjx-container').length,
        mistaken: [...cell.querySelectorAll('.jp-MarkdownOutput :is(mjx-merror, [data-mjx-error])')].map(
            formula => formula.textContent),
        details: cell.querySelectorAll('.jp-MarkdownOutput details').length,
        prompt: texts('.jp-InputPrompt').join(''),
        code: texts('.jp-InputPlaceholder'),
        folds: texts('.jp-OutputPlaceholder'),
        outputs: texts('.jp-OutputArea-output').length,
        errors: texts(ERROR),
        pictures: [...cell.querySelectorAll(':is(.jp-MarkdownOutput, .jp-OutputArea-output) img')].map(
            image => ({alt: image.alt, drawn: image.complete && image.naturalWidth > 0})),
    };
})""".replace("ERROR", repr(ERROR))


def hides_its_code(cell):
    return "hide-input" in cell.metadata.get("tags", [])


def faults_of_any_cell(cell, seen, folded):
    if cell.cell_type == "markdown":
        if not seen["rendered"]:
            yield "is not rendered"
        if seen["formulas"] != formulas(prose(cell)):
            yield f"has {formulas(prose(cell))} formulas, and {seen['formulas']} are drawn"
        if seen["mistaken"]:
            yield f"has a formula that cannot be drawn: {seen['mistaken'][0]}"
        for text in seen["dollars"]:
            yield f"shows a raw $: {text}"
        if seen["details"] != prose(cell).count("<details"):
            yield f"has {prose(cell).count('<details')} <details>, and {seen['details']} are seen"
    expected = 0 if folded else pictures(cell)
    if len(seen["pictures"]) != expected:
        yield f"has {expected} pictures, and shows {len(seen['pictures'])}"
    for picture in seen["pictures"]:
        if not picture["drawn"]:
            yield f"shows a broken picture: {picture['alt']}"


def faults_on_opening(cell, seen):
    yield from faults_of_any_cell(cell, seen, is_folded(cell))
    # Where the code is folded as well, one line stands for both.
    if hides_its_code(cell):
        line = f"# {SENTENCE}" if is_folded(cell) else cell.source.partition("\n")[0]
        if seen["code"] != [line] or seen["folds"]:
            yield f"shows {seen['code'] + seen['folds']} in place of its code"
    elif seen["folds"] != [SENTENCE] * is_folded(cell):
        yield f"shows {seen['folds']} in place of its answer" if seen["folds"] else "shows no fold"
    if is_folded(cell) and seen["outputs"]:
        yield "shows its answer"


def faults_after_running(cell, seen):
    yield from faults_of_any_cell(cell, seen, False)
    if cell.cell_type == "code" and not hides_its_code(cell) and not re.search(r"\d", seen["prompt"]):
        yield "was not run"
    for text in seen["errors"]:
        yield f"{RAISES}: {text[:200]}"
    if seen["folds"]:
        yield "is still folded"
    outputs = cell.get("outputs", [])
    stored = [output for output in outputs if output.get("metadata") != execute.FOLD["metadata"]]
    if cell.cell_type == "code" and not seen["errors"] and bool(seen["outputs"]) != bool(stored):
        yield f"shows {seen['outputs']} outputs, and {len(stored)} are stored"


def faults_of_page(page, stored, faults, seconds=20):
    """What is wrong on a page, a line each, once nothing is or nothing has changed for `seconds`."""
    before, since = None, time.monotonic()
    while True:
        seen = page.evaluate(READ)
        if len(seen) != len(stored.cells):
            found = [f"{len(stored.cells)} cells are stored, and {len(seen)} are seen"]
        else:
            found = [
                f"{cell.id} {fault}"
                for cell, look in zip(stored.cells, seen, strict=True)
                for fault in faults(cell, look)
            ]
        if not found or (found == before and time.monotonic() - since > seconds):
            return found
        if found != before:
            before, since = found, time.monotonic()
        page.wait_for_timeout(200)


# Whether the page's kernel is connected: cells run earlier may be lost.
READY = """async () => (await (await fetch('/api/sessions')).json()).some(({path, kernel}) =>
    location.pathname.endsWith(path) && kernel.connections > 0 && kernel.execution_state === 'idle'
)"""
# Whether every code cell has a number, or one has failed and none is waiting.
DONE = """([prompts, error]) => {
    const texts = [...document.querySelectorAll(prompts)].map(prompt => prompt.textContent);
    return texts.every(text => /\\d/.test(text))
        || (document.querySelector(error) && !texts.some(text => text.includes('*')));
}"""


def run_all(page):
    """Run > Run All Cells. Waits three minutes at most: what has not run by then is reported."""
    page.wait_for_function(READY, polling=300)
    # Remove the stored numbers from the page, so that only new ones count.
    prompts = ".jp-Notebook .jp-CodeCell .jp-InputPrompt:not(.jp-Placeholder-prompt)"
    page.eval_on_selector_all(prompts, "all => all.forEach(prompt => { prompt.textContent = ''; })")
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    until = time.monotonic() + 180
    while not page.evaluate(DONE, [prompts, ERROR]) and time.monotonic() < until:
        page.wait_for_timeout(300)


def is_marked_as_changed(page):
    """Whether JupyterLab marks the open notebook as changed, three seconds after its kernel has started."""
    page.wait_for_function(READY, polling=300)
    page.wait_for_timeout(3000)
    return page.locator(".lm-TabBar-tab.jp-mod-dirty").count() > 0


@pytest.mark.parametrize(("front_end", "name"), OPENED, indirect=["front_end"])
def test_notebook_is_complete_before_and_after_it_runs(front_end, name):
    with front_end(name) as (page, stored, other_hosts):
        before = faults_of_page(page, stored, faults_on_opening)
        # JupyterLab stores the version of Python.
        is_own_python = stored.metadata.language_info.version == platform.python_version()
        if name == NOTEBOOKS[0] and is_own_python and is_marked_as_changed(page):
            before.append("JupyterLab marks the notebook as changed")
        run_all(page)
        after = faults_of_page(page, stored, faults_after_running)
        found = [f"on opening, {fault}" for fault in before]
        found += [f"after Run All Cells, {fault}" for fault in after]
        found += [f"something asks for {url}" for url in other_hosts()]
    assert not found, "\n".join([name, *found])


# A notebook with faults

PICTURE = '<img alt="One pixel" src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==">'


def markdown(source, *faults):
    """A Markdown cell, and its faults before anything runs and after."""
    return nbformat.v4.new_markdown_cell(source), faults, faults


def code(source, before, after, shown=None, **metadata):
    """A code cell with the HTML that is stored as its output, and its faults before and after it ran."""
    data = {"text/html": shown, "text/plain": shown}
    outputs = [nbformat.v4.new_output("display_data", data)] if shown else []
    cell = nbformat.v4.new_code_cell(source, outputs=outputs, execution_count=1, metadata=metadata)
    return cell, before, after


CELLS = [
    markdown("![Elsewhere](https://example.org/a.png)", "shows a broken picture: Elsewhere"),
    markdown("A lone $ sign.", "shows a raw $: A lone $ sign."),
    markdown(r"Unbalanced: $\frac{1$.", "has 1 formulas, and 0 are drawn", "shows a raw $"),
    markdown(r"Refused: $\frac{1}$.", "has a formula that cannot be drawn"),
    markdown("<!-- <details> -->", "is not rendered", "has 1 <details>, and 0 are seen"),
    code("6 * 7", ["shows ['42'] in place of its answer"], [], "42", jupyter={"outputs_hidden": True}),
    code("6 * 7", [], ["has 1 pictures, and shows 0"], PICTURE),
    code("6 * 7", [], ["shows 1 outputs, and 0 are stored"]),
    code("1 / 0", [], [RAISES], "0"),
    code("6 * 7", [], ["was not run", "shows 0 outputs, and 1 are stored"], "42"),
]


def plant(path):
    cells = [cell for cell, _, _ in CELLS]
    metadata = {"kernelspec": execute.KERNELSPEC}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), path)


@pytest.mark.parametrize("front_end", ["lab"], indirect=True)
def test_faults_are_reported(front_end):
    with front_end(PLANTED) as (page, stored, other_hosts):
        before = faults_of_page(page, stored, faults_on_opening, seconds=6)
        assert is_marked_as_changed(page)
        run_all(page)
        after = faults_of_page(page, stored, faults_after_running, seconds=6)
        assert other_hosts() == ["https://example.org/a.png"]
    for found, place in [(before, 1), (after, 2)]:
        expected = [f"{entry[0].id} {fault}" for entry in CELLS for fault in entry[place]]
        # A fault may go on with what was seen.
        starts = [line[: len(start)] for line, start in zip(found, expected, strict=False)]
        assert (starts, len(found)) == (expected, len(expected)), "\n".join(found)
