"""Shows what a class did not understand, from the notebooks that it handed in.

    .venv/bin/python -m teaching.collect FOLDER

FOLDER holds a folder for each student, or files with the student's name, as Canvas and Moodle write
them too; folders of groups or of an unpacked archive may stand around them. The program reads the
verdicts that are stored in the notebooks and runs nothing. It writes FOLDER/collected/: index.html
for the teacher, students.csv and gradebook.csv for a spreadsheet, and feedback/ with a file for each
student. Nothing leaves this machine.
"""

import argparse
import csv
import json
import os
import re
import stat
import sys
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from attention_lib import check
from attention_lib.check.grading.verdict import TYPE
from attention_lib.check.texts_by_id import GENERAL, cause_and_question
from teaching import class_page

EXERCISES = [task.name for task in check.TASKS]
LARGEST = 100_000_000  # bytes; the largest notebook of the series has 1.2 million with its outputs
ARCHIVES = {".zip", ".7z", ".rar", ".tar", ".gz", ".tgz"}
RIGHT = "right"
RAISES = "raises"  # a mistake: the function stopped with an error
# The results without an answer that was checked, from the least that a student did to the most.
UNCHECKED = MISSING, NOT_STARTED, CLEARED, STOPPED = ("missing", "not-started", "cleared", "stopped")
OUT = "collected"
TABLES = ("students.csv", "gradebook.csv")

# Canvas: name_123_456_file, name_LATE_123_456_file. Moodle: Name_123_assignsubmission_file_, a folder or before a file.
PLATFORM = re.compile(r"(?P<name>.+?)(_LATE)?_(?P<id>\d+)_(\d{3,}_|assignsubmission_)")
# A notebook's name in a file's name, and what browsers, JupyterLab and mail programs add to it.
TITLES = "|".join(sorted({task.notebook[3:] for task in check.TASKS})).replace("_", "[ _-]")
COPY_NUMBER = r"-\d+|[ _-]*\(\d+\)|[ _-]*copy\d*"
NOTEBOOK_NAME = re.compile(rf"(0?\d[ _-])?({TITLES})({COPY_NUMBER})*", re.IGNORECASE)
ID = re.compile(r"[a-z][a-z0-9_-]{1,60}")
ERROR = re.compile(r"[A-Za-z_]\w{0,60}", re.ASCII)
SUFFIX = re.compile(r"\.(ipynb.*|[a-z]+)$", re.IGNORECASE)
# The line of a verdict that names the error which the student's function raised.
RAISED = re.compile(r"your function stopped(?:, in your line `.*?`)?: `([A-Za-z_]\w{0,60})", re.ASCII)
CHECK_CALL = re.compile(r"^[^#\n]*\bcheck\.(\w+)\(", re.MULTILINE)


class UnreadableFile(Exception):
    """Its text is the reason, for the teacher."""


@dataclass
class Student:
    """What one student handed in."""

    # {exercise: [(result, also)]}, in order
    results: dict[str, list] = field(default_factory=lambda: defaultdict(list))
    notebooks: int = 0

    def result(self, exercise):
        """(result, also): the best one, and of several as good the last."""
        results = self.results.get(exercise, [(MISSING, ())])
        return max(reversed(results), key=rank)


def rank(result):
    """Sorts results: unchecked, a mistake, right with a remark such as library-used, right."""
    kind, also = result
    if kind == RIGHT:
        return 2, not also
    return (0, UNCHECKED.index(kind)) if kind in UNCHECKED else (1, 0)


# Finding the files


def files_in(folder, left_out):
    """(files, innermost folders) below `folder` without an earlier run's, relative to it, in natural order.

    Appends what is not entered to `left_out`, with the reason.
    """
    files, innermost = [], []

    def report(error):
        path = Path(error.filename).relative_to(folder)
        innermost.append(path)
        left_out.append((path, error.strerror))

    for parent, folders, names in os.walk(folder, onerror=report):
        parent = Path(parent).relative_to(folder)
        for name in sorted(filter(is_hidden, folders + names)):
            left_out.append((parent / name, "hidden: JupyterLab's or the system's own"))
        links = [name for name in folders if (folder / parent / name).is_symlink()]  # os.walk enters none
        files += [parent / name for name in links + names if not is_hidden(name)]
        folders[:] = [name for name in folders if not is_hidden(name) and parent / name != Path(OUT)]
        if not set(folders) - set(links):
            innermost.append(parent)
    return sorted(files, key=natural_sort_key), innermost


def is_hidden(name):
    """Whether JupyterLab or macOS made this file or folder, and not a student."""
    return name.startswith((".", "__MACOSX"))


def natural_sort_key(path):
    """Sorts "x (1)" after "x", and "x (10)" after "x (9)"."""
    parts = re.split(r"(\d+)", os.path.splitext(path)[0].casefold())
    return [int(part) if i % 2 else part for i, part in enumerate(parts)], str(path)


