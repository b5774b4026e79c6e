"""Binder's files and the requirements."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from lesson import smollm
from tests.project.test_readme import ROOT, text_of


def lines(file):
    """The lines of a requirements file, without comments."""
    return [line.strip() for line in re.sub(r"#.*", "", text_of(file)).splitlines() if line.strip()]


def test_binder_installs_python_and_the_requirements():
    # repo2docker refuses a patch number. Without this folder it would choose another Python, and install a copy
    # of the library, so that a learner's edits to it would do nothing.
    names = ["postBuild", "requirements.txt", "runtime.txt", "start"]
    assert sorted(path.name for path in (ROOT / ".binder").iterdir()) == names
    assert lines(".binder/runtime.txt") == ["python-3.13"]
    assert lines(".binder/requirements.txt") == ["-r ../requirements.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="Binder is Linux")
def test_binder_installs_the_model_of_notebook_10_and_starts_with_one_thread():
    assert lines(".binder/postBuild")[-1] == smollm.INSTALL.replace("install", "install --no-cache-dir")
    environment = {"PATH": os.environ["PATH"]}
    start = [ROOT / ".binder" / "start", "printenv", "OPENBLAS_NUM_THREADS"]
    assert subprocess.run(start, check=True, capture_output=True, text=True, env=environment).stdout == "1\n"


def test_constraints_fit_the_requirements():
    *packages, library = lines("requirements.txt")
    constraints = lines("tests/constraints.txt")
    assert library == "-e ."
    for line in (*packages, *constraints):  # and no address of one machine
        assert re.fullmatch(r"[\w.-]+==[\w.]+( ;.*)?", line), f"not an exact pin: {line}"
    assert set(packages) <= set(constraints), "make tests/constraints.txt again, as its first lines say"


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("jupyter-repo2docker"), reason="jupyter-repo2docker is not installed")
def test_repo2docker_builds_from_the_same_files(tmp_path):
    """It prints the Dockerfile with which Binder would build, and needs no docker."""
    copy = shutil.copytree(ROOT, tmp_path / "copy", ignore=shutil.ignore_patterns(".git", ".venv", "build"))
    command = ["jupyter-repo2docker", "--no-build", "--debug", "."]
    pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    recipe = subprocess.run(command, check=True, cwd=copy, text=True, timeout=120, **pipe).stdout
    assert "Building conda environment for python=3.13" in recipe
    # The repository is copied before pip runs, and pip runs once: no `pip install .` beside `-e .`.
    assert re.findall(r"COPY \S+ src/ |pip install .*", recipe) == [
        "COPY --chown=0:0 src/ ",
        'pip install --no-cache-dir -r ".binder/requirements.txt"',
    ]
