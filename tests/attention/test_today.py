"""attention_lib.today: rotary positions, grouped heads, and a row of attention put together from parts."""

import re
import warnings
from inspect import signature

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

import attention_lib as al
from attention_lib import today
from tests.attention.test_oracles import TOLERANCE, read
from tests.attention.test_properties import LEADING, NUMBERS, attention_inputs

INF, NAN = np.inf, np.nan
PAIRS = st.sampled_from(["halves", "neighbours"])
POSITIONS = st.integers(-1000, 1000)


@st.composite
def vectors(draw):
    """x (..., L, d) with an even d."""
    shape = (*draw(LEADING), draw(st.integers(1, 5)), 2 * draw(st.integers(1, 4)))
    return draw(arrays(np.float64, shape, elements=NUMBERS))


def log_sum(scores):
    """The logarithm of each row's summed powers."""
    with np.errstate(divide="ignore"):
        return np.log(np.exp(scores).sum(axis=-1))


# Rotary positions -------------------------------------------------------------------------------


def test_rotation_is_the_product_with_the_papers_matrix():
    position, d = 2.5, 6
    matrix = np.zeros((d, d))
    for i in range(d // 2):
        angle = position * 10_000 ** (-2 * i / d)
        block = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block
    x = np.arange(1.0, 7.0)[None]
    assert_allclose(today.rotate(x, [position], pairs="neighbours")[0], matrix @ x[0], rtol=1e-14)


@given(vectors(), POSITIONS)
def test_halves_are_neighbours_in_another_order(x, position):
    d = x.shape[-1]
    order = [*range(0, d, 2), *range(1, d, 2)]  # even places first
    assert_array_equal(
        today.rotate(x[..., order], position), today.rotate(x, position, pairs="neighbours")[..., order]
    )


@given(vectors(), POSITIONS, PAIRS)
def test_rotation_keeps_lengths_and_is_undone_by_the_opposite_one(x, position, pairs):
    rotated = today.rotate(x, position, pairs=pairs)
    assert_allclose(np.linalg.norm(rotated, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-13, atol=1e-13)
    assert_allclose(today.rotate(rotated, -position, pairs=pairs), x, rtol=0, atol=1e-12)


@given(vectors(), POSITIONS, POSITIONS, PAIRS)
def test_scores_of_rotated_vectors_depend_on_the_distance_alone(x, position, shift, pairs):
    q, k = x[..., :1, :], x[..., -1:, :]

    def score(of_query, of_key):
        return al.attention_scores(
            today.rotate(q, of_query, pairs=pairs), today.rotate(k, of_key, pairs=pairs)
        )

    assert_allclose(score(position, 7), score(position + shift, 7 + shift), rtol=0, atol=1e-9)


def test_positions_count_from_zero_unless_given():
    x = np.random.default_rng(0).normal(size=(2, 3, 4, 6))
    assert_array_equal(today.rotate(x), today.rotate(x, [0, 1, 2, 3]))
    assert_array_equal(today.rotate(x)[..., 0, :], x[..., 0, :])
    assert_array_equal(today.rotate(x)[..., [2], :], today.rotate(x[..., [2], :], 2))


def test_positions_may_differ_by_sentence():
    x = np.random.default_rng(0).normal(size=(2, 3, 4, 6))  # sentences, heads, tokens
    positions = np.array([[0, 1, 2, 3], [5, 6, 7, 8]])
    rotated = today.rotate(x, positions[:, None])
    for sentence in (0, 1):
        assert_array_equal(rotated[sentence], today.rotate(x[sentence], positions[sentence]))


def test_base_sets_the_slow_pairs():
    x = np.ones((1, 4))
    angles = [2.0, 2.0 * 100**-0.5]
    expected = np.cos(angles) - np.sin(angles)
    assert_allclose(today.rotate(x, 2, base=100)[0, :2], expected, rtol=1e-14)


# Grouped heads ----------------------------------------------------------------------------------


@given(vectors(), st.integers(1, 4))
def test_each_head_is_repeated_in_a_row(x, n):
    heads = np.stack([x, x + 1, x - 1], axis=-3)
    repeated = today.repeat_heads(heads, n)
    assert repeated.shape[-3] == 3 * n
    for i in range(3 * n):
        assert_array_equal(repeated[..., i, :, :], heads[..., i // n, :, :])


# A row put together from parts ------------------------------------------------------------------


@given(attention_inputs(), st.integers(0, 6))
def test_merged_halves_are_the_attention_over_all_keys(inputs, cut):
    q, k, v, allowed = inputs
    scores = np.where(allowed, al.scaled_scores(q, k), -INF)
    sides = []
    for keys in (slice(None, cut), slice(cut, None)):
        weights = al.masked_softmax(scores[..., keys])
        sides += [weights @ v[..., keys, :], log_sum(scores[..., keys])]
    output, whole = today.merge(*sides)
    assert_allclose(output, al.scaled_dot_product_attention(q, k, v, allowed).output, rtol=0, atol=1e-12)
    assert_allclose(whole, log_sum(scores), rtol=1e-13, atol=1e-13)


def test_side_without_keys_changes_nothing():
    output, sums = np.array([[1.0, 2.0, 3.0]]), np.array([0.5])
    for merged in (
        today.merge(output, sums, np.zeros((1, 3)), [-INF]),
        today.merge(np.zeros((1, 3)), [-INF], output, sums),
    ):
        assert_array_equal(merged[0], output)
        assert_array_equal(merged[1], sums)


def test_two_sides_without_keys_give_zeros():
    output, sums = today.merge(np.ones((2, 3)), [-INF, 0], np.ones((2, 3)), [-INF, 0])
    assert_array_equal(output, [[0, 0, 0], [1, 1, 1]])
    assert_allclose(sums, [-INF, np.log(2)])


def test_large_log_sums_do_not_overflow():
    output, sums = today.merge([[0.0]], [5000.0], [[1.0]], [5000 + np.log(3)])
    assert_allclose(output, [[0.75]])
    assert_allclose(sums, [5000 + np.log(4)])


def test_leading_axes_of_outputs_broadcast():
    draw = np.random.default_rng(0)
    output, sums = today.merge(
        draw.random((3, 2, 4, 5)), draw.random((2, 4)), draw.random((4, 5)), np.zeros(4)
    )
    assert output.shape == (3, 2, 4, 5) and sums.shape == (2, 4)


def test_outputs_and_log_sums_keep_dtypes_of_their_own():
    half = np.ones((2, 3), np.float16)
    output, sums = today.merge(half, np.zeros(2, np.float32), half, np.zeros(2, np.float32))
    assert output.dtype == np.float16 and sums.dtype == np.float32


# Recorded answers of PyTorch and ONNX -----------------------------------------------------------


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("pairs", ["halves", "neighbours"])
def test_rotation_equals_onnx(pairs, dtype):
    record = read("onnx_today")
    rotated = today.rotate(record["x"].astype(dtype), record["positions"][:, None], pairs=pairs)
    assert rotated.dtype == dtype
    assert_allclose(rotated, record[f"{pairs}/{dtype}"], rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_grouped_heads_equal_pytorch(dtype):
    q, k, v = (read("pytorch_today")[name].astype(dtype) for name in "qkv")
    output = al.scaled_dot_product_attention(q, today.repeat_heads(k, 2), today.repeat_heads(v, 2)).output
    assert_allclose(output, read("pytorch_today")[f"grouped/{dtype}"], rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_new_queries_behind_a_cache_equal_onnx(dtype):
    q, k, v = (read("onnx_today")[name].astype(dtype) for name in "qkv")
    k, v = today.repeat_heads(k, 2), today.repeat_heads(v, 2)
    output = al.scaled_dot_product_attention(q, k, v, al.causal_mask(6)[-2:]).output
    assert_allclose(output, read("onnx_today")[f"cache/{dtype}"], rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_merged_parts_equal_pytorch(dtype):
    first, last, whole = (
        [read("pytorch_today")[f"{part}/{dtype}/{name}"] for name in ("output", "log_sum")]
        for part in ("first keys", "last keys", "all keys")
    )
    for merged, expected in zip(today.merge(*first, *last), whole, strict=True):
        assert merged.dtype == dtype
        assert_allclose(merged, expected, rtol=0, atol=TOLERANCE[dtype])


# The contract -----------------------------------------------------------------------------------

GOOD = {
    "rotate": {"x": np.ones((2, 3, 4)), "positions": None, "base": 10_000.0, "pairs": "halves"},
    "repeat_heads": {"x": np.ones((3, 4, 2)), "n": 2},
    "merge": {
        "output_a": np.ones((2, 4, 3)),
        "log_sum_a": np.zeros((2, 4)),
        "output_b": np.ones((2, 4, 3)),
        "log_sum_b": np.zeros((2, 4)),
    },
}

# Rows: function, arguments that replace good ones, error, words of the message with " | " between them.
BAD = [
    ("rotate", {"x": np.ones(4)}, ValueError, "x | (..., L, d) | (4,)"),
    ("rotate", {"x": np.ones((3, 5))}, ValueError, "x | even | (3, 5)"),
    ("rotate", {"x": "cat"}, TypeError, "x | real"),
    ("rotate", {"x": 1j * np.ones((3, 4))}, TypeError, "x | complex128"),
    ("rotate", {"x": np.ma.ones((3, 4))}, TypeError, "x | masked array"),
    ("rotate", {"positions": [0, 1]}, ValueError, "positions | (2,) | (2, 3, 4)"),
    ("rotate", {"positions": np.zeros((3, 1, 3))}, ValueError, "positions | (3, 1, 3) | (2, 3, 4)"),
    ("rotate", {"positions": ["0", "1", "2"]}, TypeError, "positions | real"),
    ("rotate", {"base": 0}, ValueError, "base | positive | 0"),
    ("rotate", {"base": INF}, ValueError, "base | positive | inf"),
    ("rotate", {"base": NAN}, ValueError, "base | positive | nan"),
    ("rotate", {"base": [2, 3]}, ValueError, "base | positive"),
    ("rotate", {"base": True}, ValueError, "base | positive | True"),
    ("rotate", {"base": None}, TypeError, "base | real"),
    ("rotate", {"pairs": "half"}, ValueError, "pairs | halves | neighbours | 'half'"),
    ("rotate", {"pairs": None}, ValueError, "pairs | None"),
    ("repeat_heads", {"x": np.ones((3, 4))}, ValueError, "x | (..., H, L, d) | (3, 4)"),
    ("repeat_heads", {"x": [["a"]]}, TypeError, "x | real"),
    ("repeat_heads", {"n": 0}, ValueError, "n | 1 | 0"),
    ("repeat_heads", {"n": 2.0}, TypeError, "n | integer | float"),
    ("repeat_heads", {"n": True}, TypeError, "n | integer | bool"),
    ("merge", {"output_a": np.ones(3)}, ValueError, "output_a | Lq | (3,) | (2, 4)"),
    ("merge", {"output_b": np.ones((2, 4, 5))}, ValueError, "output_b | d_v | (2, 4, 3) | (2, 4, 5)"),
    ("merge", {"output_b": np.ones((2, 1, 3))}, ValueError, "output_b | Lq | (2, 1, 3)"),
    ("merge", {"log_sum_a": np.ones((2, 4, 1))}, ValueError, "log_sum_a | Lq | (2, 4, 1)"),
    ("merge", {"log_sum_a": 0.0}, ValueError, "log_sum_a | Lq | ()"),
    ("merge", {"log_sum_b": np.ones((3, 4))}, ValueError, "log_sum_b | leading | (3, 4)"),
    ("merge", {"log_sum_b": None}, TypeError, "log_sum_b | real"),
    ("merge", {"output_a": np.ones((2, 4, 3), "M8[s]")}, TypeError, "output_a | datetime64"),
]  # fmt: skip


@pytest.mark.parametrize("function, arguments, error, words", BAD)
def test_bad_input_is_refused_with_a_message(function, arguments, error, words):
    with pytest.raises(error) as caught:
        getattr(today, function)(**GOOD[function] | arguments)
    for word in words.split(" | "):
        assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)", str(caught.value)), word


def test_every_argument_has_a_row_of_bad_input():
    assert {(function, name) for function, arguments, *_ in BAD for name in arguments} == {
        (function, name) for function, arguments in GOOD.items() for name in arguments
    }


def call(name, dtype, fill=1.0):
    """The answers of a function for good arguments of that dtype, and what it must not have changed."""
    given = {
        key: np.full_like(value, fill, dtype) if isinstance(value, np.ndarray) else value
        for key, value in GOOD[name].items()
    }
    before = {key: np.copy(value) for key, value in given.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = getattr(today, name)(**given)
    for key, value in given.items():
        assert_array_equal(value, before[key])
    answers = answer if isinstance(answer, tuple) else (answer,)
    assert not any(np.shares_memory(a, g) for a in answers for g in given.values() if g is not None)
    return answers


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int64", "bool"])
def test_dtype_is_kept_and_inputs_are_not_changed(name, dtype):
    expected = dtype if dtype.startswith("float") else "float64"
    assert {answer.dtype for answer in call(name, dtype)} == {np.dtype(expected)}


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("fill", [NAN, INF, -INF])
def test_no_input_warns(name, fill):
    call(name, "float32", fill)


def test_float16_is_computed_in_float32():
    x = np.random.default_rng(0).normal(size=(50, 8)).astype(np.float16)
    assert_array_equal(today.rotate(x), today.rotate(x.astype(np.float32)).astype(np.float16))
    output, sums = today.merge(x, x[:, 0], x[::-1], x[:, 1])
    wide = [a.astype(np.float32) for a in (x, x[:, 0], x[::-1], x[:, 1])]
    for half, single in zip((output, sums), today.merge(*wide), strict=True):
        assert_array_equal(half, single.astype(np.float16))


@pytest.mark.parametrize("name", GOOD)
def test_each_function_has_hints_shapes_errors_and_a_source(name):
    function = getattr(today, name)
    hints = signature(function)
    assert list(hints.parameters) == list(GOOD[name])
    assert all(p.annotation is not p.empty for p in hints.parameters.values())
    assert hints.return_annotation is not hints.empty
    for part in ("Shapes", "Raises\n", "References\n"):
        assert part in function.__doc__