def printable(name):
    """A name in normalized Unicode, on one line, without control characters."""
    name = name.encode("utf-8", "backslashreplace").decode("utf-8")
    name = "".join(c if c.isprintable() else "?" for c in unicodedata.normalize("NFC", name))
    return name.strip() or "?"


# Reading a notebook


def read_cells(path):
    """The cells of the notebook in a file, whatever its name is."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        raise UnreadableFile("a link")
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFile("no ordinary file")
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
    return cells


def results_in(cells):
    """{exercise: [(result, also)]} of all code cells that check an exercise, in order."""
    found = defaultdict(list)
    for cell in cells:
        if not isinstance(cell, dict) or not isinstance(cell.get("outputs"), list):
            continue
        outputs = [output for output in cell["outputs"] if isinstance(output, dict)]
        verdicts = list(verdicts_in(outputs))
        for exercise, result in verdicts or results_without_verdict(cell, outputs):
            found[exercise].append(result)
    return found


def verdicts_in(outputs):
    """The verdicts among a cell's outputs, as (exercise, (result, also)), in order."""
    for output in outputs:
        data = output.get("data")
        verdict = data.get(TYPE) if isinstance(data, dict) else None
        if not isinstance(verdict, dict) or not isinstance(verdict.get("exercise"), str):
            continue
        also = verdict.get("also")
        also = tuple(id for id in also if is_mistake_id(id)) if isinstance(also, list) else ()
        if verdict.get("passed") is True:
            yield verdict["exercise"], (RIGHT, also)
        elif is_mistake_id(verdict.get("mistake")):
            also = raised_in(data) if verdict["mistake"] == RAISES else also
            yield verdict["exercise"], (verdict["mistake"], also)


def raised_in(data):
    """The name of the error in a verdict's text: (name,), or () if it has none."""
    error = RAISED.search(join_lines(data.get("text/plain")))
    return (error[1],) if error else ()


def is_mistake_id(text):
    """Whether this can be a mistake's id, and is none of the results that this program adds."""
    added = (RIGHT, MISSING, CLEARED, STOPPED)
    return isinstance(text, str) and bool(ID.fullmatch(text)) and text not in added


def results_without_verdict(cell, outputs):
    """[(exercise, (result, also))] of the checks that a cell calls and that left no verdict."""
    source = join_lines(cell.get("source"))
    errors = [str(output.get("ename")) for output in outputs if output.get("output_type") == "error"]
    if errors:
        name = errors[-1]
        result = STOPPED, (name,) if ERROR.fullmatch(name) else ()
    elif is_stub(source):
        result = NOT_STARTED, ()
    else:
        result = CLEARED, ()
    return [(exercise, result) for exercise in CHECK_CALL.findall(source) if exercise in EXERCISES]


def join_lines(source):
    """A source as notebooks store it, a string or a list of lines, as one string."""
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def is_stub(source):
    """Whether an exercise's cell still has `...` in place of the student's lines."""
    lines = [line.strip() for line in source.splitlines()]
    given = ("def ", '"""', "#", "check.")
    return all("..." in line for line in lines if line and not line.startswith(given))


def remark_on(results):
    """What to tell the teacher about a notebook that was read, or ""."""
    if unknown := sorted(set(results) - set(EXERCISES)):
        return f"what it says on {', '.join(name[:60] for name in unknown)}, unknown here"
    if cleared := [exercise for exercise, found in results.items() if (CLEARED, ()) in found]:
        return f"no output under {', '.join(cleared)}: cleared, or not run"
    return "" if results else "no exercise is in it"


# Sorting files by student


def student_of(path, depth):
    """(name, id or folders that tell two students of that name apart).

    `path` is relative to the class's folder, and the students' folders stand `depth` folders deep.
    """
    *folders, file = map(printable, path.parts)
    for part in (*folders, file):
        if match := PLATFORM.match(part):
            return match["name"], match["id"]
    if len(folders) > depth:
        return folders[depth], "/".join(folders[:depth])
    return name_in(file) or (folders or [SUFFIX.sub("", file)])[-1], "/".join(folders)


def name_in(file):
    """What a file's name has besides the notebook's: the student's name, or ""."""
    return NOTEBOOK_NAME.sub(" ", SUFFIX.sub("", file)).strip(" _-.,")


