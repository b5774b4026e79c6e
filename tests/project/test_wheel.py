"""The wheel contains what the library needs, and works in an empty environment, with the lowest versions too."""

import json
import os
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from publish.wheel import build
from tests.project.test_readme import ROOT, text_of

# The code in README, and pictures.
PROGRAM = f"""
import json
from IPython.core.interactiveshell import InteractiveShell

InteractiveShell.instance()  # without it pictures are not drawn
{re.search(r"(?s)```python(.*?)```", text_of("README.md"))[1]}
show.heatmap(weights[1, 3], tokens, tokens, name="her")
show.explorer(q, k, tokens)
passed = check.scaled_dot_product_attention(attention).passed
print(json.dumps([al.__file__, passed, model.tokenize("I have a cat.")]))
"""
RUN_ALL = """
from publish import execute

for path in execute.stored(execute.NOTEBOOKS):
    execute.run(path)
"""


def run(*command, **options):
    done = subprocess.run(command, check=False, capture_output=True, encoding="utf-8", **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.release
def test_wheel_works_in_an_empty_environment_with_the_lowest_versions(tmp_path):
    """With those that pyproject.toml promises all notebooks run too; 65 MB are fetched. Outputs are not compared."""
    wheel = tmp_path / build(tmp_path)
    has_lowest = sys.version_info < (3, 13)  # the lowest NumPy has no wheel for later Pythons
    promised = tomllib.loads(text_of("pyproject.toml"))["project"]["dependencies"]
    lowest = [package.replace(">=", "==") for package in promised]
    venv.create(tmp_path / "venv")
    (python,) = [*tmp_path.glob("venv/bin/python"), *tmp_path.glob("venv/Scripts/python.exe")]
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile"]
    run(*install, wheel, *(lowest if has_lowest else []))
    printed = run(python, "-I", "-c", PROGRAM, cwd=tmp_path)
    file, passed, tokens = json.loads(printed.splitlines()[-1])
    assert Path(file).is_relative_to(tmp_path) and passed
    assert tokens == ["[CLS]", "i", "have", "a", "cat", ".", "[SEP]"]
    if has_lowest:
        run(*install, "ipykernel", "nbclient")
        run(python, "-c", RUN_ALL, env=os.environ | {"PYTHONPATH": str(ROOT)})
