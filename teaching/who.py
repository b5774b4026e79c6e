"""Whose a file is: a person of the class list, or, without a list, what its path says."""

import io
import os
import re
import unicodedata
from collections import Counter
from itertools import permutations
from pathlib import PurePath

import pandas as pd

from lesson import check

# Moodle: Name_123_assignsubmission_file, a folder or before a file; 123 counts in one assignment.
MOODLE = re.compile(r"(?:.*/)?(.+?)_(\d+)()_assignsubmission_")
# Canvas: name_123_456_file, name_LATE_123_456_file; 123 is the student's, 456 this file's alone.
CANVAS = re.compile(r"(?:.*/)?([^/]+?)(?:_LATE)?_(\d+)_(\d{3,})_[^/]*$")
# What a path has besides names: notebooks (with what browsers and JupyterLab add), dates, "week 2", "final".
TITLES = "|".join(sorted({task.notebook[3:] for task in check.TASKS})).replace("_", "[ _-]")
NOTEBOOK = re.compile(
    rf"(?<![^\W\d_])(?:0?\d[ _-])?(?:{TITLES})(?![^\W\d_])(?:-\d+|[ _-]*\(\d+\)|[ _-]*copy\d*)*", re.I
)
STAMP = re.compile(r"(?<!\d)20\d\d(?:[-_.]?\d\d){2}(?:[-_. T]*(?:\d\d[-_.:]?){2,3})?(?!\d)")
MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
DATE = re.compile(rf"((?:\d+ )?{MONTH}(?: \d+)?, 20\d\d,? \d\d?):?(\d\d [AP]M)")
WORDS = """week wk woche lab hw homework assignment exercises? ex sheet blatt übung uebung unit session attempt
version submissions? submitted corrections? submission attachments? files? notebooks? copies final new old my
work try draft v (?:copy|kopie)(?:.(?:of|von))?"""
NO_NAME = re.compile(
    rf"(?<![^\W\d_])(?:{'|'.join(WORDS.split())})(?![^\W\d_])[ _-]*\d*|\d{{4,}}|\(\d*\)", re.I
)
SUFFIX = re.compile(r"\.(ipynb.*|[a-z]+)$", re.IGNORECASE)
LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
# The columns of Canvas's gradebook, and how lists of others call them.
GRADEBOOK = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
HEADS = {
    r"student|(full |student |display )?name": "Student",
    r"(first|given)[ _]?name|vorname": "first",
    r"(last|family)[ _]?name|surname|nachname": "last",
    r".*e-?mail.*": "e-mail",
    r"id": "ID",
    r"(sis )?(user|student|id)[ _-]?(id|number|nummer)|matrikel.*|orgdefinedid|identifier": "SIS User ID",
    r"(sis )?login( id)?|(user|login|github_user|benutzer)[ _]?name": "SIS Login ID",
    r"section": "Section",
}
RULE = (
    "Without a class list, a hand-in is whom Moodle or Canvas names with an id (of four digits or more), else the "
    "first folder below {}, else, for files in it, what stands before the notebook's name."
)


def printable(name):
    """A name in normalized Unicode, on one line, without control characters."""
    name = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(c if c.isprintable() else "?" for c in unicodedata.normalize("NFC", name))


def plain(text):
    """Text without accents and case."""
    text = unicodedata.normalize("NFKD", text.casefold().translate(LETTERS))
    return "".join(c for c in text if not unicodedata.combining(c))


def key(name):
    """A name as the lines of the second file are looked up."""
    return re.sub(r"[\s_]+", " ", plain(name)).strip()


def folded(word):
    """A plain word in which ä and ae, or å and aa, are the same."""
    return re.sub("([aou])e|aa", lambda match: match[1] or "a", word)


def words_in(text):
    return re.findall(r"[^\W\d_]+", plain(text))


def runs(path):
    """The words of each part of a path, and those that stand in a row joined, as names are compared."""
    found = set()
    path = re.sub("(?<=[a-zà-ÿ])(?=[A-Z])", " ", path)
    for words in map(words_in, path.split("/")):
        for i in range(len(words)):
            found.update(folded("".join(words[i:end])) for end in range(i + 1, i + 9))
    return found


