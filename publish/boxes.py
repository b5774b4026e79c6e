"""What runs Python on the pages: the boxes of the exercises, and the sentence of the front page.

A box is a form of the template, which box.js serves, and the sentence one of site/front.md, which sentence.js serves.
Python runs in python_worker.js: Pyodide, NumPy, the library, and box.py, or sentence.py with the model.
"""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

from lesson import check
from publish import live, notebooks

SITE = Path(__file__).resolve().parent / "site"
MODEL = "model.npz"
FILES = ("python_worker.js", "box.js", "box.py", "sentence.js", "sentence.py")
PACKAGES = ["numpy"]  # of Pyodide's
CALL = re.compile(r"(?m)^check\.(\w+)\(.*\)\Z")
EXERCISES = {task.name for task in check.TASKS}


class Loaded(NamedTuple):
    """What a browser loads, in MB, and how many bytes of that the worker counts: it imports the rest."""

    megabytes: int
    bytes: int


class Loads(NamedTuple):
    box: Loaded  # for the boxes of a page
    sentence: Loaded  # for the sentence of the front page


NOTHING = Loads(Loaded(0, 0), Loaded(0, 0))


def mark(path, cells):
    """Notes on a notebook's cells that are an exercise its name, and the call that checks it. Returns their ids."""
    found = []
    for cell in [] if path in notebooks.TOO_LARGE else cells:
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
    """Writes Python from `source`, the model and what runs both into the site `out`; returns what a browser loads."""
    python = out / "python"
    shutil.rmtree(python, ignore_errors=True)
    python.mkdir(parents=True)
    live.add_library(python, live.copy_pyodide(source, python, PACKAGES), PACKAGES)
    for name in FILES:
        shutil.copy(SITE / name, out / name)
    common = [*python.iterdir(), out / "python_worker.js"]
    shutil.copy(live.ROOT / "attention_lib" / "data" / MODEL, python)
    of_a_box = [out / "box.js", out / "box.py"]
    of_a_sentence = [out / "sentence.js", out / "sentence.py", python / MODEL]
    return Loads(loaded(common + of_a_box), loaded(common + of_a_sentence))


def loaded(paths):
    sizes = {path: path.stat().st_size for path in paths}
    counted = sum(size for path, size in sizes.items() if path.suffix not in (".js", ".mjs"))
    return Loaded(round(sum(sizes.values()) / 1e6), counted)
