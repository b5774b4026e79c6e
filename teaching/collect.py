"""Says what a class did not understand, from the notebooks that came back.

    .venv/bin/python -m teaching.collect FOLDER

The verdicts of the checks are stored in the notebooks, beside the words that a learner read. This
reads them, and runs nothing. A folder in FOLDER is a student; so is what the name of a loose file
holds besides the notebook's. It writes FOLDER/collected/: index.html for the teacher, students.csv
for a program, feedback/ with one file a student. Nothing leaves this machine.
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
from attention_lib.check.mistake_texts import GENERAL, saying
from teaching import class_page

EXERCISES = [task.name for task in check.TASKS]
LARGEST = 100_000_000  # bytes; a notebook of the series with all its outputs has 1.2 million
ARCHIVES = {".zip", ".7z", ".rar", ".tar", ".gz", ".tgz"}
RIGHT, NOT_STARTED, MISSING = "right", "not-started", "missing"
OUT = "collected"

# A notebook's name in a file's name, with what browsers, JupyterLab and mail put behind it.
TITLES = "|".join(sorted({task.notebook[3:] for task in check.TASKS})).replace("_", "[ _-]")
AGAIN = r"-\d+|[ _-]*\(\d+\)|[ _-]*copy\d*"
NOTEBOOK = re.compile(rf"(0?\d[ _-])?({TITLES})({AGAIN})*", re.IGNORECASE)
ID = re.compile(r"[a-z][a-z0-9_-]{1,60}")
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")  # no names on Windows
CALL = re.compile(r"^\s*check\.(\w+)\(", re.MULTILINE)


class NotRead(Exception):
    """Why a file was not read, in words."""


@dataclass
class Student:
    """What came back from one student, by exercise."""

    verdicts: dict[str, list] = field(default_factory=dict)  # (result, also), in order
    stopped: dict[str, str] = field(default_factory=dict)  # the error of a cell without a verdict
    notebooks: int = 0

    def without_verdict(self):
        """{exercise: error} where the error is all that came back."""
        return {e: error for e, error in self.stopped.items() if e not in self.verdicts}

    def result(self, exercise):
        """(result, also): a pass if there is one, else the last mistake, else what is left."""
        seen = self.verdicts.get(exercise, [(MISSING, ())])
        passed = [verdict for verdict in seen if verdict[0] == RIGHT]
        # A second stub that nobody filled in takes nothing from what was written elsewhere.
        started = [verdict for verdict in seen if verdict[0] != NOT_STARTED]
        return (passed or started or seen)[-1]


# Finding the notebooks


def files_in(folder, left_out):
    """The path of every file, in natural order; the folder of an earlier run is left out."""

    def cannot_enter(error):
        left_out.append((Path(error.filename), error.strerror))

    found = []
    for place, folders, names in os.walk(folder, onerror=cannot_enter):
        place = Path(place)
        links = [name for name in folders if (place / name).is_symlink()]  # os.walk enters none
        folders[:] = [name for name in folders if not beside(name) and place / name != folder / OUT]
        found += [place / name for name in links + names if not beside(name)]
    return sorted(found, key=lambda path: natural(path.relative_to(folder)))


def beside(name):
    """Whether JupyterLab or macOS put this there, beside what was handed in."""
    return name.startswith((".", "__MACOSX"))


def natural(path):
    """A key that sorts "x (1)" after "x", and "x (10)" after "x (9)"."""
    parts = re.split(r"(\d+)", os.path.splitext(path)[0].casefold())
    return [int(part) if i % 2 else part for i, part in enumerate(parts)], str(path)


def student_of(path):
    """Whose file this is; `path` counts from the folder that was handed in."""
    if len(path.parts) > 1:
        return readable(path.parts[0])
    stem = re.sub(r"\.ipynb.*", "", path.name, flags=re.IGNORECASE)
    stem = path.stem if stem == path.name else stem
    left = NOTEBOOK.sub(" ", readable(stem)).strip(" _-.,")
    return left or readable(stem)  # a file without a name of somebody is somebody of its own


def readable(name):
    """A name in one Unicode form, in one line, with nothing that a terminal obeys."""
    name = name.encode("utf-8", "backslashreplace").decode("utf-8")
    name = "".join(c if c.isprintable() else "?" for c in unicodedata.normalize("NFC", name))
    return name.strip() or "?"


# Reading one


def notebook_in(path):
    """The cells of the notebook in a file, whatever its name is; None if it is another file."""
    called = ".ipynb" in path.name.lower()
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        raise NotRead("a link")
    if not stat.S_ISREG(status.st_mode):
        raise NotRead("no ordinary file")
    if path.suffix.lower() in ARCHIVES:
        raise NotRead("an archive: unpack it first")
    with path.open("rb") as file:
        if not called and not file.peek(64)[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            return None
        if status.st_size > LARGEST:
            raise NotRead(f"larger than {LARGEST // 1_000_000} MB")
        content = file.read()
    try:
        notebook = json.loads(content.decode(json.detect_encoding(content), errors="replace"))
    except (ValueError, RecursionError):
        if called:
            raise NotRead("empty" if not content.strip() else "broken: no JSON") from None
        return None
    cells = cells_of(notebook)
    if cells is None and called:
        raise NotRead("no notebook: it has no list of cells")
    return cells


def cells_of(notebook):
    """The cells, of old notebooks too, which had them in sheets; None where there are none."""
    if not isinstance(notebook, dict):
        return None
    sheets = notebook.get("worksheets")
    sheets = [notebook, *(sheets if isinstance(sheets, list) else [])]
    found = [sheet["cells"] for sheet in sheets if isinstance(sheet, dict) and "cells" in sheet]
    found = [cells for cells in found if isinstance(cells, list)]
    return [cell for cells in found for cell in cells] if found else None


def joined(text):
    """Text as notebooks store it: a string, or a list of lines."""
    lines = text if isinstance(text, list) else [text]
    return "".join(line for line in lines if isinstance(line, str))


def verdicts_in(outputs):
    """The verdicts among a cell's outputs, as (exercise, result, also), in order."""
    for output in outputs:
        data = output.get("data")
        found = data.get(TYPE) if isinstance(data, dict) else None
        if isinstance(found, dict) and isinstance(found.get("exercise"), str):
            also = found.get("also")
            also = [id for id in also if is_id(id)] if isinstance(also, list) else []
            if found.get("passed") is True:
                yield found["exercise"], RIGHT, ()
            elif is_id(found.get("mistake")):
                yield found["exercise"], found["mistake"], tuple(also)


