"""The model in NumPy: tokens, weights and sentence vectors of the original, and any attention function."""

import json
import math
import subprocess
import sys
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


def cosines(a, b):
    return (a * b).sum(axis=-1) / np.linalg.norm(a, axis=-1) / np.linalg.norm(b, axis=-1)


# Against the original ----------------------------------------------------------------------------


def test_tokens_equal_those_of_the_original_tokenizer():
    assert len(TOKENS) >= 300
    assert max(len(tokens.split()) for tokens in TOKENS.values()) > 128  # none was truncated
    ours = {string: " ".join(model.tokenize(string)) for string in TOKENS}
    assert {ascii(s): (ours[s], TOKENS[s]) for s in TOKENS if ours[s] != TOKENS[s]} == {}


@pytest.mark.parametrize("number", WITH_WEIGHTS)
def test_weights_of_all_heads_equal_the_original(number):
    weights = model.read(SENTENCES[number])["weights"]
    assert_allclose(weights, RECORDED[f"weights_{number}"], rtol=0, atol=2e-3)
    assert_allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-6)


def test_sentence_vectors_equal_the_original():
    assert len(WITH_WEIGHTS) >= 10
    # The original read one sentence at a time; here the short ones are a padded batch.
    vectors = np.concatenate([model.embed(SENTENCES[:-1]), model.embed(SENTENCES[-1:])])
    assert vectors.dtype == np.float32 and vectors.shape == RECORDED["vectors"].shape
    assert_allclose(np.linalg.norm(vectors, axis=-1), 1, rtol=0, atol=1e-6)
    assert cosines(vectors, RECORDED["vectors"]).min() >= 0.9999
    others = cosines(vectors, np.roll(RECORDED["vectors"], 1, axis=0))
    assert others.max() < 0.9  # the bound above tells sentences apart


def test_read_gives_the_names_and_shapes_of_the_cat_sentence():
    ours, recorded = model.read(CAT), data.load("cat_sentence")
    assert {name: (array.shape, array.dtype.kind) for name, array in ours.items() if name != "about"} == {
        name: (array.shape, array.dtype.kind) for name, array in recorded.items() if name != "about"
    }
    assert set(ours) == set(recorded) and "float16" in str(ours["about"])
    assert_array_equal(ours["sentence"], recorded["sentence"])
    assert_array_equal(ours["tokens"], recorded["tokens"])
    assert_allclose(ours["weights"], recorded["weights"], rtol=0, atol=2e-3)
    for name in ("q", "k", "v", "context"):  # rounding errors grow with the layers
        assert_allclose(ours[name], recorded[name], rtol=0, atol=5e-3)
        assert np.abs(recorded[name]).max() > 2
    output, weights = al.scaled_dot_product_attention(ours["q"], ours["k"], ours["v"])
    assert_allclose(output, ours["context"], rtol=0, atol=1e-5)
    assert_allclose(weights, ours["weights"], rtol=0, atol=1e-6)


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
        calls.append(arguments)
        return al.scaled_dot_product_attention(*arguments)

    batch = ["a cat", CAT]
    model.embed(batch, attention)
    assert len(calls) == 6
    for *vectors, mask in calls:
        assert [(x.shape, x.dtype) for x in vectors] == [((2, 12, 11, 32), np.float32)] * 3
        assert mask.shape == (2, 1, 1, 11) and mask.dtype == bool
        assert_array_equal(mask.sum(axis=-1).ravel(), [4, 11])
        assert mask[0, 0, 0, :4].all()
    model.read("a cat", attention)
    assert [(q.shape, mask.shape, mask.all()) for q, _, _, mask in calls[6:]] == [
        ((1, 12, 4, 32), (1, 1, 1, 4), True)
    ] * 6


def test_results_of_attention_are_returned_and_used_by_later_layers():
    found = model.read(CAT, mean_of_values)
    assert_allclose(found["weights"], 1 / 11, rtol=1e-6)
    assert_allclose(found["context"], found["weights"] @ found["v"], rtol=0, atol=1e-6)
    usual = model.read(CAT)
    assert_array_equal(found["q"][0], usual["q"][0])  # the input of layer 0 is the same
    assert np.abs(found["q"][1] - usual["q"][1]).max() > 0.1
    assert cosines(model.embed([CAT], mean_of_values), model.embed([CAT])).max() < 0.9


def test_padding_is_excluded_by_the_mask_only():
    batch = ["a cat", CAT]
    alone = np.concatenate([model.embed([sentence]) for sentence in batch])
    assert_allclose(model.embed(batch), alone, rtol=0, atol=1e-5)
    blind = model.embed(batch, lambda q, k, v, mask: al.scaled_dot_product_attention(q, k, v))
    assert np.abs(blind[0] - alone[0]).max() > 1e-3
    assert_allclose(blind[1], alone[1], rtol=0, atol=1e-5)


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

    assert_allclose(model.embed(["a cat", CAT], in_place), model.embed(["a cat", CAT]), rtol=0, atol=1e-5)
    usual = model.read(CAT)
    for attention in (in_float64, in_place):
        found = model.read(CAT, attention)
        for name in ("q", "k", "v", "weights", "context"):
            assert found[name].dtype == np.float32
            assert_allclose(found[name], usual[name], rtol=0, atol=1e-4, err_msg=name)


