"""The data files are those that PROVENANCE.md describes, byte for byte, and arrays are read-only."""

import hashlib
import io
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_lib as al
from attention_lib import data

HERE = files("attention_lib.data")
PAGE = HERE.joinpath("PROVENANCE.md").read_text(encoding="utf-8")
SHA256 = dict(re.findall(r"\| `(\w+)\.npz` \| `([0-9a-f]{64})` \|", PAGE))
SHAPES = {
    "cat_sentence": {
        "sentence": (),
        "tokens": (11,),
        "about": (),
        "q": (6, 12, 11, 32),
        "k": (6, 12, 11, 32),
        "v": (6, 12, 11, 32),
        "context": (6, 12, 11, 32),
        "weights": (6, 12, 11, 11),
    },
    "pronoun_sentences": {
        "sentences": (4,),
        "tokens": (4, 16),
        "about": (),
        "layer": (),
        "head": (),
        "q": (4, 16, 32),
        "k": (4, 16, 32),
        "v": (4, 16, 32),
        "context": (4, 16, 32),
        "weights": (4, 16, 16),
    },
    "padded_batch": {
        "sentences": (2,),
        "tokens": (2, 11),
        "about": (),
        "is_token": (2, 11),
        "layer": (3,),
        "head": (3,),
        "q": (2, 3, 11, 32),
        "k": (2, 3, 11, 32),
        "v": (2, 3, 11, 32),
        "context": (2, 3, 11, 32),
        "weights": (2, 3, 11, 11),
    },
    "word_vectors": {"words": (40,), "groups": (40,), "about": (), "vectors": (40, 384)},
    "layer_one": {
        "about": (),
        "x": (11, 384),
        "added": (11, 384),
        "output": (11, 384),
        **{f"w_{letter}": (384, 384) for letter in "qkvo"},
        **{f"b_{letter}": (384,) for letter in "qkvo"},
        "norm_scale": (384,),
        "norm_shift": (384,),
    },
    "test_sentences": {
        "about": (),
        **dict.fromkeys(("sentence", "pronoun", "noun", "first", "second"), (20,)),
    },
    "model": {
        "about": (),
        "vocabulary": (30522,),
        "words": (30522, 384),
        "positions": (512, 384),
        "segment": (384,),
        "input_scale": (384,),
        "input_shift": (384,),
        **{f"w_{letter}": (6, 384, 384) for letter in "qkvo"},
        "w_up": (6, 384, 1536),
        "w_down": (6, 1536, 384),
        "b_up": (6, 1536),
        "b_down": (6, 384),
        **{f"b_{letter}": (6, 384) for letter in "qkvo"},
        **dict.fromkeys(("norm_scale", "norm_shift", "last_scale", "last_shift"), (6, 384)),
    },
}


def sha256_of(name):
    return hashlib.sha256(HERE.joinpath(f"{name}.npz").read_bytes()).hexdigest()


def test_names_files_and_provenance_agree():
    stored = {file.name.removesuffix(".npz") for file in HERE.iterdir() if file.name.endswith(".npz")}
    assert stored == set(data.NAMES), "NAMES of attention_lib/data/__init__.py must list the files beside it"
    for name in data.NAMES:
        assert name in SHA256, f"PROVENANCE.md gives no checksum of {name}.npz: {sha256_of(name)}"
        assert name in SHAPES, f"SHAPES of this file does not say what {name}.npz holds"
    assert list(data.NAMES) == list(SHA256) == list(SHAPES), "the three lists must have one order"


@pytest.mark.parametrize("name", data.NAMES)
def test_files_have_the_checksum_and_size_of_provenance(name):
    stored = HERE.joinpath(f"{name}.npz").read_bytes()
    assert sha256_of(name) == SHA256[name], (
        f"{name}.npz is not the file that PROVENANCE.md describes: git checkout brings it back. If it was meant to"
        f" change, its checksum is {sha256_of(name)}"
    )
    sizes = re.findall(rf"^\| `{name}\.npz` \(([0-9,]+)(?: bytes)?\)", PAGE, re.MULTILINE)
    assert sizes == [f"{len(stored):,}"], (
        f"PROVENANCE.md must begin a row of its table of arrays with `{name}.npz` ({len(stored):,} bytes)"
    )


@pytest.mark.parametrize("name", data.NAMES)
def test_arrays_have_the_documented_shapes_and_types(name):
    arrays = data.load(name)
    assert {key: array.shape for key, array in arrays.items()} == SHAPES.get(name)
    assert "about" in arrays, f"{name}.npz must say where it comes from, in an array called about"
    kinds = {"is_token": "?", "layer": "<i8", "head": "<i8"}
    texts = {"sentence", "sentences", "tokens", "words", "groups", "about", "vocabulary"}
    texts |= {"pronoun", "noun", "first", "second"}
    if name == "model":  # its tables are rounded, one row a word or a position among them
        texts -= {"words"}
        kinds = {key: "<f2" for key in arrays if key[:2] == "w_" or key in ("words", "positions")}
    for key, array in arrays.items():
        assert array.dtype.kind == "U" if key in texts else array.dtype == kinds.get(key, "<f4"), key


