"""The Python code of README and the guides runs, and gives what its comments say.

A comment behind an expression is the beginning of what `print` shows of its value. A comment that says something else
stands on a line of its own. test_guide.py takes the steps of CONTRIBUTING.md in a copy, with the code tried here.
"""

import ast
import re

import numpy as np
import pytest

from tests.project.test_guide import code_of_the_guide
from tests.project.test_readme import GUIDES, text_of

BLOCK = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
BLOCKS = [(guide, code) for guide in GUIDES for code in BLOCK.findall(text_of(guide))]
PIECES_OF_THE_GUIDE = code_of_the_guide()  # of an entry, of a step: no programs
PROGRAMS = [(guide, code) for guide, code in BLOCKS if code not in PIECES_OF_THE_GUIDE]


def results(code):
    """Runs the code, and yields for each expression with a comment behind it the value and the comment."""
    names, lines = {}, code.splitlines()
    for statement in ast.parse(code).body:
        told = lines[statement.end_lineno - 1][statement.end_col_offset :].partition("#")[2].strip()
        if isinstance(statement, ast.Expr):
            value = eval(compile(ast.Expression(statement.value), "guide", "eval"), names)
            if told:
                yield value, told
        else:
            assert not told, f"a comment behind what has no value: {told}"
            exec(compile(ast.Module([statement], []), "guide", "exec"), names)


@pytest.mark.parametrize("guide, code", PROGRAMS, ids=[guide for guide, _ in PROGRAMS])
def test_code_gives_what_its_comments_say(guide, code):
    with np.errstate(over="ignore"):  # some code shows an overflow
        found = list(results(code))
    for value, told in found:
        assert str(value).startswith(told), f"{guide} says {told}, and the code gives {value}"
