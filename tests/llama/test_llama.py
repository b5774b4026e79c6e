"""lesson/llama.py and llama_heads.py on a random Llama of two layers."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from lesson import llama, llama_heads
from tests.llama import tiny

MODEL, TOKENIZER = tiny.model()
IDS = [71, 5, 104, 5, 260, 17, 3]
LOGITS = llama.read(MODEL, IDS)


def read_slowly(ids, keep):
    """Logits from the file's own tables, in float64, a head at a time: pairs of neighbours as complex numbers.

    Each head's weights and output are given to `keep`, whose result is its output.
    """
    tables = {name: table.astype(float) for name, table in tiny.file()[1].items()}
    angles = np.outer(np.arange(len(ids)), 100_000.0 ** (-np.arange(32) / 32))

    def norm(x, name):
        return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5) * tables[name]

    def rotated(x):
        return (x[:, ::2] + 1j * x[:, 1::2]) * np.exp(1j * angles)

    x = tables["token_embd"][ids]
    for i in range(tiny.N_LAYERS):
        table = {name: tables[f"blk.{i}.{name}"] for name in tiny.SHAPES}
        normed = norm(x, f"blk.{i}.attn_norm")
        for head in range(9):
            own, shared = slice(64 * head, 64 * head + 64), slice(64 * (head // 3), 64 * (head // 3) + 64)
            q, k, v = (
                normed @ table[name][rows].T
                for name, rows in (("attn_q", own), ("attn_k", shared), ("attn_v", shared))
            )
            scores = np.tril(np.exp((rotated(q) @ rotated(k).conj().T).real / 8))
            weights = scores / scores.sum(axis=1, keepdims=True)
            x = x + keep(i, head, weights, weights @ v) @ table["attn_output"][:, own].T
        normed = norm(x, f"blk.{i}.ffn_norm")
        gate = normed @ table["ffn_gate"].T
        x = x + (gate / (1 + np.exp(-gate)) * (normed @ table["ffn_up"].T)) @ table["ffn_down"].T
    return norm(x, "output_norm") @ tables["token_embd"].T


def test_logits_and_weights_equal_those_of_a_slow_model():
    kept = {}
    logits = read_slowly(IDS, lambda i, head, weights, output: kept.update({(i, head): weights}) or output)
    assert abs(logits).max() > 5
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
    for layer, old in zip(changed.layers, MODEL.layers):
        assert [name for name in layer._fields if getattr(layer, name) is not getattr(old, name)] == [
            "o_proj"
        ]
    assert_array_equal(llama.read(llama_heads.without(MODEL, []), IDS), LOGITS)


@pytest.mark.parametrize(
    "keep", [tuple, list, np.array]
)  # how an attend of the caller's returns keys and values
@pytest.mark.parametrize("pieces", [[3, 1, 2, 1], [1] * 7])
def test_text_read_in_pieces_with_a_cache_gives_the_same_logits(pieces, keep):
    def attend(q, k, v, past):
        output, past = llama.attend(q, k, v, past)
        return output, keep(past)

    cache, logits = {}, []
    for end, n in zip(np.cumsum(pieces), pieces):
        logits.append(llama.read(MODEL, IDS[end - n : end], cache, attend))
    assert_allclose(np.concatenate(logits), LOGITS, rtol=0, atol=1e-4)
    assert [[x.shape for x in cache[i]] for i in range(2)] == [[(3, 7, 64)] * 2] * 2


def test_cache_can_be_copied_and_used_twice():
    cache = {}
    llama.read(MODEL, IDS[:5], cache)
    for _ in range(2):
        assert_allclose(llama.read(MODEL, IDS[5:], dict(cache)), LOGITS[5:], rtol=0, atol=1e-4)


def test_attention_in_float64_leaves_the_model_in_float32():
    def attend(q, k, v, past):
        output, past = llama.attend(q, k, v, past)
        return output.astype(float), past

    logits = llama.read(MODEL, IDS, attend=attend)
    assert logits.dtype == np.float32
    assert_array_equal(logits, LOGITS)


# Writing ----------------------------------------------------------------------------------------


def test_generated_tokens_are_those_chosen_among_logits_of_the_whole_text():
    new = llama.generate(MODEL, IDS, 6, lambda logits: np.argsort(logits)[-3])
    ids = list(IDS)
    for token in new:
        assert token == np.argsort(llama.read(MODEL, ids)[-1])[-3]
        ids.append(token)
    assert len(new) == 6 and all(type(token) is int for token in new)
    assert llama.generate(MODEL, IDS, 0, np.argmax) == []


def test_token_that_ends_a_text_is_the_last():
    choices = iter([5, 2, 7])
    assert llama.generate(MODEL, IDS, 3, lambda logits: next(choices)) == [5, 2]


# What a caller's functions may return -----------------------------------------------------------

K = np.ones((3, 7, 64))
OUTPUT = np.ones((9, 7, 64))


@pytest.mark.parametrize(
    "returned, message",
    [
        (OUTPUT, "attend must return output and past, got ndarray of shape (9, 7, 64)"),
        ((OUTPUT[:3], (K, K)), "attend must return output of shape (9, 7, 64), got shape (3, 7, 64)"),
        ((OUTPUT, K), "the past returned by attend must be None, or keys and values, got ndarray"),
        ((OUTPUT, (K, K, K)), "the past returned by attend must be None, or keys and values, got tuple"),
        (
            (OUTPUT, (K, K[:, 1:])),
            "the past returned by attend must have shape (heads, n, 64), got shape (3, 6, 64)",
        ),
    ],
)
def test_wrong_result_of_attend_is_told(returned, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        llama.read(MODEL, IDS, attend=lambda q, k, v, past: returned)


@pytest.mark.parametrize("token", [3.0, None, 49152, -1, [3]])
def test_wrong_result_of_choose_is_told(token):
    with pytest.raises((TypeError, ValueError), match=r"^the token returned by choose must be "):
        llama.generate(MODEL, IDS, 1, lambda logits: token)
