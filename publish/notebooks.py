"""The notebooks of the series: where they are, how they are read and written."""

import re
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "notebooks"
# The heading of a prediction, and how the line of a fold begins: JupyterLab shows these classes as boxes.
PREDICT = '<h3 class="alert alert-info">✎ Predict</h3>'
SUMMARY = '<summary class="alert alert-success">'
EXPLANATION = "What happened, and why"
EXPLAINED = f"{SUMMARY}{EXPLANATION}</summary>"
PATHS = {path.name[:2]: path for path in sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))}  # by number


def read(path):
    return nbformat.read(path, as_version=4)


def write(notebook, path):
    """Writes a notebook with the same bytes on every system."""
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")


def title(cells):
    """The text of the heading in the first cell."""
    return re.search(r"^# (.+)$", cells[0].source, re.MULTILINE)[1]


def strip_outputs(notebook):
    """Removes outputs, execution counts and the folding of outputs, in place."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
            cell.metadata.pop("collapsed", None)
            folding = cell.metadata.get("jupyter", {})
            folding.pop("outputs_hidden", None)  # or JupyterLab would fold what a learner's run prints
            if not folding:
                cell.metadata.pop("jupyter", None)