def students_depth(notebooks):
    """How many folders stand around students' folders: those of groups, or of an unpacked archive.

    A folder that holds one exercise in several folders, or under several names, is a group's if most
    notebooks lie in such folders. Elsewhere a student kept two attempts.
    """
    depth = 0
    while True:
        hands, sizes = defaultdict(set), Counter()
        for path, results in notebooks.items():
            folder = path.parts[: depth + 1]
            if folder == path.parts:
                continue
            sizes[folder] += 1
            name = re.sub(r"(?i)[ _-]*(\(\d+\)|copy\d*)$", "", name_in(path.name))
            for exercise in results:
                hands[folder, exercise].add((path.parent, name))
        shared = {folder for (folder, _), found in hands.items() if len(found) > 1}
        if 2 * sum(sizes[folder] for folder in shared) <= sizes.total():
            return depth
        depth += 1


def tell_apart(owners, notebooks):
    """{path: student's name}; two of one name who handed in the same exercise get a longer one."""
    hands = {(*owner, exercise) for path, owner in owners.items() for exercise in notebooks.get(path, ())}
    counts = Counter((name, exercise) for name, _, exercise in hands)
    several = {name for (name, _), n in counts.items() if n > 1}
    return {
        path: f"{name} ({where})" if name in several and where else name
        for path, (name, where) in owners.items()
    }


def read_notebooks(folder, paths, left_out):
    """{path: results} of the notebooks among the files. Appends to `left_out` what the teacher should look at."""
    notebooks = {}
    for path in paths:
        try:
            notebooks[path] = results_in(read_cells(folder / path))
            remark = remark_on(notebooks[path])
        except UnreadableFile as reason:
            remark = str(reason)
        except OSError as error:
            remark = error.strerror or "cannot be read"
        if remark:
            left_out.append((path, remark))
    return notebooks


def read_class(folder):
    """({name: Student}, [(file, why to look at it)])"""
    left_out = []
    paths, folders = files_in(folder, left_out)
    notebooks = read_notebooks(folder, paths, left_out)
    depth = students_depth(notebooks)
    # Students without a notebook that could be read: they have a folder, or a file with their name.
    on_platform = [path for path in paths if PLATFORM.match(path.name)]
    around = {path.parent for path in on_platform}
    folders = [path for path in folders if len(path.parts) > depth and path not in around]
    others = on_platform + [path / "any file" for path in folders]
    others += [path for path in paths if ".ipynb" in path.name.lower()]
    owners = {path: student_of(path, depth) for path in (*notebooks, *others)}
    names = tell_apart(owners, notebooks)
    students = {name: Student() for name in sorted(names.values(), key=str.casefold)}
    add_results(students, names, notebooks, left_out)
    return students, [(printable(str(path)), printable(why)) for path, why in left_out]


def add_results(students, names, notebooks, left_out):
    """Adds the notebooks' results to their students. Exercises that lie in two folders go to `left_out` too."""
    folders = {}
    for path, results in notebooks.items():
        name = names[path]
        students[name].notebooks += 1
        twice = []
        for exercise, found in results.items():
            students[name].results[exercise] += found
            if folders.setdefault((name, exercise), path.parent) != path.parent:
                twice.append(exercise)
        if twice:
            left_out.append((path, f"{name} has {', '.join(twice)} in another folder too"))


# Counting


def is_mistake(result):
    return result != RIGHT and result not in UNCHECKED


def rank_mistakes(students):
    """{mistake: {exercise: [name]}}, the mistake of most students first, and so its exercises."""
    found = defaultdict(lambda: defaultdict(list))
    for name, student in students.items():
        for exercise in EXERCISES:
            result, _ = student.result(exercise)
            if is_mistake(result):
                found[result][exercise].append(name)

    def key(id):
        names = [name for names in found[id].values() for name in names]
        return -len(set(names)), -len(names), id in GENERAL, id

    ranking = {}
    for id in sorted(found, key=key):
        ranking[id] = dict(sorted(found[id].items(), key=lambda item: -len(item[1])))
    return ranking


def rank_exercises(students):
    """{exercise: Counter of results}: first the one that most of those who have it did not get right.

    A mistake counts as "mistake". Exercises that nobody handed in were not set and are left out.
    """
    counts = {exercise: Counter() for exercise in EXERCISES}
    for exercise, count in counts.items():
        for student in students.values():
            result, _ = student.result(exercise)
            count["mistake" if is_mistake(result) else result] += 1
    handed_in = {exercise for exercise, count in counts.items() if count[MISSING] < len(students)}

    def right_or_missing(exercise):
        return counts[exercise][RIGHT] + counts[exercise][MISSING]

    return {name: counts[name] for name in sorted(counts, key=right_or_missing) if name in handed_in}


def group_by_reason(left_out):
    """{reason: [file]}, rare reasons first: those of a single student."""
    files = defaultdict(list)
    for file, why in left_out:
        files[why].append(file)
    return dict(sorted(files.items(), key=lambda item: len(item[1])))


def mistake_text(id, exercises):
    """(cause, question) of a mistake, for the exercise in which most made it."""
    return cause_and_question(id, next(iter(exercises)))


