"""Reads a notebook that somebody handed in: the verdicts that are stored in it. Nothing in it is run."""

import json
import re
import textwrap
from typing import NamedTuple

from lesson import check
from lesson.check.verdict import TYPE

EXERCISES = [task.name for task in check.TASKS]
# What came of an exercise, from the least that a student did to the most.
KINDS = ["missing", "not-started", "check-not-run", "mistake", "library-used", "right"]
# Why a file has no result.
NO_NOTEBOOK = "no notebook"
BROKEN = "empty, broken, a link, or an archive, which you unpack first"
HAND_IN = re.compile(r"\.(ipynb|zip|7z|rar|tar|t?gz)", re.IGNORECASE)
# How a cell belongs to an exercise: by a check, a heading, or the function that it defines.
NAMED = re.compile(r"^(?:[^#\n]*\bcheck\.|#+ .*`|def )(\w+)[(`]", re.MULTILINE)
# What a student need not write: blank lines, comments, docstrings, checks, and the dots of a stub.
GIVEN = re.compile(
    r'\s*^[ \t]*(?:"""[\s\S]*?"""|def .*|check\..*|(?:.* = \.\.\., )?\.\.\.)?$|[ \t]*#.*', re.MULTILINE
)


class Result(NamedTuple):
    """What came of an exercise, "" in a file without any."""

    exercise: str
    kind: str  # one of KINDS, or a mistake's id
    also: str = ""  # other ids, the error that stopped a cell, or why a file was not read
    lines: str = ""  # what the student wrote


def read(path):
    """([Result], the content's hash, which identical files share)."""
    found = []
    digest = 0
    try:
        content = b"" if path.is_symlink() else path.read_bytes()
        found = results_in(json.loads(content)["cells"])
        digest = hash(content)
        why = "no exercise is in it"
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        why = BROKEN if HAND_IN.search(path.name) else NO_NOTEBOOK
    return found or [Result("", "missing", why)], digest


def results_in(cells):
    """The Results of a notebook, in order, several of an exercise."""
    found = []
    for cell in cells:
        source = "".join(cell["source"])
        outputs = cell.get("outputs", [])
        written = GIVEN.sub("", source).strip("\n") if cell["cell_type"] == "code" else ""
        verdicts = [output["data"][TYPE] for output in outputs if TYPE in output.get("data", {})]
        found += [result_of(verdict, textwrap.dedent(written)) for verdict in verdicts]
        if not verdicts:
            errors = [output["ename"] for output in outputs if output["output_type"] == "error"]
            unchecked = ["check-not-run", " ".join(errors)] if written else ["not-started"]
            found += [Result(name, *unchecked) for name in NAMED.findall(source)]
    return [result for result in found if result.exercise in EXERCISES]


def result_of(verdict, written):
    """The Result of a verdict; JupyterLite leaves out a mistake of None. Another form is an error."""
    ids = [verdict.get("mistake"), *verdict["also"]]
    if verdict["passed"] is True:
        ids = verdict["also"] or ["right"]
    if not re.fullmatch(r"[\w -]{1,1000}", " ".join([verdict["exercise"], *ids])):
        raise ValueError
    return Result(verdict["exercise"], ids[0], " ".join(ids[1:]), written)