def is_id(text):
    """Whether this can be a mistake's id, and is no word of this program's own."""
    return isinstance(text, str) and bool(ID.fullmatch(text)) and text not in (RIGHT, MISSING)


def take_in(student, cells):
    """Adds what a notebook's cells hold; returns what has to be said of it, in words."""
    unknown, told = set(), False
    student.notebooks += 1
    for cell in cells:
        if not isinstance(cell, dict) or not isinstance(cell.get("outputs"), list):
            continue
        outputs = [output for output in cell["outputs"] if isinstance(output, dict)]
        found = list(verdicts_in(outputs))
        told = told or bool(found)
        for exercise, result, also in found:
            if exercise in EXERCISES:
                student.verdicts.setdefault(exercise, []).append((result, also))
            else:
                unknown.add(readable(exercise[:60]))
        errors = [output.get("ename") for output in outputs if output.get("output_type") == "error"]
        if errors and not found:
            for exercise in CALL.findall(joined(cell.get("source", cell.get("input")))):
                student.stopped[exercise] = readable(str(errors[-1])[:60])
                told = True
    if not told:
        return "no verdict is in it: not run, outputs cleared, or exercises deleted"
    return f"what it says on {', '.join(sorted(unknown))}, unknown here" if unknown else ""


def read(folder):
    """({student: what came back}, [(file, why it was left out)])"""
    students, left_out = {}, []
    paths = files_in(folder, left_out)
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink() and not beside(path.name) and path.name != OUT:
            students[readable(path.name)] = Student()  # also one who handed in no notebook
    for path in paths:
        student = student_of(path.relative_to(folder))
        try:
            cells = notebook_in(path)
            if cells is None:
                continue
            if remark := take_in(students.setdefault(student, Student()), cells):
                left_out.append((path, remark))
        except NotRead as reason:
            left_out.append((path, str(reason)))
        except OSError as error:
            left_out.append((path, error.strerror or "cannot be read"))
        if ".ipynb" in path.name.lower():
            students.setdefault(student, Student())
    left_out = [(readable(str(path.relative_to(folder))), why) for path, why in left_out]
    return dict(sorted(students.items(), key=lambda item: item[0].casefold())), left_out


# Counting


def mistakes(students):
    """{mistake: {exercise: how many students}}, the mistake of most students first."""
    table, who = {}, {}
    for name, student in students.items():
        for exercise in EXERCISES:
            result, _ = student.result(exercise)
            if result not in (RIGHT, NOT_STARTED, MISSING):
                table.setdefault(result, Counter())[exercise] += 1
                who.setdefault(result, set()).add(name)
    return {
        id: (len(who[id]), dict(table[id].most_common()))
        for id in sorted(table, key=lambda id: (-len(who[id]), -table[id].total(), id in GENERAL, id))
    }


