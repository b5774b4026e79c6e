"""Builds the wheel of the library and the lesson. pip fetches setuptools for it from the network."""

import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from publish.notebooks import ROOT

SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
PACKAGES = [pattern.removesuffix("*") for pattern in SETUPTOOLS["packages"]["find"]["include"]]


def build(folder, with_model=True):
    """Builds the wheel into `folder` and returns its file name; 45 MB of it are the model's file.

    It builds a copy of the sources: a build writes files beside them, and includes files that an
    earlier build left there.
    """
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary) / "source"
        source.mkdir()
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, source)
        left_out = shutil.ignore_patterns("__pycache__", *([] if with_model else ["model.npz"]))
        for package in PACKAGES:
            shutil.copytree(ROOT / package, source / package, ignore=left_out)
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        subprocess.run([*pip, "--wheel-dir", temporary, source], check=True)
        (wheel,) = Path(temporary).glob("*.whl")
        shutil.copy(wheel, folder)
        return wheel.name
