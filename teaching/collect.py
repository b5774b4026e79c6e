"""Shows what a class did not understand, from the notebooks that it handed in.

    .venv/bin/python -m teaching.collect FOLDER

FOLDER holds what Canvas or Moodle gives, a folder for each student, or files with the student's name;
folders of groups or of an unpacked archive may stand around them. The program reads the verdicts that
are stored in the notebooks and runs nothing. It writes FOLDER/collected/: index.html for the teacher,
students.csv and gradebook.csv for a spreadsheet, and feedback/ with a file for each student. Nothing
leaves this machine.

A file is of the student whom Moodle names in the folder above it, or Moodle or Canvas in its own name,
and another id is another student. Other students are called by the outermost folder that is not a
group's, or else by the file. A folder is a group's if it holds one exercise under several names; so are
the folders around it, and those as deep as these that hold several names. Where this may be wrong, it is
told as a guess. (Names that differ in numbers of up to three digits alone do not count as several.)
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
from typing import NamedTuple

from lesson import check
from lesson.check.mistakes.general import GENERAL
from lesson.check.puzzles.head_puzzle import NAMED
from lesson.check.verdict import TYPE
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

# Moodle: Name_123_assignsubmission_file, a folder or before a file; 123 counts in one assignment.
MOODLE = re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_")
# Canvas: name_123_456_file, name_LATE_123_456_file; 123 is the student's, 456 this file's alone.
CANVAS = re.compile(r"(?P<name>.+?)(_LATE)?_(?P<id>\d+)_\d{3,}_")
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

    name: str
    id: str
    places: set[str | None]  # as in Owner
    group: str  # as in Owner
    # {exercise: {file: (result, also)}}, in order
    results: dict[str, dict] = field(default_factory=lambda: defaultdict(dict))
    notebooks: int = 0

    def result(self, exercise):
        """(result, also): the best one, and of several as good the last."""
        results = self.results.get(exercise, {"": (MISSING, ())})
        return max(reversed(results.values()), key=rank)

    def latest(self, exercise):
        """The (result, also) of the last of several files, or None."""
        results = list(self.results.get(exercise, {}).values())
        return results[-1] if len(results) > 1 else None

    def doubts(self):
        """The places or files that may be those of several people with one name."""
        if not self.id and len(self.places) > 1:
            return sorted(self.places)
        if self.id and None not in self.places:  # Moodle's form is no chance
            return []
        several = [files for files in self.results.values() if len(set(map(hand, files))) > 1]
        files = {path for found in self.results.values() for path in found}
        if any(map(are_several, names_in_folders(files, {}).values())):
            several = [files]
        return sorted({printable(str(path)) for files in several for path in files})


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
        exercise, text = verdict["exercise"], join_lines(data.get("text/plain"))
        also = tuple(id for id in also if is_mistake_id(id)) if isinstance(also, list) else ()
        if verdict.get("passed") is True:
            yield exercise, (RIGHT, also)
        elif is_mistake_id(verdict.get("mistake")):
            also = raised_in(text) if verdict["mistake"] == RAISES else also
            yield exercise, (verdict["mistake"], also)


def raised_in(text):
    """The name of the error in a verdict's text: (name,), or () if it has none."""
    error = RAISED.search(text)
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


class Owner(NamedTuple):
    """The student whom a path names."""

    name: str
    id: str  # as Canvas or Moodle wrote it, or ""
    place: str | None  # the folder in which the name or the id counts; None if it counts everywhere
    group: str = ""  # a folder that may be a group's, or this student's


def platform_owners(paths):
    """{path: Owner} of the files that Moodle or Canvas named.

    Canvas has a number for each file: before two files, it is not Canvas's.
    """
    numbers = Counter(match[0] for path in paths if (match := CANVAS.match(printable(path.name))))
    owners = {}
    for path in paths:
        parts = [printable(part) for part in path.parts]
        canvas = CANVAS.match(parts[-1])
        found = [(match, i) for i, part in enumerate(parts) if (match := MOODLE.match(part))]
        if found:
            match, i = found[-1]
            owners[path] = Owner(match["name"], match["id"], "/".join(parts[:i]))
        elif canvas and numbers[canvas[0]] == 1:
            owners[path] = Owner(canvas["name"], canvas["id"], None)
    return owners


def owner_by_folder(path, outermost, around):
    """The Owner of a file that no platform named: its outermost folder that is not in `around`, or its own name.

    The first `outermost` folders stand around the whole class: they are the last choice.
    """
    *folders, file = map(printable, path.parts)
    for i in range(outermost, len(folders)):
        if path.parts[: i + 1] not in around:
            return Owner(folders[i], "", "/".join(folders[:i]))
    name = name_in(file)
    if not name and folders and path.parent.parts not in around:
        *folders, name = folders
    return Owner(name or SUFFIX.sub("", file), "", "/".join(folders))


