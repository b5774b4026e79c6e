"""Answers to the exercises as learners write them, one file for each exercise. Here are no tests.

A file holds three tables, the first one if it is needed:

WRONG = {id of a mistake: [answers]}, each of which the check must call by this id;
RIGHT = [answers], which the check must accept: the first one plain, another one where it comes back in another form;
ALMOST_RIGHT = {what it does, or where it is wrong: answer}, which are right on most inputs and must not pass.

blind_answers/ has answers that were written as learners would (by simulated ones), with sight of the statements alone.
Right or wrong, and why, was fixed before the checker was run on any of them; `told` is the id that a wrong one gets,
if a mistake fits. One is kept of those with the same verdict in an exercise, those that found a fault of the checker,
and right ones that are written in clearly different ways.

The written answers share nothing with the checker but the numbers that it calls them with. A mistake needs one in one
of the exercises, here or there: one written answer is enough, and none where a blind one has it. derived.py makes
answers with all its variants, in all exercises, and generic.py adds those that every exercise gets.
"""

import linecache
import tomllib
from importlib import import_module
from pathlib import Path

import numpy as np

import attention_lib as al
from attention_lib import data, learning, today
from lesson.check import EXERCISES
from tests.check.answers import generic


def blind_function(entry):
    """The function of an entry of BLIND."""
    names = {"np": np, "al": al, "data": data, "learning": learning, "today": today}
    file, source = f"<{entry['name']}>", entry["source"]
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file  # as IPython does
    exec(compile(source, file, "exec"), names)
    return names[entry["exercise"]]


# The file of each exercise: CONTRIBUTING.md, Add an exercise
WRITTEN = {name: import_module(f"{__name__}.{name}") for name in EXERCISES}
BLIND = [
    {"exercise": file.stem, **entry}
    for file in sorted((Path(__file__).parents[1] / "blind_answers").glob("*.toml"))
    for entry in tomllib.loads(file.read_text(encoding="utf-8"))["answers"]
]
# The answer that stands for "right" in other tests.
RIGHT_ANSWER = {name: file.RIGHT[0] for name, file in WRITTEN.items()}
RIGHT = {name: [*WRITTEN[name].RIGHT, generic.computed_in_float32(RIGHT_ANSWER[name])] for name in EXERCISES}
