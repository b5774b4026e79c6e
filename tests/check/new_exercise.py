"""Writes the skeleton of a new exercise into four files, and says which.

    python -m tests.check.new_exercise NAME NOTEBOOK "ARGUMENTS" MINUTES

It stands at the end of the notebook, whose number is given: among what may be left out.
"""

import json
import re
import sys
from copy import deepcopy
from pathlib import Path

from lesson.check import TASKS

ROOT = Path(__file__).parents[2]
ENTRY = """    Exercise(
        "{name}",
        "{notebook}",
        recipe=lambda s, {parameters}: s.{name}({parameters}),
        make_probes=...,
        wanted=...,
        example="{name}(...)",
    ),
"""
STEP = '    "{name}": lambda {parameters}: ...,\n'
ANSWERS = '''"""Answers to `{name}` as learners write them."""

RIGHT = [lambda {parameters}: ...]  # in another form than the notebook's solution
ALMOST_RIGHT = {{"what_it_does": lambda {parameters}: ...}}  # right on most inputs only
'''
FOLD = "<details><summary>{}</summary>\n\n{}\n\n</details>"
CELLS = [
    "### Exercise NUMBER · `{name}`\n\n*Easy, {minutes} minutes.* ...",
    'def {name}({parameters}):\n    """..."""\n    ...\n\n\ncheck.{name}({name})',
    FOLD.format("Hint", "..."),
    FOLD.format("Solution", "```python\ndef {name}({parameters}):\n    return ...\n```"),
]
MISSING = """Replace each `...` in lesson/check/exercises.py, lesson/check/steps.py, notebooks/{notebook}.ipynb and
tests/check/answers/{name}.py (CONTRIBUTING.md, Add an exercise)."""


def main(name, number, arguments, minutes):
    notebook = next(task.notebook for task in TASKS if task.notebook.startswith(number))
    given = {
        "name": name,
        "notebook": notebook,
        "number": number,
        "minutes": minutes,
        "parameters": ", ".join(arguments.split()),
    }
    last = [task.name for task in TASKS if task.notebook == notebook][-1]
    exercises = ROOT / "lesson" / "check" / "exercises.py"
    insert_after(exercises, rf'    (?:Exercise|Task)\(\n? *"{last}",.*?^    \),\n', ENTRY.format(**given))
    insert_after(ROOT / "lesson" / "check" / "steps.py", r"^RIGHT = \{\n", STEP.format(**given))
    add_cells(ROOT / "notebooks" / f"{notebook}.ipynb", given)
    answers = ROOT / "tests" / "check" / "answers" / f"{name}.py"
    answers.write_text(ANSWERS.format(**given), encoding="utf-8")
    print(MISSING.format(**given))


def insert_after(file, pattern, code):
    text = file.read_text(encoding="utf-8")
    place = re.search(pattern, text, re.M | re.S).end()
    file.write_text(text[:place] + code + text[place:], encoding="utf-8")


def add_cells(path, given):
    """Four cells with the slide types of exercise 1; and the minutes in the two sentences that add them up."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = notebook["cells"]
    headings = [i for i, cell in enumerate(cells) if "".join(cell["source"]).startswith("### Exercise ")]
    for i, source in enumerate(CELLS):
        source = source.format(**given).replace("NUMBER", str(len(headings) + 1))
        cell = deepcopy(cells[headings[0] + i]) | {"id": f"nb{given['number']}-{given['name'][:20]}-{i}"}
        cells.insert(-1, cell | {"source": source.splitlines(keepends=True)})  # before the sources
    text = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
    minutes = r"(?<=core path, )\d+(?= more)|(?<=\*)\d+(?= minutes, may be left out)"
    text = re.sub(minutes, lambda found: str(int(found[0]) + int(given["minutes"])), text)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
