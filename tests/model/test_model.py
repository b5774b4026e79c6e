"""The model in NumPy: tokens, weights and sentence vectors of the original, and any attention function."""

import json
import math
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_lib as al
from attention_lib import data, model

HERE = Path(__file__).parents[1] / "oracles" / "model"
TOKENS = json.loads((HERE / "tokens.json").read_text(encoding="utf-8"))
with np.load(HERE / "sentences.npz", allow_pickle=False) as file:
    RECORDED = dict(file)
SENTENCES = RECORDED["sentences"].tolist()
WITH_WEIGHTS = [number for number in range(len(SENTENCES)) if f"weights_{number}" in RECORDED]
CAT = "I have a cat and i love her."
BATCH = ["a cat", CAT]


@cache
def usual():
    """The arrays of the cat sentence, with the library's attention."""
    return model.read(CAT)


def cosines(a, b):
    return (a * b).sum(axis=-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)


# Against the original ----------------------------------------------------------------------------


def test_tokens_equal_those_of_the_original_tokenizer():
    ours = {string: " ".join(model.tokenize(string)) for string in TOKENS}
    assert {ascii(s): (ours[s], TOKENS[s]) for s in TOKENS if ours[s] != TOKENS[s]} == {}


@pytest.mark.parametrize("number", WITH_WEIGHTS)
def test_weights_of_all_heads_equal_the_original(number):
    weights = model.read(SENTENCES[number])["weights"]
    assert_allclose(weights, RECORDED[f"weights_{number}"], rtol=0, atol=2e-3)


def test_sentence_vectors_equal_the_original():
    # The original read one sentence at a time; here the short ones are a padded batch.
    vectors = np.concatenate([model.embed(SENTENCES[:-1]), model.embed(SENTENCES[-1:])])
    assert vectors.dtype == np.float32 and vectors.shape == RECORDED["vectors"].shape
    assert_allclose(np.linalg.norm(vectors, axis=-1), 1, rtol=0, atol=1e-6)
    assert cosines(vectors, RECORDED["vectors"]).min() >= 0.9999


def test_read_gives_the_arrays_of_the_cat_sentence():
    ours, recorded = usual(), data.load("cat_sentence")
    assert ours.keys() == recorded.keys() and "float16" in str(ours["about"])
    for name in ("sentence", "tokens"):
        assert_array_equal(ours[name], recorded[name])
    for name in ("q", "k", "v", "context"):  # rounding errors grow with the layers
        assert ours[name].dtype == np.float32
        assert_allclose(ours[name], recorded[name], rtol=0, atol=5e-3)
        assert np.abs(recorded[name]).max() > 2


def test_gelu_equals_its_formula_with_erf():
    x = np.linspace(-12, 12, 4801, dtype=np.float32)
    expected = [number / 2 * (1 + math.erf(number / math.sqrt(2))) for number in x.tolist()]
    assert_allclose(model._gelu(x), expected, rtol=0, atol=1e-6)


# With any attention function -----------------------------------------------------------------------


def mean_of_values(q, k, v, mask):
    """Attention with equal weights for all real keys."""
    weights = np.broadcast_to(mask / mask.sum(axis=-1, keepdims=True), (*q.shape[:-1], k.shape[-2]))
    return weights @ v, weights


def test_attention_is_called_once_a_layer_with_positional_arguments():
    calls = []

    def attention(*arguments):
        calls.append([(x.shape, x.dtype) for x in arguments])
        assert_array_equal(arguments[3][:, 0, 0], np.arange(11) < np.array([[4], [11]]))
        return al.scaled_dot_product_attention(*arguments)

    model.embed(BATCH, attention)
    assert calls == [[((2, 12, 11, 32), np.float32)] * 3 + [((2, 1, 1, 11), bool)]] * 6


def test_results_of_attention_are_returned_and_used_by_later_layers():
    found = model.read(CAT, mean_of_values)
    assert_allclose(found["weights"], 1 / 11, rtol=1e-6)
    assert_allclose(found["context"], found["weights"] @ found["v"], rtol=0, atol=1e-6)
    assert_array_equal(found["q"][0], usual()["q"][0])  # the input of layer 0 is the same
    assert np.abs(found["q"][1] - usual()["q"][1]).max() > 0.1


def test_padding_is_excluded_by_the_mask_only():
    alone = np.concatenate([model.embed([sentence]) for sentence in BATCH])
    assert_allclose(model.embed(BATCH), alone, rtol=0, atol=1e-5)
    blind = model.embed(BATCH, lambda q, k, v, mask: al.scaled_dot_product_attention(q, k, v))
    assert np.abs(blind[0] - alone[0]).max() > 1e-3


def in_place(q, k, v, mask):
    """Attention that changes all its arguments."""
    q /= 2
    k /= np.float32(math.sqrt(8))
    answer = al.scaled_dot_product_attention(q, k, v, mask, scale=1.0)
    v *= 0
    mask[:] = ~mask
    return answer


