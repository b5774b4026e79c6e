"""All notebooks run with exactly the lowest versions that pyproject.toml promises."""

import os
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN_ALL = """
from notebooks import execute

for path in execute.stored(execute.HERE):
    execute.run(path)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the lowest NumPy has no wheel for Python 3.13")
def test_notebooks_run_with_the_lowest_versions(tmp_path):
    """Outputs are not compared. Some 65 MB are downloaded into an environment of its own."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lowest = [package.replace(">=", "==") for package in project["dependencies"]]
    assert all("==" in package for package in lowest)
    venv.create(tmp_path / "venv", with_pip=True)
    (python,) = [*(tmp_path / "venv").glob("bin/python"), *(tmp_path / "venv").glob("Scripts/python.exe")]
    install = [python, "-m", "pip", "install", "--quiet", *lowest, "ipykernel", "nbclient"]
    for command in (install, [python, "-c", RUN_ALL]):
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
