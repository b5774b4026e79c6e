"""The sheet to keep, on paper both sides of one: site/sheet.md as Markdown for a page, or as one file of HTML.

The text asks for what others hold: the cause of a mistake by its id, a section of a notebook by its name, shapes and
numbers by an expression. It cannot be made with an id or a section that does not exist.
"""

import re

import numpy as np
from jinja2 import Environment, StrictUndefined

import attention_lib as al
from lesson.check.mistakes import MISTAKES
from publish import formulas, notebooks

SITE = notebooks.ROOT / "publish" / "site"
SOURCE = SITE / "sheet.md"
LINK = re.compile(r"\[([^\]]+)\]\([^)]+\.ipynb\)")
CAUSES = {mistake.id: mistake.cause for mistake in MISTAKES}
# Two sentences, three heads: sizes that all differ. Then one query and three keys, the last of them hidden.
BATCH = {
    name: np.ones(shape) for name, shape in {"q": (2, 3, 4, 5), "k": (2, 3, 6, 5), "v": (2, 3, 6, 7)}.items()
}
BATCH["mask"] = al.padding_mask([6, 2], 6)[:, None]
ONE = {"q": [[1, 1, 1, 1]], "k": [[2, 1, 1, 0], [1, 1, 0, 0], [-1, -1, 0, 0]]}
ONE |= {"v": [[10, 0], [0, 10], [2, 1]], "mask": [[True, True, False]]}


def section(number, name):
    """A link to the section of that name, or to the paragraph that these bold words open."""
    path = notebooks.PATHS[f"{number:02}"]
    text = "\n".join(cell.source for cell in notebooks.read(path).cells if cell.cell_type == "markdown")
    found = re.search(rf"(?m)^(?:## (\d+\. )|\*\*){re.escape(name)}(?:$|[.:]?\*\*)", text)
    if not found:
        raise ValueError(f"{path.name} has no section {name}")
    named = f"section {found[1]}{name}" if found[1] else name
    return f"[notebook {number}, {named}](../../notebooks/{path.name})"


def value(expression, names=None):
    return np.asarray(eval(expression, {"np": np, "al": al, **(names or {})}))


def shape(expression):
    return value(expression, BATCH).shape


def vectors(name):
    return ", ".join(str(tuple(row)) for row in ONE[name])


def step(expression):
    """Two cells: the shape that a step gives for BATCH, and its numbers for ONE."""
    numbers = ", ".join(f"{x:.3g}" for x in value(expression, ONE).ravel())
    return f"{shape(expression)} | {numbers}"


def rows(expression):
    """A mask as 0 and 1, a row after the other."""
    table = value(expression)
    return " / ".join("".join(map(str, row)) for row in table.reshape(-1, table.shape[-1]).astype(int))


def axes(expression):
    """Four cells: the sizes of an array, lined up from the right."""
    sizes = value(expression).shape
    return " | ".join([*[""] * (4 - len(sizes)), *map(str, sizes)])


def text():
    """The sheet as Markdown."""
    template = Environment(undefined=StrictUndefined).from_string(SOURCE.read_text(encoding="utf-8"))
    asked = {"cause": CAUSES.__getitem__, "section": section, "vectors": vectors}
    return template.render(asked, shape=shape, step=step, rows=rows, axes=axes)


def page():
    """The sheet as one file of HTML, without links."""
    return as_page(LINK.sub(r"\1", text()))


def as_page(markdown):
    """Markdown as one file of HTML that looks like the pages."""
    title = re.search(r"(?m)^# (.+)$", markdown)[1]
    template = (SITE / "sheet.html").read_text(encoding="utf-8")
    style = (SITE / "style.css").read_text(encoding="utf-8")
    return template.format(title=title, style=style, body=formulas.render(markdown))
