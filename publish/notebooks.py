"""The notebooks of the series: where they are, how they are read and written."""

import re

import nbformat

from publish import execute  # which is run as a file, too, and so imports nothing of this folder
from publish.execute import as_text, stored

ROOT, FOLDER = execute.ROOT, execute.NOTEBOOKS
# The heading of a prediction, and how the line of a fold begins: JupyterLab shows these classes as boxes.
PREDICT = "<h3>✎ Predict</h3>"
SUMMARY = "<summary>"
EXPLANATION = "What happened, and why"
EXPLAINED = f"{SUMMARY}{EXPLANATION}</summary>"
# A likely wrong answer, below the explanation of a prediction, and what refutes it.
YOU_SAID = re.compile(r'^\*\*You said "(.+?)"\?\*\* (.+)$', re.MULTILINE)
PATHS = {path.name[:2]: path for path in stored(FOLDER)}  # by number
TOO_LARGE = {PATHS["10"]}  # for a browser, with its model
# The first line of a published copy's notebooks: run without its first `#`, it installs the library.
COLAB_LINE = "#%pip install git+https://github.com/{}  # on Colab, first\n"
# What notebooks link to beside each other.
TEXTS = [ROOT / "docs" / "questions.md", ROOT / "docs" / "glossary.md"]


def read(path):
    """The notebook at `path`, without the line for Colab, which means nothing elsewhere."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.source.startswith("#%pip "):
            cell.source = cell.source.partition("\n")[2]
    return notebook


def read_text(path):
    """One of TEXTS without its list of sections, whose links have the ids that GitHub gives them."""
    return re.sub(r"(?m)^- \[.*\]\(#.*\)\n", "", path.read_text(encoding="utf-8"))


def add_colab_line(notebook, copy):
    """Puts the line for Colab, which installs this copy's library, above a notebook's first code, in place."""
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    first.source = COLAB_LINE.format(copy) + first.source


def write(notebook, path):
    """Writes a notebook with the same bytes on every system."""
    path.write_text(as_text(notebook), encoding="utf-8", newline="\n")


def title(cells):
    """The text of the heading in the first cell."""
    return re.search(r"^# (.+)$", cells[0].source, re.MULTILINE)[1]


def minutes(cells):
    """The minutes that a notebook states for its core path."""
    return int(re.search(r"\*\*Time\*\*: (\d+) minutes", "\n".join(cell.source for cell in cells))[1])


def strip_outputs(notebook):
    """Removes outputs, execution counts and the folding of outputs, in place."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
            folding = cell.metadata.pop("jupyter", {})
            if "source_hidden" in folding:  # outputs_hidden goes, or a learner's run would be folded
                cell.metadata["jupyter"] = {"source_hidden": True}
