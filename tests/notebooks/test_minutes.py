"""The minutes that a notebook and README state are those that publish.minutes estimates."""

import re

import pytest

from publish import minutes, notebooks
from tests.notebooks.stored import NOTEBOOKS, ROOT, every_notebook

TOLERANCE = 3  # minutes that no reader notices


@every_notebook
def test_stated_minutes_are_those_estimated(name):
    """`.venv/bin/python -m publish.minutes` prints those of the core path."""
    cells = notebooks.read(NOTEBOOKS / f"{name}.ipynb").cells
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    stated, text = minutes.stated(cells), minutes.markdown(cells)
    assert stated == pytest.approx(minutes.estimate(cells), abs=TOLERANCE)
    assert re.search(rf"(?m)^\|.*{name}.ipynb\).* \| {stated} \|$", readme)
    further = minutes.exercise_minutes(minutes.markdown(minutes.sections(cells)[minutes.FURTHER]))
    assert f"minutes for the core path, {further} more" in text
    assert f"*{further} minutes, may be left out.*" in text
