"""The minutes that a notebook and README state are those that are estimated."""

import re

import pytest

from publish import notebooks
from tests.notebooks import minutes
from tests.notebooks.stored import NOTEBOOKS, ROOT, every_notebook

TOLERANCE = 3  # minutes that no reader notices


@every_notebook
def test_stated_minutes_are_those_estimated(name):
    cells = notebooks.read(NOTEBOOKS / f"{name}.ipynb").cells
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    stated, text = notebooks.minutes(cells), minutes.markdown(cells)
    assert stated == pytest.approx(minutes.estimate(cells), abs=TOLERANCE)
    assert re.search(rf"(?m)^\|.*{name}.ipynb\).* \| {stated} \|$", readme)
    further = minutes.exercise_minutes(minutes.markdown(minutes.sections(cells)[minutes.FURTHER]))
    assert f"minutes for the core path, {further} more" in text
    assert f"*{further} minutes, may be left out.*" in text