def name_in(file):
    """What a file's name has besides the notebook's: the student's name, or ""."""
    return NOTEBOOK_NAME.sub(" ", SUFFIX.sub("", file)).strip(" _-.,")


def hand(path):
    """The folder and the name under which somebody handed in; of copies the same."""
    name = name_in(CANVAS.sub("", printable(path.name), count=1))
    return path.parent, re.sub(r"(?i)[ _-]*(\(\d+\)|copy\d*)$", "", name)


def names_in_folders(paths, notebooks):
    """{(folder, "files" or "folders", exercise): names in it}; exercise None has those of all.

    The names are without numbers of up to three digits: a student may count versions.
    """
    names = defaultdict(set)
    for path in paths:
        for depth in range(1, len(path.parts)):
            is_file = depth == len(path.parts) - 1
            name = hand(path)[1] if is_file else path.parts[depth]
            for exercise in [None, *notebooks.get(path, ())]:
                key = path.parts[:depth], "files" if is_file else "folders", exercise
                names[key].add(re.sub(r"[\W_]|(?<!\d)\d{1,3}(?!\d)", "", name))
    return names


def are_several(names):
    """Whether these may be the names of several people."""
    return len(names) > 1 and "" not in names


def folders_of_groups(paths, notebooks):
    """(folders of groups, those of them that may be one student's).

    A folder is a group's if it holds one exercise under several names; so are the folders around it, and those
    as deep as these that hold several names. If one as deep is no group's, each of them may be one student's.
    """
    names = names_in_folders(paths, notebooks)
    several = {(folder, exercise) for (folder, _, exercise), found in names.items() if are_several(found)}
    sure = {folder[:depth] for folder, exercise in several if exercise for depth in range(1, len(folder) + 1)}
    depths = set(map(len, sure))
    groups = sure | {folder for folder, _ in several if len(folder) in depths}
    others = {path.parts[:depth] for path in paths for depth in range(1, len(path.parts))} - groups
    mixed = set(map(len, others))
    return groups, {folder for folder in groups if folder not in sure or len(folder) in mixed}


def owners_of(paths, folders, notebooks):
    """{path: Owner} of the files, and of "any file" in a folder whose student has no notebook."""
    folders = [path / "any file" for path in folders]
    owners = platform_owners([*paths, *folders])
    around = {folder.parts for path in owners for folder in path.parents}
    others = [path for path in paths if path in notebooks or ".ipynb" in path.name.lower()]
    others = [path for path in others if path not in owners]
    full = around | {path.parent.parts for path in others} | {()}
    others += [path for path in folders if path.parent.parts not in full]
    parents = {str(path.parent) for path in others}
    outermost = len(Path(os.path.commonpath(parents)).parts) if len(parents) > 1 else 0
    groups, doubtful = folders_of_groups(others, notebooks)
    for path in others:
        owner = owner_by_folder(path, outermost, around | groups)
        group = [path.parts[:depth] for depth in range(1, len(path.parts)) if path.parts[:depth] in doubtful]
        owners[path] = owner._replace(group=printable(group[-1][-1])) if group else owner
    return owners


def tell_apart(owners, notebooks):
    """{(name, id, place): [file]} of each student; `place` is "" if the name or the id is enough.

    Without an id, one name in several places is one student if no exercise is in two of them.
    """
    places = defaultdict(set)
    for path, owner in owners.items():
        for exercise in notebooks.get(path, ()):
            places[owner.name, owner.id, exercise].add(owner.place)
    apart = {name for (name, id, _), found in places.items() if len(found) > 1 and not id}
    files = defaultdict(list)
    for path, (name, id, place, _) in owners.items():
        files[name, id, place if name in apart and not id else ""].append(path)
    return files


def students_of(owners, notebooks):
    """{name on the page: Student}, sorted, each with the results of the notebooks among their files."""
    files = tell_apart(owners, notebooks)
    counts = Counter(name for name, _, _ in files)
    students = {}
    for (name, id, place), paths in files.items():
        full_name = f"{name} ({id or place})" if counts[name] > 1 and (id or place) else name
        while full_name in students:  # a folder's name may look like a name with an id
            full_name += "'"
        places = {owners[path].place for path in paths}
        student = students[full_name] = Student(name, id, places, owners[paths[0]].group)
        for path in paths:
            if path in notebooks:
                student.notebooks += 1
            for exercise, found in notebooks.get(path, {}).items():
                student.results[exercise][path] = max(reversed(found), key=rank)
    return {name: students[name] for name in sorted(students, key=str.casefold)}


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
    students = students_of(owners_of(paths, folders, notebooks), notebooks)
    return students, [(printable(str(path)), printable(why)) for path, why in left_out]


