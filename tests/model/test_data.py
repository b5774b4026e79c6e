"""The data files are those that PROVENANCE.md describes, byte for byte, and arrays are read-only."""

import hashlib
import re
from importlib.resources import files

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attention_lib import data, model

HERE = files("attention_lib.data")
PAGE = HERE.joinpath("PROVENANCE.md").read_text(encoding="utf-8")
SHA256 = dict(re.findall(r"\| `(\w+)\.npz` \| `([0-9a-f]{64})` \|", PAGE))

every_file = pytest.mark.parametrize("name", data.NAMES)


def test_names_files_and_provenance_agree():
    stored = {file.name.removesuffix(".npz") for file in HERE.iterdir() if file.name.endswith(".npz")}
    assert stored == set(data.NAMES), "NAMES of attention_lib/data/__init__.py must list the files beside it"
    assert list(data.NAMES) == list(SHA256), "PROVENANCE.md must give the checksum of each, in this order"


@every_file
def test_files_have_the_checksum_and_size_of_provenance(name):
    stored = HERE.joinpath(f"{name}.npz").read_bytes()
    checksum = hashlib.sha256(stored).hexdigest()
    assert checksum == SHA256.get(name), f"the checksum of {name}.npz is {checksum}. Was it meant to change?"
    sizes = re.findall(rf"^\| `{name}\.npz` \(([0-9,]+)(?: bytes)?\)", PAGE, re.MULTILINE)
    assert sizes == [f"{len(stored):,}"], (
        f"PROVENANCE.md must begin a row of its table with `{name}.npz` (size)"
    )


@every_file
def test_arrays_have_the_shapes_and_types_of_provenance_and_are_read_only(name):
    arrays = data.load(name)
    assert not any(array.flags.writeable for array in arrays.values())
    assert "about" in arrays, f"{name}.npz must say where it comes from, in an array called about"
    rows = re.search(rf"^\| `{name}\.npz` .*\n(\| \| .*\n)*", PAGE, re.MULTILINE)[0].splitlines()
    for key in set(arrays) - {"about"}:
        kind = "str" if arrays[key].dtype.kind == "U" else arrays[key].dtype.name
        parts = f"`{key}`", f"{arrays[key].shape}", kind
        assert any(all(part in row for part in parts) for row in rows), f"PROVENANCE.md must give {parts}"


def test_layer_norm_of_layer_one_gives_its_recorded_output():
    layer = data.load("layer_one")
    output = model._add_and_norm(*(layer[name] for name in ("x", "added", "norm_scale", "norm_shift")))
    # rtol for one number near 30 in [CLS], where neighbouring float32 numbers are 2e-6 apart.
    assert_allclose(output, layer["output"], rtol=1e-6, atol=1e-5)


def test_pickled_objects_are_refused(monkeypatch, tmp_path):
    np.savez(tmp_path / "cat_sentence.npz", q=np.array([object], object))
    monkeypatch.setattr(data, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(ValueError, match="allow_pickle=False"):
        data.load("cat_sentence")