def name_in(text):
    """What may be a name in a path: without what stands in it besides."""
    for pattern in (NOTEBOOK, DATE, STAMP, NO_NAME):
        text = pattern.sub(" ", text)
    parts = [re.findall(r"[^\s_.,()-][^\s_.,()]*", part) for part in text.split("/")]
    parts = [re.sub(r"^\d+ ", "", " ".join(part)) for part in parts]
    return "/".join(part for part in parts if words_in(part))


class File:
    """What the path of a file says. `shared` is the number of folders that stand around all files."""

    def __init__(self, path, shared):
        self.path, self.place = path, printable(path.as_posix())
        self.text = SUFFIX.sub("", printable(PurePath(*path.parts[shared:]).as_posix()))
        self.name = name_in(self.text)
        match = MOODLE.match(self.place) or CANVAS.match(self.place)
        self.owner, self.id, self.number = match.groups() if match and name_in(match[1]) else ("", "", "")
        # A Canvas id of up to three digits, or like a year, may be something else.
        self.is_sure = bool(self.id) and (
            not self.number or (len(self.id) > 3 and not re.fullmatch(r"20\d\d", self.id))
        )

    @property
    def order(self):
        """Sorts attempts: by date, by Canvas's number, and "x (1)" after "x" and before "x (10)"."""
        stamp, date = STAMP.search(self.place), DATE.search(self.place)
        when = re.sub(r"\D", "", stamp[0]) if stamp else ""
        when = f"{pd.Timestamp(f'{date[1]}:{date[2]}'):%Y%m%d%H%M}" if date else when
        parts = re.split(r"(\d+)", self.text.casefold())
        parts = [int(part) if i % 2 else part for i, part in enumerate(parts)]
        return when, int(self.number or 0), parts, self.place


def read_paths(paths):
    """[File] in the order of attempts. Canvas has a number for each file: a number before two is none."""
    if not paths:
        return []
    shared = len(PurePath(os.path.commonpath({f"./{path.parent}" for path in paths})).parts)
    files = [File(path, shared) for path in paths]
    if len({NOTEBOOK.sub("", file.text) for file in files}) == 1:  # one student's folder
        files = [File(path, 0) for path in paths]
    numbers = Counter((file.owner, file.id, file.number) for file in files)
    for file in files:
        if file.number and numbers[file.owner, file.id, file.number] > 1:
            file.owner, file.id, file.number, file.is_sure = "", "", "", False
    return sorted(files, key=lambda file: file.order)


# The class list


class Person:
    """Somebody of the class list. `row` has what the list says, by HEADS."""

    def __init__(self, row):
        self.row, self.name = row, row["Student"]
        parts = re.sub(r"\(.*?\)|,", " ", plain(self.name)).split()
        words = [word for part in parts if (word := re.sub(r"[\W\d_]", "", part))]
        self.words = frozenset(map(folded, words))
        self.joined = {folded("".join(order)) for order in permutations(words if len(words) < 6 else [])}
        mail = row.get("e-mail", "")
        ids = [*(row.get(head, "") for head in GRADEBOOK[1:4]), mail, mail.partition("@")[0]]
        self.ids = [id.casefold().removeprefix("participant ") for id in ids if id]

    def is_named_in(self, found):
        return bool(self.words) and (self.words <= found or not self.joined.isdisjoint(found))

    def has_id_in(self, text):
        """Whether an id stands in a text by itself. Short ids and one's own name are no ids there."""
        ids = [id for id in self.ids if len(id) > 4 and id in text and folded(plain(id)) not in self.words]
        return any(re.search(rf"(?<![^\W_]){re.escape(id)}(?![^\W_])", text) for id in ids)


def find(people, text, id=""):
    """Those of `people` whom a text fits: by an id (or the id that a platform wrote), or else by all words of a name."""
    found = runs(NOTEBOOK.sub(" ", text))
    named = [p for p in people if p.is_named_in(found)]
    known = [p for p in people if p.has_id_in(text.casefold()) or id in p.ids]
    if not known:
        return named + [p for p in people if p not in named and any(other.words < p.words for other in named)]
    sure = [p.words for p in known if p in named]
    return known + [
        p for p in named if p not in known and not any(w <= p.words or p.words <= w for w in sure)
    ]


