"""What the tests of this folder share: the stored notebooks, read as JSON, and how a problem is reported."""

import json
import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest

from lesson import check
from publish.notebooks import PREDICT

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"

SERIES = list(dict.fromkeys(task.notebook for task in check.TASKS))

MARK = f"> {PREDICT}\n>\n> "  # how a prediction begins

every_notebook = pytest.mark.parametrize("name", SERIES)


def report(problems):
    """Fail with a line for each problem, without a traceback."""
    problems = list(problems)
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


@cache
def load(name):
    """The notebook as plain JSON, which no test changes: nbformat would repair what the tests are to find."""
    return json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))


def joined(text):
    """Text as nbformat stores it: a string, or a list of lines."""
    return text if isinstance(text, str) else "".join(text)


def sources(name):
    """{id: source} of the cells of a notebook."""
    return {cell["id"]: joined(cell["source"]) for cell in load(name)["cells"]}


def code_cells(cells):
    return [cell for cell in cells if cell["cell_type"] == "code"]


def markdown_cells(cells):
    return [cell for cell in cells if cell["cell_type"] == "markdown"]


def tags(cell):
    return set(cell["metadata"].get("tags", []))


def prose(cell):
    """The source of a Markdown cell without its code."""
    text = re.sub(r"^ *```.*?^ *```", "", joined(cell["source"]), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(`+)[^`].*?\1", "", text, flags=re.DOTALL)


def formulas(text):
    """How many formulas `text` holds."""
    return len(re.findall(r"\$\$.+?\$\$|\$[^$]+\$|\\begin\{(\w+)\}.+?\\end\{\1\}", text, re.DOTALL))


def forms(cells):
    """The outputs that come in several forms, as {MIME type: text}."""
    for cell in code_cells(cells):
        for output in cell["outputs"]:
            if "data" in output:
                yield {kind: joined(text) for kind, text in output["data"].items()}


def printed(cell):
    """The text of a cell's outputs, descriptions of figures and errors included."""
    outputs = [output | output.get("data", {}) for output in cell["outputs"]]
    return "\n".join(joined(o.get("text") or o.get("evalue") or o.get("text/plain", "")) for o in outputs)


def images(text):
    """The attributes of each <img> in a piece of HTML."""
    found = re.findall(r"<img\b[^>]*>", text)
    return [{key: unescape(value) for key, value in re.findall(r'(\w+)="([^"]*)"', tag)} for tag in found]
