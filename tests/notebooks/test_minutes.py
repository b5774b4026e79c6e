"""The minutes that a notebook and README state are those that publish.minutes estimates."""

import re

import pytest

from publish import minutes
from tests.notebooks.stored import NOTEBOOKS, ROOT, every_notebook

TOLERANCE = 3  # minutes that no reader notices


@every_notebook
def test_stated_minutes_are_those_estimated(name):
    """`.venv/bin/python -m publish.minutes NN` writes those of the core path into a notebook and README."""
    cells = minutes.cells_of(NOTEBOOKS / f"{name}.ipynb")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    stated, text = minutes.stated(cells), minutes.markdown(cells)
    assert stated == pytest.approx(minutes.estimate(minutes.core(cells)), abs=TOLERANCE)
    assert re.search(rf"(?m)^\|.*{name}.ipynb\).* \| {stated} \|$", readme)
    further = minutes.exercise_minutes(minutes.sections(cells)[minutes.FURTHER])
    assert f"minutes for the core path, {further} more" in text
    assert f"*{further} minutes, may be left out.*" in text


def test_minutes_are_written_into_a_notebook_and_readme(tmp_path):
    path, readme = tmp_path / "03_softmax.ipynb", tmp_path / "README.md"
    stored = (NOTEBOOKS / path.name).read_text(encoding="utf-8")
    path.write_text(minutes.STATED.sub(r"\g<1>60\g<3>", stored), encoding="utf-8")
    readme.write_text(f"| [3](notebooks/{path.name}) | 60 |\n", encoding="utf-8")
    minutes.write(path, readme)
    estimated = round(minutes.estimate(minutes.core(minutes.cells_of(path))))
    assert minutes.stated(minutes.cells_of(path)) == estimated
    assert readme.read_text(encoding="utf-8").endswith(f"| {estimated} |\n")
