"""Shows what a class did not understand, from the notebooks that it handed in.

    .venv/bin/python -m teaching.collect FOLDER

It reads the verdicts that are stored in the notebooks, beside the text that learners saw, and runs
nothing. Each folder in FOLDER is a student. The student of a loose file is what its name has besides
the notebook's. It writes FOLDER/collected/: index.html for the teacher, students.csv for a
spreadsheet, and feedback/ with a file for each student. Nothing leaves this machine.
"""

import argparse
import csv
import json
import os
import re
import stat
import sys
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from attention_lib import check
from attention_lib.check.grading.verdict import TYPE
from attention_lib.check.texts_by_id import GENERAL, cause_and_question
from teaching import class_page

EXERCISES = [task.name for task in check.TASKS]
LARGEST = 100_000_000  # bytes; the largest notebook of the series has 1.2 million with its outputs
ARCHIVES = {".zip", ".7z", ".rar", ".tar", ".gz", ".tgz"}
RIGHT, NOT_STARTED, MISSING = "right", "not-started", "missing"
OUT = "collected"

# A notebook's name in a file's name, and what browsers, JupyterLab and mail programs add to it.
TITLES = "|".join(sorted({task.notebook[3:] for task in check.TASKS})).replace("_", "[ _-]")
COPY_NUMBER = r"-\d+|[ _-]*\(\d+\)|[ _-]*copy\d*"
NOTEBOOK_NAME = re.compile(rf"(0?\d[ _-])?({TITLES})({COPY_NUMBER})*", re.IGNORECASE)
ID = re.compile(r"[a-z][a-z0-9_-]{1,60}")
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")  # file names that Windows forbids
CHECK_CALL = re.compile(r"^\s*check\.(\w+)\(", re.MULTILINE)


class UnreadableFile(Exception):
    """Its text is the reason, for the teacher."""


@dataclass
class Student:
    """What one student handed in, by exercise."""

    verdicts: dict[str, list] = field(default_factory=dict)  # (result, also), in order
    errors: dict[str, str] = field(default_factory=dict)  # of check cells that stopped without a verdict
    notebooks: int = 0

    def errors_without_verdict(self):
        """{exercise: error} where no other cell has a verdict."""
        return {name: error for name, error in self.errors.items() if name not in self.verdicts}

    def result(self, exercise):
        """(result, also): right if any verdict is, else the last mistake, else not started or missing."""
        verdicts = self.verdicts.get(exercise, [(MISSING, ())])
        passed = [verdict for verdict in verdicts if verdict[0] == RIGHT]
        # A second copy with an empty stub does not count against a mistake in the first.
        started = [verdict for verdict in verdicts if verdict[0] != NOT_STARTED]
        return (passed or started or verdicts)[-1]


# Finding the notebooks


def files_in(folder, left_out):
    """The path of every file, in natural order, without an earlier run's. Appends to `left_out`."""

    def report(error):
        left_out.append((Path(error.filename), error.strerror))

    found = []
    for parent, folders, names in os.walk(folder, onerror=report):
        parent = Path(parent)
        links = [name for name in folders if (parent / name).is_symlink()]  # os.walk enters none
        folders[:] = [name for name in folders if not is_hidden(name) and parent / name != folder / OUT]
        found += [parent / name for name in links + names if not is_hidden(name)]
    return sorted(found, key=lambda path: natural_sort_key(path.relative_to(folder)))


def is_hidden(name):
    """Whether JupyterLab or macOS made this file or folder, and not a student."""
    return name.startswith((".", "__MACOSX"))


def natural_sort_key(path):
    """Sorts "x (1)" after "x", and "x (10)" after "x (9)"."""
    parts = re.split(r"(\d+)", os.path.splitext(path)[0].casefold())
    return [int(part) if i % 2 else part for i, part in enumerate(parts)], str(path)


def student_name(path):
    """The student of a file; `path` is relative to the folder with all of them."""
    if len(path.parts) > 1:
        return printable(path.parts[0])
    stem = re.sub(r"\.ipynb.*", "", path.name, flags=re.IGNORECASE)
    stem = path.stem if stem == path.name else stem
    rest = NOTEBOOK_NAME.sub(" ", printable(stem)).strip(" _-.,")
    return rest or printable(stem)  # a file without a student's name counts as a student


def printable(name):
    """A name in normalized Unicode, on one line, without control characters."""
    name = name.encode("utf-8", "backslashreplace").decode("utf-8")
    name = "".join(c if c.isprintable() else "?" for c in unicodedata.normalize("NFC", name))
    return name.strip() or "?"


# Reading a notebook


