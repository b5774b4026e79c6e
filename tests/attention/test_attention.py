"""attention_lib.attention against published numbers, a real model's arrays and its documented contract."""

import subprocess
import sys
import tracemalloc
import warnings
from concurrent.futures import ThreadPoolExecutor
from inspect import signature

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_lib as al
from attention_lib import data

INF, NAN = np.inf, np.nan

# All sizes differ, so that a wrong axis fails.
B, H, LQ, LK, D_K, D_V = 3, 2, 4, 6, 5, 7
DRAW = np.random.default_rng(7)
Q, K, V = (
    DRAW.normal(size=(B, H, LQ, D_K)),
    DRAW.normal(size=(B, H, LK, D_K)),
    DRAW.normal(size=(B, H, LK, D_V)),
)
ALLOWED = DRAW.random((B, H, LQ, LK)) < 0.6
ALLOWED[..., 0] = True
ALLOWED[1, 0, 2] = False  # one query that may attend to nothing
BIAS = np.where(ALLOWED, DRAW.normal(size=ALLOWED.shape), -INF)


def both(q, k, v, mask=None, **options):
    """The output, which attention_in_blocks must give too: in blocks of two queries, and in one block."""
    output, _ = al.scaled_dot_product_attention(q, k, v, mask, **options)
    for block_size in (2, 10**6):
        blocks = al.attention_in_blocks(q, k, v, mask, **options, block_size=block_size)
        assert blocks.dtype == output.dtype and blocks.shape == output.shape
        assert_allclose(blocks, output, rtol=0, atol=1e-6 if output.dtype == np.float64 else 1e-5)
    return output


# The published numbers -------------------------------------------------------------------------


def test_walkthrough_example_one():
    np.random.seed(42)
    q, k, v = np.random.rand(1, 2), np.random.rand(3, 2), np.random.rand(3, 4)
    output, weights = al.scaled_dot_product_attention(q, k, v)
    assert_array_equal(weights.round(6), [[0.378944, 0.241595, 0.379461]])
    # One publication has .518747 in the second place; the exact number is 0.5187444675.
    assert_array_equal(output.round(6), [[0.544351, 0.518744, 0.215635, 0.522361]])


def test_walkthrough_example_two_with_mask_where_one_hides():
    np.random.seed(123)
    q, k, v = np.random.rand(2, 2, 4), np.random.rand(2, 3, 4), np.random.rand(2, 3, 5)
    one_hides = np.zeros((2, 2, 3), int)
    one_hides[0, 1, 2] = one_hides[1, 0, 0] = 1
    weights = al.scaled_dot_product_attention(q, k, v, one_hides == 0).weights
    published = [
        [[0.289139, 0.389326, 0.321535], [0.394875, 0.605125, 0]],
        [[0, 0.441439, 0.558561], [0.302170, 0.316897, 0.380934]],
    ]
    assert_array_equal(weights.round(6), published)


def test_published_module_that_returns_weights_first():
    np.random.seed(42)
    q, k, v = (np.random.randn(2, 4, 8) for _ in range(3))
    powers = np.exp(np.einsum("bqd,bkd->bqk", q, k) / np.sqrt(8))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    context = np.einsum("bqk,bkd->bqd", weights, v)
    ours = al.scaled_dot_product_attention(q, k, v)
    assert_allclose(ours.weights, weights, rtol=1e-12)
    assert_allclose(ours.output, context, rtol=1e-12, atol=1e-14)


def test_published_notebook_with_mask_where_zero_hides():
    draw = np.random.default_rng(5)
    q, k, v = (draw.normal(size=(1, 5, 8)) for _ in range(3))
    zero_hides = np.tril(np.ones((5, 5), int))
    powers = np.exp(np.where(zero_hides == 0, -1e9, q[0] @ k[0].T / 8**0.5))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    ours = al.scaled_dot_product_attention(q, k, v, zero_hides != 0)
    assert_allclose(ours.weights[0], weights, rtol=1e-12, atol=1e-300)
    assert_allclose(ours.output[0], weights @ v[0], rtol=1e-12, atol=1e-14)


def test_plain_python_lesson_to_three_decimals():
    q = [[0.732, 1.683], [0.058, 0.214], [0.708, 1.309], [0.212, 1.044]]
    k = [[0.951, 1.107], [0.156, 0.657], [0.601, 1.574], [0.832, 0.233]]
    v = [[1.107, 1.326], [0.657, 0.755], [1.574, 1.467], [0.233, 0.853]]
    output, weights = al.scaled_dot_product_attention(q, k, v)
    assert_array_equal(
        weights.round(3),
        [
            [0.315, 0.122, 0.458, 0.105],
            [0.261, 0.236, 0.276, 0.227],
            [0.317, 0.140, 0.410, 0.133],
            [0.286, 0.182, 0.384, 0.148],
        ],
    )
    assert_array_equal(output.round(3), [[1.174, 1.271], [0.931, 1.123], [1.119, 1.241], [1.075, 1.206]])


# A published pandas notebook on the words "machine learning is fun".
PANDAS = np.random.RandomState(42).random_sample(790)
PANDAS_Q, PANDAS_K, PANDAS_V = PANDAS[730:].reshape(3, 4, 5)


def test_pandas_lesson_dot_product_by_hand():
    a, b = PANDAS[:5], PANDAS[5:10]
    assert_array_equal((a * b).round(2), [0.06, 0.06, 0.63, 0.36, 0.11])
    assert al.attention_scores([a], [b]).round(2) == [[1.22]]


