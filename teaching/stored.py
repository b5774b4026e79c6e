"""Reads a notebook that somebody handed in: the verdicts that are stored in it. Nothing in it is run."""

import ast
import hashlib
import json
import re
import stat
import warnings
from typing import NamedTuple

from lesson import check
from lesson.check.verdict import TYPE

EXERCISES = [task.name for task in check.TASKS]
LARGEST = 100_000_000  # bytes; the largest notebook of the series has 1.2 million with its outputs
ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz")
# What came of an exercise, from the least that a student did to the most. A mistake stands between the last two
# of UNCHECKED and the last two of all.
UNCHECKED = ("missing", "not-started", "check-not-run", "cleared", "stopped")
KINDS = (*UNCHECKED, "mistake", "library-used", "right")
ID = re.compile(r"[a-z][a-z0-9_-]{1,60}")
CHECK_CALL = re.compile(r"^[^#\n]*\bcheck\.(\w+)\(", re.MULTILINE)
DEFINITION = re.compile(r"^def (\w+)\(", re.MULTILINE)
HEADING = re.compile(r"^#+ .*`(\w+)`", re.MULTILINE)


class UnreadableFile(Exception):
    """Its text is the reason, for the teacher."""


class Result(NamedTuple):
    """What came of an exercise: one of KINDS or a mistake's id; other ids; the lines written."""

    kind: str
    also: str = ""
    lines: str = ""

    @property
    def group(self):
        return self.kind if self.kind in KINDS else "mistake"

    @property
    def rank(self):
        return KINDS.index(self.group)


def read_cells(path):
    """(cells, a digest of the file) of the notebook in a file, whatever its name is."""
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFile("a link" if path.is_symlink() else "no ordinary file")
    if path.suffix.lower() in ARCHIVES:
        raise UnreadableFile("an archive: unpack it first")
    if status.st_size > LARGEST:
        raise UnreadableFile(f"larger than {LARGEST // 1_000_000} MB")
    content = path.read_bytes()
    try:
        notebook = json.loads(content)
    except (ValueError, RecursionError):
        why = "broken: no JSON" if content.strip() else "empty"
        raise UnreadableFile(why if ".ipynb" in path.name.lower() else "no notebook") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise UnreadableFile("no notebook: it has no list of cells")
    return [cell for cell in cells if isinstance(cell, dict)], hashlib.sha256(content).hexdigest()


def results_in(cells):
    """{exercise: its best Result}, of several as good the last. What is stated and not checked is "check-not-run"."""
    found, stated, defined = [], set(), {}
    for cell in cells:
        source = join_lines(cell.get("source"))
        outputs = cell.get("outputs")
        if not isinstance(outputs, list):
            stated.update(HEADING.findall(source))
            continue
        outputs = [output for output in outputs if isinstance(output, dict)]
        result = result_without_verdict(source, outputs)
        defined |= dict.fromkeys(DEFINITION.findall(source), result)
        called = [(name, result) for name in CHECK_CALL.findall(source) if name in EXERCISES]
        found += list(verdicts_in(outputs, source)) or called
    for exercise in stated.intersection(EXERCISES).difference(dict(found)):
        result = defined.get(exercise, Result("cleared"))
        found.append((exercise, Result("check-not-run") if result.kind == "cleared" else result))
    return dict(sorted(found, key=lambda pair: pair[1].rank))


def verdicts_in(outputs, source):
    """The verdicts among a cell's outputs, as (exercise, Result), in order."""
    for output in outputs:
        data = output.get("data")
        verdict = data.get(TYPE) if isinstance(data, dict) else None
        if not isinstance(verdict, dict) or not isinstance(verdict.get("exercise"), str):
            continue
        exercise, kind, also = verdict["exercise"], verdict.get("mistake"), verdict.get("also")
        also = [id for id in also if is_id(id)] if isinstance(also, list) else []
        if verdict.get("passed") is True:
            kind = "library-used" if "library-used" in also else "right"
            also = [id for id in also if id != "library-used"]
        elif not is_id(kind) or kind in {*KINDS} - {"not-started", "library-used"}:
            continue
        yield exercise, Result(kind, " ".join(also), lines_written(source, exercise))


def is_id(text):
    return isinstance(text, str) and ID.fullmatch(text)


def result_without_verdict(source, outputs):
    """The Result of a cell that left no verdict."""
    errors = [str(output.get("ename")) for output in outputs if output.get("output_type") == "error"]
    if errors:
        return Result("stopped", errors[-1] if errors[-1].isidentifier() else "")
    lines = [line.strip() for line in source.splitlines()]
    given = ("def ", '"""', "#", "check.")
    is_stub = all("..." in line for line in lines if line and not line.startswith(given))
    return Result("not-started" if is_stub else "cleared")


def join_lines(source):
    """A source as notebooks store it, a string or a list of lines, as one string."""
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def lines_written(source, exercise):
    """What stands in the function of an exercise, without comments and without its docstring; "" if unknown."""
    try:
        with warnings.catch_warnings(action="ignore"):
            for node in ast.parse(source[:20_000]).body:
                if isinstance(node, ast.FunctionDef) and node.name == exercise:
                    return "\n".join(map(ast.unparse, node.body[bool(ast.get_docstring(node)) :]))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return ""
