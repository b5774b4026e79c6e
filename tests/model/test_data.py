"""The data files are those that PROVENANCE.md describes, byte for byte, and arrays are read-only."""

import hashlib
import re
from importlib.resources import files

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_lib import data

HERE = files("attention_lib.data")
PAGE = HERE.joinpath("PROVENANCE.md").read_text(encoding="utf-8")
SHA256 = dict(re.findall(r"\| `(\w+)\.npz` \| `([0-9a-f]{64})` \|", PAGE))


def sha256_of(name):
    return hashlib.sha256(HERE.joinpath(f"{name}.npz").read_bytes()).hexdigest()


def test_names_files_and_provenance_agree():
    stored = {file.name.removesuffix(".npz") for file in HERE.iterdir() if file.name.endswith(".npz")}
    assert stored == set(data.NAMES), "NAMES of attention_lib/data/__init__.py must list the files beside it"
    for name in data.NAMES:
        assert name in SHA256, f"PROVENANCE.md gives no checksum of {name}.npz: {sha256_of(name)}"
    assert list(data.NAMES) == list(SHA256), "NAMES and the page must have one order"


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
def test_arrays_have_the_shapes_and_types_of_provenance_and_are_read_only(name):
    arrays = data.load(name)
    assert not any(array.flags.writeable for array in arrays.values())
    assert "about" in arrays, f"{name}.npz must say where it comes from, in an array called about"
    rows = re.search(rf"^\| `{name}\.npz` .*\n(\| \| .*\n)*", PAGE, re.MULTILINE)[0].splitlines()
    for key in set(arrays) - {"about"}:
        shape, kind = arrays[key].shape, arrays[key].dtype
        kind = "str" if kind.kind == "U" else kind.name
        assert any(f"`{key}`" in row and f"{shape}" in row and kind in row for row in rows), (
            f"no row of {name}.npz in PROVENANCE.md has `{key}` with {shape} {kind}"
        )


def test_layer_norm_of_layer_one_gives_its_recorded_output():
    """What comes before it is computed in notebooks 5 and 6."""
    layer = data.load("layer_one")
    total = layer["x"] + layer["added"]
    centred = total - total.mean(axis=-1, keepdims=True)
    normed = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
    # rtol for one number near 30 in [CLS], where neighbouring float32 numbers are 2e-6 apart.
    output = normed * layer["norm_scale"] + layer["norm_shift"]
    assert_allclose(output, layer["output"], rtol=1e-6, atol=1e-5)


@pytest.mark.parametrize("name", ["../data/cat_sentence", None, np.array(["cat_sentence"])], ids=repr)
def test_error_for_a_wrong_name_lists_the_right_ones(name):
    with pytest.raises(ValueError, match="name must be one of cat_sentence, pronoun_sentences") as caught:
        data.load(name)
    assert repr(name) in str(caught.value)


def test_pickled_objects_are_refused(monkeypatch, tmp_path):
    np.savez(tmp_path / "cat_sentence.npz", q=np.array([object], object))
    monkeypatch.setattr(data, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(ValueError, match="allow_pickle=False"):
        data.load("cat_sentence")