def test_pandas_lesson_scores_to_six_decimals():
    published = [
        [1.427468, 1.740921, 0.845295, 1.771538],
        [1.183528, 2.065285, 0.797632, 1.974885],
        [1.007316, 1.585576, 0.731679, 1.511621],
        [1.197666, 2.544851, 1.086476, 2.104676],
    ]
    assert_array_equal(al.attention_scores(PANDAS_Q, PANDAS_K).round(6), published)


def test_pandas_lesson_scaled_scores_to_six_decimals():
    published = [
        [0.638383, 0.778563, 0.378028, 0.792256],
        [0.529290, 0.923623, 0.356712, 0.883196],
        [0.450485, 0.709091, 0.327217, 0.676017],
        [0.535612, 1.138092, 0.485887, 0.941240],
    ]
    assert_array_equal(al.scaled_scores(PANDAS_Q, PANDAS_K).round(6), published)


def pandas_whole_table():
    return al.softmax(al.scaled_scores(PANDAS_Q, PANDAS_K).ravel()).reshape(4, 4)


def test_pandas_lesson_takes_softmax_over_the_whole_table():
    wrong = pandas_whole_table()
    assert_array_equal(wrong[[0, 3], [0, 1]].round(6), [0.059588, 0.098215])
    assert_array_equal((wrong @ PANDAS_V)[0].round(6), [0.111879, 0.131627, 0.096534, 0.121022, 0.165639])


def test_pandas_lesson_rows_divided_by_their_sums_are_right():
    wrong = pandas_whole_table()
    right = al.scaled_dot_product_attention(PANDAS_Q, PANDAS_K, PANDAS_V).weights
    assert_allclose(wrong / wrong.sum(axis=-1, keepdims=True), right, rtol=1e-13)


# The real model --------------------------------------------------------------------------------


def test_all_72_heads_of_the_real_model_in_one_call():
    cat = data.load("cat_sentence")
    output, weights = al.scaled_dot_product_attention(cat["q"], cat["k"], cat["v"])
    assert output.shape == (6, 12, 11, 32) and output.dtype == np.float32
    assert_allclose(weights, cat["weights"], rtol=0, atol=1e-5)
    assert_allclose(output, cat["context"], rtol=0, atol=1e-5)


def test_all_72_heads_in_blocks():
    cat = data.load("cat_sentence")
    output = al.attention_in_blocks(cat["q"], cat["k"], cat["v"], block_size=4)
    assert_allclose(output, cat["context"], rtol=0, atol=1e-5)


def test_four_pronoun_sentences():
    four = data.load("pronoun_sentences")
    output, weights = al.scaled_dot_product_attention(four["q"], four["k"], four["v"])
    assert_allclose(weights, four["weights"], rtol=0, atol=1e-5)
    assert_allclose(output, four["context"], rtol=0, atol=1e-5)


def test_padded_batch_with_its_mask():
    batch = data.load("padded_batch")
    mask = al.padding_mask(batch["is_token"].sum(axis=-1), 11)[:, None]
    assert_array_equal(mask, batch["is_token"][:, None, None])
    output, weights = al.scaled_dot_product_attention(batch["q"], batch["k"], batch["v"], mask)
    assert_allclose(weights, batch["weights"], rtol=0, atol=1e-5)
    assert_allclose(output, batch["context"], rtol=0, atol=1e-5)
    assert (weights[np.broadcast_to(~mask, weights.shape)] == 0).all()


def test_padded_keys_and_values_do_not_change_the_output():
    batch = data.load("padded_batch")
    q, k, v, is_token = (batch[name] for name in ("q", "k", "v", "is_token"))
    mask = is_token[:, None, None]
    expected = al.scaled_dot_product_attention(q, k, v, mask).output
    garbage = np.where(is_token[:, None, :, None], 0, np.float32(1e30))
    output = al.scaled_dot_product_attention(q, k + garbage, v + garbage, mask).output
    assert_array_equal(output, expected)


def test_padded_sentence_gives_the_output_of_the_sentence_alone():
    batch = data.load("padded_batch")
    n = batch["is_token"][1].sum()
    q, k, v = (batch[name][1, :, :n] for name in "qkv")
    assert_allclose(al.scaled_dot_product_attention(q, k, v).output, batch["context"][1, :, :n], atol=1e-5)


def test_weight_of_her_to_cat_is_that_of_provenance():
    cat = data.load("cat_sentence")
    words = cat["tokens"].tolist()
    her, its_cat = words.index("her"), words.index("cat")
    q, k, v = (cat[name][1, 3] for name in "qkv")
    assert al.scaled_dot_product_attention(q, k, v).weights[her, its_cat].round(3) == np.float32(0.465)
    assert al.scaled_dot_product_attention(q, k, v, scale=1).weights[her, its_cat].round(3) == np.float32(
        0.896
    )


# Each function ----------------------------------------------------------------------


def test_public_names():
    assert set(al.__all__) == {
        "Attention",
        "attention_scores",
        "scaled_scores",
        "softmax",
        "masked_softmax",
        "causal_mask",
        "padding_mask",
        "scaled_dot_product_attention",
        "attention_in_blocks",
        "split_heads",
        "merge_heads",
    }
    assert al.Attention._fields == ("output", "weights")


@pytest.mark.parametrize("name", sorted(set(al.__all__) - {"Attention"}))
def test_each_function_has_hints_shapes_errors_and_a_source(name):
    function = getattr(al, name)
    hints = signature(function)
    assert all(p.annotation is not p.empty for p in hints.parameters.values())
    assert hints.return_annotation is not hints.empty
    for part in ("Shapes", "Raises\n", "References\n"):
        assert part in function.__doc__


def test_scores_are_the_dot_product_of_every_query_with_every_key():
    scores = al.attention_scores([[1, 2], [3, 4]], [[10, 1], [100, 1], [0, -1]])
    assert_array_equal(scores, [[12, 102, -2], [34, 304, -4]])


