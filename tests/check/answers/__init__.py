"""Answers to the exercises as learners write them, one file for each exercise. Here are no tests.

A file holds three tables:

WRONG = {id of a mistake: [answers]}, each of which the check must call by this id;
RIGHT = [answers], which the check must accept: the first one plain, the others in unusual form;
ALMOST_RIGHT = {what it does: answer}, which are right on most inputs and must not pass.

generic.py adds the answers that every exercise gets. What answers to several exercises have in common
stands in the file of the first of them, or in shared.py. Answers share nothing with the checker but the
numbers that it calls them with.
"""

from importlib import import_module
from types import SimpleNamespace

from attention_lib.check import EXERCISES
from tests.check.answers import generic


def tables_of(name):
    """The tables in the file of an exercise. Without a file they are empty, and test_answers.py says what to write."""
    module = f"{__name__}.{name}"
    try:
        file = import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        file = None
    return SimpleNamespace(
        WRONG=getattr(file, "WRONG", {}),
        RIGHT=getattr(file, "RIGHT", []),
        ALMOST_RIGHT=getattr(file, "ALMOST_RIGHT", {}),
    )


def wrong_answers():
    """{(exercise, id): answers}, those of the files first."""
    found = {}
    for name, exercise in EXERCISES.items():
        for table in (WRITTEN[name].WRONG, generic.wrong_answers(exercise)):
            for id, functions in table.items():
                found.setdefault((name, id), []).extend(functions)
    return found


WRITTEN = {name: tables_of(name) for name in EXERCISES}
WRONG = wrong_answers()
# The answer that stands for "right" in other tests.
RIGHT_ANSWER = {
    name: next(iter(WRITTEN[name].RIGHT), generic.right_by_recipe(exercise))
    for name, exercise in EXERCISES.items()
}
RIGHT = {name: [*WRITTEN[name].RIGHT, *generic.right_answers(RIGHT_ANSWER[name])] for name in EXERCISES}
ALMOST_RIGHT = {
    (name, what): function
    for name, exercise in EXERCISES.items()
    for table in (WRITTEN[name].ALMOST_RIGHT, generic.almost_right_answers(exercise, RIGHT_ANSWER[name]))
    for what, function in table.items()
}
