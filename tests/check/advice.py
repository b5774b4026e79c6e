"""What a failing test says: which lines are missing, ready to be pasted, and into which file."""

import inspect
from pathlib import Path

from lesson.check import EXERCISES, MISTAKES
from lesson.check.steps import RIGHT as STEPS
from tests.check import answers
from tests.check.answers import WRITTEN, generic

FOLDER = Path(answers.__file__).parent
# Mistakes that are possible in every exercise, and the one that an entry in `forbids` makes.
GENERAL_IDS = generic.wrong_answers(EXERCISES["softmax"]).keys() | {"library-used"}


def file_of(name):
    return f"tests/check/answers/{name}.py"


def stub(name):
    """An answer to be written, such as `lambda a, b: ...`. An argument that some probe leaves out is None without it."""
    arguments = EXERCISES[name].arguments.split()
    always_given = min(len(probe.args) for probe in EXERCISES[name].probes)
    if EXERCISES[name].in_a_row:
        always_given = len(arguments)
    optional = [f"{argument}=None" for argument in arguments[always_given:]]
    return f"lambda {', '.join(arguments[:always_given] + optional)}: ..."


def missing_answers(name):
    """What the file of this exercise still needs; "" if nothing."""
    lines = []
    if not WRITTEN[name].RIGHT:
        lines += [f"RIGHT = [{stub(name)}]  # in another form than the notebook's solution"]
    if not WRITTEN[name].ALMOST_RIGHT:
        lines += [f'ALMOST_RIGHT = {{"what_it_does": {stub(name)}}}  # right on most inputs only']
    if lines and not (FOLDER / f"{name}.py").exists():
        lines = [f'"""Answers to `{name}` as learners write them."""', "", "import numpy as np", "", *lines]
    return "\n".join([f"{file_of(name)} needs:", "", *lines]) if lines else ""


def parameters(step):
    """The parameters that a recipe gives to a step: those without a default."""
    found = inspect.signature(STEPS[step]).parameters.values()
    return ", ".join(p.name for p in found if p.default is p.empty)


def variants_to_choose_from(name):
    """How a variant of a mistake is written, for each step of the exercise."""
    steps = sorted(EXERCISES[name].steps)
    return "\n".join(f"        {step}=[lambda {parameters(step)}: ...]," for step in steps)


def how_to_name(name, id, function, verdict):
    """What to do about a wrong answer that the check does not call by the id under which it stands."""
    if not any(function is written for written in WRITTEN[name].WRONG.get(id, [])):
        return f"""Every exercise gets this answer from tests/check/answers/generic.py, as "{id}".
The check of {name} says "{verdict.mistake}": a variant of that mistake gives the same on every probe. Is its step
shared with exercises that have other arguments? Then write a step for {name} alone, in lesson/check/steps.py.
"""
    where = f'This answer stands under "{id}" in {file_of(name)}, and'
    if id not in {m.id for m in MISTAKES} | GENERAL_IDS:
        return f"""{where} no mistake has that id.
A list in lesson/check/mistakes/ needs, with one line for the step that is taken wrongly:

    mistake(
        "{id}",
        "The cause, in one sentence.",
        "A question that leads to the cause?",
{variants_to_choose_from(name)}
    ),
"""
    if verdict.passed:
        return f"""{where} the check accepts it.
make_probes of {name} (lesson/check/exercises.py) needs arguments for which it is wrong.
"""
    return f"""{where} the check says "{verdict.mistake}".
If the check is right, move the answer to "{verdict.mistake}". If not, no variant of "{id}" gives the numbers of
this answer on every probe: the mistake's entry in lesson/check/mistakes/ needs one of these lines.

{variants_to_choose_from(name)}
"""
