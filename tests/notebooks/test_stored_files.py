"""The stored notebooks and figures/: complete, as publish/execute.py writes them, and the same on other machines.

Each problems_... function takes the cells of a notebook and yields a line for each problem.
test_tampering.py sees each of them fail.
"""

import re
from urllib.parse import unquote

import nbformat
import pytest

from publish import execute
from publish.notebooks import SUMMARY
from tests.notebooks.stored import (
    NOTEBOOKS,
    ROOT,
    SERIES,
    StartTags,
    code_cells,
    every_notebook,
    forms,
    joined,
    load,
    markdown_cells,
    prose,
    report,
    run_again,
    tags,
)

# "answer": a prediction's cell, whose output is stored folded; "hide-input": a cell whose code is folded.
ALLOWED_TAGS = {"nbval-ignore-output", "answer", "hide-input"}
# Cells whose output is not compared, by id.
IGNORED = {
    # It stores the scores of a sentence that the whole model has just read, to the last bit, and the last
    # bits depend on the processor. The weights are compared in the picture above it.
    "nb01-your-explorer",
    "nb06-explorer",
}


# As execute.py writes them


def test_series_is_complete():
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == SERIES


def is_as_executed(text):
    """Whether a stored file is as execute.py writes it: no front end left anything, and all cells ran in order."""
    notebook = nbformat.reads(text, as_version=4)
    execute.tidy(notebook)
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    return (
        execute.as_text(notebook) == text
        and "version" in notebook.metadata.language_info
        and counts == [*range(1, len(counts) + 1)]
    )


@every_notebook
def test_notebook_is_stored_as_execute_writes_it(name):
    nbformat.validate(load(name))  # an id that occurs twice is a warning, and fails
    if not is_as_executed((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8")):
        report([f"{name}.ipynb is not as publish/execute.py writes it: {run_again(name)}"])


def notebook_that_shows(*names):
    """A notebook with a figure of each name."""
    pictures = [{"text/html": f'<figure id="{name}"></figure>', "image/png": ""} for name in names]
    outputs = [nbformat.v4.new_output("display_data", data) for data in pictures]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(outputs=outputs)])


def test_execute_deletes_the_pictures_that_a_notebook_no_longer_makes_and_no_other(tmp_path, monkeypatch):
    path, figures = tmp_path / "03_small.ipynb", tmp_path / "figures"
    nbformat.write(notebook_that_shows("a", "b"), path)
    figures.mkdir()
    others = {"logo.png", "03_drawn_by_hand.png", "04_of_another_notebook.png"}
    for name in {"03_a.png", "03_b.png"} | others:
        (figures / name).touch()
    monkeypatch.setattr(execute, "run", lambda path: notebook_that_shows("a", "c"))
    execute.execute([path], figures)
    assert {file.name for file in figures.iterdir()} == {"03_a.png", "03_c.png"} | others
    for names in [("a", "a"), ("",)]:
        with pytest.raises(execute.UnnamedFigure):
            execute.picture_files(path, notebook_that_shows(*names))


# What the outputs hold


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


UNSTABLE = {
    "memory address": r"\b0x[0-9a-fA-F]{5,}",
    "path of one machine": r"/tmp/|/home/|/root/|/Users/|\b[A-Z]:\\|ipykernel_\d",
    "id of a Styler": r"\bT_[0-9a-f]{5}",
    "negative zero": r"(?<![\w.])-0(\.0*)?(?![\d.])",
    "rounding residual": r"\d[eE]-(0[7-9]|[1-9]\d)",
}


def unstable(text):
    """What in `text` would differ on another machine, or None."""
    for what, pattern in UNSTABLE.items():
        if found := re.search(pattern, text):
            return f"{what}: {found[0]}"
    for number in re.findall(r"\d+\.\d+", text):
        is_whole = re.fullmatch(r"\d+\.00?", number)  # exact, however long it is
        if not is_whole and len(number.replace(".", "").lstrip("0")) > 7:
            return f"more digits than another processor would repeat: {number}"
    return None


def problems_with_numbers(cells):
    """What another machine would print differently."""
    for cell in code_cells(cells):
        texts = [joined(output.get("text", "")) for output in cell["outputs"]]
        for form in forms([cell]):
            texts += [form.get("text/plain", ""), re.sub(r"base64,[^\"]*", "", form.get("text/html", ""))]
        yield from (f"{cell['id']} prints a {found}" for found in map(unstable, texts) if found)


# Pictures


def is_described(form):
    """Whether all pictures of an output are PNG, shown in its HTML, and described there and in its text."""
    page = StartTags(form.get("text/html", ""))
    if "<script>" in form.get("text/html", ""):  # an explorer, described by the caption of its table
        return bool(page.named("caption") and form["text/plain"].strip())
    images, kinds = page.named("img"), {kind for kind in form if kind.startswith("image/")}
    sources = [f"data:image/png;base64,{''.join(form[kind].split())}" for kind in kinds]
    return (
        kinds <= {"image/png"}
        and ["".join(image["src"].split()) for image in images] == sources
        and all(image["alt"].strip() and image["alt"] == form["text/plain"] for image in images)
    )


def problems_with_descriptions(cells):
    for cell in code_cells(cells):
        if not all(map(is_described, forms([cell]))):
            yield f"{cell['id']} shows a picture without its description"
    for cell in markdown_cells(cells):
        images = StartTags(prose(cell)).named("img")
        if re.search(r"!\[\s*\]", prose(cell)) or not all((i.get("alt") or "").strip() for i in images):
            yield f"{cell['id']} shows a picture without a description"


def test_figures_are_the_pictures_of_the_notebooks():
    made = {}
    for path in execute.stored(NOTEBOOKS):
        made |= execute.picture_files(path, nbformat.read(path, as_version=4))
    kept = {path.name: path.read_bytes() for path in (ROOT / "figures").glob("[0-9][0-9]_*")}
    different = [name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name)]
    report(f"figures/{name} is not the picture of its notebook: {run_again(name)}" for name in different)


# Markdown


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


CHECKS = [
    problems_with_errors,
    problems_with_comparison,
    problems_with_sources,
    problems_with_numbers,
    problems_with_descriptions,
    problems_with_titles,
    problems_with_folds,
    problems_with_links,
]


@every_notebook
@pytest.mark.parametrize("problems", CHECKS, ids=lambda check: check.__name__.removeprefix("problems_with_"))
def test_stored_cells(name, problems):
    found = list(problems(load(name)["cells"]))
    report(f"{name}: {problem}" for problem in found)
