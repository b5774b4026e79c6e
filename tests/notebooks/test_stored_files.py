"""The stored notebooks and figures/: complete, as publish/execute.py writes them, and the same on other machines.

Each problems_... function takes the cells of a notebook and yields a line for each problem; test_cells.py runs them.
"""

import re
from urllib.parse import unquote

import nbformat

from publish import execute
from publish.notebooks import SUMMARY
from tests.notebooks.stored import (
    NOTEBOOKS,
    ROOT,
    SERIES,
    code_cells,
    every_notebook,
    forms,
    images,
    joined,
    load,
    markdown_cells,
    prose,
    report,
    tags,
)

RUN_AGAIN = "run `.venv/bin/python publish/execute.py` with its number, and look at the diff"
# "answer": a prediction's cell, whose output is stored folded; "hide-input": a cell whose code is folded.
ALLOWED_TAGS = {"nbval-ignore-output", "answer", "hide-input"}
# Cells whose output is not compared. Three store the scores of a sentence that the whole model has just read, to the
# last bit, and the last bits depend on the processor. One prints seconds.
IGNORED = {"nb01-sentence", "nb06-explorer", "nb10-explorer", "nb10-seconds"}


@every_notebook
def test_notebook_is_stored_as_execute_writes_it(name):
    """No front end left anything, and all cells ran in order."""
    nbformat.validate(load(name))  # an id that occurs twice is a warning, and fails
    text = (NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    execute.tidy(notebook)
    counts = [cell.execution_count for cell in code_cells(notebook.cells)]
    is_complete = "version" in notebook.metadata.language_info and counts == [*range(1, len(counts) + 1)]
    assert is_complete and execute.as_text(notebook) == text, f"{name} is not as stored: {RUN_AGAIN}"


def test_notebooks_are_the_series_and_figures_their_pictures():
    paths = execute.stored(NOTEBOOKS)
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == [path.stem for path in paths] == SERIES
    made = {}
    for path in paths:
        made |= execute.picture_files(path, nbformat.read(path, as_version=4))
    kept = {path.name: path.read_bytes() for path in (ROOT / "figures").glob("[0-9][0-9]_*")}
    different = [name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name)]
    report(f"figures/{name} is not the picture of its notebook: {RUN_AGAIN}" for name in different)


def problems_with_errors(cells):
    for cell in code_cells(cells):
        for output in cell["outputs"]:
            if output["output_type"] == "error" or output.get("name") == "stderr":
                yield f"{cell['id']} stores an error or a warning"


def problems_with_comparison(cells):
    """nbval leaves out the cells with some tags."""
    for cell in cells:
        if tags(cell) - ALLOWED_TAGS or ("nbval-ignore-output" in tags(cell) and cell["id"] not in IGNORED):
            yield f"{cell['id']} is tagged {sorted(tags(cell))}: add it to IGNORED with a reason"


FORBIDDEN = {
    r"#\s*(NBVAL|PYTEST_VALIDATE)_": "has a comment that nbval obeys",
    r";\s*(#.*)?\Z": "ends with a semicolon: it silences an output in Jupyter, and not under nbval",
    r"set_printoptions|set_option|pd\.options|%precision": "sets print options, which some versions of ipykernel forget",
    r"\balt=": "writes an alt text: leave it out, and it is made from the numbers",
}


def problems_with_sources(cells):
    for cell in code_cells(cells):
        for pattern, fault in FORBIDDEN.items():
            if re.search(pattern, joined(cell["source"])):
                yield f"{cell['id']} {fault}"


def is_described(form):
    """Whether the pictures of an output are shown in its HTML, with its text as their description."""
    page = form.get("text/html", "")
    if "<script>" in page:  # an explorer, described by the caption of its table
        return "<caption" in page and bool(form["text/plain"].strip())
    described = form.get("text/plain", "").strip() or None
    pictures = [kind for kind in form if kind.startswith("image/")]
    return [image.get("alt") for image in images(page)] == [described] * len(pictures)


def problems_with_descriptions(cells):
    for cell in code_cells(cells):
        if not all(map(is_described, forms([cell]))):
            yield f"{cell['id']} shows a picture without its description"
    for cell in markdown_cells(cells):
        described = all(image.get("alt", "").strip() for image in images(prose(cell)))
        if not described or re.search(r"!\[\s*\]", prose(cell)):
            yield f"{cell['id']} shows a picture without a description"


def problems_with_titles(cells):
    """One title, in the first cell."""
    first, *others = (len(re.findall(r"^# ", prose(c), re.MULTILINE)) for c in markdown_cells(cells))
    if first != 1 or any(others):
        yield "the first cell, and no other, must have one title (#)"


def problems_with_folds(cells):
    """<details> that are not closed, without a summary, one in another, or open from the start."""
    for cell in markdown_cells(cells):
        others = re.sub(rf"<details>{SUMMARY}.*?</summary>.*?</details>", "", prose(cell), flags=re.DOTALL)
        if re.search("</?(details|summary)", others):
            yield f"{cell['id']} has a <details> that is open, or not closed, or without a <summary>"


def problems_with_links(cells):
    """Links to files that do not exist."""
    for cell in markdown_cells(cells):
        for target in re.findall(r'\]\(([^)\s]+)|\b(?:src|href)="([^"]+)"', prose(cell)):
            path, _, _ = unquote("".join(target)).partition("#")
            if path and not re.match(r"[a-z]+:", path) and not (NOTEBOOKS / path).exists():
                yield f"{cell['id']} links to {path}, which does not exist"
