"""What every function of arrays promises: dtypes are kept, arguments are left alone, no number makes it warn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.attention.test_bad_input import ATTENDS, FUNCTIONS, GOOD, K, Q, V

INF, NAN = np.inf, np.nan
ALLOWED = np.arange(24).reshape(4, 6) % 5 > 0
MASKS = ALLOWED, np.where(ALLOWED, 0.5, -INF), np.where(ALLOWED, -1e308, NAN)
for mask in MASKS:
    mask.setflags(write=False)

# Each function, with the arguments that differ from the good ones.
CALLS = [(name, {}) for name in GOOD if name not in ("causal_mask", "padding_mask")]
CALLS += [("masked_softmax", {"mask": mask}) for mask in MASKS]
CALLS += [
    (attend, {"mask": mask, "is_causal": True, "scale": np.float64(0.7)})
    for attend in ATTENDS
    for mask in MASKS
]
# With one key the output is that key's value, and heads may stay where they are: these are copied too.
CALLS += [(attend, {"k": K[:, :1], "v": V[:, :1]}) for attend in ATTENDS]
CALLS += [("split_heads", {"n_heads": 1}), ("merge_heads", {"x": Q[:1]}), ("repeat_heads", {"n": 1})]

every_call = pytest.mark.parametrize("name, changes", CALLS)


def answers(name, changes, dtype="f8", prepare=np.copy):
    """The arrays that a function returns, where its arrays but the mask are of that dtype, and go through `prepare`."""
    given = GOOD[name] | changes
    for key, value in given.items():
        if isinstance(value, np.ndarray) and key != "mask":
            given[key] = prepare(value.astype(dtype))
    answer = FUNCTIONS[name](**given)
    return answer if isinstance(answer, tuple) else (answer,)


def read_only(x):
    """The same numbers, every second of a wider array that cannot be written to."""
    wide = np.repeat(x, 2, axis=-1)
    wide.setflags(write=False)
    return wide[..., ::2]


@every_call
@pytest.mark.parametrize(
    "dtype, expected",
    [("f2", "f2"), ("f4", "f4"), ("f8", "f8"), ("g", "g"), (">f4", "f4"), ("i1", "f8"), ("?", "f8")],
)
def test_dtypes_are_kept_and_integers_become_float64(name, changes, dtype, expected):
    for answer in answers(name, changes, dtype):
        assert answer.dtype == expected


@every_call
def test_arguments_of_any_layout_are_left_alone(name, changes):
    for answer, expected in zip(answers(name, changes, prepare=read_only), answers(name, changes)):
        assert_allclose(answer, expected, rtol=0, atol=1e-14)
        answer[...] = 0  # which fails where it is a view of an argument


@every_call
def test_float16_is_computed_in_float32(name, changes):
    for answer, expected in zip(answers(name, changes, "f2"), answers(name, changes, "f4")):
        assert_array_equal(answer, expected.astype("f2"))


NASTY = [0.0, -0.0, 1e-45, 5e-324, 1e38, -1e38, 1e300, -1e300, 6e4, INF, -INF, NAN]


@every_call
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_no_number_warns(name, changes, dtype):
    with np.errstate(all="ignore"):
        nasty = np.array(NASTY).astype(dtype)
    with np.errstate(all="raise"):
        answers(name, changes, dtype, lambda x: np.resize(nasty, x.shape))