def came_back(students):
    """The exercises of which anybody handed anything in: the others were not set."""
    some = {e for student in students.values() for e in (*student.verdicts, *student.stopped)}
    return [exercise for exercise in EXERCISES if exercise in some] or EXERCISES


def said(id, by_exercise):
    """What to say about a mistake, where it was made most."""
    return saying(id, next(iter(by_exercise)))


# Writing


def harmless(text):
    """Text for a cell of a spreadsheet, which would compute what begins like a formula."""
    return f"'{text}" if text.startswith(tuple("=+-@\t\r＝＋－＠")) else text


def write_table(students, path):
    with path.open("x", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["student", "exercise", "result", "also"])
        for name, student in students.items():
            for exercise in EXERCISES:
                result, also = student.result(exercise)
                table.writerow([harmless(name), exercise, result, " ".join(also)])


def file_names(students):
    """{student: a file name}: no two alike, on systems that do not tell A from a either."""
    taken, names = set(), {}
    for student in students:
        safe = re.sub(r"[^\w .,'()-]", "_", student).strip(" .")[:80] or "_"
        safe = f"_{safe}" if RESERVED.fullmatch(safe) else safe
        name, n = safe, 1
        while name.casefold() in taken:
            n += 1
            name = f"{safe} {n}"
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
            error = student.stopped.get(exercise)
            reason = f"the cell stopped with {error}" if error else "no verdict came back"
            lines.append(f"{exercise}: {reason}.")
        else:
            cause, ask = saying(result, exercise)
            lines += [f"{exercise}: not yet.", f"    {cause}", f"    Ask yourself: {ask}"]
            lines += [f"    Perhaps also: {saying(id, exercise)[0]}" for id in also]
    return "\n".join([*lines, ""])


def fresh_folder(folder):
    """FOLDER/collected/, emptied of an earlier run. Anything else in it stays, and stops this."""
    out = folder / OUT
    inner = out / "feedback"
    for path in (out, inner):
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise SystemExit(f"{path} is no folder of this program's: move it elsewhere")
    ours = {out / "index.html", out / "students.csv"}
    if out.exists():
        old = [path for path in out.iterdir() if path != inner]
        old += list(inner.iterdir()) if inner.is_dir() else []
        for path in old:
            folder_of_its_own = path.is_dir() and not path.is_symlink()
            known = path in ours or (path.parent == inner and path.suffix == ".txt")
            if folder_of_its_own or not known:
                raise SystemExit(f"{path} is none of this program's: move it elsewhere")
        for path in old:
            path.unlink()
    inner.mkdir(parents=True, exist_ok=True)
    return out


def write(folder, students, left_out):
    """Writes all there is to see into FOLDER/collected/, and returns that."""
    out = fresh_folder(folder)
    names, exercises = file_names(students), came_back(students)
    write_table(students, out / "students.csv")
    for name, student in students.items():
        with (out / "feedback" / names[name]).open("x", encoding="utf-8", newline="\n") as file:
            file.write(feedback(name, student, exercises))
    ranking = [(id, n, where, *said(id, where)) for id, (n, where) in mistakes(students).items()]
    with (out / "index.html").open("x", encoding="utf-8", newline="\n") as file:
        file.write(class_page.page(students, exercises, ranking, left_out, names))
    return out


def tell(students, left_out):
    """Prints the ranking."""
    notebooks = sum(student.notebooks for student in students.values())
    print(f"{len(students)} students, {notebooks} notebooks.")
    for name, why in left_out:
        print(f"Look at {name}: {why}")
    stopped = Counter(error for s in students.values() for error in s.without_verdict().values())
    for error, n in stopped.most_common():
        print(f"No verdict, since the cell stopped with {error}: {n}")
    for id, (n, where) in mistakes(students).items():
        cause, ask = said(id, where)
        places = ", ".join(f"{exercise} {count}" for exercise, count in where.items())
        print(f"\n{n:4}  {id} ({places})\n      {cause}\n      {ask}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    sys.stdout.reconfigure(errors="replace")  # a terminal may not know the letters of a name
    if not folder.is_dir():
        sys.exit(f"{folder} is no folder")
    students, left_out = read(folder)
    if not students:
        sys.exit(f"{folder} holds no notebook")
    tell(students, left_out)
    print(f"\nLook at {write(folder, students, left_out) / 'index.html'}")


if __name__ == "__main__":
    main()
