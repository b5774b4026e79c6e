"""What a failing test prints to be pasted is right: with the right code in the place of `...` it gives the right answer."""

import numpy as np
import pytest

from lesson.check import EXERCISES
from lesson.check.steps import RIGHT as STEPS
from tests.check import advice
from tests.check.answers.derived import answer_with


def filled(code, right):
    """The value of printed code, with a call of `right` in the place of `...`: it gets what the lambda was given."""
    return eval(code.replace("...", "right(*locals().values())"), {"right": right})


def assert_right(name, answer):
    for probe in EXERCISES[name].probes:
        got = EXERCISES[name].call(answer, probe.args)[0]
        got = got if isinstance(got, tuple) else (got,)
        right = EXERCISES[name].right_answer(probe.args)
        assert len(got) == len(right)
        for part, expected in zip(got, right):
            np.testing.assert_array_equal(np.asarray(part, float), expected, probe.name)


@pytest.mark.parametrize("name", EXERCISES)
def test_stub_of_an_answer_takes_what_every_probe_gives(name):
    assert_right(name, filled(advice.stub(name), answer_with(name)))


@pytest.mark.parametrize("name", EXERCISES)
def test_stub_of_each_step_takes_what_the_recipe_gives(name):
    lines = advice.variants_to_choose_from(name).splitlines()
    steps = [line.partition("=")[0].strip() for line in lines]
    assert set(steps) == EXERCISES[name].steps
    for step, line in zip(steps, lines):
        (wrong_form,) = filled(f"dict({line})", STEPS[step])[step]
        assert_right(name, answer_with(name, **{step: wrong_form}))