def find_all(people, files):
    """[the people whom a file fits]. Whom all files name, beside others, stands around the class."""
    fits = [find(people, file.text, file.id) for file in files]
    around = [person for person in people if all(person in found for found in fits)]
    if any(len(found) > len(around) for found in fits):
        fits = [[person for person in found if person not in around] for found in fits]
    return fits


def decoded(content):
    """The text of a file that a spreadsheet or a platform wrote."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16").strip()
    if b"\0" in content:
        raise ValueError("no text: save it as a CSV file")
    try:
        return content.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace").strip()


def read_table(content):
    """A CSV file as a table of strings, whatever separates its columns."""
    text = decoded(content)
    separator = max(",;\t", key=text.partition("\n")[0].count)
    table = pd.read_csv(io.StringIO(text), sep=separator, dtype=str, keep_default_na=False, index_col=False)
    return table.rename(columns=str.strip)


def read_list(content):
    """The people of a class list: a table with heads in the form of a platform, or a name a line."""
    known = {}
    for head in reversed(re.split("[,;\t]", decoded(content).partition("\n")[0])):
        head = head.strip('" \r')
        if name := next((name for form, name in HEADS.items() if re.fullmatch(form, head.casefold())), None):
            known[head] = name
    if {"Student", "first", "last", "e-mail"}.isdisjoint(known.values()):
        rows = map(row_of_line, decoded(content).splitlines())
    else:
        rows = read_table(content)[list(known)].rename(columns=known).drop_duplicates().to_dict("records")
    people = []
    for row in rows:
        name = (
            row.get("Student")
            or f"{row.get('first', '')} {row.get('last', '')}".strip()
            or row.get("e-mail", "")
        )
        row["Student"] = name.strip()
        if row["Student"] not in ("", "Points Possible", "Student, Test", "Test Student"):
            people.append(Person(row))
    counts = Counter(person.name for person in people)
    for number, person in enumerate(people, 1):
        if counts[person.name] > 1:
            person.name += f" ({max(person.ids, key=len, default=number)})"
    return people


def row_of_line(line):
    """What a line without heads says: a name, and perhaps an e-mail address and ids."""
    words = re.sub(r"^\s*\d{1,3}[.)]?\s+|[\t;]", " ", line).split()
    ids = [word.strip("<>(),") for word in words if re.search(r"[@\d]", word)]
    name = " ".join(word for word in words if not re.search(r"[@\d]", word)).strip(" ,<>()")
    return {"e-mail" if "@" in id else "SIS User ID": id for id in ids} | {"Student": name}


# Without a list


def hand_ins(files):
    """[(name, id)] by RULE, and FOLDER's part of the class: a folder that is alone and holds several names."""
    if not files:
        return [], PurePath()
    depth = len(files[0].path.parts) - len(PurePath(files[0].text).parts)
    firsts = {name_in(file.text) if "/" not in file.text else file.text.partition("/")[0] for file in files}
    if len(firsts - {""}) < 2:
        depth = 0
    found = []
    for file in files:
        first, *others = map(printable, file.path.parts[depth:])
        stem = SUFFIX.sub("", first)
        parts = [part.strip(" _-.,") for part in NOTEBOOK.split(stem) if name_in(part)]
        name = first if others else [*parts, stem][0]
        found.append((file.owner, file.id) if file.is_sure else (name, ""))
    return found, PurePath(*files[0].path.parts[:depth])


def doubts(owners):
    """{why: [hand-ins]} that may be several people's, or one person's; `owners` has (hand-in, File)."""
    inside, people = {}, {}
    for name, file in owners:
        below = "" if file.is_sure else SUFFIX.sub("", file.place.partition(name)[2])
        inside.setdefault(name, set()).add(name_in(below))
        people[name] = Person({"Student": name_in(name).replace("/", " ")})
    several = {name: sorted(names - {""}) for name, names in inside.items()}
    words = {name: runs(person.name) for name, person in people.items()}
    pairs = {
        tuple(sorted((a, b))) for a in people for b in people if a != b and people[a].is_named_in(words[b])
    }
    return {
        "may be several people": [(name, *names) for name, names in several.items() if len(names) > 1],
        "may be one person": sorted(pairs),
        "without a name": [(name,) for name, person in people.items() if not person.words],
    }
