"""Binder's files and the requirements.

Binder builds with repo2docker. Where that is installed (pip install jupyter-repo2docker), the slow test lets it
print its Dockerfile, which needs no docker.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINDER = ROOT / ".binder"


def lines(path):
    """The lines of a requirements file, without comments."""
    text = re.sub(r"(^|\s)#.*", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [line.strip() for line in text.splitlines() if line.strip()]


def test_binder_installs_python_and_the_requirements():
    # repo2docker refuses a patch number. Without this folder it would choose another Python, and install a copy
    # of the library, so that a learner's edits to it would do nothing.
    assert sorted(path.name for path in BINDER.iterdir()) == ["requirements.txt", "runtime.txt"]
    assert lines(BINDER / "runtime.txt") == ["python-3.13"]
    assert lines(BINDER / "requirements.txt") == ["-r ../requirements.txt"]


def test_constraints_fit_the_requirements():
    *packages, library = lines(ROOT / "requirements.txt")
    assert library == "-e ."
    constraints = lines(ROOT / "tests" / "constraints.txt")
    for line in (*packages, *constraints):
        assert re.fullmatch(r"[\w.-]+==[\w.]+( ;.*)?", line), f"not an exact pin: {line}"
    assert set(packages) <= set(constraints), (
        "make tests/constraints.txt again with the command in its first lines"
    )
    text = (ROOT / "tests" / "constraints.txt").read_text(encoding="utf-8")
    assert "uv pip compile --universal" in text
    assert "://" not in text and "--index" not in text  # no address of one machine


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("jupyter-repo2docker"), reason="jupyter-repo2docker is not installed")
def test_repo2docker_builds_from_the_same_files(tmp_path):
    copy = shutil.copytree(ROOT, tmp_path / "copy", ignore=shutil.ignore_patterns(".git", ".venv", "build"))
    command = ["jupyter-repo2docker", "--no-build", "--debug", "."]
    result = subprocess.run(command, check=False, cwd=copy, capture_output=True, text=True, timeout=120)
    recipe = result.stdout + result.stderr
    assert result.returncode == 0, recipe
    assert "Building conda environment for python=3.13" in recipe
    # The repository is copied before pip runs, and pip runs once: no `pip install .` beside `-e .`.
    assert re.findall(r"COPY \S+ src/ |pip install .*", recipe) == [
        "COPY --chown=0:0 src/ ",
        'pip install --no-cache-dir -r ".binder/requirements.txt"',
    ]
