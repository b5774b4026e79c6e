"""Whatever a function gives back, its check ends with a verdict and refuses it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from tests.check.answers.derived import answer_with
from tests.check.verdicts import OF_EACH_KIND, verdict_on


def fails(*args):
    raise RuntimeError


class Strange:
    """Fails at every operation."""

    __array__ = __getattr__ = __repr__ = __len__ = __eq__ = __bool__ = fails


DTYPES = st.sampled_from(["f2", "f8", "i8", "u2", "?", "c16", "U3", "M8[s]", "m8[D]"])
ARRAYS = DTYPES.flatmap(
    lambda dtype: arrays(dtype, array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4))
)
ODD = [True, 2.5, 1j, "text", b"text", None, ..., np.ma.masked, np.float64, Fraction(1, 3)]
GARBAGE = st.recursive(
    st.sampled_from(ODD) | st.floats() | st.builds(Strange) | ARRAYS,
    lambda inside: st.lists(inside, max_size=3) | st.tuples(inside, inside),
    max_leaves=6,
)
NUMBERS = st.sampled_from([0.0, 1.0, 0.5, -1.0, 1e4, np.nan, np.inf, -np.inf])


def drawn_garbage(draws, right):
    return draws.draw(GARBAGE)


def drawn_numbers(draws, right):
    """Arbitrary numbers, also NaN and infinity, in the right shape or in another order of its axes."""
    parts = right if isinstance(right, tuple) else (right,)
    tables = [arrays(float, np.shape(part) or (1,), elements=NUMBERS, fill=NUMBERS) for part in parts]
    drawn = [draws.draw(table) for table in tables]
    return tuple(x.T for x in drawn) if len(drawn) > 1 else drawn[0]


@pytest.mark.parametrize("name", [*OF_EACH_KIND, pytest.param("multi_head", marks=pytest.mark.slow)])
@pytest.mark.parametrize("drawn", [drawn_garbage, drawn_numbers])
@pytest.mark.parametrize("examples", [2, pytest.param(20, marks=[pytest.mark.slow, pytest.mark.release])])
def test_garbage_neither_stops_a_check_nor_passes(name, drawn, examples):
    @settings(max_examples=examples)
    @given(draws=st.data())
    def neither_stops_nor_passes(draws):
        verdict = verdict_on(name, lambda *args: drawn(draws, answer_with(name)(*args)))
        assert not verdict.passed and verdict.mistake and verdict.message

    neither_stops_nor_passes()


@pytest.mark.parametrize("name", OF_EACH_KIND)
def test_objects_that_raise_neither_stop_a_check_nor_pass(name):
    objects = np.full(2, None)
    objects[0] = Strange()
    for answer in (Strange(), [Strange()], (Strange(), Strange()), objects):
        assert verdict_on(name, lambda *args, answer=answer: answer).mistake == "wrong-type"
    assert not verdict_on(name, Strange()).passed