def test_scores_are_scaled_by_the_root_of_d_k():
    assert_array_equal(al.scaled_scores(np.ones((2, 16)), np.ones((3, 16))), np.full((2, 3), 4.0))


def test_given_scale_replaces_the_default():
    scores = al.attention_scores(Q, K)
    for scale in (0, -1.5, 0.25, np.float64(3), np.float32(0.5), np.array(2), 10**30):
        assert_allclose(al.scaled_scores(Q, K, scale), scores * float(scale), rtol=1e-15)
        assert_allclose(
            al.scaled_dot_product_attention(Q, K, V, scale=scale).weights,
            al.softmax(scores * float(scale)),
            atol=1e-14,
        )


def test_scale_zero_gives_equal_weights():
    assert_allclose(
        both(Q, K, V, scale=0), np.broadcast_to(V.mean(-2, keepdims=True), (B, H, LQ, D_V)), atol=1e-14
    )


def test_negative_scale_reverses_the_order():
    q, k = [[1.0]], [[1.0], [2.0], [3.0]]
    assert_allclose(
        al.scaled_dot_product_attention(q, k, k, scale=-1).weights,
        al.scaled_dot_product_attention(q, k, k, scale=1).weights[:, ::-1],
    )


def test_softmax_of_log_weights_is_the_weights():
    assert_allclose(
        al.softmax(np.log([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])), [[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]]
    )


@pytest.mark.parametrize("axis", [-3, -2, -1, 0, 1, 2, np.int8(1)])
def test_softmax_along_each_axis(axis):
    x = np.log(np.arange(1, 25).reshape(2, 3, 4))
    assert_allclose(al.softmax(x, axis), np.exp(x) / np.exp(x).sum(axis=int(axis), keepdims=True))


@pytest.mark.parametrize(
    "row, shares",
    [
        ([1000, 1000 + np.log(3)], [0.25, 0.75]),
        ([-1000, -1000 + np.log(3)], [0.25, 0.75]),
        ([1e300, -1e300], [1, 0]),
        ([-INF, 5], [0, 1]),
        ([-INF, -INF], [0, 0]),
        ([-1e308, -INF], [1, 0]),
        ([], []),
        ([INF, 0], [NAN, NAN]),
        ([INF, -INF], [NAN, NAN]),
        ([NAN, 0], [NAN, NAN]),
        ([NAN, -INF], [NAN, NAN]),
    ],
)
def test_softmax_of_a_row(row, shares):
    assert_allclose(al.softmax(row), shares, rtol=1e-12)


def test_softmax_subtracts_the_maximum_of_each_row():
    assert_allclose(al.softmax([[1000, 999], [0, -1]]), [[0.7310586, 0.2689414]] * 2, rtol=1e-6)


@pytest.mark.parametrize("shape, axis", [((0, 3), -1), ((3, 0), -1), ((0, 3), 0), ((2, 0, 3), 1)])
def test_softmax_of_an_empty_array_keeps_its_shape(shape, axis):
    assert al.softmax(np.ones(shape), axis).shape == shape


def test_true_means_may_attend():
    weights = al.masked_softmax(np.zeros((1, 4)), [[True, False, True, False]])
    assert_array_equal(weights, [[0.5, 0, 0.5, 0]])


def test_floating_mask_is_added():
    assert_array_equal(al.masked_softmax(BIAS * 2, BIAS), al.softmax(BIAS * 2 + BIAS))
    assert_allclose(al.masked_softmax([0.0, 0.0], np.log([0.9, 0.1])), [0.9, 0.1])


def test_masked_softmax_without_mask_is_softmax():
    assert_array_equal(al.masked_softmax(Q), al.softmax(Q))


def test_mask_of_minus_infinity_equals_boolean_mask():
    scores = al.scaled_scores(Q, K)
    assert_array_equal(
        al.masked_softmax(scores, np.where(ALLOWED, 0, -INF)), al.masked_softmax(scores, ALLOWED)
    )


@pytest.mark.parametrize("mask", [ALLOWED, BIAS], ids=["boolean", "floating"])
def test_query_without_allowed_keys_gets_zeros(mask):
    assert_array_equal(al.masked_softmax(np.ones(mask.shape), mask)[1, 0, 2], np.zeros(LK))
    output, weights = al.scaled_dot_product_attention(Q, K, V, mask)
    assert_array_equal(weights[1, 0, 2], np.zeros(LK))
    assert_array_equal(output[1, 0, 2], np.zeros(D_V))
    assert_array_equal(both(Q, K, V, mask)[1, 0, 2], np.zeros(D_V))
    assert np.isfinite(output).all() and (output != 0).any(axis=-1).sum() == B * H * LQ - 1


