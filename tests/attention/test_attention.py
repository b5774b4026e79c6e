"""Leading axes of attention and its memory, and what newer models add; test_oracles.py has their numbers."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attention_lib as al
from attention_lib import today

DRAW = np.random.default_rng(7)


@pytest.mark.parametrize(
    "q_lead, k_lead, v_lead, mask_shape",
    [((), (3, 2), (2,), (3, 1, 1, 6)), ((3, 1), (1, 2), (), (4, 1)), ((), (), (3, 2), (6,))],
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


def peak_of(function, *arguments, **options):
    """The most bytes that a call holds at once: the least of six calls, as other threads' memory counts too."""
    peaks = []
    for _ in range(6):
        tracemalloc.start()
        function(*arguments, **options)
        peaks.append(tracemalloc.get_traced_memory()[1])
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
    def peak(length):
        x = np.zeros((length, 4), np.float32)
        mask = np.where(np.eye(length), -1.0, 1.0)  # which is no mask of 0 and 1
        return peak_of(al.attention_in_blocks, x, x, x, mask, is_causal=is_causal, block_size=10)

    short, long = peak(400), peak(800)
    assert short < 400 * 400 * 4 / 4
    assert long < 2.5 * short


# What newer models add


def test_base_sets_the_slow_pairs():
    x = np.ones((1, 4))
    angles = [2.0, 2.0 * 100**-0.5]
    expected = np.cos(angles) - np.sin(angles)
    assert_allclose(today.rotate(x, 2, base=100)[0, :2], expected, rtol=1e-14)


def test_sides_without_keys_give_zeros_and_large_log_sums_do_not_overflow():
    output, sums = today.merge([[0.0]] * 3, [-np.inf, 0, 5000], [[1.0]] * 3, [-np.inf, 0, 5000 + np.log(3)])
    assert_allclose(output, [[0], [0.5], [0.75]])
    assert_allclose(sums, [-np.inf, np.log(2), 5000 + np.log(4)])


def test_leading_axes_broadcast_and_log_sums_keep_their_own_dtype():
    sums = np.zeros((2, 4), np.float32), np.zeros(4, np.float32)
    output, log_sums = today.merge(np.ones((3, 2, 4, 5), "f2"), sums[0], np.ones((4, 5), "f2"), sums[1])
    assert output.dtype == np.float16 and output.shape == (3, 2, 4, 5)
    assert log_sums.dtype == np.float32 and log_sums.shape == (2, 4)