# Writing


def spreadsheet_text(text):
    """Text for a cell of a spreadsheet, which would compute what begins like a formula."""
    return f"'{text}" if text.startswith(tuple("=+-@\t\r＝＋－＠")) else text


def write_tables(students, exercises, out):
    """Writes students.csv, a row for each student and exercise, and gradebook.csv, a row for each student."""
    rows, wide = [["student", "exercise", "result", "also"]], [["student", *exercises]]
    for name, student in students.items():
        results = {exercise: student.result(exercise) for exercise in exercises}
        name = spreadsheet_text(name)
        rows += [[name, exercise, result, " ".join(also)] for exercise, (result, also) in results.items()]
        wide.append([name, *(" ".join([result, *also]) for result, also in results.values())])
    for file_name, table in zip(TABLES, (rows, wide), strict=True):
        with (out / file_name).open("x", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(table)


def feedback_names(students):
    """{student: file name}; the number keeps apart names that a file system takes for the same."""
    stems = {student: re.sub(r"[^\w .,'()-]", "_", student)[:80] for student in students}
    return {student: f"{i:02} {stem}.txt" for i, (student, stem) in enumerate(stems.items(), 1)}


def feedback(name, student, exercises):
    """What one student gets back, as plain text."""
    lines = [name, "", "What the checker said, exercise by exercise.", ""]
    for exercise in exercises:
        result, also = student.result(exercise)
        error = f" with {also[0]}" if also and result in (STOPPED, RAISES) else ""
        if result in UNCHECKED:
            texts = {
                MISSING: "no notebook with it came back",
                NOT_STARTED: "not started",
                CLEARED: "no output is stored. Run its cell, save, and do not clear the outputs",
                STOPPED: f"the cell stopped{error}",
            }
            lines.append(f"{exercise}: {texts[result]}.")
            continue
        if result == RIGHT:
            lines.append(f"{exercise}: right.")
        else:
            cause, question = cause_and_question(result, exercise)
            stopped = f" It stopped{error}." if error else ""
            lines += [f"{exercise}: not yet.{stopped}", f"    {cause}", f"    Ask yourself: {question}"]
        if result == RAISES:  # `also` has the error's name and no mistakes
            continue
        before = "" if result == RIGHT else "Perhaps also: "
        lines += [f"    {before}{cause_and_question(id, exercise)[0]}" for id in also]
    return "\n".join([*lines, ""])


def make_output_folder(folder):
    """FOLDER/collected/ without the files of an earlier run. Stops if it has any other file."""
    out = folder / OUT
    inner = out / "feedback"
    for path in (out, inner):
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise SystemExit(f"{path} is not a folder written by teaching.collect: move it elsewhere")
    inner.mkdir(parents=True, exist_ok=True)
    old = [path for path in (*out.iterdir(), *inner.iterdir()) if path != inner]
    own = [out / "index.html", *(out / name for name in TABLES), *inner.glob("*.txt")]
    for path in old:
        if path not in own or (path.is_dir() and not path.is_symlink()):
            raise SystemExit(f"{path} was not written by teaching.collect: move it elsewhere")
    for path in old:
        path.unlink()
    return out


def write(folder, students, left_out):
    """Writes everything into FOLDER/collected/, and returns that folder."""
    out = make_output_folder(folder)
    counts, files = rank_exercises(students), feedback_names(students)
    exercises = [exercise for exercise in EXERCISES if exercise in counts]
    write_tables(students, exercises, out)
    for name, student in students.items():
        with (out / "feedback" / files[name]).open("x", encoding="utf-8", newline="\n") as file:
            file.write(feedback(name, student, exercises))
    mistakes = [(id, found, *mistake_text(id, found)) for id, found in rank_mistakes(students).items()]
    with (out / "index.html").open("x", encoding="utf-8", newline="\n") as file:
        file.write(class_page.page(students, counts, mistakes, exercises, files, group_by_reason(left_out)))
    return out


def print_summary(students, left_out):
    """Prints how much was read, what to look at, and both rankings, without names of students but in files."""
    notebooks = sum(student.notebooks for student in students.values())
    print(f"{len(students)} students, {notebooks} notebooks.")
    for why, files in group_by_reason(left_out).items():
        more = f" and {len(files) - 3} more" if len(files) > 3 else ""
        print(f"Look at {', '.join(files[:3])}{more}: {why}")
    print()
    for exercise, counts in rank_exercises(students).items():
        print(f"{exercise}: {counts[RIGHT]} of {counts.total() - counts[MISSING]} right")
    for id, found in rank_mistakes(students).items():
        cause, question = mistake_text(id, found)
        n = len({name for names in found.values() for name in names})
        places = ", ".join(f"{exercise} {len(names)}" for exercise, names in found.items())
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
