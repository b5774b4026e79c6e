"""attention_lib.attention against published numbers, a real model's arrays and its documented contract."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_lib as al
from attention_lib import data

DRAW = np.random.default_rng(7)


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


# Leading axes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "q_lead, k_lead, v_lead, mask_shape",
    [
        ((), (3, 2), (2,), (3, 1, 1, 6)),
        ((3, 1), (1, 2), (), (4, 1)),
        ((), (), (3, 2), (6,)),
    ],
)
@pytest.mark.parametrize("kind", ["boolean", "floating"])
def test_leading_axes_and_masks_broadcast(q_lead, k_lead, v_lead, mask_shape, kind):
    mask = DRAW.normal(size=mask_shape)
    mask = mask < 0.5 if kind == "boolean" else mask
    arrays = [DRAW.normal(size=shape) for shape in ((*q_lead, 4, 5), (*k_lead, 6, 5), (*v_lead, 6, 7))]
    whole = [np.broadcast_to(x, (3, 2, *x.shape[-2:])) for x in arrays]
    expected = al.scaled_dot_product_attention(*whole, np.broadcast_to(mask, (3, 2, 4, 6)))
    output, weights = al.scaled_dot_product_attention(*arrays, mask)
    assert_allclose(output, expected.output, rtol=0, atol=1e-14)
    assert weights.shape == (*np.broadcast_shapes(q_lead, k_lead), 4, 6)
    for block_size in (2, 10**6):
        blocks = al.attention_in_blocks(*arrays, mask, block_size=block_size)
        assert_allclose(blocks, expected.output, rtol=0, atol=1e-14)


def test_causal_block_does_not_read_later_values():
    q, k, v = DRAW.normal(size=(3, 2, 6, 5))
    v[..., 4:, :] = np.nan
    assert np.isfinite(al.attention_in_blocks(q, k, v, is_causal=True, block_size=2)[..., :4, :]).all()


# Memory -----------------------------------------------------------------------------------------


def peak_of(function, *arguments, **options):
    """The most bytes that a call holds at once: the least of six calls, as other threads' memory counts too."""
    peaks = []
    for _ in range(6):
        tracemalloc.start()
        try:
            function(*arguments, **options)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    return min(peaks)


@pytest.mark.parametrize("is_causal", [False, True])
def test_attention_needs_at_most_twice_the_memory_of_the_weights(is_causal):
    x = np.zeros((2, 200, 8), np.float32)
    weights = al.scaled_dot_product_attention(x, x, x).weights.nbytes
    for mask in (None, np.ones((200, 200), bool), np.ones(200, bool), np.zeros((2, 200, 200))):
        peak = peak_of(al.scaled_dot_product_attention, x, x, x, mask, is_causal=is_causal)
        assert weights < peak <= 2 * weights


@pytest.mark.parametrize("is_causal", [False, True])
def test_memory_of_blocks_grows_linearly_with_the_length(is_causal):
    def peaks(length):
        x = np.zeros((length, 4), np.float32)
        # Its last number shows that it is no mask of 0 and 1.
        added = np.ones((length, length))
        added[-1, -1] = -1
        masks = None, np.ones((1, length), bool), added
        options = {"is_causal": is_causal, "block_size": 10}
        return [peak_of(al.attention_in_blocks, x, x, x, mask, **options) for mask in masks]

    for short, long in zip(peaks(400), peaks(800), strict=True):
        assert short < 400 * 400 * 4 / 4
        assert long < 2.5 * short
