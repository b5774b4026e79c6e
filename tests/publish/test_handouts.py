"""The copies for a class have no outputs, no solutions, and no links to this repository."""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from lesson import check
from publish import handouts, notebooks

ORIGINALS = {path.name: notebooks.read(path) for path in notebooks.PATHS.values()}
SOLVED = "def softmax(scores):\n    return scores / scores.sum(-1, keepdims=True)\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("handout") / "class"
    handouts.write_copies(folder)
    return folder


@pytest.fixture(scope="module")
def copies(folder):
    return {path.name: nbformat.read(path, as_version=4) for path in sorted(folder.glob("*.ipynb"))}


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def text_of(notebooks):
    return "\n\n".join(cell.source for notebook in notebooks.values() for cell in notebook.cells)


def test_copies_are_the_notebooks_without_outputs(copies):
    assert copies.keys() == ORIGINALS.keys()
    for name, notebook in copies.items():
        nbformat.validate(notebook)
        assert all(cell.source for cell in notebook.cells)
        stripped = [(cell.source, [], None) for cell in code_of(ORIGINALS[name])]
        assert [(cell.source, cell.outputs, cell.execution_count) for cell in code_of(notebook)] == stripped


def test_code_stays_folded_and_outputs_do_not():
    folded = {"collapsed": True, "jupyter": {"outputs_hidden": True, "source_hidden": True}}
    notebook = new_notebook(cells=[new_code_cell("1", metadata=folded)])
    notebooks.strip_outputs(notebook)
    assert notebook.cells[0].metadata == {"jupyter": {"source_hidden": True}}


def test_every_solution_is_removed_and_no_other_fold(copies):
    before, after = text_of(ORIGINALS), text_of(copies)
    folds = re.findall(r"<details>\s*<summary[^>]*>(.*?)</summary>(.*?)</details>", before, re.DOTALL)
    assert [summary for summary, _ in folds].count("Solution") >= len(check.TASKS)
    kept = [summary for summary, _ in folds if summary != "Solution"]
    assert re.findall(r"<summary[^>]*>(.*?)</summary>", after, re.DOTALL) == kept
    for summary, fold in folds:
        if summary == "Solution":
            code = re.findall(r"```python\n(.*?)```", fold, re.DOTALL)
            longest = max(re.sub(r"```.*?```", "", fold, flags=re.DOTALL).split("\n\n"), key=len)
            assert not [piece for piece in [longest, *code] if piece and piece in after]


@pytest.mark.parametrize(
    "cell", [new_code_cell(SOLVED), new_markdown_cell(f"Like this:\n\n```python\n{SOLVED}```\n")]
)
def test_solution_outside_of_a_fold_is_refused(cell):
    with pytest.raises(SystemExit, match="holds a solution of softmax"):
        handouts.remove_solutions(new_notebook(cells=[cell]), "03_softmax.ipynb")


def test_stubs_and_text_beside_a_solution_stay():
    cells = [new_code_cell(f"def softmax(x):\n    {body}\n") for body in ("...", "pass", '"""Shares."""')]
    hint, next = "<details><summary>Hint</summary>\n\nDivide.\n\n</details>\n\n", "Next."
    solution = "<details>\n<summary> Solution 2</summary>\n\nBy their total.\n\n</details>\n\n"
    notebook = new_notebook(cells=[*cells, new_markdown_cell(hint + solution + next)])
    handouts.remove_solutions(notebook, "03_softmax.ipynb")
    assert [cell.source for cell in notebook.cells] == [*(cell.source for cell in cells), hint + next]


def test_links_stay_in_the_folder(folder, copies):
    for text in [text_of(copies), (folder / "questions.md").read_text(encoding="utf-8")]:
        for _, target in handouts.LINK.findall(text):
            assert ":" in target or (folder / target).is_file(), target


def test_linked_picture_is_copied_and_any_other_file_refused():
    text, pictures = handouts.rewrite_links("![Her and cat](../figures/01_first_head.png)", {}, "01.ipynb")
    assert text == "![Her and cat](figures/01_first_head.png)"
    assert pictures == {notebooks.ROOT / "figures" / "01_first_head.png"}
    for target in ("../README.md", "../figures/none.png"):
        with pytest.raises(SystemExit, match="would lead nowhere"):
            handouts.rewrite_links(f"[there]({target})", {}, "01.ipynb")


def test_no_notebook_is_overwritten(folder):
    before = (folder / "03_softmax.ipynb").read_bytes()
    names = handouts.write_copies(folder, with_solutions=True)
    assert (folder / "03_softmax.ipynb").read_bytes() == before
    text = (folder / "03_softmax_with_solutions.ipynb").read_text(encoding="utf-8")
    assert ">Solution</summary>" in text and "04_masking_with_solutions.ipynb" in text
    stems = [*(path.stem for path in notebooks.PATHS.values()), "glossary", "questions"]
    assert [re.sub(r"\.\w+$", "", name) for name in names] == [f"{stem}_with_solutions" for stem in stems]
    for existing, with_solutions in ((folder, False), (folder, True), (notebooks.FOLDER, False)):
        with pytest.raises(SystemExit, match="choose another folder"):
            handouts.write_copies(existing, with_solutions)


def test_readme_for_students_begins_with_the_browser_where_a_copy_is_published():
    without, named = (handouts.readme(["first.ipynb"], "a-1.whl", copy) for copy in ("", "her/cat"))
    assert "browser" not in without.partition("pip install")[0]
    assert "https://her.github.io/cat/live/notebooks/" in named.partition("pip install")[0]
    for text in (without, named):
        assert "3.11" in text and "first.ipynb" in text and "{" not in text
        assert len(re.findall(r"(?m)pip install jupyterlab \S+a-1\.whl$", text)) == 2  # one per system
