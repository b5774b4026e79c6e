"""Reads a notebook that somebody handed in: whose it says it is, and its stored verdicts. Nothing in it is run."""

import ast
import json
import re
import sys
import textwrap
from contextlib import suppress
from typing import NamedTuple

import pandas as pd

from lesson import check
from lesson.check.verdict import TYPE

EXERCISES = [task.name for task in check.TASKS]
# What came of an exercise, from the least that a student did to the most.
KINDS = ["missing", "waits", "not-read", "not-started", "check-not-run", "mistake", "library-used", "right"]
ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz")
NO_NOTEBOOK = "no notebook"  # why a file has no result
# How a cell belongs to an exercise: by a check, a heading, or the function that it defines.
NAMED = re.compile(r"^(?:[^#\n]*\bcheck\.|#+ .*`|def )(\w+)[(`]", re.MULTILINE)
# What a student need not write: blank lines, comments, docstrings, checks, and the dots of a stub.
GIVEN = re.compile(
    r'\s*^[ \t]*(?:"""[\s\S]*?"""|def .*|check\..*|(?:.* = \.\.\., )?\.\.\.)?$|[ \t]*#.*', re.MULTILINE
)
# A function whose body is on lines of its own; and the line in which students write their name.
LONG = re.compile(r"^def .*:\s*$", re.MULTILINE)
STUDENT = re.compile(r"^student *=(.{1,300})$", re.MULTILINE)
OUT = "collected"  # the folder below the class's that collect writes
SKIPPED = re.compile(rf"(^|/)\.|(^|/)__MACOSX/|^{OUT}/(?!.*\.ipynb$)")  # hidden, or written by an earlier run
ONE = ["student", "exercise"]


class Result(NamedTuple):
    """What came of an exercise, "" in a file without any."""

    exercise: str
    result: str  # one of KINDS, or a mistake's id
    also: str = ""  # other ids, the error that stopped a cell, or why a file was not read
    lines: str = ""  # what the student wrote
    empty: bool = False  # whether an empty function passed, which only an edited output can say


def read(path):
    """(whose a notebook is in the student's words, its Results)."""
    content = b""
    try:
        content = b"" if path.is_symlink() else path.read_bytes()
        cells = json.loads(content)["cells"]
        return student_in(cells), results_in(cells) or [Result("", "missing", "no exercise is in it")]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return "", [Result("", "not-read", why_not_read(path, content))]


def read_folder(folder):
    """The best result of each file at each exercise; a file without any has one row, of exercise "".

    Columns: file, says (whose it is), the fields of a Result, and group, that of KINDS with the result.
    """
    rows = []
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder).as_posix()
        if path.is_file() and not SKIPPED.search(place):
            says, results = read(path)
            rows += [(place, says, *result) for result in results]
    if not rows:
        sys.exit(f"{folder} holds no file, and no notebook")
    results = pd.DataFrame(rows, columns=["file", "says", *Result._fields])
    kinds = results.result.where(results.result.isin(KINDS), "mistake")
    results["group"] = pd.Categorical(kinds, KINDS, ordered=True)
    return best_of(results, ["file", "exercise"])


def best_of(results, keys):
    return results.sort_values("group", kind="stable").drop_duplicates(keys, keep="last")


def why_not_read(path, content):
    """What is told of a file that is no notebook."""
    name = path.name.lower()
    if name.endswith(ARCHIVES) or content.startswith(b"PK\3\4"):
        return "an archive: unpack it first"
    if path.is_symlink():
        return "a link, which is not followed"
    return "cut off, or broken" if name.endswith(".ipynb") else NO_NOTEBOOK


def student_in(cells):
    """What `student = ""` in a code cell was changed into; of a list of names, the names with semicolons."""
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    for written in STUDENT.findall(code):
        with suppress(ValueError, SyntaxError, TypeError):
            value = ast.literal_eval(written.strip())
            names = value if isinstance(value, list | tuple) else [value]
            if student := "; ".join(" ".join(str(name).split()) for name in names).strip("; "):
                return student
    return ""


def results_in(cells):
    """The Results of a notebook, in order, several of an exercise."""
    found = []
    for cell in cells:
        source = "".join(cell["source"])
        outputs = cell.get("outputs", [])
        written = GIVEN.sub("", source).strip("\n") if cell["cell_type"] == "code" else ""
        verdicts = [output["data"][TYPE] for output in outputs if TYPE in output.get("data", {})]
        empty = not written and LONG.search(source) is not None
        found += [result_of(verdict, textwrap.dedent(written), empty) for verdict in verdicts]
        if not verdicts:
            errors = [output["ename"] for output in outputs if output["output_type"] == "error"]
            unchecked = ["check-not-run", " ".join(errors)] if written else ["not-started"]
            found += [Result(name, *unchecked) for name in NAMED.findall(source)]
    return [result for result in found if result.exercise in EXERCISES]


def result_of(verdict, written, empty):
    """The Result of a verdict; JupyterLite leaves out a mistake of None. Another form is an error."""
    passed = verdict["passed"] is True
    ids = verdict["also"] or ["right"] if passed else [verdict["mistake"], *verdict["also"]]
    if not re.fullmatch(r"[\w -]{1,1000}", " ".join([verdict["exercise"], *ids])):
        raise ValueError
    return Result(verdict["exercise"], ids[0], " ".join(ids[1:]), written, passed and empty)
