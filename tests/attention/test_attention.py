"""attention_lib.attention against published numbers, a real model's arrays and its documented contract."""

import tracemalloc
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


def test_published_pandas_notebook_on_machine_learning_is_fun():
    q, k, _ = np.random.RandomState(42).random_sample(790)[730:].reshape(3, 4, 5)
    published = [
        [0.638383, 0.778563, 0.378028, 0.792256],
        [0.529290, 0.923623, 0.356712, 0.883196],
        [0.450485, 0.709091, 0.327217, 0.676017],
        [0.535612, 1.138092, 0.485887, 0.941240],
    ]
    assert_array_equal(al.scaled_scores(q, k).round(6), published)


@pytest.mark.parametrize("name", ["cat_sentence", "pronoun_sentences", "padded_batch"])
def test_recorded_weights_and_context_of_the_real_model(name):
    recorded, mask = data.load(name), None
    if name == "padded_batch":
        mask = al.padding_mask(recorded["is_token"].sum(axis=-1), 11)[:, None]
    output, weights = al.scaled_dot_product_attention(recorded["q"], recorded["k"], recorded["v"], mask)
    assert_allclose(weights, recorded["weights"], rtol=0, atol=1e-5)
    assert_allclose(output, recorded["context"], rtol=0, atol=1e-5)


# Each function ----------------------------------------------------------------------


def test_scores_are_the_dot_product_of_every_query_with_every_key():
    scores = al.attention_scores([[1, 2], [3, 4]], [[10, 1], [100, 1], [0, -1]])
    assert_array_equal(scores, [[12, 102, -2], [34, 304, -4]])


def test_given_scale_replaces_the_default():
    scores = al.attention_scores(Q, K)
    for scale in (0, -1.5, 0.25, np.float64(3), np.float32(0.5), np.array(2), 10**30):
        assert_allclose(al.scaled_scores(Q, K, scale), scores * float(scale), rtol=1e-15)
        assert_allclose(
            al.scaled_dot_product_attention(Q, K, V, scale=scale).weights,
            al.softmax(scores * float(scale)),
            atol=1e-14,
        )


@pytest.mark.parametrize("axis", [-3, -2, -1, 0, 1, 2, np.int8(1)])
def test_softmax_along_each_axis(axis):
    x = np.log(np.arange(1, 25).reshape(2, 3, 4))
    assert_allclose(al.softmax(x, axis), np.exp(x) / np.exp(x).sum(axis=int(axis), keepdims=True))


@pytest.mark.parametrize(
    "row, shares",
    [
        ([1000, 1000 + np.log(3)], [0.25, 0.75]),
        ([1e300, -1e300], [1, 0]),
        ([-INF, 5], [0, 1]),
        ([-INF, -INF], [0, 0]),
        ([-1e308, -INF], [1, 0]),
        ([], []),
        ([INF, 0], [NAN, NAN]),
        ([NAN, 0], [NAN, NAN]),
    ],
)
def test_softmax_of_a_row(row, shares):
    assert_allclose(al.softmax(row), shares, rtol=1e-12)


@pytest.mark.parametrize("shape, axis", [((0, 3), -1), ((3, 0), -1), ((0, 3), 0), ((2, 0, 3), 1)])
def test_softmax_of_an_empty_array_keeps_its_shape(shape, axis):
    assert al.softmax(np.ones(shape), axis).shape == shape


def test_floating_mask_is_added():
    assert_array_equal(al.masked_softmax(BIAS * 2, BIAS), al.softmax(BIAS * 2 + BIAS))
    assert_allclose(al.masked_softmax([0.0, 0.0], np.log([0.9, 0.1])), [0.9, 0.1])


def test_masked_softmax_without_mask_is_softmax():
    assert_array_equal(al.masked_softmax(Q), al.softmax(Q))


@pytest.mark.parametrize("mask", [ALLOWED, BIAS], ids=["boolean", "floating"])
def test_query_without_allowed_keys_gets_zeros(mask):
    assert_array_equal(al.masked_softmax(np.ones(mask.shape), mask)[1, 0, 2], np.zeros(LK))
    output = both(Q, K, V, mask)
    assert_array_equal(output[1, 0, 2], np.zeros(D_V))
    assert np.isfinite(output).all() and (output != 0).any(axis=-1).sum() == B * H * LQ - 1


