"""Properties of attention for any numbers, tested by Hypothesis."""

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

import attention_lib as al
from attention_lib import plain_python

settings.register_profile("attention", derandomize=True, deadline=None, max_examples=60, database=None)
settings.load_profile("attention")

NUMBERS = st.floats(-20, 20, width=32)
WILD = st.floats(-1e30, 1e30)
LEADING = st.sampled_from([(), (2,), (3, 2)])


@st.composite
def attention_inputs(draw, leading=LEADING, numbers=NUMBERS):
    """q, k, v and a boolean mask of the scores' shape, in sizes that mostly differ."""
    lead = draw(leading)
    n_queries, n_keys, d_k, d_v = (draw(st.integers(1, 6)) for _ in range(4))
    q, k, v = (
        draw(arrays(np.float64, (*lead, *last), elements=numbers))
        for last in ((n_queries, d_k), (n_keys, d_k), (n_keys, d_v))
    )
    return q, k, v, draw(arrays(bool, (*lead, n_queries, n_keys)))


def masks_of(allowed, bias):
    """The boolean mask, and a floating mask that hides the same and adds a bias."""
    return allowed, np.where(allowed, bias, -np.inf)


@given(attention_inputs(), st.booleans(), st.floats(-3, 3))
def test_rows_sum_to_one_or_zero(inputs, is_causal, scale):
    q, k, v, allowed = inputs
    seen = allowed & al.causal_mask(*allowed.shape[-2:]) if is_causal else allowed
    for mask in masks_of(allowed, 0.7):
        weights = al.scaled_dot_product_attention(q, k, v, mask, is_causal=is_causal, scale=scale).weights
        assert (weights >= 0).all() and (weights[~seen] == 0).all()
        assert_allclose(weights.sum(axis=-1), seen.any(axis=-1), rtol=0, atol=1e-14)


@given(
    arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 5), st.integers(1, 3)), elements=WILD),
    st.integers(-3, 2),
)
def test_softmax_sums_to_one_and_keeps_the_order(x, axis):
    shares = al.softmax(x, axis)
    assert_allclose(shares.sum(axis=axis), 1, rtol=0, atol=1e-14)
    order = x.argsort(axis=axis)
    assert (np.diff(np.take_along_axis(shares, order, axis), axis=axis) >= 0).all()


@given(attention_inputs(), st.randoms(use_true_random=False))
def test_permuting_keys_and_values_permutes_the_weights(inputs, random):
    q, k, v, allowed = inputs
    order = random.sample(range(k.shape[-2]), k.shape[-2])
    once = al.scaled_dot_product_attention(q, k, v, allowed)
    again = al.scaled_dot_product_attention(q, k[..., order, :], v[..., order, :], allowed[..., order])
    assert_allclose(again.output, once.output, rtol=0, atol=1e-11)
    assert_allclose(again.weights, once.weights[..., order], rtol=0, atol=1e-12)


@given(attention_inputs(), st.randoms(use_true_random=False))
def test_permuting_queries_permutes_the_rows(inputs, random):
    q, k, v, allowed = inputs
    order = random.sample(range(q.shape[-2]), q.shape[-2])
    once = al.scaled_dot_product_attention(q, k, v, allowed)
    again = al.scaled_dot_product_attention(q[..., order, :], k, v, allowed[..., order, :])
    assert_allclose(again.output, once.output[..., order, :], rtol=0, atol=1e-11)
    assert_allclose(again.weights, once.weights[..., order, :], rtol=0, atol=1e-12)


@given(attention_inputs(), st.floats(-1e4, 1e4))
def test_softmax_is_invariant_to_a_shift_of_each_row(inputs, constant):
    q, k, _, allowed = inputs
    scores = al.scaled_scores(q, k)
    shift = constant * (1 + np.arange(scores.shape[-2]))[:, None]
    for mask in (None, *masks_of(allowed, 0.3)):
        weights = al.masked_softmax(scores, mask)
        assert_allclose(al.masked_softmax(scores + shift, mask), weights, rtol=0, atol=1e-9)


@given(attention_inputs(), st.booleans(), st.integers(1, 7))
def test_output_is_in_the_range_of_the_allowed_values(inputs, is_causal, block_size):
    q, k, v, allowed = inputs
    seen = allowed & al.causal_mask(*allowed.shape[-2:]) if is_causal else allowed
    table = np.broadcast_to(v[..., None, :, :], (*seen.shape, v.shape[-1]))
    low = table.min(axis=-2, where=seen[..., None], initial=np.inf)
    high = table.max(axis=-2, where=seen[..., None], initial=-np.inf)
    empty = ~seen.any(axis=-1)
    low[empty] = high[empty] = 0  # a query that may attend to nothing
    for output in (
        al.scaled_dot_product_attention(q, k, v, allowed, is_causal=is_causal).output,
        al.attention_in_blocks(q, k, v, allowed, is_causal=is_causal, block_size=block_size),
    ):
        assert (output >= low - 1e-12).all() and (output <= high + 1e-12).all()


@given(attention_inputs(leading=st.sampled_from([(2,), (3,), (2, 3)])))
def test_batch_equals_its_examples(inputs):
    q, k, v, allowed = inputs
    batch = al.scaled_dot_product_attention(q, k, v, allowed)
    for place in np.ndindex(q.shape[:-2]):
        alone = al.scaled_dot_product_attention(q[place], k[place], v[place], allowed[place])
        assert_allclose(batch.output[place], alone.output, rtol=0, atol=1e-11)
        assert_allclose(batch.weights[place], alone.weights, rtol=0, atol=1e-12)


