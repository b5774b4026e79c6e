"""The copies for a class have no outputs, no solutions, and no links to this repository."""

import ast
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from attention_lib import check
from publish import handouts, notebooks

ORIGINALS = {path.name: notebooks.read(path) for path in notebooks.PATHS.values()}
SOLVED = "def softmax(scores):\n    return scores / scores.sum(-1, keepdims=True)\n"
CODE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("handout") / "class"
    handouts.write_copies(folder)
    return folder


@pytest.fixture(scope="module")
def copies(folder):
    return {path.name: nbformat.read(path, as_version=4) for path in folder.glob("*.ipynb")}


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_copies_are_the_notebooks_without_outputs(copies):
    assert sorted(copies) == sorted(ORIGINALS)
    for name, notebook in copies.items():
        nbformat.validate(notebook)
        assert all(cell.outputs == [] and cell.execution_count is None for cell in code_of(notebook))
        assert [cell.source for cell in code_of(notebook)] == [
            cell.source for cell in code_of(ORIGINALS[name])
        ]


def test_code_stays_folded_and_outputs_do_not(copies):
    folded = {"collapsed": True, "jupyter": {"outputs_hidden": True}}
    notebook = new_notebook(cells=[new_code_cell("1", metadata=folded)])
    notebooks.strip_outputs(notebook)
    assert notebook.cells[0].metadata == {}
    cells = [cell for notebook in copies.values() for cell in code_of(notebook)]
    hidden = [cell for cell in cells if "hide-input" in cell.metadata.get("tags", [])]
    assert len(hidden) >= 2 and all(cell.metadata.jupyter == {"source_hidden": True} for cell in hidden)


def test_hints_and_explanations_stay_and_solutions_are_removed(copies):
    def folds(notebooks):
        text = "\n".join(cell.source for notebook in notebooks for cell in notebook.cells)
        summaries = re.findall(r"<summary[^>]*>(.*?)</summary>", text, re.DOTALL)
        assert text.count("<details>") == text.count("</details>") == len(summaries)
        return sorted(summaries)

    before, after = folds(ORIGINALS.values()), folds(copies.values())
    assert before.count("Solution") >= len(check.TASKS)
    assert after == [summary for summary in before if summary != "Solution"]
    assert all(cell.source for notebook in copies.values() for cell in notebook.cells)


def statements(code):
    """The statements of a solution, without docstring, comments and spacing."""
    tree = ast.parse(code)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    body = [line for function in functions for line in function.body] or tree.body
    return [ast.unparse(line) for line in body if not isinstance(getattr(line, "value", None), ast.Constant)]


def test_no_copy_has_code_or_text_of_a_solution(copies):
    text = "\n\n".join(cell.source for notebook in copies.values() for cell in notebook.cells)
    code = [cell.source for notebook in copies.values() for cell in code_of(notebook)]
    pieces = [ast.unparse(ast.parse(piece)) for piece in code + CODE.findall(text)]
    cells = [cell.source for notebook in ORIGINALS.values() for cell in notebook.cells]
    for solution in [source for source in cells if ">Solution</summary>" in source]:
        assert max(CODE.sub("", solution).split("\n\n"), key=len) not in text
        for lines in map(statements, CODE.findall(solution)):
            assert not any(all(line in piece for line in lines) for piece in pieces), lines


@pytest.mark.parametrize(
    "cell", [new_code_cell(SOLVED), new_markdown_cell(f"Like this:\n\n```python\n{SOLVED}```\n")]
)
def test_solution_outside_of_a_fold_is_refused(cell):
    with pytest.raises(SystemExit, match="holds a solution of softmax"):
        handouts.remove_solutions(new_notebook(cells=[cell]), "03_softmax.ipynb")


@pytest.mark.parametrize("body", ["...", "pass", '"""Shares."""\n    ...'])
def test_stub_is_no_solution(body):
    notebook = new_notebook(cells=[new_code_cell(f"def softmax(x):\n    {body}\n")])
    handouts.remove_solutions(notebook, "03_softmax.ipynb")
    assert len(notebook.cells) == 1


def test_text_beside_a_solution_stays():
    source = "<details><summary>Hint</summary>\n\nDivide.\n\n</details>\n\n"
    source += "<details>\n<summary> Solution 2</summary>\n\nBy their total.\n\n</details>\n\nNext."
    notebook = new_notebook(cells=[new_markdown_cell(source)])
    handouts.remove_solutions(notebook, "03_softmax.ipynb")
    (cell,) = notebook.cells
    assert "Divide." in cell.source and cell.source.endswith("Next.") and "total" not in cell.source


def test_links_stay_in_the_folder(folder, copies):
    texts = [cell.source for notebook in copies.values() for cell in notebook.cells]
    for text in [*texts, (folder / "questions.md").read_text(encoding="utf-8")]:
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
    assert names == sorted(
        [
            "questions_with_solutions.md",
            *(f"{path.stem}_with_solutions.ipynb" for path in notebooks.PATHS.values()),
        ]
    )
    for existing, with_solutions in ((folder, False), (folder, True), (notebooks.FOLDER, False)):
        with pytest.raises(SystemExit, match="choose another folder"):
            handouts.write_copies(existing, with_solutions)


def test_readme_for_students_has_one_install_command_per_system():
    text = handouts.readme(["01_dot_product.ipynb"], "attention_lib-1.0.0-py3-none-any.whl", "")
    lines = [line for line in text.splitlines() if "pip install" in line]
    assert len(lines) == 2
    for line in lines:
        assert line.endswith("attention_lib-1.0.0-py3-none-any.whl") and "jupyterlab" in line
    assert "3.11" in text and "01_dot_product.ipynb" in text and "{" not in text


def test_readme_for_students_begins_with_the_browser_where_a_copy_is_published():
    without, named = (handouts.readme(["first.ipynb"], "a.whl", copy) for copy in ("", "her/cat"))
    assert "browser" not in without.partition("pip install")[0]
    assert "https://her.github.io/cat/live/notebooks/" in named.partition("pip install")[0]