def test_causal_mask_is_aligned_at_the_top_left():
    assert_array_equal(al.causal_mask(3), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    assert_array_equal(al.causal_mask(2, 4), [[1, 0, 0, 0], [1, 1, 0, 0]])
    assert_array_equal(al.causal_mask(4, 2), [[1, 0], [1, 1], [1, 1], [1, 1]])
    assert_array_equal(al.causal_mask(1, 3), [[1, 0, 0]])
    assert al.causal_mask(0).shape == (0, 0) and al.causal_mask(2, 0).shape == (2, 0)
    assert al.causal_mask(np.int8(3)).dtype == bool


@pytest.mark.parametrize("n_queries, n_keys", [(4, 6), (6, 4), (1, 6)])
@pytest.mark.parametrize("kind", ["no mask", "boolean", "floating"])
def test_is_causal_and_mask_must_both_allow(n_queries, n_keys, kind):
    draw = np.random.default_rng(n_queries)
    q, k, v = (draw.normal(size=(n, 5)) for n in (n_queries, n_keys, n_keys))
    causal = al.causal_mask(n_queries, n_keys)
    allowed, bias = draw.random(causal.shape) < 0.7, draw.normal(size=causal.shape)
    mask, joined = {
        "no mask": (None, causal),
        "boolean": (allowed, allowed & causal),
        "floating": (bias, np.where(causal, bias, -INF)),
    }[kind]
    expected = al.scaled_dot_product_attention(q, k, v, joined)
    assert_allclose(both(q, k, v, mask, is_causal=True), expected.output, atol=1e-14)
    weights = al.scaled_dot_product_attention(q, k, v, mask, is_causal=np.True_).weights
    assert_allclose(weights, expected.weights, atol=1e-15)
    assert (weights[~causal] == 0).all()


def test_padding_mask_allows_the_length_of_each_sequence():
    mask = al.padding_mask([2, 0, 3], 4)
    assert mask.dtype == bool and mask.shape == (3, 1, 4)
    assert_array_equal(mask[:, 0], [[1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0]])


@pytest.mark.parametrize("lengths", [[2, 3], (2.0, 3.0), np.array([2, 3], np.uint8), np.float16([2, 3])])
def test_padding_mask_has_the_longest_length_by_default(lengths):
    assert_array_equal(al.padding_mask(lengths)[:, 0], [[1, 1, 0], [1, 1, 1]])
    assert al.padding_mask(lengths, 100_000).sum() == 5


def test_split_heads_cuts_each_vector_into_adjacent_pieces():
    x = 100 * np.arange(3)[:, None] + np.arange(8)  # token t, feature f: 100 t + f
    heads = al.split_heads(x, 2)
    assert_array_equal(heads[0], [[0, 1, 2, 3], [100, 101, 102, 103], [200, 201, 202, 203]])
    assert_array_equal(heads[1], [[4, 5, 6, 7], [104, 105, 106, 107], [204, 205, 206, 207]])


def test_empty_axes():
    assert (both(Q, K[..., :0, :], V[..., :0, :], np.ones((LQ, 0), bool), is_causal=True) == 0).all()
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
    output = both(q, k, v, mask, scale=scale)
    assert output.dtype == al.scaled_dot_product_attention(q, k, v, mask, scale=scale).weights.dtype == name
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


# Leading axes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "q_lead, k_lead, v_lead",
    [
        ((B, H), (B, H), (B, H)),
        ((), (B, H), (H,)),
        ((B, 1), (1, H), ()),
        ((), (), (B, H)),
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
    [(), (LK,), (LQ, 1), (H, LQ, LK), (B, 1, 1, LK), (1, H, LQ, 1)],
)
@pytest.mark.parametrize("kind", ["boolean", "floating"])
def test_mask_broadcasts_to_the_scores(shape, kind):
    draw = np.random.default_rng(len(shape))
    mask = draw.random(shape) < 0.6 if kind == "boolean" else draw.normal(size=shape)
    whole = np.broadcast_to(mask, (B, H, LQ, LK)).copy()
    scores = al.scaled_scores(Q, K)
    assert_array_equal(al.masked_softmax(scores, mask), al.masked_softmax(scores, whole))
    assert_array_equal(both(Q, K, V, mask), al.scaled_dot_product_attention(Q, K, V, whole).output)


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


def test_nan_in_a_mask_above_the_diagonal_is_ignored_with_is_causal():
    mask = np.where(al.causal_mask(LQ, LK), 0, NAN)
    expected = al.scaled_dot_product_attention(Q, K, V, is_causal=True).output
    assert_array_equal(both(Q, K, V, mask, is_causal=True), expected)


def test_masked_infinite_score_is_ignored():
    assert_array_equal(
        al.masked_softmax([[INF, NAN, 0.0, 0.0]], [False, False, True, True]), [[0, 0, 0.5, 0.5]]
    )


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
        "transposed": x.swapaxes(-1, -2).copy().swapaxes(-1, -2),
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
        "output, one key": al.scaled_dot_product_attention(q, k[..., :1, :], v[..., :1, :]).output,
        "attention_in_blocks, one key": al.attention_in_blocks(q, k[..., :1, :], v[..., :1, :]),
        "output, one query and key": al.scaled_dot_product_attention(
            q[..., :1, :], k[..., :1, :], v[..., :1, :]
        )[0],
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


# In blocks -------------------------------------------------------------------------------------


def test_default_block_size_is_128():
    assert signature(al.attention_in_blocks).parameters["block_size"].default == 128


def test_causal_block_does_not_read_later_values():
    v = V.copy()
    v[..., 4:, :] = NAN
    assert np.isfinite(al.attention_in_blocks(Q, K, v, is_causal=True, block_size=2)).all()


# Memory -----------------------------------------------------------------------------------------


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


# Threads ----------------------------------------------------------------------------------------


def test_threads_at_once_get_their_own_results():
    def attend(arrays):
        q, k, v = arrays
        return [*al.scaled_dot_product_attention(q, k, v), al.attention_in_blocks(q, k, v), al.softmax(q)]

    sets = [tuple(DRAW.normal(size=(2, 70, 16)) for _ in "qkv") for _ in range(4)]
    alone = [attend(arrays) for arrays in sets]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(attend, sets * 40))
    for number, results in enumerate(together):
        for result, expected in zip(results, alone[number % 4], strict=True):
            assert_array_equal(result, expected)