@pytest.mark.parametrize("factor", [np.nan, np.inf, 1e25])
def test_nan_and_infinity_propagate_without_a_warning(factor):
    def broken(q, k, v, mask):
        output, weights = al.scaled_dot_product_attention(q, k, v, mask)
        return output * factor, weights.astype(float) + 1e300

    assert np.isnan(model.embed(["a cat"], broken)).all() == (not math.isfinite(factor))
    assert np.isinf(model.read("a cat", broken)["weights"][0]).all()


def test_calls_give_the_same_bytes_and_share_no_memory():
    first, second = model.read(CAT), model.read(CAT)
    for name, array in first.items():
        assert array.tobytes() == second[name].tobytes()
        assert name == "about" or not np.shares_memory(array, second[name])


def test_tables_of_the_model_cannot_be_changed():
    loaded = model._load()
    tables = [array for layer in loaded["layers"] for array in layer.values()]
    tables += [array for array in loaded.values() if isinstance(array, np.ndarray)]
    assert not any(table.flags.writeable for table in tables)


# Edges -------------------------------------------------------------------------------------------


def test_tables_are_in_the_order_that_is_fast_without_blas():
    for layer in model._load()["layers"]:
        assert all(table.flags.f_contiguous for table in layer.values())


def test_empty_sentence_is_two_markers():
    assert model.tokenize("") == model.tokenize(" \n\u200b") == ["[CLS]", "[SEP]"]
    assert model.read("")["weights"].shape == (6, 12, 2, 2)
    assert model.embed([]).shape == (0, 384)


def test_longest_sentence_has_512_tokens():
    assert model.embed(["cat " * 510]).shape == (1, 384)
    for call in (model.read, lambda sentence: model.embed(["a cat", sentence])):
        with pytest.raises(ValueError, match=r"at most 512 tokens, \[CLS\] and \[SEP\] included, got 513"):
            call("cat " * 511)


@pytest.mark.parametrize("sentence", [None, 7, b"cat", ["a", "cat"], np.array(["cat"])], ids=repr)
def test_sentence_that_is_not_a_string_is_refused(sentence):
    calls = [model.tokenize, model.read, lambda s: model.embed(["a cat", s])]
    for call in calls:
        with pytest.raises(TypeError, match=f"sentence must be one string, got {type(sentence).__name__}"):
            call(sentence)


def test_embed_needs_a_list():
    with pytest.raises(TypeError, match=r"sentences must be a list of strings, got one string: write \[sent"):
        model.embed(CAT)
    with pytest.raises(TypeError, match="sentences must be a list of strings, got int"):
        model.embed(7)
    assert_array_equal(model.embed((CAT,)), model.embed(np.array([CAT])))


def attention_that_returns(change):
    return lambda q, k, v, mask: change(*al.scaled_dot_product_attention(q, k, v, mask))


WRONG = {
    "nothing": (lambda o, w: None, TypeError, "two arrays, output and weights, got NoneType"),
    "output alone": (lambda o, w: o, TypeError, r"got ndarray of shape \(2, 12, 11, 32\)"),
    "three": (lambda o, w: (o, w, w), TypeError, "got 3 things"),
    "weights first": (
        lambda o, w: (w, o),
        ValueError,
        r"output of shape \(2, 12, 11, 32\), got shape \(2, 12, 11, 11\)",
    ),
    "no batch": (
        lambda o, w: (o[0], w[0]),
        ValueError,
        r"output of shape \(2, 12, 11, 32\), got shape \(12, ",
    ),
    "one head": (
        lambda o, w: (o, w[:, 0]),
        ValueError,
        r"weights of shape \(2, 12, 11, 11\), got shape \(2, 11, 11\)",
    ),
    "no weights": (lambda o, w: (o, None), ValueError, r"weights of shape \(2, 12, 11, 11\), got shape \(\)"),
}


@pytest.mark.parametrize("name", WRONG)
def test_error_for_a_wrong_result_of_attention_names_its_shape(name):
    change, error, message = WRONG[name]
    with pytest.raises(error, match=f"attention must return .*{message}"):
        model.embed(["a cat", CAT], attention_that_returns(change))


@pytest.mark.parametrize("attention", [None, "softmax", np.eye(2)], ids=["None", "str", "ndarray"])
def test_attention_must_be_a_function(attention):
    name = type(attention).__name__
    for call in (lambda: model.read(CAT, attention), lambda: model.embed([CAT], attention)):
        with pytest.raises(TypeError, match=f"attention must be a function of q, k, v and mask, got {name}"):
            call()


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
