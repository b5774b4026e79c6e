"""The data files are those that PROVENANCE.md describes, byte for byte, and arrays are read-only."""

import hashlib
import re
from importlib.resources import files

import pytest

from attention_lib import data

HERE = files("attention_lib.data")
PAGE = HERE.joinpath("PROVENANCE.md").read_text(encoding="utf-8")
SHA256 = dict(re.findall(r"\| `(\w+)\.npz` \| `([0-9a-f]{64})` \|", PAGE))


def test_names_files_and_provenance_agree():
    stored = {file.name.removesuffix(".npz") for file in HERE.iterdir() if file.name.endswith(".npz")}
    assert stored == set(data.NAMES), "NAMES of attention_lib/data/__init__.py must list the files beside it"
    assert list(data.NAMES) == list(SHA256), "PROVENANCE.md must give the checksum of each, in this order"


@pytest.mark.parametrize("name", data.NAMES)
def test_files_have_their_checksum_and_arrays_are_read_only(name):
    checksum = hashlib.sha256(HERE.joinpath(f"{name}.npz").read_bytes()).hexdigest()
    assert checksum == SHA256.get(name), f"the checksum of {name}.npz is {checksum}. Was it meant to change?"
    arrays = data.load(name)
    assert not any(array.flags.writeable for array in arrays.values())
    assert "about" in arrays, f"{name}.npz must say where it comes from, in an array called about"
    missing = [key for key in arrays if f"`{key}`" not in PAGE and key != "about"]
    assert not missing, f"PROVENANCE.md must describe {missing} of {name}.npz"
