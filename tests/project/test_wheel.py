"""The wheel contains what the library needs, and works in an empty environment, with the lowest versions too."""

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from fnmatch import fnmatch
from pathlib import Path

import pytest

from publish.wheel import PACKAGES, SETUPTOOLS, build

ROOT = Path(__file__).resolve().parents[2]
NOT_FOR_THE_WHEEL = {"lesson/check/ruff.toml"}
# Uses each part of the library, as README does.
PROGRAM = """
import json
from IPython.core.interactiveshell import InteractiveShell
import attention_lib as al
from attention_lib import data, model, show, today
from lesson import check, drawings

InteractiveShell.instance()  # without it pictures are not drawn
cat = {name: data.load(name) for name in data.NAMES}["cat_sentence"]
output, weights = al.scaled_dot_product_attention(cat["q"], cat["k"], cat["v"])
assert abs(weights - cat["weights"]).max() < 1e-5
show.heatmap(weights[1, 3], cat["tokens"], cat["tokens"], name="her")
drawings.attention_map(*(cat[name][1, 3] for name in "qkv"), cat["tokens"], step="all", name="map")
show.explorer(cat["q"], cat["k"], cat["tokens"])
assert today.repeat_heads(cat["k"], 2).shape == (6, 24, 11, 32)


def attention(q, k, v, mask=None):
    weights = al.masked_softmax(al.scaled_scores(q, k), mask)
    return weights @ v, weights


verdict = check.scaled_dot_product_attention(attention)
tokens = model.read("I have a cat.")["tokens"].tolist()
print(json.dumps([al.__file__, verdict.passed, tokens]))
"""
RUN_ALL = """
from publish import execute

for path in execute.stored(execute.NOTEBOOKS):
    execute.run(path)
"""


def run(*command, **options):
    done = subprocess.run(command, check=False, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment(folder):
    """An empty environment in `folder`: its Python, and the command that installs packages into it."""
    venv.create(folder / "venv")
    (python,) = [*(folder / "venv").glob("bin/python"), *(folder / "venv").glob("Scripts/python.exe")]
    return python, [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    return folder / build(folder)


def files_of_packages():
    """What the wheel is to hold."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*"):
            name = path.relative_to(ROOT).as_posix()
            if path.is_file() and "__pycache__" not in name and "/." not in name:
                yield name


def test_every_file_of_a_package_is_meant_for_the_wheel():
    """As setuptools finds them; the slow tests build the wheel."""
    for name in set(files_of_packages()) - NOT_FOR_THE_WHEEL:
        folder, file = Path(name).parent, Path(name).name
        patterns = SETUPTOOLS["package-data"].get(".".join(folder.parts), [])
        assert (ROOT / folder / "__init__.py").exists(), f"{folder} is no package"
        assert any(fnmatch(file, pattern) for pattern in ["*.py", *patterns]), name


@pytest.mark.slow
def test_wheel_contains_the_packages_and_nothing_else(wheel):
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert held == set(files_of_packages()) - NOT_FOR_THE_WHEEL


@pytest.mark.slow
@pytest.mark.release
def test_wheel_works_in_an_empty_environment_with_the_lowest_versions(wheel, tmp_path):
    """With those that pyproject.toml promises all notebooks run too; 65 MB are fetched. Outputs are not compared."""
    has_lowest = sys.version_info < (3, 13)  # the lowest NumPy has no wheel for later Pythons
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lowest = [package.replace(">=", "==") for package in project["dependencies"]]
    assert all("==" in package for package in lowest)
    python, install = environment(tmp_path)
    run(*install, wheel, *(lowest if has_lowest else []))
    printed = run(python, "-I", "-c", PROGRAM, cwd=tmp_path)
    file, passed, tokens = json.loads(printed.splitlines()[-1])
    assert Path(file).is_relative_to(tmp_path) and passed
    assert tokens == ["[CLS]", "i", "have", "a", "cat", ".", "[SEP]"]
    if has_lowest:
        run(*install, "ipykernel", "nbclient")
        run(python, "-c", RUN_ALL, env=os.environ | {"PYTHONPATH": str(ROOT)})
