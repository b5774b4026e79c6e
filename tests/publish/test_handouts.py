"""The copies for a class have no outputs, no solutions, and no links to this repository."""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from publish import handouts, notebooks, published_copy, wheel
from tests.publish.conftest import run

ORIGINALS = {path.name: notebooks.read(path) for path in notebooks.PATHS.values()}
SOLVED = "def softmax(scores):\n    return scores / scores.sum(-1, keepdims=True)\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What the command writes, with a wheel of no content, and then the second set."""
    folder = tmp_path_factory.mktemp("handout") / "new" / "class"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wheel, "build", lambda folder: "a-1.whl")
        patch.setattr(published_copy, "repository", lambda: "")
        run(handouts, folder)
    run(handouts, folder, "--solutions")
    return folder


@pytest.fixture(scope="module")
def copies(folder):
    return {name: nbformat.read(folder / name, as_version=4) for name in ORIGINALS}


def text_of(notebooks):
    return "\n\n".join(cell.source for notebook in notebooks.values() for cell in notebook.cells)


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_copies_are_the_notebooks_without_outputs_and_with_folded_code(copies):
    for name, notebook in copies.items():
        for cell, stored in zip(code_of(notebook)[1:-1], code_of(ORIGINALS[name]), strict=True):
            assert (cell.source, cell.outputs, cell.execution_count) == (stored.source, [], None)
            is_folded = "hide-input" in stored.metadata.get("tags", [])
            assert cell.metadata.get("jupyter", {}).get("source_hidden", False) == is_folded


@pytest.mark.parametrize(
    ("first", "asks"), [(handouts.STUDENT, True), (None, True), ("student = 'Ada Lovelace'", False)]
)
def test_first_cell_asks_whose_a_copy_is_and_the_last_once_more_if_it_is_empty(copies, capsys, first, asks):
    for notebook in copies.values():
        assert notebook.cells[0].source == 'student = ""  # your name or number, as on the class list'
        names = {}
        exec(first or "", names)
        exec(notebook.cells[-1].source, names)
        assert ("Write your name into the first cell" in capsys.readouterr().out) == asks


def test_every_solution_is_removed_and_no_other_fold(copies):
    before, after = (re.findall(r"<summary>(.*?)</summary>", text_of(found)) for found in (ORIGINALS, copies))
    assert after == [summary for summary in before if summary != "Solution"] != before


def test_solution_outside_of_a_fold_is_refused():
    wrapped = SOLVED.replace("(scores):", "(\n    scores,\n) -> np.ndarray:")
    cells = [new_code_cell(code) for code in (SOLVED, wrapped)]
    for cell in (*cells, new_markdown_cell(f"So:\n\n```python\n{SOLVED}```\n")):
        with pytest.raises(SystemExit, match="holds a solution of softmax"):
            handouts.remove_solutions(new_notebook(cells=[cell]), "03_softmax.ipynb")


def test_links_stay_in_the_folder(folder, copies):
    for text in [text_of(copies), (folder / "questions.md").read_text(encoding="utf-8")]:
        for _, target in handouts.LINK.findall(text):
            assert ":" in target or (folder / target).is_file(), target
    with pytest.raises(SystemExit, match=r"README\.md would lead nowhere"):
        handouts.rewrite_links("[there](../README.md)", {}, "01.ipynb")


def test_second_set_has_the_solutions_alone_and_no_file_is_overwritten(folder):
    text = (folder / "03_softmax_with_solutions.ipynb").read_text(encoding="utf-8")
    assert ">Solution</summary>" in text and "04_masking_with_solutions.ipynb" in text
    first = [*ORIGINALS, "glossary.md", "questions.md"]
    second = [name.replace(".", "_with_solutions.") for name in first]
    assert {path.name for path in folder.iterdir()} == {*first, *second, "README.md", "sheet.html"}
    for arguments in ([folder], [folder, "--solutions"], [notebooks.FOLDER]):
        with pytest.raises(SystemExit, match="choose another folder"):
            run(handouts, *arguments)


def test_readme_for_students_begins_with_the_browser_where_a_copy_is_published(folder):
    without = (folder / "README.md").read_text(encoding="utf-8")
    named = handouts.readme(["01_dot_product.ipynb"], "a-1.whl", "her/cat")
    assert "browser" not in without.partition("pip install")[0]
    assert "https://her.github.io/cat/live/notebooks/" in named.partition("pip install")[0]
    for text in (without, named):
        assert "3.11" in text and "jupyter lab 01_dot_product.ipynb" in text
        assert len(re.findall(r"(?m)pip install jupyterlab \S+a-1\.whl$", text)) == 2  # one per system
