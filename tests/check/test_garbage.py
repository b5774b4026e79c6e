"""Whatever a function gives back, its check ends with a verdict, and only right numbers pass."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from tests.check.answers.derived import answer_with
from tests.check.verdicts import OF_EACH_KIND, verdict_on

WITH_A_DICT = pytest.param("multi_head", marks=pytest.mark.slow)


class Unwilling:
    """Offers to become an array, and fails when asked to."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("no array today")


def fails(*args):
    raise RuntimeError


class Strange:
    """Fails at every operation."""

    __getattr__ = __repr__ = __len__ = __eq__ = __bool__ = fails


def list_that_holds_itself():
    held = []
    held.append(held)
    return held


DTYPES = st.sampled_from(["f2", "f4", "f8", "i1", "i8", "u2", "?", "c16", "U3", "S2", "M8[s]", "m8[D]"])
ARRAYS = DTYPES.flatmap(
    lambda dtype: arrays(dtype, array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=4))
)
ODD = [True, 3, 2.5, 1j, "text", b"text", None, ..., NotImplemented, np.ma.masked, np.float64, Fraction(1, 3)]
SCALARS = st.one_of(
    st.sampled_from(ODD),
    st.floats(),
    st.builds(object),
    st.builds(Unwilling),
    st.builds(list_that_holds_itself),
    st.builds(lambda: (x for x in "abc")),
)
GARBAGE = st.recursive(
    SCALARS | ARRAYS,
    lambda inside: st.one_of(
        st.lists(inside, max_size=3),
        st.tuples(inside),
        st.tuples(inside, inside),
        st.dictionaries(st.text(max_size=2), inside, max_size=2),
    ),
    max_leaves=6,
)


def is_right(name, made):
    """Whether every answer has the right numbers and shape."""
    for args, answer in made:
        right = answer_with(name)(*args)
        right, answer = (x if isinstance(x, tuple) else (x,) for x in (right, answer))
        try:
            if len(right) != len(answer):
                return False
            for r, a in zip(right, answer):
                if np.shape(r) != np.shape(a) or not np.allclose(r, np.asarray(a, float), 1e-2, 1e-2):
                    return False
        except Exception:
            return False
    return True


def drawn_garbage(draws, right):
    return draws.draw(GARBAGE)


TURNS = [lambda x: x, lambda x: x.T, lambda x: x[..., :-1], lambda x: x[None]]
FRACTIONS = [0.0, 1.0, 0.5, -1.0, 1e4, np.nan, np.inf, -np.inf]


def drawn_numbers(draws, right):
    """Arbitrary numbers, also NaN and infinity, in the right shape or a similar one."""
    dtype = draws.draw(st.sampled_from(["f2", "f4", "f8", "i8", "?"]))
    turn = draws.draw(st.sampled_from(TURNS))
    elements = st.sampled_from(FRACTIONS if "f" in dtype else [0, 1])
    parts = right if isinstance(right, tuple) else (right,)
    tables = [arrays(dtype, np.shape(x) or (1,), elements=elements, fill=elements) for x in parts]
    drawn = tuple(turn(draws.draw(table)) for table in tables)
    return drawn if isinstance(right, tuple) else drawn[0]


@pytest.mark.parametrize("name", [*OF_EACH_KIND, WITH_A_DICT])
@pytest.mark.parametrize("drawn", [drawn_garbage, drawn_numbers])
@pytest.mark.parametrize("examples", [2, pytest.param(20, marks=[pytest.mark.slow, pytest.mark.release])])
def test_garbage_neither_stops_a_check_nor_passes(name, drawn, examples):
    @settings(max_examples=examples)
    @given(draws=st.data())
    def neither_stops_nor_passes(draws):
        made = []

        def garbage(*args):
            made.append((args, drawn(draws, answer_with(name)(*args))))
            return made[-1][1]

        verdict = verdict_on(name, garbage)
        assert verdict.passed == (verdict.mistake is None) and verdict.message
        assert not verdict.passed or is_right(name, made)

    neither_stops_nor_passes()


@pytest.mark.parametrize("name", [*OF_EACH_KIND, WITH_A_DICT])
def test_objects_that_raise_neither_stop_a_check_nor_pass(name):
    objects = np.full(2, None)
    objects[0] = Strange()
    for answer in (Strange(), [Strange()], (Strange(), Strange()), objects, Unwilling()):
        verdict = verdict_on(name, lambda *args, answer=answer: answer)
        assert verdict.mistake == "wrong-type"
    assert not verdict_on(name, Strange()).passed
