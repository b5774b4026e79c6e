"""The exercises in the notebooks: those of lesson.check, each with a stub, a hint and a solution that passes."""

import ast
import math
import re

import numpy as np
import pytest

import attention_lib as al
from attention_lib import data, learning, today
from lesson import check, tasks
from tests.notebooks.stored import (
    code_cells,
    every_notebook,
    joined,
    load,
    markdown_cells,
    prose,
    sources,
)

EXERCISES = [(task.notebook, task.name) for task in check.TASKS if task.name in check.EXERCISES]
every_exercise = pytest.mark.parametrize(("name", "function"), EXERCISES)
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def definition(source, name):
    """The function `name` that `source` defines."""
    return next(node for node in ast.parse(source).body if getattr(node, "name", None) == name)


def exercise(name, function):
    """The sources of the cell that asks for `function` and of the two below it, a hint and a solution."""
    texts = list(sources(name).values())
    (place,) = [i for i, text in enumerate(texts) if text.endswith(f"\ncheck.{function}({function})")]
    return texts[place : place + 3]


@every_notebook
def test_exercises_are_those_of_the_checker_and_say_their_difficulty_and_minutes(name):
    """In the order of lesson.check.TASKS."""
    cells = load(name)["cells"]
    tasks = [task.name for task in check.TASKS if task.notebook == name]
    text = "\n".join(map(prose, markdown_cells(cells)))
    said = r"^### Exercise .*\n\n\*(?:Easy|Medium|Hard), \d+ minutes?\.\*"
    assert len(re.findall(said, text, flags=re.MULTILINE)) == len(tasks)
    sources = "\n".join(joined(cell["source"]) for cell in code_cells(cells))
    called = re.findall(r"^check\.(\w+)", sources, re.MULTILINE)
    assert list(dict.fromkeys(called)) == tasks


@every_exercise
def test_statement_says_which_functions_of_the_library_may_be_called(name, function):
    """Notebook 6 names the three that take the most lines, and the checker allows those inside of them too."""
    text = "\n".join(joined(c["source"]).replace("\n", " ") for c in markdown_cells(load(name)["cells"]))
    (statement,) = re.findall(rf"### Exercise \d · `{function}`(.*)", text)
    said = set(re.findall(r"`(?:al|learning)\.(\w+)`", re.sub(r"Do not call [^:]*:", "", statement)))
    allowed = set(check.EXERCISES[function].may_call.split())
    assert said <= allowed and bool(said) == bool(allowed), (said, allowed)


@every_exercise
def test_exercise_is_a_stub_with_hint_and_solution(name, function):
    stub, *folds = exercise(name, function)
    defined = definition(stub, function)
    body = defined.body[1:] if ast.get_docstring(defined) is not None else defined.body
    assert list(map(ast.unparse, body)) == ["..."], f"{function}: its stub must do nothing but `...`"
    # In two cells: a double click on the hint opens the source of its cell.
    titles = [re.findall(r"<summary>(.*?)</summary>", fold) for fold in folds]
    assert titles == [["Hint"], ["Solution"]], function
    (solution,) = PYTHON.findall(folds[1])
    assert ast.unparse(definition(solution, function).args) == ast.unparse(defined.args)
    assert f"al.{function}(" not in solution  # that would solve nothing
    names = {"np": np, "al": al, "math": math, "learning": learning, "today": today}
    exec(solution, names)
    verdict = getattr(check, function)(names[function])
    assert verdict.passed and "Remark" not in verdict.message, verdict.message


def test_solution_of_the_one_exercise_that_asks_for_two_numbers_passes():
    (solution,) = PYTHON.findall(sources("05_batched_attention")["nb05-50-solution"])
    names = {"np": np, "all_weights": data.load("cat_sentence")["weights"]}
    exec(solution, names)
    verdict = check.linking_head(names["layer"], names["head"])
    assert verdict.passed, verdict.message


def test_head_learns_with_the_readers_step_if_it_is_right(capsys):
    """Notebook 8, which is compared, has a stub, and prints that ours is used."""

    def descend(matrix, gradient, rate):
        return matrix - rate * gradient

    chosen = check.yours_if_right("descend", {"descend": descend}, otherwise=tasks.one_step)
    assert chosen is descend
    assert capsys.readouterr().out == "descend: yours\n"