def read_cells(path):
    """The cells of the notebook in a file, whatever its name is; None for another kind of file."""
    named_notebook = ".ipynb" in path.name.lower()
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        raise UnreadableFile("a link")
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFile("no ordinary file")
    if path.suffix.lower() in ARCHIVES:
        raise UnreadableFile("an archive: unpack it first")
    with path.open("rb") as file:
        start = file.peek(64)[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
        if not named_notebook and not start.startswith(b"{"):
            return None
        if status.st_size > LARGEST:
            raise UnreadableFile(f"larger than {LARGEST // 1_000_000} MB")
        content = file.read()
    try:
        notebook = json.loads(content.decode(json.detect_encoding(content), errors="replace"))
    except (ValueError, RecursionError):
        if named_notebook:
            raise UnreadableFile("broken: no JSON" if content.strip() else "empty") from None
        return None
    cells = cells_in(notebook)
    if cells is None and named_notebook:
        raise UnreadableFile("no notebook: it has no list of cells")
    return cells


def cells_in(notebook):
    """The cells, of old notebooks too, which have them in worksheets; None if there are none."""
    if not isinstance(notebook, dict):
        return None
    sheets = notebook.get("worksheets")
    sheets = [notebook, *(sheets if isinstance(sheets, list) else [])]
    found = [sheet["cells"] for sheet in sheets if isinstance(sheet, dict) and "cells" in sheet]
    found = [cells for cells in found if isinstance(cells, list)]
    return [cell for cells in found for cell in cells] if found else None


def join_lines(source):
    """A source as notebooks store it, a string or a list of lines, as one string."""
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def verdicts_in(outputs):
    """The verdicts among a cell's outputs, as (exercise, result, also), in order."""
    for output in outputs:
        data = output.get("data")
        verdict = data.get(TYPE) if isinstance(data, dict) else None
        if isinstance(verdict, dict) and isinstance(verdict.get("exercise"), str):
            also = verdict.get("also")
            also = [id for id in also if is_mistake_id(id)] if isinstance(also, list) else []
            if verdict.get("passed") is True:
                yield verdict["exercise"], RIGHT, ()
            elif is_mistake_id(verdict.get("mistake")):
                yield verdict["exercise"], verdict["mistake"], tuple(also)


def is_mistake_id(text):
    """Whether this can be a mistake's id, and is none of the results that this program adds."""
    return isinstance(text, str) and bool(ID.fullmatch(text)) and text not in (RIGHT, MISSING)


def add_notebook(student, cells):
    """Adds a notebook's verdicts and errors to a student. Returns a remark for the teacher, or ""."""
    unknown, has_result = set(), False
    student.notebooks += 1
    for cell in cells:
        if not isinstance(cell, dict) or not isinstance(cell.get("outputs"), list):
            continue
        outputs = [output for output in cell["outputs"] if isinstance(output, dict)]
        verdicts = list(verdicts_in(outputs))
        for exercise, result, also in verdicts:
            if exercise in EXERCISES:
                student.verdicts.setdefault(exercise, []).append((result, also))
            else:
                unknown.add(printable(exercise[:60]))
        stopped = {} if verdicts else errors_in(cell, outputs)
        student.errors |= stopped
        has_result = has_result or bool(verdicts or stopped)
    if not has_result:
        return "no verdict is in it: not run, outputs cleared, or exercises deleted"
    return f"what it says on {', '.join(sorted(unknown))}, unknown here" if unknown else ""


def errors_in(cell, outputs):
    """{exercise: error} of the checks that a cell calls, if it stopped with an error."""
    errors = [output.get("ename") for output in outputs if output.get("output_type") == "error"]
    if not errors:
        return {}
    exercises = CHECK_CALL.findall(join_lines(cell.get("source", cell.get("input"))))
    return dict.fromkeys(exercises, printable(str(errors[-1])[:60]))


def read_class(folder):
    """({name: Student}, [(file, why it was left out)])"""
    students, left_out = {}, []
    paths = files_in(folder, left_out)
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink() and not is_hidden(path.name) and path.name != OUT:
            students[printable(path.name)] = Student()  # one without a notebook counts too
    for path in paths:
        name = student_name(path.relative_to(folder))
        try:
            cells = read_cells(path)
            if cells is None:
                continue
            if remark := add_notebook(students.setdefault(name, Student()), cells):
                left_out.append((path, remark))
        except UnreadableFile as reason:
            left_out.append((path, str(reason)))
        except OSError as error:
            left_out.append((path, error.strerror or "cannot be read"))
        if ".ipynb" in path.name.lower():
            students.setdefault(name, Student())
    left_out = [(printable(str(path.relative_to(folder))), why) for path, why in left_out]
    return dict(sorted(students.items(), key=lambda item: item[0].casefold())), left_out


# Counting


def rank_mistakes(students):
    """{mistake: (students, {exercise: students})}, the mistake of most students first."""
    counts, names = {}, {}
    for name, student in students.items():
        for exercise in EXERCISES:
            result, _ = student.result(exercise)
            if result not in (RIGHT, NOT_STARTED, MISSING):
                counts.setdefault(result, Counter())[exercise] += 1
                names.setdefault(result, set()).add(name)

    def rank(id):
        return -len(names[id]), -counts[id].total(), id in GENERAL, id

    return {id: (len(names[id]), dict(counts[id].most_common())) for id in sorted(counts, key=rank)}


def exercises_handed_in(students):
    """The exercises that anybody handed in: the others were not set. All of them if nobody did."""
    found = {name for student in students.values() for name in (*student.verdicts, *student.errors)}
    return [exercise for exercise in EXERCISES if exercise in found] or EXERCISES


def mistake_text(id, by_exercise):
    """(cause, question) of a mistake, for the exercise in which most made it."""
    return cause_and_question(id, next(iter(by_exercise)))


# Writing


def spreadsheet_text(text):
    """Text for a cell of a spreadsheet, which would compute what begins like a formula."""
    return f"'{text}" if text.startswith(tuple("=+-@\t\r＝＋－＠")) else text


def write_csv(students, path):
    with path.open("x", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["student", "exercise", "result", "also"])
        for name, student in students.items():
            for exercise in EXERCISES:
                result, also = student.result(exercise)
                table.writerow([spreadsheet_text(name), exercise, result, " ".join(also)])


def feedback_names(students):
    """{student: file name}, all different even where a file system does not tell A from a."""
    taken, names = set(), {}
    for student in students:
        stem = re.sub(r"[^\w .,'()-]", "_", student).strip(" .")[:80] or "_"
        stem = f"_{stem}" if RESERVED.fullmatch(stem) else stem
        name, n = stem, 1
        while name.casefold() in taken:
            n += 1
            name = f"{stem} {n}"
        taken.add(name.casefold())
        names[student] = f"{name}.txt"
    return names


def feedback(name, student, exercises):
    """What one student gets back, as plain text."""
    lines = [name, "", "What the checker said last, exercise by exercise.", ""]
    for exercise in exercises:
        result, also = student.result(exercise)
        if result == RIGHT:
            lines.append(f"{exercise}: right.")
        elif result == NOT_STARTED:
            lines.append(f"{exercise}: not started.")
        elif result == MISSING:
            error = student.errors.get(exercise)
            reason = f"the cell stopped with {error}" if error else "no verdict came back"
            lines.append(f"{exercise}: {reason}.")
        else:
            cause, question = cause_and_question(result, exercise)
            lines += [f"{exercise}: not yet.", f"    {cause}", f"    Ask yourself: {question}"]
            lines += [f"    Perhaps also: {cause_and_question(id, exercise)[0]}" for id in also]
    return "\n".join([*lines, ""])


def make_output_folder(folder):
    """FOLDER/collected/ without the files of an earlier run. Stops if it has any other file."""
    out = folder / OUT
    inner = out / "feedback"
    for path in (out, inner):
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise SystemExit(f"{path} is not a folder written by teaching.collect: move it elsewhere")
    if out.exists():
        old = [path for path in out.iterdir() if path != inner]
        old += list(inner.iterdir()) if inner.is_dir() else []
        for path in old:
            written_here = path in (out / "index.html", out / "students.csv")
            written_here = written_here or (path.parent == inner and path.suffix == ".txt")
            if not written_here or (path.is_dir() and not path.is_symlink()):
                raise SystemExit(f"{path} was not written by teaching.collect: move it elsewhere")
        for path in old:
            path.unlink()
    inner.mkdir(parents=True, exist_ok=True)
    return out


def write(folder, students, left_out):
    """Writes everything into FOLDER/collected/, and returns that folder."""
    out = make_output_folder(folder)
    files, exercises = feedback_names(students), exercises_handed_in(students)
    write_csv(students, out / "students.csv")
    for name, student in students.items():
        with (out / "feedback" / files[name]).open("x", encoding="utf-8", newline="\n") as file:
            file.write(feedback(name, student, exercises))
    ranking = [
        class_page.Mistake(id, n, by_exercise, *mistake_text(id, by_exercise))
        for id, (n, by_exercise) in rank_mistakes(students).items()
    ]
    with (out / "index.html").open("x", encoding="utf-8", newline="\n") as file:
        file.write(class_page.page(students, exercises, ranking, left_out, files))
    return out


def print_summary(students, left_out):
    """Prints how much was read, what was left out, and the ranking."""
    notebooks = sum(student.notebooks for student in students.values())
    print(f"{len(students)} students, {notebooks} notebooks.")
    for name, why in left_out:
        print(f"Look at {name}: {why}")
    errors = Counter(
        error for student in students.values() for error in student.errors_without_verdict().values()
    )
    for error, n in errors.most_common():
        print(f"No verdict, since the cell stopped with {error}: {n}")
    for id, (n, by_exercise) in rank_mistakes(students).items():
        cause, question = mistake_text(id, by_exercise)
        places = ", ".join(f"{exercise} {count}" for exercise, count in by_exercise.items())
        print(f"\n{n:4}  {id} ({places})\n      {cause}\n      {question}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    sys.stdout.reconfigure(errors="replace")  # names may have letters that the terminal lacks
    if not folder.is_dir():
        sys.exit(f"{folder} is no folder")
    students, left_out = read_class(folder)
    if not students:
        sys.exit(f"{folder} holds no notebook")
    print_summary(students, left_out)
    print(f"\nLook at {write(folder, students, left_out) / 'index.html'}")


if __name__ == "__main__":
    main()
