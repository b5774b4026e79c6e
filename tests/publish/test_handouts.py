"""The copies for a class have no outputs, no solutions, and no links to this repository."""

import ast
import json
import re

import nbformat
import pytest

from attention_lib import check
from publish import handouts, notebooks

ORIGINALS = {path.name: notebooks.read(path) for path in notebooks.PATHS.values()}
CODE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("handout") / "class"
    handouts.write_copies(folder)
    return folder


@pytest.fixture(scope="module")
def copies(folder):
    return {path.name: nbformat.read(path, as_version=4) for path in folder.glob("*.ipynb")}


def statements(code):
    """The statements of a piece of code, without docstrings, comments and spacing."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
            node.body = node.body[1:]
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    body = [line for node in functions for line in node.body] or tree.body
    return [ast.unparse(line) for line in body]


def solutions():
    """Of every solution the statements of each code block, and the longest paragraph."""
    for notebook in ORIGINALS.values():
        for cell in notebook.cells:
            if cell.cell_type == "markdown" and ">Solution</summary>" in cell.source:
                paragraph = max(CODE.sub("", cell.source).split("\n\n"), key=len)
                yield [statements(code) for code in CODE.findall(cell.source)], paragraph


def test_copies_are_the_notebooks_without_outputs(copies):
    assert sorted(copies) == sorted(ORIGINALS)
    for name, notebook in copies.items():
        nbformat.validate(notebook)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
        before = [cell.source for cell in ORIGINALS[name].cells if cell.cell_type == "code"]
        assert [cell.source for cell in code] == before


def test_code_stays_folded_and_outputs_do_not(copies):
    hidden = 0
    for notebook in copies.values():
        for cell in notebook.cells:
            folding = cell.metadata.get("jupyter", {})
            assert "outputs_hidden" not in folding
            if "hide-input" in cell.metadata.get("tags", []):
                hidden += folding["source_hidden"]
    assert hidden >= 2


def test_output_that_jupyterlab_saved_folded_is_unfolded():
    cell = nbformat.v4.new_code_cell("1", metadata={"collapsed": True, "jupyter": {"outputs_hidden": True}})
    notebooks.strip_outputs(nbformat.v4.new_notebook(cells=[cell]))
    assert cell.metadata == {}


def test_hints_and_explanations_stay_and_solutions_are_removed(copies):
    def folds(notebooks):
        text = "\n".join(cell.source for notebook in notebooks for cell in notebook.cells)
        summaries = re.findall(r"<summary[^>]*>(.*?)</summary>", text, re.DOTALL)
        assert text.count("<details>") == text.count("</details>") == len(summaries)
        return sorted(summaries)

    before, after = folds(ORIGINALS.values()), folds(copies.values())
    assert before.count("Solution") >= len(check.TASKS)
    assert after == [summary for summary in before if summary != "Solution"]


def test_no_copy_has_code_or_text_of_a_solution(copies):
    text = "\n\n".join(cell.source for notebook in copies.values() for cell in notebook.cells)
    code = [cell.source for n in copies.values() for cell in n.cells if cell.cell_type == "code"]
    code += CODE.findall(text)
    pieces = [ast.unparse(ast.parse(piece)) for piece in code]
    found = list(solutions())
    assert len(found) >= len(check.TASKS)
    for blocks, paragraph in found:
        assert paragraph not in text
        for solution in blocks:
            in_a_piece = [sum(statement in piece for statement in solution) for piece in pieces]
            assert max(in_a_piece) < len(solution), solution


def test_solution_outside_of_a_fold_is_refused():
    solved = "def softmax(scores):\n    return scores / scores.sum(-1, keepdims=True)\n"
    for cell in (
        nbformat.v4.new_code_cell(solved),
        nbformat.v4.new_markdown_cell(f"Like this:\n\n```python\n{solved}```\n"),
    ):
        notebook = nbformat.v4.new_notebook(cells=[cell])
        with pytest.raises(SystemExit, match="holds a solution of softmax"):
            handouts.remove_solutions(notebook, "03_softmax.ipynb")


@pytest.mark.parametrize("body", ["...", "pass", '"""Shares."""\n    ...'])
def test_stub_is_no_solution(body):
    stub = nbformat.v4.new_code_cell(f"def softmax(x):\n    {body}\n")
    notebook = nbformat.v4.new_notebook(cells=[stub])
    handouts.remove_solutions(notebook, "03_softmax.ipynb")
    assert len(notebook.cells) == 1


def test_text_beside_a_solution_stays():
    source = "<details><summary>Hint</summary>\n\nDivide.\n\n</details>\n\n"
    source += "<details>\n<summary> Solution 2</summary>\n\nBy their total.\n\n</details>\n\nNext."
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(source)])
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
    work = folder / "03_softmax.ipynb"
    before = work.read_bytes()
    names = handouts.write_copies(folder, with_solutions=True)
    assert work.read_bytes() == before
    text = (folder / "03_softmax_with_solutions.ipynb").read_text(encoding="utf-8")
    assert ">Solution</summary>" in text and "04_masking_with_solutions.ipynb" in text
    *solved, questions = names
    assert all(json.loads((folder / name).read_text(encoding="utf-8"))["cells"] for name in solved)
    assert questions == "questions_with_solutions.md"
    for again in (False, True):
        with pytest.raises(SystemExit, match="choose another folder"):
            handouts.write_copies(folder, again)
    with pytest.raises(SystemExit, match="choose another folder"):
        handouts.write_copies(notebooks.FOLDER)


def test_readme_for_students_has_one_install_command_per_system():
    text = handouts.readme(["01_dot_product.ipynb"], "attention_lib-1.0.0-py3-none-any.whl")
    lines = [line for line in text.splitlines() if "pip install" in line]
    assert len(lines) == 2
    for line in lines:
        assert line.endswith("attention_lib-1.0.0-py3-none-any.whl") and "jupyterlab" in line
    assert "3.11" in text and "01_dot_product.ipynb" in text and "{" not in text
