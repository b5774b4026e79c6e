"""The house that the checker lives in: nothing in it without a use, and one place for each thing."""

import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from attention_lib import check
from attention_lib.check import EXERCISES
from attention_lib.check.grading.diagnose import BUT_FOR_NAN, fit, likeliest, ways_of
from attention_lib.check.grading.run_learner import call, same
from tests.check.answers import WRONG

FILES = sorted(Path(check.__file__).parent.rglob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_file_is_small_enough_to_read(file):
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 300, f"{file.name} has {len(lines)} lines: which half is a module of its own?"
    long = [i for i, line in enumerate(lines, 1) if len(line) > 100]
    assert not long, f"{file.name} has more than 100 columns in lines {long}"
    assert not any("fmt: off" in line for line in lines)


def test_machinery_knows_no_exercise_and_no_mistake_by_name():
    """What is special about one of them is data: exercises.py, steps.py, probes.py, mistakes/."""
    ids = {m.id for m in check.MISTAKES} - {"different"}
    names = {f'"{word}"' for word in ids | set(EXERCISES)}
    for file in FILES:
        if file.stem not in ("exercises", "probes", "steps") and file.parent.stem != "mistakes":
            known = [name for name in names if name in file.read_text(encoding="utf-8")]
            assert not known, f"{file.name} speaks of {known}"


@pytest.mark.parametrize("mistake", check.MISTAKES, ids=lambda m: m.id)
def test_mistake_can_be_read_aloud(mistake):
    assert re.fullmatch(r"[a-z_]+(-[a-z_]+)*", mistake.id)
    assert mistake.cause[0].isupper() or mistake.cause[0].isdigit()
    assert mistake.cause.endswith(".") and len(mistake.cause) < 150
    assert mistake.ask.endswith(("?", ".")) and "?" in mistake.ask
    assert mistake.over <= {m.id for m in check.MISTAKES}


def seen_by_exercise():
    """What came back from all wrong answers of the tests, on the probes where numbers are compared."""
    seen = defaultdict(list)
    for (name, id), functions in WRONG.items():
        exercise = EXERCISES[name]
        probes = [probe for probe in exercise.probes if probe.ordinary]
        for function in functions:
            runs = [call(function, exercise, p, exercise.answer(p.args), watched=False) for p in probes]
            came = [s for s in runs if s.got is not None]
            if any(not s.ok for s in came):
                seen[name, id].append(sorted(came, key=lambda s: s.ok))
    return seen


@pytest.mark.slow
def test_each_wrong_way_explains_an_answer_of_the_tests():
    """A wrong way that nobody is known to take goes, or gets the answer that needs it."""
    seen, needed, ways = seen_by_exercise(), set(), {}
    for name, exercise in EXERCISES.items():
        for mistake, way in ways_of(exercise):
            where = [m for m in check.MISTAKES if m.id == mistake.id].index(mistake)
            label = f"{mistake.id} ({where}), way {mistake.ways.index(way)}: {' and '.join(way)}"
            ways[id(way)] = label
            if id(way) not in needed and any(
                fit(exercise, way, came) >= BUT_FOR_NAN for came in seen[name, mistake.id]
            ):
                needed.add(id(way))
    idle = [label for key, label in ways.items() if key not in needed]
    assert not idle, "no answer in check_answers.py is explained by " + "; ".join(idle)
    assert all(way in ways for m in check.MISTAKES for way in map(id, m.ways)), "a way that no exercise takes"


def numbers_of(exercise, way=None):
    """What this way gives on all ordinary probes, so that it can be compared."""
    found = []
    for probe in exercise.probes:
        if probe.ordinary:
            parts = exercise.answer(probe.args, way) or exercise.answer(probe.args)
            found.append(tuple((x.shape, np.round(x, 6).tobytes()) for x in parts))
    return tuple(found)


@pytest.mark.parametrize("name", EXERCISES)
def test_of_two_mistakes_that_look_alike_one_stands_for_the_other(name):
    """The order of the lists decides nothing: `over` says which one is named."""
    exercise, alike = EXERCISES[name], defaultdict(list)
    for mistake, way in ways_of(exercise):
        alike[numbers_of(exercise, way)].append(mistake)
    alike.pop(numbers_of(exercise), None)  # ways that only edges can tell from what is right
    for mistakes in alike.values():
        ids = {m.id for m in mistakes}
        assert len({m.id for m in likeliest(mistakes)}) == 1, f"which of {sorted(ids)} is to be named?"


@pytest.mark.parametrize(
    "x, y, dtype, equal",
    [
        ([1000, 2], [1005, 2], "float16", True),
        ([1000, 2], [1020, 2], "float16", False),
        ([1000, 2], [1005, 2], "float32", False),
        ([1, 2], [1, 2 + 1e-5], "float32", True),
        ([1, 2], [1, 2 + 1e-5], "float64", False),
        ([np.nan, np.inf], [np.nan, np.inf], "float64", True),
        ([np.nan, np.inf], [np.nan, -np.inf], "float64", False),
        ([1, 2], [[1, 2]], "float64", False),
        ([], [1], "float64", False),
        ([], [], "float64", True),
    ],
)
def test_numbers_are_the_same_as_closely_as_their_dtype_allows(x, y, dtype, equal):
    assert same((np.array(x, float),), (np.array(y, float),), np.dtype(dtype)) is equal
