"""Whatever a function gives back, its check ends with a verdict and refuses it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from tests.check.verdicts import OF_EACH_KIND, verdict_on

ODD = [True, 2.5, 1j, "text", b"text", None, ..., np.ma.masked, np.float64, Fraction(1, 3)]
DTYPES = st.sampled_from(["f2", "f8", "i8", "u2", "?", "c16", "U3", "M8[s]", "m8[D]"])
ARRAYS = DTYPES.flatmap(lambda dtype: arrays(dtype, array_shapes(min_dims=0, min_side=0, max_side=4)))
GARBAGE = st.sampled_from(ODD) | st.lists(st.floats(), max_size=3) | st.tuples(ARRAYS, ARRAYS) | ARRAYS


@pytest.mark.parametrize("name", OF_EACH_KIND)
@settings(max_examples=4)
@given(garbage=GARBAGE)
def test_garbage_neither_stops_a_check_nor_passes(name, garbage):
    verdict = verdict_on(name, lambda *args: garbage)
    assert not verdict.passed and verdict.mistake and verdict.message
