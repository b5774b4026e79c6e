"""The page for who helps in a lab: of each exercise stub and solution, likely mistakes, and what to ask next.

publish.slides writes it beside the decks, as assistant.html. The mistakes are those of teaching/likely.toml, their
texts those of the checker.
"""

import re

from lesson.check import MISTAKES
from lesson.check.mistakes.general import GENERAL
from publish import notebooks, teaching_data

STUB = re.compile(r"^check\.(\w+)\(\1\)", re.MULTILINE)
# What the checker says of each mistake: its likely cause, and a question.
TEXTS = {mistake.id: (mistake.cause, mistake.question) for mistake in MISTAKES} | GENERAL


def likely(name):
    """[(id, cause, question)] of the mistakes that are likely in an exercise; none for what is no exercise."""
    return [(id, *TEXTS[id]) for id in teaching_data.read("likely.toml").get(name, "").split()]


def exercises():
    """What the page says of each exercise, in the order of the notebooks."""
    found = []
    for number, path in notebooks.PATHS.items():
        cells = notebooks.read(path).cells
        for i, cell in enumerate(cells):
            if cell.cell_type == "code" and (stub := STUB.search(cell.source)):
                statement = cells[i - 1].source.partition("### ")[2]
                solution = next(c.source for c in cells[i:] if ">Solution</summary>" in c.source)
                found.append(
                    {
                        "notebook": int(number),
                        "title": statement.partition("\n")[0],
                        "stub": cell.source,
                        "solution": re.search(r"```python\n(.*?)```", solution, re.DOTALL)[1],
                        "likely": likely(stub[1]),
                    }
                )
    return found
