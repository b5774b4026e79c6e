"""The boxes of the pages' exercises: which cells become one, and the files that run them.

A box is a form (site/template/index.html.j2) that box.js serves. Python runs in box_worker.js: Pyodide, NumPy,
the library without its model, and box.py.
"""

import re
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from lesson import check
from publish import live

SITE = Path(__file__).resolve().parent / "site"
FILES = ("box.js", "box_worker.js", "box.py")
PACKAGES = ["numpy"]  # of Pyodide's
CALL = re.compile(r"(?m)^check\.(\w+)\(.*\)\Z")
EXERCISES = {task.name for task in check.TASKS}


class Loaded(NamedTuple):
    """Bytes: of all that a browser loads for the boxes, and of what the worker counts meanwhile."""

    all: int
    counted: int


NOTHING = Loaded(0, 0)


def mark(cells):
    """Notes on the cells that are an exercise its name, and the call that checks it. Returns their ids."""
    found = []
    for cell in cells:
        call = CALL.search(cell.source) if cell.cell_type == "code" else None
        if call and call[1] in EXERCISES:
            cell.metadata["exercise"] = {"name": call[1], "call": call[0]}
            found.append(cell.id)
    return found


def label(soup, page):
    """Names each box of a page by the heading above it."""
    for form in soup.select("form.box"):
        heading = form.find_previous(["h2", "h3"])["id"]
        form["aria-labelledby"] = heading
        form.textarea["aria-labelledby"] = f"{form.label['id']} {heading}"


def write(source, out):
    """Writes Python and what runs the boxes into the site `out`; `source` has Pyodide, see publish/live.py.

    Returns what a browser loads, in bytes, and how much of that the worker counts: it imports the rest.
    """
    with tempfile.TemporaryDirectory() as temporary:  # nothing is left in `out` if a file is missing
        python = Path(temporary) / "python"
        python.mkdir()
        lock = live.copy_pyodide(source, python, PACKAGES)
        live.add_library(python, lock, PACKAGES)
        out.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(out / "python", ignore_errors=True)
        shutil.copytree(python, out / "python")
    for name in FILES:
        shutil.copy(SITE / name, out / name)
    paths = [*(out / "python").iterdir(), *(out / name for name in FILES)]
    sizes = {path: path.stat().st_size for path in paths}
    counted = sum(size for path, size in sizes.items() if path.suffix not in (".js", ".mjs"))
    return Loaded(sum(sizes.values()), counted)
