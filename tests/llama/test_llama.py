"""lesson/llama.py and llama_heads.py on a random Llama of two layers, and how a text is cut into words."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lesson import llama, llama_heads
from lesson.smollm.tokens import WORD
from tests.llama import tiny

MODEL = tiny.model()
IDS = [71, 5, 104, 5, 260, 17, 3]
LOGITS = llama.read(MODEL, IDS)


def read_slowly(ids, keep):
    """Logits in float64, a head at a time: pairs of numbers are rotated as complex numbers.

    Each head's weights and output are given to `keep`, whose result is its output.
    """
    angles = np.outer(np.arange(len(ids)), 100_000.0 ** (-np.arange(32) / 32))

    def norm(x, weight):
        return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5) * weight

    def rotated(x):
        return (x[:, :32] + 1j * x[:, 32:]) * np.exp(1j * angles)

    x = MODEL.embed_tokens[ids].astype(float)
    for i, layer in enumerate(MODEL.layers):
        normed = norm(x, layer.input_layernorm)
        for head in range(9):
            own, shared = slice(64 * head, 64 * head + 64), slice(64 * (head // 3), 64 * (head // 3) + 64)
            q, k, v = (
                normed @ table
                for table in (layer.q_proj[:, own], layer.k_proj[:, shared], layer.v_proj[:, shared])
            )
            scores = np.tril(np.exp((rotated(q) @ rotated(k).conj().T).real / 8))
            weights = scores / scores.sum(axis=1, keepdims=True)
            x = x + keep(i, head, weights, weights @ v) @ layer.o_proj[own]
        normed = norm(x, layer.post_attention_layernorm)
        gate = normed @ layer.gate_proj
        x = x + (gate / (1 + np.exp(-gate)) * (normed @ layer.up_proj)) @ layer.down_proj
    return norm(x, MODEL.norm) @ MODEL.lm_head


def test_logits_and_weights_equal_those_of_a_slow_model():
    kept = {}
    logits = read_slowly(IDS, lambda i, head, weights, output: kept.update({(i, head): weights}) or output)
    assert abs(logits).max() > 3
    assert_allclose(LOGITS, logits, rtol=0, atol=1e-4)
    weights = llama_heads.weights_of(MODEL, IDS)
    assert weights.shape == (2, 9, 7, 7)
    for (i, head), expected in kept.items():
        assert_allclose(weights[i, head], expected, rtol=0, atol=1e-5)


def test_heads_taken_away_give_zeros_and_the_model_stays_as_it_was():
    removed = [(1, 0), (0, 4), (1, 8)]
    logits = read_slowly(IDS, lambda i, head, _, output: output * ((i, head) not in removed))
    changed = llama_heads.without(MODEL, removed)
    assert_allclose(llama.read(changed, IDS), logits, rtol=0, atol=1e-4)
    assert abs(logits - LOGITS).max() > 0.1
    assert_array_equal(llama.read(MODEL, IDS), LOGITS)
    assert_array_equal(llama.read(llama_heads.without(MODEL, []), IDS), LOGITS)


# The caller's attend computes in float64; `keep` is how it returns keys and values.
@pytest.mark.parametrize("pieces, keep", [([3, 1, 2, 1], tuple), ([1] * 7, np.array)])
def test_text_read_in_pieces_with_a_cache_gives_the_same_logits(pieces, keep):
    def attend(q, k, v, past):
        output, past = llama.attend(q, k, v, past)
        return output.astype(float), keep(past)

    cache, logits = {}, []
    for end, n in zip(np.cumsum(pieces), pieces):
        logits.append(llama.read(MODEL, IDS[end - n : end], cache, attend))
    assert_allclose(np.concatenate(logits), LOGITS, rtol=0, atol=1e-4)
    assert {part.dtype for part in logits} == {np.dtype(np.float32)}
    assert [[x.shape for x in cache[i]] for i in range(2)] == [[(3, 7, 64)] * 2] * 2


# Writing ----------------------------------------------------------------------------------------


def test_each_token_is_chosen_by_the_logits_of_the_whole_text():
    seen = []
    assert llama.generate(MODEL, IDS, 3, lambda logits: seen.append(logits) or 5) == [5, 5, 5]
    assert_allclose(seen, llama.read(MODEL, [*IDS, 5, 5])[-3:], rtol=0, atol=1e-4)


def test_token_that_ends_a_text_is_the_last():
    choices = iter([5, 2, 7])
    assert llama.generate(MODEL, IDS, 3, lambda logits: next(choices)) == [5, 2]


def test_token_beyond_the_vocabulary_is_refused():
    with pytest.raises(ValueError, match=r"^the token returned by choose must be from 0 to 49151, got 49152"):
        llama.generate(MODEL, IDS, 1, lambda logits: 49152)


# Words; test_weights.py has their tokens


@pytest.mark.parametrize(
    "text, words",
    [
        ("I've 12  cats", "I|'ve| |1|2| | cats"),
        ("a\n\n  b\n", "a|\n\n | b|\n"),
        ("x_y!? (z)", "x|_|y|!?| (|z|)"),
        ("x² ½", "x²| ½"),  # four words in the package tokenizers
        ("a  \x1cb", "a| | \x1c|b"),  # a control character is no blank
    ],
)
def test_text_is_cut_into_words(text, words):
    assert WORD.findall(text) == words.split("|")
