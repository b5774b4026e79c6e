"""The verdicts on all written answers; test_pyodide.py asks for them here and in Pyodide."""

import contextlib
import io
import json
import re

from attention_lib import check
from tests.check.answers import ALMOST_RIGHT, RIGHT, WRONG

QUOTED = re.compile(r"in your line `(.*?)`[:.]")


def every_answer():
    """(name, exercise, answer) of all that tests/check/answers has."""
    for (exercise, id), answers in WRONG.items():
        for i, answer in enumerate(answers):
            yield f"{exercise}, {id}, {i}", exercise, answer
    for exercise, answers in RIGHT.items():
        for i, answer in enumerate(answers):
            yield f"{exercise}, right, {i}", exercise, answer
    for i, (exercise, what, answer) in enumerate(ALMOST_RIGHT):
        yield f"{exercise}, {what}, {i}", exercise, answer


def verdicts():
    """{name of an answer: [the mistake's id or None, the lines of the answer that the message quotes]}."""
    found = {}
    for name, exercise, answer in every_answer():
        with contextlib.redirect_stdout(io.StringIO()):
            verdict = getattr(check, exercise)(answer)
        found[name] = [verdict.mistake, QUOTED.findall(verdict.message)]
    return found


def write(path):
    """Writes the verdicts as JSON."""
    with open(path, "w", encoding="utf-8") as file:
        json.dump(verdicts(), file)