def test_causal_mask_is_aligned_at_the_top_left():
    assert_array_equal(al.causal_mask(3), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    assert_array_equal(al.causal_mask(2, 4), [[1, 0, 0, 0], [1, 1, 0, 0]])
    assert_array_equal(al.causal_mask(4, 2), [[1, 0], [1, 1], [1, 1], [1, 1]])
    assert_array_equal(al.causal_mask(1, 3), [[1, 0, 0]])
    assert al.causal_mask(0).shape == (0, 0) and al.causal_mask(2, 0).shape == (2, 0)
    assert al.causal_mask(np.int8(3)).dtype == bool


def test_causal_mask_at_the_bottom_right_as_documented():
    assert_array_equal(al.causal_mask(4)[-2:], [[1, 1, 1, 0], [1, 1, 1, 1]])
    assert "causal_mask(n_keys)[-n_queries:]" in al.causal_mask.__doc__


@pytest.mark.parametrize("n_queries, n_keys", [(4, 6), (6, 4), (5, 5), (1, 6), (6, 1)])
@pytest.mark.parametrize("mask", [None, "boolean", "floating"])
def test_is_causal_and_mask_must_both_allow(n_queries, n_keys, mask):
    q, k, v = Q[:, :, :1].repeat(n_queries, 2), K[:, :, :1].repeat(n_keys, 2), V[:, :, :1].repeat(n_keys, 2)
    q, k, v = (x + 0.1 * np.arange(x.shape[2])[:, None] for x in (q, k, v))
    draw = np.random.default_rng(n_queries)
    mask = {
        None: None,
        "boolean": draw.random((n_queries, n_keys)) < 0.7,
        "floating": draw.normal(size=(n_queries, n_keys)),
    }[mask]
    causal = al.causal_mask(n_queries, n_keys)
    if mask is None:
        joined = causal
    elif mask.dtype == bool:
        joined = mask & causal
    else:
        joined = np.where(causal, mask, -INF)
    expected = al.scaled_dot_product_attention(q, k, v, joined)
    assert_allclose(both(q, k, v, mask, is_causal=True), expected.output, atol=1e-14)
    weights = al.scaled_dot_product_attention(q, k, v, mask, is_causal=np.True_).weights
    assert_allclose(weights, expected.weights, atol=1e-15)
    assert (weights[..., ~causal] == 0).all()


def test_single_causal_query_attends_to_key_zero_only():
    weights = al.scaled_dot_product_attention(Q[..., :1, :], K, V, is_causal=True).weights
    assert_array_equal(weights, np.broadcast_to([1.0, 0, 0, 0, 0, 0], weights.shape))


def test_padding_mask_allows_the_length_of_each_sequence():
    mask = al.padding_mask([2, 0, 3], 4)
    assert mask.dtype == bool and mask.shape == (3, 1, 4)
    assert_array_equal(mask[:, 0], [[1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0]])


@pytest.mark.parametrize("lengths", [[2, 3], (2.0, 3.0), np.array([2, 3], np.uint8), np.float16([2, 3])])
def test_padding_mask_has_the_longest_length_by_default(lengths):
    assert_array_equal(al.padding_mask(lengths)[:, 0], [[1, 1, 0], [1, 1, 1]])
    assert al.padding_mask(lengths, 100_000).sum() == 5


def test_padding_mask_of_no_sequences():
    assert al.padding_mask([], 4).shape == (0, 1, 4)
    assert al.padding_mask([]).shape == (0, 1, 0)
    assert al.padding_mask([0, 0]).shape == (2, 1, 0)


def test_split_heads_cuts_each_vector_into_adjacent_pieces():
    x = 100 * np.arange(3)[:, None] + np.arange(8)  # token t, feature f: 100 t + f
    heads = al.split_heads(x, 2)
    assert_array_equal(heads[0], [[0, 1, 2, 3], [100, 101, 102, 103], [200, 201, 202, 203]])
    assert_array_equal(heads[1], [[4, 5, 6, 7], [104, 105, 106, 107], [204, 205, 206, 207]])


@pytest.mark.parametrize(
    "shape, n_heads", [((5, 12), 3), ((2, 5, 12), 4), ((2, 3, 5, 12), 1), ((0, 4), 2), ((3, 0), 2)]
)
def test_merge_heads_inverts_split_heads(shape, n_heads):
    x = np.arange(np.prod(shape), dtype=float).reshape(shape)
    heads = al.split_heads(x, n_heads)
    assert heads.shape == (*shape[:-2], n_heads, shape[-2], shape[-1] // n_heads)
    assert_array_equal(al.merge_heads(heads), x)


def test_attention_equals_its_steps():
    output, weights = al.scaled_dot_product_attention(Q, K, V, BIAS, is_causal=True, scale=0.3)
    composed = al.masked_softmax(al.scaled_scores(Q, K, 0.3), np.where(al.causal_mask(LQ, LK), BIAS, -INF))
    assert_allclose(weights, composed, atol=1e-16)
    assert_allclose(output, composed @ V, atol=1e-15)


def test_no_keys_give_zeros():
    output, weights = al.scaled_dot_product_attention(Q, K[..., :0, :], V[..., :0, :])
    assert weights.shape == (B, H, LQ, 0)
    assert_array_equal(output, np.zeros((B, H, LQ, D_V)))
    assert_array_equal(both(Q, K[..., :0, :], V[..., :0, :], np.ones((LQ, 0), bool), is_causal=True), output)


def test_empty_axes_keep_their_shapes():
    assert both(Q[..., :0, :], K, V, is_causal=True).shape == (B, H, 0, D_V)
    assert both(Q[:0], K[:0], V[:0], np.ones((LQ, LK), bool)).shape == (0, H, LQ, D_V)
    assert both(Q, K, V[..., :0]).shape == (B, H, LQ, 0)


# Number types ----------------------------------------------------------------------------------

TYPES = "float16", "float32", "float64", "longdouble", ">f4", "int8", "uint64", "int32", "bool"


def returned(*names):
    """NumPy's common type, where integers and booleans count as float64."""
    kinds = [np.dtype(name) for name in names]
    return np.result_type(*(kind if kind.kind == "f" else np.float64 for kind in kinds))


@pytest.mark.parametrize("name", TYPES)
def test_floating_types_are_kept_and_others_become_float64(name):
    q, k, v = (np.abs(x * 3).astype(name) for x in (Q, K, V))
    expected = returned(name)
    assert expected == {"float16": "f2", "float32": "f4", ">f4": "f4", "longdouble": "g"}.get(name, "f8")
    assert al.attention_scores(q, k).dtype == expected
    assert al.scaled_scores(q, k).dtype == expected
    assert al.softmax(q).dtype == expected
    assert al.masked_softmax(q).dtype == expected
    assert al.split_heads(q, 1).dtype == expected
    assert al.merge_heads(q).dtype == expected
    output, weights = al.scaled_dot_product_attention(q, k, v)
    assert output.dtype == weights.dtype == expected
    assert al.attention_in_blocks(q, k, v).dtype == expected


@pytest.mark.parametrize(
    "names",
    [("f2", "f4", "f8"), ("f4", "i1", "f4"), ("f2", "f2", "f4"), ("f4", "f4", "f8"), ("?", "f2", "f2")],
)
def test_mixed_types_are_promoted(names):
    q, k, v = (x.astype(name) for x, name in zip((Q, K, V), names, strict=True))
    output, weights = al.scaled_dot_product_attention(q, k, v)
    assert output.dtype == weights.dtype == al.attention_in_blocks(q, k, v).dtype == returned(*names)


@pytest.mark.parametrize("name", ["float16", "float32"])
@pytest.mark.parametrize(
    "mask", [ALLOWED, BIAS, BIAS.astype("f2"), np.float64(0.5)], ids=["bool", "f8", "f2", "0-d"]
)
@pytest.mark.parametrize("scale", [None, np.float64(0.7)])
def test_float64_mask_or_scale_does_not_change_the_type(name, mask, scale):
    q, k, v = (x.astype(name) for x in (Q, K, V))
    output, weights = al.scaled_dot_product_attention(q, k, v, mask, scale=scale)
    assert output.dtype == weights.dtype == name
    assert al.attention_in_blocks(q, k, v, mask, scale=scale).dtype == name
    assert al.masked_softmax(al.scaled_scores(q, k, scale), mask).dtype == name
    assert al.scaled_scores(q, k, scale).dtype == name
    exact = al.scaled_dot_product_attention(*(x.astype("f8") for x in (q, k, v)), mask, scale=scale)
    assert_allclose(output, exact.output, rtol=0, atol={"float16": 2e-3, "float32": 2e-6}[name])


def test_float16_is_computed_in_float32():
    q = np.full((1, 64), 60, np.float16)  # 64 * 60 * 60 = 230400, beyond float16
    k = np.stack([q[0], q[0] - 1])
    output, weights = al.scaled_dot_product_attention(
        q, k, [[1], [2]] * np.ones((2, 1), np.float16), scale=1 / 3840
    )
    assert_allclose(weights, [[0.731, 0.269]], atol=1e-3)
    assert_allclose(output, [[1.269]], atol=1e-3)
    one = np.ones((1, 4096), np.float16)  # adding ones in float16 stops at 2048
    assert al.attention_scores(one, one) == 4096
    assert_allclose(al.softmax(np.zeros(3000, np.float16)), np.float16(1 / 3000))


def test_float32_and_float64_results_have_the_precision_of_their_type():
    q, k, v = (x.astype("f4") for x in (Q, K, V))
    single = al.scaled_dot_product_attention(q, k, v)
    double = al.scaled_dot_product_attention(*(x.astype("f8") for x in (q, k, v)))
    longest = al.scaled_dot_product_attention(*(x.astype("g") for x in (q, k, v)))
    assert_allclose(single.output, double.output, rtol=0, atol=1e-6)
    assert_allclose(double.output, longest.output, rtol=0, atol=1e-14)


def test_lists_and_nested_tuples_are_accepted():
    listed = al.scaled_dot_product_attention(Q.tolist(), K.tolist(), tuple(V.tolist()), ALLOWED.tolist())
    assert_array_equal(listed.output, al.scaled_dot_product_attention(Q, K, V, ALLOWED).output)


def test_numpy_matrix_is_treated_as_a_2d_array():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        q, k, v = np.matrix(Q[0, 0]), np.matrix(K[0, 0]), np.matrix(V[0, 0])
        results = [*al.scaled_dot_product_attention(q, k, v), al.softmax(q), al.split_heads(q, 1)]
    expected = [
        *al.scaled_dot_product_attention(Q[0, 0], K[0, 0], V[0, 0]),
        al.softmax(Q[0, 0]),
        Q[0, 0][None],
    ]
    for result, right in zip(results, expected, strict=True):
        assert type(result) is np.ndarray
        assert_array_equal(result, right)


# Leading axes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "q_lead, k_lead, v_lead",
    [
        ((), (), ()),
        ((B,), (B,), (B,)),
        ((B, H), (B, H), (B, H)),
        ((B, H), (), ()),
        ((), (B, H), (H,)),
        ((B, 1), (1, H), ()),
        ((), (), (B, H)),
        ((1,), (1,), (B,)),
        ((B, 1), (B, 1), (B, H)),
    ],
)
def test_leading_axes_broadcast(q_lead, k_lead, v_lead):
    q = Q[:1, :1].reshape(LQ, D_K) + np.arange(np.prod(q_lead, dtype=int)).reshape(*q_lead, 1, 1) / 4
    k = K[:1, :1].reshape(LK, D_K) - np.arange(np.prod(k_lead, dtype=int)).reshape(*k_lead, 1, 1) / 5
    v = V[:1, :1].reshape(LK, D_V) * (1 + np.arange(np.prod(v_lead, dtype=int)).reshape(*v_lead, 1, 1))
    weights = al.scaled_dot_product_attention(q, k, v).weights
    assert weights.shape == (*np.broadcast_shapes(q_lead, k_lead), LQ, LK)
    lead = np.broadcast_shapes(q_lead, k_lead, v_lead)
    output = both(q, k, v)
    assert output.shape == (*lead, LQ, D_V)
    q, k, v = (np.broadcast_to(x, lead + x.shape[-2:]) for x in (q, k, v))
    for place in np.ndindex(lead):
        alone = al.scaled_dot_product_attention(q[place], k[place], v[place]).output
        assert_allclose(output[place], alone, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    "shape",
    [
        (),
        (1,),
        (LK,),
        (LQ, 1),
        (1, LK),
        (LQ, LK),
        (H, 1, 1),
        (H, LQ, LK),
        (B, 1, 1, LK),
        (1, H, LQ, 1),
        (B, H, LQ, LK),
    ],
)
@pytest.mark.parametrize("kind", ["boolean", "floating"])
def test_mask_broadcasts_to_the_scores(shape, kind):
    draw = np.random.default_rng(len(shape))
    mask = draw.random(shape) < 0.6 if kind == "boolean" else draw.normal(size=shape)
    whole = np.broadcast_to(mask, (B, H, LQ, LK)).copy()
    scores = al.scaled_scores(Q, K)
    assert_array_equal(al.masked_softmax(scores, mask), al.masked_softmax(scores, whole))
    assert_array_equal(both(Q, K, V, mask), al.scaled_dot_product_attention(Q, K, V, whole).output)


def test_mask_with_a_leading_axis_of_v_alone_is_refused():
    with pytest.raises(ValueError, match="mask"):
        al.scaled_dot_product_attention(Q[0, 0], K[0, 0], V, np.ones((B, 1, LQ, LK), bool))
    assert al.scaled_dot_product_attention(Q[0, 0], K[0, 0], V, ALLOWED[0, 0]).output.shape == (B, H, LQ, D_V)


# NaN and infinity ------------------------------------------------------------------------------


def test_nan_in_a_query_reaches_its_row_only():
    q = Q.copy()
    q[1, 1, 2, 0] = NAN
    output = both(q, K, V)
    assert np.isnan(output[1, 1, 2]).all() and np.isnan(output).sum() == D_V


def test_nan_in_a_key_reaches_every_row_that_may_attend_to_it():
    k = K[0, 0].copy()
    k[3, 0] = NAN
    mask = np.ones((LQ, LK), bool)
    mask[1, 3] = False
    output, weights = al.scaled_dot_product_attention(Q[0, 0], k, V[0, 0], mask)
    assert_array_equal(np.isnan(weights).all(axis=-1), [True, False, True, True])
    assert np.isfinite(output[1]).all() and np.isfinite(weights[1]).all()


def test_nan_in_a_masked_value_reaches_the_output():
    v = V[0, 0].copy()
    v[3, 2] = NAN
    mask = np.arange(LK) != 3
    output = both(Q[0, 0], K[0, 0], v, mask)
    assert_array_equal(np.isnan(output), np.broadcast_to(np.arange(D_V) == 2, output.shape))


def test_nan_in_a_floating_mask_reaches_its_row():
    mask = np.zeros((LQ, LK))
    mask[2, 1] = NAN
    output = both(Q[0, 0], K[0, 0], V[0, 0], mask)
    assert_array_equal(np.isnan(output).all(axis=-1), [False, False, True, False])
    assert np.isnan(al.masked_softmax(np.zeros((LQ, LK)), mask)).sum() == LK


def test_nan_in_a_mask_above_the_diagonal_is_ignored_with_is_causal():
    mask = np.where(al.causal_mask(LQ, LK), 0, NAN)
    expected = al.scaled_dot_product_attention(Q, K, V, is_causal=True).output
    assert_array_equal(both(Q, K, V, mask, is_causal=True), expected)


def test_infinite_scores_propagate_as_in_numpy():
    q, k = [[INF, 0.0]], [[1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]]
    with np.errstate(all="ignore"):
        assert_array_equal(al.attention_scores(q, k), np.array(q) @ np.array(k).T)
    assert np.isnan(al.scaled_dot_product_attention(q, k, k).output).all()
    v = np.array([[INF], [1.0], [1.0]])
    assert_array_equal(both([[1.0, 0.0]], k, v), [[INF]])


def test_masked_infinite_score_is_ignored():
    assert_array_equal(
        al.masked_softmax([[INF, NAN, 0.0, 0.0]], [False, False, True, True]), [[0, 0, 0.5, 0.5]]
    )


@pytest.mark.parametrize("function", [al.scaled_dot_product_attention, al.attention_in_blocks])
def test_mask_that_overflows_to_plus_infinity_is_refused(function):
    for name, value, refused in [
        ("f8", INF, True),
        ("f4", 1e39, True),
        ("f8", 1e39, False),
        ("f2", 1e39, True),
    ]:
        q, k, v = (x.astype(name) for x in (Q, K, V))
        mask = np.where(np.arange(LK) == 1, value, 0)
        if refused:
            with pytest.raises(ValueError, match=r"mask.*inf"):
                function(q, k, v, mask)
        else:
            function(q, k, v, mask)


def test_mask_that_overflows_to_minus_infinity_hides():
    q, k, v = (x.astype("f4") for x in (Q, K, V))
    expected = al.scaled_dot_product_attention(q, k, v, np.arange(LK) != 1).output
    assert_allclose(both(q, k, v, np.where(np.arange(LK) == 1, -1e39, 0)), expected, atol=1e-7)


NASTY = [0.0, -0.0, 1e-45, 5e-324, 1e38, -1e38, 1e300, -1e300, 6e4, INF, -INF, NAN]


@pytest.mark.parametrize("name", ["float16", "float32", "float64"])
def test_no_function_warns_under_errstate_raise(name):
    with np.errstate(all="ignore"):
        nasty = np.array(NASTY * 4, name).reshape(8, 6)
    allowed = np.arange(64).reshape(8, 8) % 3 > 0
    signalling = np.array([0x7FA00001, 0], np.uint32).view(np.float32)
    with np.errstate(all="raise"):
        before = np.geterr()
        al.attention_scores(nasty, nasty)
        al.scaled_scores(nasty, nasty, 1e4)
        al.softmax(nasty)
        al.softmax(signalling)
        al.masked_softmax(nasty, allowed[:, :6])
        al.merge_heads(al.split_heads(nasty, 2))
        for mask in (None, allowed, np.where(allowed, -1e308, NAN)):
            al.scaled_dot_product_attention(nasty, nasty, nasty, mask, is_causal=True)
            al.attention_in_blocks(nasty, nasty, nasty, mask, is_causal=True, block_size=3)
        assert np.geterr() == before


def test_padding_mask_does_not_warn_under_errstate_raise():
    with np.errstate(all="raise"):
        assert al.padding_mask(np.float16([1.0]), 100_000).sum() == 1
        with pytest.raises(ValueError, match="lengths"):
            al.padding_mask(np.array([0x7FA00001], np.uint32).view(np.float32))


# Inputs ----------------------------------------------------------------------------------------


def layouts(x):
    """The same numbers in other memory layouts."""
    wide = np.repeat(x, 2, axis=-1)
    read_only = x.copy()
    read_only.setflags(write=False)
    return {
        "read-only": read_only,
        "every second column": wide[..., ::2],
        "backwards": x[..., ::-1, ::-1].copy()[..., ::-1, ::-1],
        "Fortran order": np.asfortranarray(x),
        "transposed": x.swapaxes(-1, -2).copy().swapaxes(-1, -2),
        "heads and lengths swapped": x.swapaxes(0, -2).copy().swapaxes(0, -2),
        "not aligned": np.frombuffer(b"x" + x.tobytes(), x.dtype, offset=1).reshape(x.shape),
    }


def everything(q, k, v, mask):
    """One result of each function that takes arrays."""
    return {
        "attention_scores": al.attention_scores(q, k),
        "scaled_scores": al.scaled_scores(q, k),
        "softmax": al.softmax(q),
        "softmax axis 0": al.softmax(q, 0),
        "masked_softmax": al.masked_softmax(np.asarray(mask, float), mask),
        "no mask": al.masked_softmax(q),
        "output": al.scaled_dot_product_attention(q, k, v, mask, is_causal=True).output,
        "weights": al.scaled_dot_product_attention(q, k, v, mask).weights,
        "attention_in_blocks": al.attention_in_blocks(q, k, v, mask, block_size=3),
        "split_heads": al.split_heads(v, 7),
        "split_heads, one": al.split_heads(q, 1),
        "merge_heads": al.merge_heads(q),
        "merge_heads, one": al.merge_heads(q[:, :1]),
    }


@pytest.mark.parametrize("layout", layouts(Q))
def test_memory_layout_does_not_change_the_numbers(layout):
    results = everything(*(layouts(x)[layout] for x in (Q, K, V, ALLOWED)))
    for name, expected in everything(Q, K, V, ALLOWED).items():
        assert_allclose(results[name], expected, rtol=0, atol=1e-14, err_msg=name)


def test_broadcast_views_are_accepted():
    q, k, v = (np.broadcast_to(x[:1, :1], x.shape) for x in (Q, K, V))
    mask = np.broadcast_to(ALLOWED[:1, :1], ALLOWED.shape)
    expected = everything(q.copy(), k.copy(), v.copy(), mask.copy())
    for name, result in everything(q, k, v, mask).items():
        assert_allclose(result, expected[name], rtol=0, atol=1e-14, err_msg=name)


@pytest.mark.parametrize("mask", [ALLOWED, BIAS], ids=["boolean", "floating"])
@pytest.mark.parametrize("name", ["float16", "float32", "float64", "int64"])
def test_inputs_are_unchanged_and_results_share_no_memory_with_them(name, mask):
    arrays = [*((x * 4).astype(name) for x in (Q, K, V)), mask.copy()]
    copies = [x.copy() for x in arrays]
    for what, result in everything(*arrays).items():
        assert not any(np.shares_memory(result, x) for x in arrays), what
        result[...] = 0  # results are writable
    for array, copy in zip(arrays, copies, strict=True):
        assert_array_equal(array, copy)


@pytest.mark.parametrize("n_queries", [1, LQ])
@pytest.mark.parametrize("options", [{}, {"mask": np.array([True])}, {"is_causal": True}])
def test_output_of_one_key_is_a_copy_of_its_value(n_queries, options):
    q, k, v = Q[:, :, :n_queries], K[:, :, :1], V[:, :, :1]
    whole = al.scaled_dot_product_attention(q, k, v, **options).output
    for output in (whole, al.attention_in_blocks(q, k, v, **options)):
        assert_array_equal(output, np.broadcast_to(v, output.shape))
        assert not np.shares_memory(output, v)
        output[...] = 0  # it is writable
    assert v.all()


def test_single_elements_share_no_memory_and_lengths_are_unchanged():
    scores = np.array([[3.0]])
    assert not np.shares_memory(al.masked_softmax(scores, [[True]]), scores)
    one_head = np.ones((1, LQ, D_K))
    assert not np.shares_memory(al.merge_heads(one_head), one_head)
    assert not np.shares_memory(al.split_heads(one_head[0], 1), one_head)
    lengths = np.array([1.0, 2.0])
    al.padding_mask(lengths)
    assert_array_equal(lengths, [1.0, 2.0])


# In blocks -------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_queries, n_keys", [(7, 7), (7, 11), (11, 7), (1, 7), (7, 1), (0, 3)])
@pytest.mark.parametrize("block_size", [1, 2, 3, 7, 10**6, np.int64(5)])
def test_blocks_equal_attention(n_queries, n_keys, block_size):
    draw = np.random.default_rng(n_queries * 100 + n_keys)
    q, k, v = (
        draw.normal(size=(2, 3, n, d)).astype("f4") for n, d in ((n_queries, 4), (n_keys, 4), (n_keys, 5))
    )
    masks = [None]
    for shape in ((), (n_keys,), (n_queries, 1), (2, 1, 1, n_keys), (3, n_queries, n_keys)):
        masks += [draw.random(shape) < 0.5, draw.normal(size=shape)]
        masks += [np.where(masks[-2], masks[-1], -INF).astype("f4")]
    for mask in masks:
        for is_causal in (False, True):
            for scale in (None, -0.6):
                options = {"is_causal": is_causal, "scale": scale}
                expected = al.scaled_dot_product_attention(q, k, v, mask, **options).output
                blocks = al.attention_in_blocks(q, k, v, mask, **options, block_size=block_size)
                assert blocks.dtype == np.float32
                assert_allclose(blocks, expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", ["float16", "float64", "int64"])
def test_blocks_equal_attention_in_other_types(name):
    q, k, v = (np.round(x * 2).astype(name) for x in (Q, K, V))
    for mask in (None, ALLOWED, BIAS):
        expected = al.scaled_dot_product_attention(q, k, v, mask).output
        blocks = al.attention_in_blocks(q, k, v, mask, block_size=3)
        assert_allclose(blocks, expected, rtol=0, atol=1e-3 if name == "float16" else 1e-14)


def test_default_block_size_is_128():
    q = np.random.default_rng(1).normal(size=(300, 3))
    assert_array_equal(al.attention_in_blocks(q, q, q), al.attention_in_blocks(q, q, q, block_size=128))
    assert signature(al.attention_in_blocks).parameters["block_size"].default == 128


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_blocks_overflow_for_the_largest_values_as_documented(name):
    # The sum of two such values overflows, and their average does not.
    q, v = np.zeros((2, 1), name), np.full((2, 1), 0.9 * np.finfo(name).max, name)
    assert_allclose(al.scaled_dot_product_attention(q, q, v).output, v, rtol=1e-6)
    assert_array_equal(al.attention_in_blocks(q, q, v), np.full((2, 1), INF, name))
    assert_allclose(al.attention_in_blocks(q, q, v / 2), v / 2, rtol=1e-6)
    assert "may overflow" in al.attention_in_blocks.__doc__


def test_causal_block_does_not_read_later_values():
    v = V.copy()
    v[..., 4:, :] = NAN
    assert np.isfinite(al.attention_in_blocks(Q, K, v, is_causal=True, block_size=2)).all()


# Memory, threads, imports ----------------------------------------------------------------------


def peak_of(function, *arguments, **options):
    function(*arguments, **options)
    tracemalloc.start()
    try:
        function(*arguments, **options)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("mask", [None, "boolean", "row", "floating", "float64"])
@pytest.mark.parametrize("is_causal", [False, True])
def test_attention_needs_at_most_twice_the_memory_of_the_weights(mask, is_causal):
    x = np.zeros((2, 400, 8), np.float32)
    mask = {
        None: None,
        "boolean": np.ones((400, 400), bool),
        "row": np.ones(400, bool),
        "floating": np.zeros((2, 400, 400), np.float32),
        "float64": np.zeros((2, 400, 400)),
    }[mask]
    weights = al.scaled_dot_product_attention(x, x, x).weights.nbytes
    peak = peak_of(al.scaled_dot_product_attention, x, x, x, mask, is_causal=is_causal)
    assert weights < peak <= 2 * weights


@pytest.mark.parametrize("mask", [None, "padding", "boolean", "float64"])
@pytest.mark.parametrize("is_causal", [False, True])
def test_memory_of_blocks_grows_linearly_with_the_length(mask, is_causal):
    def peak(length):
        x = np.zeros((length, 4), np.float32)
        masks = {
            None: None,
            "padding": al.padding_mask([length])[0],
            "boolean": np.ones((length, length), bool),
            "float64": np.zeros((length, length)),
        }
        return peak_of(al.attention_in_blocks, x, x, x, masks[mask], is_causal=is_causal, block_size=10)

    assert peak(600) < 600 * 600 * 4 / 4
    assert peak(1200) < 2.5 * peak(600)


def test_functions_are_thread_safe():
    arguments = [
        (np.where(DRAW.random((40, 8)) < 0.1, value, DRAW.normal(size=(40, 8))), mask)
        for value in (0.0, 1e300, INF, NAN)
        for mask in (None, np.tri(40, dtype=bool))
    ]

    def work(pair):
        x, mask = pair
        with np.errstate(all="raise"):
            before = np.geterr()
            results = [
                *al.scaled_dot_product_attention(x, x, x, mask),
                al.attention_in_blocks(x, x, x, mask),
                al.softmax(x),
            ]
            assert np.geterr() == before
        return results

    alone = [work(pair) for pair in arguments]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(work, arguments * 25))
    for number, results in enumerate(together):
        for result, expected in zip(results, alone[number % len(alone)], strict=True):
            assert_array_equal(result, expected)


def test_importing_the_library_imports_neither_pandas_nor_matplotlib():
    code = "import sys, attention_lib, attention_lib.data; print({'pandas', 'matplotlib'} & set(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert (run.stdout.strip(), run.stderr) == ("set()", "")
