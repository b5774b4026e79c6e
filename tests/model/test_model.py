"""The model in NumPy: tokens, weights and sentence vectors of the original; the data files, as PROVENANCE.md says."""

import hashlib
import json
import re
import subprocess
import sys
from importlib.resources import files
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
CAT = "I have a cat and i love her."


def spoil(q, k, v, mask):
    """Attention that changes all its arguments and returns float64."""
    answer = al.scaled_dot_product_attention(q.astype(float), k, v, mask)
    for array in (q, k, v):
        array *= 0
    mask[:] = ~mask
    return list(answer)


def test_tokens_equal_those_of_the_original_tokenizer():
    ours = {string: " ".join(model.tokenize(string)) for string in TOKENS}
    assert {ascii(s): (ours[s], TOKENS[s]) for s in TOKENS if ours[s] != TOKENS[s]} == {}


def test_vectors_and_weights_equal_the_original():
    """The original read one sentence at a time; here all but the longest are a padded batch."""
    layers = []

    def attention(*arguments):
        layers.append(al.scaled_dot_product_attention(*arguments))
        return layers[-1]

    vectors = np.concatenate([model.embed(SENTENCES[:-1], attention), model.embed(SENTENCES[-1:])])
    assert vectors.dtype == np.float32 and vectors.shape == RECORDED["vectors"].shape
    assert_allclose(np.linalg.norm(vectors, axis=-1), 1, rtol=0, atol=1e-6)
    cosines = (vectors * RECORDED["vectors"]).sum(axis=-1) / np.linalg.norm(RECORDED["vectors"], axis=-1)
    assert cosines.min() >= 0.9999
    for number, sentence in enumerate(SENTENCES[:-1]):
        n = len(model.tokenize(sentence))
        weights = [layer.weights[number, :, :n, :n] for layer in layers]
        assert_allclose(weights, RECORDED[f"weights_{number}"], rtol=0, atol=2e-3, err_msg=sentence)


@pytest.mark.parametrize("attention", [al.scaled_dot_product_attention, spoil])
def test_read_gives_the_arrays_of_the_cat_sentence(attention):
    ours, recorded = model.read(CAT, attention), data.load("cat_sentence")
    assert ours.keys() == recorded.keys() and "float16" in str(ours["about"])
    for name in ("sentence", "tokens"):
        assert_array_equal(ours[name], recorded[name])
    for name in ("q", "k", "v", "context", "weights"):  # rounding errors grow with the layers
        assert ours[name].dtype == np.float32
        assert_allclose(ours[name], recorded[name], rtol=0, atol=2e-3 if name == "weights" else 5e-3)


def test_results_of_attention_are_returned_and_used_by_later_layers_without_a_warning():
    def broken(q, k, v, mask):
        output, weights = al.scaled_dot_product_attention(q, k, v, mask)
        return output * np.float32(np.nan), weights.astype(float) + 1e300

    found = model.read("a cat", broken)
    assert np.isinf(found["weights"][0]).all() and np.isnan(found["q"][1:]).all()


def test_tables_of_the_model_cannot_be_changed_and_are_fast_without_blas():
    loaded = model._load()
    tables = [table for layer in loaded["layers"] for table in layer.values()]
    assert all(table.flags.f_contiguous for table in tables)
    tables += [array for array in loaded.values() if isinstance(array, np.ndarray)]
    assert not any(table.flags.writeable for table in tables)


def test_empty_sentence_is_two_markers():
    assert model.tokenize("") == model.tokenize(" \n\u200b") == ["[CLS]", "[SEP]"]
    assert model.read("")["weights"].shape == (6, 12, 2, 2)
    assert model.embed([]).shape == (0, 384)


def test_longest_sentence_that_is_read_has_512_tokens():
    with pytest.raises(TypeError, match="attention must return"):
        model.embed(["cat " * 510], lambda *given: None)
    with pytest.raises(ValueError, match=r"at most 512 tokens, \[CLS\] and \[SEP\] included, got 513"):
        model.embed(["cat " * 511])


def test_model_is_loaded_once_when_a_sentence_needs_it():
    program = """
import sys
import attention_lib
assert "attention_lib.model" not in sys.modules
from attention_lib import model
assert model._load.cache_info().misses == 0
model.embed(["a cat"]), model.read("a cat")
assert model._load.cache_info().misses == 1
assert not {"torch", "transformers", "tokenizers", "pandas", "matplotlib"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


# The data files

FILES = files("attention_lib.data")
PAGE = FILES.joinpath("PROVENANCE.md").read_text(encoding="utf-8")
SHA256 = dict(re.findall(r"\| `(\w+)\.npz` \| `([0-9a-f]{64})` \|", PAGE))


def test_names_files_and_provenance_agree():
    stored = {file.name.removesuffix(".npz") for file in FILES.iterdir() if file.name.endswith(".npz")}
    assert stored == set(data.NAMES), "NAMES of attention_lib/data/__init__.py must list the files beside it"
    assert list(data.NAMES) == list(SHA256), "PROVENANCE.md must give the checksum of each, in this order"


@pytest.mark.parametrize("name", data.NAMES)
def test_files_have_their_checksum_and_arrays_are_read_only(name):
    checksum = hashlib.sha256(FILES.joinpath(f"{name}.npz").read_bytes()).hexdigest()
    assert checksum == SHA256.get(name), f"the checksum of {name}.npz is {checksum}. Was it meant to change?"
    arrays = data.load(name)
    assert not any(array.flags.writeable for array in arrays.values())
    assert "about" in arrays, f"{name}.npz must say where it comes from, in an array called about"
    missing = [key for key in arrays if f"`{key}`" not in PAGE and key != "about"]
    assert not missing, f"PROVENANCE.md must describe {missing} of {name}.npz"