@pytest.mark.parametrize("name", data.NAMES)
def test_arrays_are_read_only_and_not_shared_between_loads(name):
    first, second = data.load(name), data.load(name)
    for key, array in first.items():
        with pytest.raises(ValueError, match="read-only"):
            array[...] = array
        assert not np.shares_memory(array, second[key])


@pytest.mark.parametrize("name", ["cat_sentence", "pronoun_sentences", "padded_batch"])
def test_weights_times_values_is_the_recorded_context(name):
    arrays = data.load(name)
    assert_allclose(arrays["weights"] @ arrays["v"], arrays["context"], rtol=0, atol=1e-5)
    assert_allclose(arrays["weights"].sum(axis=-1), 1, rtol=0, atol=1e-6)


def test_weights_of_padding_are_zero():
    batch = data.load("padded_batch")
    columns = np.moveaxis(batch["weights"], -1, 1)[~batch["is_token"]]
    assert columns.size and (columns == 0).all()


def project(layer, letter):
    """One of q, k, v of layer 1, from the layer's input: (12, 11, 32)."""
    return al.split_heads(layer["x"] @ layer[f"w_{letter}"] + layer[f"b_{letter}"], 12)


@pytest.mark.parametrize("letter", "qkv")
def test_matrices_of_layer_one_give_the_recorded_q_k_and_v(letter):
    recorded = data.load("cat_sentence")[letter][1]
    assert_allclose(project(data.load("layer_one"), letter), recorded, rtol=0, atol=1e-5)


def test_layer_one_gives_its_recorded_output():
    layer, recorded = data.load("layer_one"), data.load("cat_sentence")
    context, weights = al.scaled_dot_product_attention(*(project(layer, letter) for letter in "qkv"))
    assert_allclose(weights, recorded["weights"][1], rtol=0, atol=1e-5)
    assert_allclose(context, recorded["context"][1], rtol=0, atol=1e-5)
    added = al.merge_heads(context) @ layer["w_o"] + layer["b_o"]
    assert_allclose(added, layer["added"], rtol=0, atol=1e-5)
    total = layer["x"] + added
    centred = total - total.mean(axis=-1, keepdims=True)
    normed = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
    # rtol for one number near 30 in [CLS], where neighbouring float32 numbers are 2e-6 apart.
    output = normed * layer["norm_scale"] + layer["norm_shift"]
    assert_allclose(output, layer["output"], rtol=1e-6, atol=1e-5)


def test_sentences_and_words_are_those_of_provenance():
    assert data.load("cat_sentence")["sentence"] == "I have a cat and i love her."
    assert data.load("padded_batch")["sentences"].tolist()[1] == "machine learning is fun"
    assert_array_equal(data.load("padded_batch")["tokens"] == "[PAD]", ~data.load("padded_batch")["is_token"])
    vectors = data.load("word_vectors")
    pairs = {("cat", "kitten"): 0.87, ("cat", "dog"): 0.76, ("king", "queen"): 1.09, ("cat", "king"): 0.05}
    for (one, other), product in pairs.items():
        a, b = (vectors["vectors"][vectors["words"].tolist().index(word)] for word in (one, other))
        assert round(float(a @ b), 2) == product


def test_license_and_provenance_are_installed():
    text = HERE.joinpath("LICENSE-Apache-2.0.txt").read_text(encoding="utf-8")
    assert "Apache License" in text and "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert "sentence-transformers/all-MiniLM-L6-v2" in PAGE and "Apache-2.0" in PAGE


NOT_NAMES = [
    "cat",
    "cat_sentence.npz",
    "CAT_SENTENCE",
    "",
    "../data/cat_sentence",
    "PROVENANCE",
    None,
    0,
    ["cat_sentence"],
    ("cat_sentence",),
    {"cat_sentence": 1},
    b"cat_sentence",
    Path("cat_sentence"),
    np.array(["cat_sentence"]),
    np.array(["cat_sentence", "padded_batch"]),
]


@pytest.mark.parametrize("name", NOT_NAMES, ids=repr)
def test_error_for_a_wrong_name_lists_the_right_ones(name):
    with pytest.raises(ValueError, match="name must be one of cat_sentence, pronoun_sentences") as caught:
        data.load(name)
    assert repr(name) in str(caught.value)


def test_pickled_objects_are_refused(monkeypatch):
    """np.load is called without allow_pickle."""
    file = io.BytesIO()
    np.savez(file, q=np.array([object], object))
    real = np.load

    def load_this(path, **options):
        file.seek(0)
        return real(file, **options)

    monkeypatch.setattr(np, "load", load_this)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        data.load("cat_sentence")