def test_attention_may_return_float64_or_change_its_arguments():
    def in_float64(q, k, v, mask):
        return list(al.scaled_dot_product_attention(q.astype(float), k, v, mask))

    assert_allclose(model.embed(BATCH, in_place), model.embed(BATCH), rtol=0, atol=1e-5)
    for attention in (in_float64, in_place):
        found = model.read(CAT, attention)
        for name in ("q", "k", "v", "weights", "context"):
            assert found[name].dtype == np.float32
            assert_allclose(found[name], usual()[name], rtol=0, atol=1e-4, err_msg=name)


def test_nan_and_infinity_propagate_without_a_warning():
    def broken(q, k, v, mask):
        output, weights = al.scaled_dot_product_attention(q, k, v, mask)
        return output * np.float32(np.nan), weights.astype(float) + 1e300

    found = model.read("a cat", broken)
    assert np.isinf(found["weights"][0]).all() and np.isnan(found["q"][1:]).all()
    # squares of large numbers overflow
    assert np.isfinite(model.embed(["a cat"], lambda q, k, v, mask: (v * np.float32(1e25), q @ k.mT))).all()


def test_calls_give_the_same_bytes_and_share_no_memory():
    for name, array in model.read(CAT).items():
        assert array.tobytes() == usual()[name].tobytes()
        assert name == "about" or not np.shares_memory(array, usual()[name])


def test_tables_of_the_model_cannot_be_changed_and_are_fast_without_blas():
    loaded = model._load()
    tables = [table for layer in loaded["layers"] for table in layer.values()]
    assert all(table.flags.f_contiguous for table in tables)
    tables += [array for array in loaded.values() if isinstance(array, np.ndarray)]
    assert not any(table.flags.writeable for table in tables)


# Edges -------------------------------------------------------------------------------------------


def test_empty_sentence_is_two_markers():
    assert model.tokenize("") == model.tokenize(" \n\u200b") == ["[CLS]", "[SEP]"]
    assert model.read("")["weights"].shape == (6, 12, 2, 2)
    assert model.embed([]).shape == (0, 384)


def test_longest_sentence_has_512_tokens():
    class Called(Exception):
        pass

    def attention(q, k, v, mask):
        raise Called(q.shape)

    with pytest.raises(Called, match=r"\(1, 12, 512, 32\)"):
        model.embed(["cat " * 510], attention)
    for call in (model.read, lambda sentence: model.embed(["a cat", sentence])):
        with pytest.raises(ValueError, match=r"at most 512 tokens, \[CLS\] and \[SEP\] included, got 513"):
            call("cat " * 511)


@pytest.mark.parametrize("call", [model.tokenize, model.read, lambda s: model.embed(["a cat", s])])
def test_sentence_that_is_not_a_string_is_refused(call):
    for sentence in (None, b"cat", ["a", "cat"], np.array(["cat"])):
        with pytest.raises(
            TypeError, match=f"must be (one string, got {type(sentence).__name__}|a list of strings)"
        ):
            call(sentence)


def test_embed_needs_a_list():
    with pytest.raises(TypeError, match=r"sentences must be a list of strings, got one string: write \[sent"):
        model.embed(CAT)
    with pytest.raises(TypeError, match="sentences must be a list of strings, got int"):
        model.embed(7)


@pytest.mark.parametrize(
    "change, error, message",
    [
        (lambda o, w: None, TypeError, "output and weights, got NoneType"),
        (lambda o, w: o, TypeError, "got ndarray of shape (2, 12, 11, 32)"),
        (lambda o, w: (o, w, w), TypeError, "got 3 things"),
        (lambda o, w: (w, o), ValueError, "output of shape (2, 12, 11, 32), got shape (2, 12, 11, 11)"),
        (lambda o, w: (o, w[:, 0]), ValueError, "weights of shape (2, 12, 11, 11), got shape (2, 11, 11)"),
        (lambda o, w: (o, 0.5), ValueError, "weights of shape (2, 12, 11, 11), got shape ()"),
    ],
)
def test_error_for_a_wrong_result_of_attention_names_its_shape(change, error, message):
    with pytest.raises(error, match=f"attention must return .*{re.escape(message)}"):
        model.embed(BATCH, lambda *arguments: change(*al.scaled_dot_product_attention(*arguments)))


def test_attention_must_be_a_function():
    for call in (model.read, lambda sentence, attention: model.embed([sentence], attention)):
        with pytest.raises(TypeError, match="attention must be a function, got ndarray"):
            call(CAT, np.eye(2))


def test_model_is_loaded_once_when_a_sentence_needs_it():
    program = """
import sys
import attention_lib
assert "attention_lib.model" not in sys.modules
from attention_lib import model
assert model._load.cache_info().misses == 0
model.embed(["a cat", "a dog"]), model.read("a cat")
assert model._load.cache_info().misses == 1
assert not {"torch", "transformers", "tokenizers", "pandas", "matplotlib"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)