def whom_to_look_at(students):
    """{what about them, and how many: [whom]}: several files of one exercise, and guesses."""
    several = []
    for name, student in students.items():
        if exercises := [exercise for exercise in student.results if student.latest(exercise)]:
            several.append(f"{name} ({', '.join(exercises)})")
    guessed = guesses(students)
    found = {
        f"Several files of one exercise, the best counts ({len(several)})": several,
        f"Guesses at who is who ({len(guessed)})": guessed,
    }
    return {what: names for what, names in found.items() if names}


def guesses(students):
    """What the files do not tell of who is who, a sentence each."""
    namesakes, groups = defaultdict(list), defaultdict(list)
    for name, student in students.items():
        groups[student.group].append(name)
        namesakes[re.sub(r"[\s_.,-]+", "", student.name.casefold())].append(name)
    found = []
    for names in namesakes.values():
        places = [students[name].places for name in names]
        known = all(students[name].id for name in names) and places.count(places[0]) == len(places)
        if len(names) > 1 and not known:
            found.append(f"{' and '.join(names)} may be the same person")
    groups.pop("", None)
    found += [f"{group} may be one person: {', '.join(names)}" for group, names in groups.items()]
    for name, student in students.items():
        if doubts := student.doubts():
            found.append(f"{name} may be several people: {', '.join(doubts)}")
    return found


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


PUZZLE_ASKS = "For which of the 72 heads is the selectivity the largest?"
TEXTS = (
    {mistake.id: (mistake.cause, mistake.ask) for mistake in check.MISTAKES}
    | {id: (cause, PUZZLE_ASKS) for id, cause in NAMED.values()}
    | GENERAL
)


def cause_and_question(id):
    """(cause, question) of a mistake; of an id from another version of the library, a text that says so."""
    return TEXTS.get(id, ("A check of another version found this.", "What does its message ask?"))


# Writing


def spreadsheet_text(text):
    """Text for a cell of a spreadsheet, which would compute what begins like a formula."""
    return f"'{text}" if text.startswith(tuple("=+-@\t\r＝＋－＠")) else text


def in_words(result):
    """A (result, also) in one cell; "" for None."""
    kind, also = result or ("", ())
    return " ".join([kind, *also])


def write_tables(students, exercises, out):
    """Writes students.csv, a row for each student and exercise, and gradebook.csv, a row for each student."""
    rows = [["student", "id", "exercise", "result", "also", "latest"]]
    wide = [["student", "id", *exercises]]
    for name, student in students.items():
        who = [spreadsheet_text(name), student.id]
        for exercise in exercises:
            result, also = student.result(exercise)
            rows.append([*who, exercise, result, " ".join(also), in_words(student.latest(exercise))])
        wide.append([*who, *(in_words(student.result(exercise)) for exercise in exercises)])
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
        latest = student.latest(exercise)
        if latest not in (None, (result, also)):
            lines.append(f"{exercise}: several files came, the best counts. The latest: {in_words(latest)}.")
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
            cause, question = cause_and_question(result)
            stopped = f" It stopped{error}." if error else ""
            lines += [f"{exercise}: not yet.{stopped}", f"    {cause}", f"    Ask yourself: {question}"]
        if result == RAISES:  # `also` has the error's name and no mistakes
            continue
        before = "" if result == RIGHT else "Perhaps also: "
        lines += [f"    {before}{cause_and_question(id)[0]}" for id in also]
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
    mistakes = [(id, found, *cause_and_question(id)) for id, found in rank_mistakes(students).items()]
    to_look_at = whom_to_look_at(students), group_by_reason(left_out)
    page = class_page.page(students, counts, mistakes, exercises, files, *to_look_at)
    with (out / "index.html").open("x", encoding="utf-8", newline="\n") as file:
        file.write(page)
    return out


def print_summary(students, left_out):
    """Prints how much was read, whom and what to look at by name, and both rankings without names."""
    notebooks = sum(student.notebooks for student in students.values())
    print(f"{len(students)} students, {notebooks} notebooks.")
    for what, names in whom_to_look_at(students).items():
        print(f"{what}: {'; '.join(names)}")
    for why, files in group_by_reason(left_out).items():
        more = f" and {len(files) - 3} more" if len(files) > 3 else ""
        print(f"Look at {', '.join(files[:3])}{more}: {why}")
    print()
    for exercise, counts in rank_exercises(students).items():
        print(f"{exercise}: {counts[RIGHT]} of {counts.total() - counts[MISSING]} right")
    for id, found in rank_mistakes(students).items():
        cause, question = cause_and_question(id)
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