@given(attention_inputs(), st.integers(0, 5), WILD)
def test_causal_output_does_not_depend_on_later_tokens(inputs, now, wild):
    q, k, v, _ = inputs
    k_later, v_later, q_later = k.copy(), v.copy(), q.copy()
    for x in (k_later, v_later, q_later):
        x[..., now + 1 :, :] = wild
    past = slice(None, now + 1)
    for attend in (
        lambda *a: al.scaled_dot_product_attention(*a, is_causal=True).output,
        lambda *a: al.attention_in_blocks(*a, is_causal=True, block_size=2),
    ):
        assert_array_equal(attend(q_later, k_later, v_later)[..., past, :], attend(q, k, v)[..., past, :])


@given(attention_inputs(), st.sampled_from([1e3, -1e30, 1e150, -1e300, 1.7e308]))
def test_output_does_not_depend_on_masked_keys_and_values(inputs, wild):
    q, k, v, allowed = inputs
    hidden = ~allowed.any(axis=-2)  # (..., Lk): the keys that no query sees
    assume(hidden.any())
    k_wild, v_wild = k.copy(), v.copy()
    k_wild[hidden], v_wild[hidden] = wild, wild
    for mask in masks_of(allowed, 0.5):
        if abs(wild) > 1e300 and mask.dtype != bool:
            continue  # the score of such a key is infinite, and inf - inf is NaN
        once = al.scaled_dot_product_attention(q, k, v, mask)
        again = al.scaled_dot_product_attention(q, k_wild, v_wild, mask)
        assert_array_equal(again.weights, once.weights)
        assert_array_equal(again.output, once.output)
        blocks = al.attention_in_blocks(q, k_wild, v_wild, mask, block_size=2)
        assert_allclose(blocks, once.output, rtol=0, atol=1e-11)


@given(attention_inputs(numbers=WILD), st.booleans())
def test_weights_do_not_depend_on_masked_scores(inputs, floating):
    q, k, _, allowed = inputs
    with np.errstate(over="ignore"):
        scores = q @ k.mT
    mask = np.where(allowed, 0.0, -np.inf) if floating else allowed
    assert_array_equal(al.masked_softmax(scores, mask), al.masked_softmax(np.where(allowed, scores, 0), mask))


@given(attention_inputs(leading=st.just(())))
def test_plain_python_equals_numpy(inputs):
    q, k, v, allowed = inputs
    lists = q.tolist(), k.tolist(), v.tolist()
    for plain, fast in (
        (plain_python.attention(*lists), al.scaled_dot_product_attention(q, k, v)),
        (
            plain_python.masked_attention(*lists, allowed.tolist()),
            al.scaled_dot_product_attention(q, k, v, allowed),
        ),
    ):
        assert_allclose(plain[0], fast.output, rtol=0, atol=1e-11)
        assert_allclose(plain[1], fast.weights, rtol=0, atol=1e-12)


@given(attention_inputs(), st.booleans(), st.booleans(), st.floats(-2, 2), st.integers(1, 8))
def test_blocks_equal_attention(inputs, is_causal, floating, scale, block_size):
    q, k, v, allowed = inputs
    mask = masks_of(allowed, -0.4)[int(floating)]
    options = {"is_causal": is_causal, "scale": scale}
    expected = al.scaled_dot_product_attention(q, k, v, mask, **options).output
    blocks = al.attention_in_blocks(q, k, v, mask, **options, block_size=block_size)
    assert_allclose(blocks, expected, rtol=0, atol=1e-12)


@given(attention_inputs(), st.floats(-5, 5, width=32), st.floats(-5, 5, width=32))
def test_attention_is_linear_in_the_values(inputs, a, b):
    q, k, v, allowed = inputs
    whole = al.scaled_dot_product_attention(q, k, a * v + b * np.cos(v), allowed).output
    first = al.scaled_dot_product_attention(q, k, v, allowed).output
    second = al.scaled_dot_product_attention(q, k, np.cos(v), allowed).output
    assert_allclose(whole, a * first + b * second, rtol=0, atol=1e-11)


@given(
    arrays(np.float32, st.tuples(st.integers(0, 3), st.integers(0, 4), st.just(12)), elements=NUMBERS),
    st.sampled_from([1, 2, 3, 4, 6, 12]),
)
def test_merge_heads_inverts_split_heads(x, n_heads):
    heads = al.split_heads(x, n_heads)
    assert heads.shape == (x.shape[0], n_heads, x.shape[1], 12 // n_heads)
    assert_array_equal(al.merge_heads(heads), x)


@given(st.lists(st.integers(0, 9), max_size=5), st.integers(0, 4))
def test_padding_mask_allows_the_first_tokens_of_each_length(lengths, room):
    mask = al.padding_mask(lengths, max(lengths, default=0) + room)
    assert mask.sum(axis=(1, 2)).tolist() == lengths
    assert (np.diff(mask.astype(int), axis=-1) <= 0).all()  # padding comes at the end


@given(st.integers(0, 8), st.integers(0, 8))
def test_causal_mask_allows_each_query_itself_and_earlier_keys(n_queries, n_keys):
    mask = al.causal_mask(n_queries, n_keys)
    assert mask.shape == (n_queries, n_keys)
    for query, key in np.ndindex(mask.shape):
        assert mask[query, key] == (key <= query)
