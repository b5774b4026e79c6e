"""What a failing test says: which lines are missing, ready to be pasted, and into which file."""

import inspect
from collections import Counter
from pathlib import Path

from attention_lib.check import EXERCISES, MISTAKES
from attention_lib.check.steps import RIGHT as STEPS
from tests.check import answers
from tests.check.answers import WRITTEN, WRONG, generic

FOLDER = Path(answers.__file__).parent
AT_LEAST = 2  # answers for each id
# Mistakes that are possible in every exercise, and the one that an entry in `forbids` makes.
GENERAL_IDS = generic.wrong_answers(EXERCISES["softmax"]).keys() | {"library-used"}


def file_of(name):
    return f"tests/check/answers/{name}.py"


def stub(name):
    """An answer to be written, such as `lambda a, b: ...`."""
    return f"lambda {EXERCISES[name].arguments.replace(' ', ', ')}: ..."


def exercises_with(mistake_id):
    """The exercises in which a mistake can occur: those with a variant of it; if it has none, those with edges."""
    with_variant = [name for name, e in EXERCISES.items() if mistake_id in {m.id for m, _ in e.variants}]
    return with_variant or [name for name, e in EXERCISES.items() if not all(p.ordinary for p in e.probes)]


def unanswered(name):
    """The mistakes with too few answers in the whole series, of which this exercise's file is to hold them."""
    ids = dict.fromkeys(m.id for m in MISTAKES)
    count = {id: sum(len(table) for (_, found), table in WRONG.items() if found == id) for id in ids}
    return [id for id in ids if count[id] < AT_LEAST and exercises_with(id)[0] == name]


def missing_answers(name):
    """What the file of this exercise still needs; "" if nothing."""
    lines, causes = [], {m.id: m.cause for m in MISTAKES}
    if ids := unanswered(name):
        entries = [f'    "{id}": [{stub(name)}, {stub(name)}],  # {causes[id]}' for id in ids]
        lines += ["WRONG = {", *entries, "}"]
    if not WRITTEN[name].RIGHT:
        lines += [f"RIGHT = [{stub(name)}]  # in another form than the notebook's solution"]
    if not WRITTEN[name].ALMOST_RIGHT:
        lines += [f'ALMOST_RIGHT = {{"what_it_does": {stub(name)}}}  # right on most inputs only']
    if lines and not (FOLDER / f"{name}.py").exists():
        lines = [f'"""Answers to `{name}` as learners write them."""', "", "import numpy as np", "", *lines]
    return "\n".join([f"{file_of(name)} needs:", "", *lines]) if lines else ""


def files_with(step):
    """The files of attention_lib/check/mistakes/ in which variants of this step stand."""
    functions = [variant[step] for m in MISTAKES for variant in m.variants if step in variant]
    modules = {function.__module__ for function in functions}
    return sorted(module.rpartition(".")[2] + ".py" for module in modules if "mistakes" in module)


def variants_to_choose_from(name):
    """How a variant of a mistake is written, for each step of the exercise, and where others stand."""
    lines = []
    for step in sorted(EXERCISES[name].steps):
        parameters = ", ".join(inspect.signature(STEPS[step]).parameters)
        files = " and ".join(files_with(step))
        lines.append(f"        {step}=[lambda {parameters}: ...]," + (f"  # as in {files}" if files else ""))
    return "\n".join(lines)


def steps_of(verdict, name):
    """The steps of the exercise in which the mistakes of this verdict can occur."""
    named = {verdict.mistake, *verdict.also}
    return sorted({step for m, variant in EXERCISES[name].variants if m.id in named for step in variant})


def how_to_name(name, id, function, verdict):
    """What to do about a wrong answer that the check does not call by the id under which it stands."""
    if not any(function is written for written in WRITTEN[name].WRONG.get(id, [])):
        return f"""Every exercise gets this answer from tests/check/answers/generic.py, as "{id}".
The check of {name} says "{verdict.mistake}": a variant of the steps {steps_of(verdict, name)} gives
the same on every probe. Are these steps shared with exercises that have other arguments? Then write steps for
{name} alone, in attention_lib/check/steps.py.
"""
    where = f'This answer stands under "{id}" in {file_of(name)}, and'
    if id not in {m.id for m in MISTAKES} | GENERAL_IDS:
        shows = Counter(m.shows.__name__ for m, _ in EXERCISES[name].variants).most_common(1)
        return f"""{where} no mistake has that id.
A list in attention_lib/check/mistakes/ needs, with one line for the step that is taken wrongly:

    mistake(
        "{id}",
        "The cause, in one sentence.",
        {shows[0][0] if shows else "wrong_entry"},
        "A question that leads to the cause?",
{variants_to_choose_from(name)}
    ),
"""
    if verdict.passed:
        return f"""{where} the check accepts it.
make_probes of {name} (attention_lib/check/exercises.py) needs arguments for which it is wrong.
"""
    return f"""{where} the check says "{verdict.mistake}".
If the check is right, move the answer to "{verdict.mistake}". If not, no variant of "{id}" gives the numbers of
this answer on every probe: the mistake's entry in attention_lib/check/mistakes/ needs one of these lines.

{variants_to_choose_from(name)}
"""
