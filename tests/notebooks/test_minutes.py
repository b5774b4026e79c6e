"""The minutes that a notebook and README state are those that publish.minutes estimates."""

import re
import shutil

from publish import minutes
from tests.notebooks.stored import NOTEBOOKS, ROOT, SERIES, every_notebook, report

TOLERANCE = 3  # minutes that no reader notices
MOST = dict.fromkeys(SERIES, 50) | {"04_masking": 55}  # three exercises of 22 minutes in notebook 4


def problems_with_minutes(path, readme):
    cells = minutes.cells_of(path)
    stated, estimated = minutes.stated(cells), minutes.estimate(minutes.core(cells))
    if abs(stated - estimated) > TOLERANCE:
        yield f"{path.name} states {stated} minutes in its first cells, and takes {estimated:.0f}"
    if stated > MOST[path.stem]:
        yield f"{path.name} states {stated} minutes, and may take {MOST[path.stem]}: shorten it, or move a part to Going further"
    if not re.search(rf"(?m)^\|.*{path.name}\).* \| {stated} \|$", readme.read_text(encoding="utf-8")):
        yield f"{path.name} states {stated} minutes, and README's table says otherwise"
    further = minutes.sections(cells)[minutes.FURTHER]
    total, text = minutes.exercise_minutes(further), minutes.markdown(cells)
    if not (
        f"minutes for the core path, {total} more" in text and f"*{total} minutes, may be left out.*" in text
    ):
        yield f"{path.name} has {total} minutes of exercises in Going further, and says otherwise"


@every_notebook
def test_stated_minutes_are_those_estimated(name):
    """`.venv/bin/python -m publish.minutes NN` writes those of the core path into a notebook and README."""
    report(problems_with_minutes(NOTEBOOKS / f"{name}.ipynb", ROOT / "README.md"))


def test_wrong_minutes_are_found_and_written(tmp_path):
    path, readme = tmp_path / "03_softmax.ipynb", shutil.copy(ROOT / "README.md", tmp_path / "README.md")
    stored = (NOTEBOOKS / path.name).read_text(encoding="utf-8")
    wrong = re.sub(r"path, \d+ more", "path, 99 more", minutes.STATED.sub(r"\g<1>60\g<3>", stored))
    path.write_text(wrong, encoding="utf-8")
    assert len([*problems_with_minutes(path, readme)]) == 4
    minutes.write(path, readme)
    assert len([*problems_with_minutes(path, readme)]) == 1
