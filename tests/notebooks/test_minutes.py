"""The minutes that a notebook and README state are those that publish.minutes estimates."""

import re
import shutil

from publish import minutes
from tests.notebooks.stored import NOTEBOOKS, ROOT, SERIES, every_notebook, report

TOLERANCE = 3  # minutes that no reader notices
MOST = dict.fromkeys(SERIES, 50) | {"04_masking": 55}  # three exercises of 22 minutes in notebook 4


def readme_minutes(name, text):
    return int(re.search(rf"^\|.*{name}\.ipynb\).* \| (\d+) \|$", text, re.MULTILINE)[1])


def problems_with_minutes(name, cells, readme):
    stated, estimated = minutes.stated(cells), minutes.estimate(minutes.core(cells))
    write = f"`.venv/bin/python -m publish.minutes {name[:2]}` writes the number in both places"
    if abs(stated - estimated) > TOLERANCE:
        yield f"{name} states {stated} minutes in its first cells, and takes {estimated:.0f}: {write}"
    if stated > MOST[name]:
        yield f"{name} states {stated} minutes, and may take {MOST[name]}: shorten it, or move a part to Going further"
    if readme_minutes(name, readme) != stated:
        yield f"{name} states {stated} minutes, and README's table says otherwise: {write}"


@every_notebook
def test_stated_minutes_are_those_estimated(name):
    cells = minutes.cells_of(NOTEBOOKS / f"{name}.ipynb")
    report(problems_with_minutes(name, cells, (ROOT / "README.md").read_text(encoding="utf-8")))


@every_notebook
def test_minutes_of_going_further_are_those_of_its_exercises(name):
    cells = minutes.cells_of(NOTEBOOKS / f"{name}.ipynb")
    further = minutes.sections(cells)[minutes.FURTHER]
    total = minutes.exercise_minutes(further)
    assert f"minutes for the core path, {total} more" in minutes.markdown(cells)
    assert f"*{total} minutes, may be left out.*" in minutes.markdown(further)


def test_wrong_minutes_are_found_and_written(tmp_path):
    name = "03_softmax"
    path, readme = tmp_path / f"{name}.ipynb", tmp_path / "README.md"
    shutil.copy(ROOT / "README.md", readme)
    stored = (NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8")
    path.write_text(minutes.STATED.sub(r"\g<1>60\g<3>", stored), encoding="utf-8")

    def problems():
        return list(problems_with_minutes(name, minutes.cells_of(path), readme.read_text(encoding="utf-8")))

    assert len(problems()) == 3
    minutes.write(path, readme)
    assert problems() == []
