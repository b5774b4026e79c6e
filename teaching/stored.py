"""Reads a notebook that somebody handed in: the verdicts that are stored in it. Nothing in it is run."""

import hashlib
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
NO_EXERCISE, NO_NOTEBOOK, EMPTY = "no exercise is in it", "no notebook", "empty"
BROKEN, ARCHIVE = "broken, or not in the form of a notebook", "an archive: unpack it first"
LINK = "a link, which is not followed"
ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz")
IDS = re.compile(r"[\w -]{1,1000}")
CALL = re.compile(r"^[^#\n]*\bcheck\.(\w+)\(", re.MULTILINE)
HEADING = re.compile(r"^#+ .*`(\w+)`", re.MULTILINE)
FUNCTION = re.compile(r"^def (\w+)\(.*\n((?:[ \t].*\n?|\n)*)", re.MULTILINE)
# What a student need not write: blank lines, comments, docstrings, checks, and the dots of a stub.
GIVEN = re.compile(
    r'\s*^[ \t]*(?:"""[\s\S]*?"""|def .*|check\..*|(?:.* = \.\.\., )?\.\.\.)?$|[ \t]*#.*', re.MULTILINE
)


class Result(NamedTuple):
    """What came of an exercise: one of KINDS or a mistake's id; other ids, or an error; the lines written."""

    kind: str
    also: str = ""
    lines: str = ""

    @property
    def group(self):
        return self.kind if self.kind in KINDS else "mistake"

    @property
    def rank(self):
        return KINDS.index(self.group)


def read(path):
    """({exercise: Result}, a digest of the file). A file without any exercise has one Result, of "", that says why."""
    try:
        content = b"" if path.is_symlink() else path.read_bytes()
    except OSError as error:
        return {"": Result(error.strerror)}, ""
    try:
        results = results_in(json.loads(content)["cells"])
        return results or {"": Result(NO_EXERCISE)}, hashlib.sha256(content).hexdigest()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        why = BROKEN if content.strip() else EMPTY
    if ".ipynb" not in path.name.lower():
        why = ARCHIVE if path.suffix.lower() in ARCHIVES else NO_NOTEBOOK
    return {"": Result(LINK if path.is_symlink() else why)}, ""


def results_in(cells):
    """{exercise: its best Result}, of several as good the last. What is stated and left no verdict is "check-not-run"."""
    found, defined, stated = [], {}, set()
    for cell in cells:
        source = "".join(cell["source"])
        outputs = cell.get("outputs", [])
        verdicts = [output["data"][TYPE] for output in outputs if TYPE in output.get("data", {})]
        checked = [result_of(verdict, source) for verdict in verdicts]
        unchecked = result_without_verdict(source, outputs)
        named = checked or [(name, unchecked) for name in CALL.findall(source)]
        defined |= dict.fromkeys(dict(FUNCTION.findall(source)), unchecked)
        stated.update(dict(named), HEADING.findall(source))
        found += named
    best = defined | dict(sorted(found, key=lambda pair: pair[1].rank))
    return {name: best.get(name, Result("check-not-run")) for name in EXERCISES if name in stated}


def result_of(verdict, source):
    """(exercise, Result) of a verdict; JupyterLite leaves out a mistake of None. Another form is an error."""
    exercise, kind, also = verdict["exercise"], verdict.get("mistake"), verdict["also"]
    if verdict["passed"] is True:
        kind = "library-used" if "library-used" in also else "right"
    if not IDS.fullmatch(" ".join([exercise, kind, *also])):
        raise ValueError
    lines = GIVEN.sub("", dict(FUNCTION.findall(source)).get(exercise, ""))
    also = " ".join(id for id in also if id != kind)
    return exercise, Result(kind, also, textwrap.dedent(lines.strip("\n")))


def result_without_verdict(source, outputs):
    """The Result of a cell that left no verdict."""
    if "..." in source and not GIVEN.sub("", source).strip():
        return Result("not-started")
    errors = [output["ename"] for output in outputs if output["output_type"] == "error"]
    return Result("check-not-run", " ".join(filter(str.isidentifier, errors)))
