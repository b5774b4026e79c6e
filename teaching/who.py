"""Whose a file is: the person of the class list whom its notebook or its path names, by the rule of the guide."""

import re
import unicodedata
from collections import Counter, defaultdict
from itertools import chain, combinations
from posixpath import commonpath, dirname, relpath
from typing import NamedTuple

import pandas as pd

from lesson import check

TITLES = "|".join({task.notebook[3:] for task in check.TASKS}).replace("_", "[ _-]")
# The name of a notebook with what browsers and JupyterLab add to it; or the ending of another file.
NOTEBOOK = re.compile(
    rf"(?i:(?<![^\W\d_])(?:\d\d[ _-])?(?:{TITLES})(?![^\W\d_])(?:-\d+|[ _-]*\(\d+\))*|\.[a-z]+$)"
)
# What Moodle, Canvas and Blackboard write before a file. Canvas's first number is no year or date.
PLATFORM = re.compile(
    r"""(?:^|/)(?:
    (?P<name>[^/]+?)_(?P<participant>\d+)_assignsubmission_
    |(?P<glued>[^/\d\sA-Z_.-]+)(?:_(?P<late>LATE))?_(?!20\d\d(?:\d{4})?_)(?P<number>\d{4,})_\d{4,}_(?=[^/]*$)
    |[^/]*?_(?P<user>[^/_]+)_attempt_\d{4}-)""",
    re.VERBOSE,
)
# The date of Brightspace, "Oct 30, 2026 905 PM", in two parts between which a colon belongs.
DATE = re.compile(r"([A-Z][a-z]{2,8} \d+, 20\d\d \d\d?)(\d\d [AP]M)")
ACCENTS = re.compile("(?<=[a-z\u0370-\u04ff])[\u0300-\u036f]+")  # of Latin, Greek and Cyrillic letters
LETTERS = str.maketrans({"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"})
GLUED = "+"  # begins the key of a name whose words are glued together; no word has it


def folded(text):
    """A text with one form of each letter, NFC and case folded."""
    return unicodedata.normalize("NFC", text.strip().casefold())


def words(text):
    """The words of a text, folded: letters with their marks, and digits. O'Brien is one word."""
    text = re.sub("['’ʼ\u200c\u200d]", "", folded(text))
    return "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in text).split()


def bare(word):
    """A word without accents."""
    apart = unicodedata.normalize("NFD", word.translate(LETTERS))
    return unicodedata.normalize("NFC", ACCENTS.sub("", apart))


def keys(parts):
    """What words are looked up by, in any order: as they are, and without accents."""
    return [(form, *sorted(map(form, parts))) for form in (str, bare)]


def narrowed(sets):
    """Sets of people without the empty ones, and those that have another of them within."""
    sets = {frozenset(people) for people in sets if people}
    return {people for people in sets if not any(other < people for other in sets)}


def union(sets):
    return frozenset().union(*sets)


class File(NamedTuple):
    """A file of the class's folder."""

    place: str  # its path, with "/"
    student: str  # what its notebook says
    text: str  # its path below the folders that all files share
    before: str  # what most top folders begin with, such as "attention-lab-" of GitHub Classroom

    @property
    def platform(self):
        """What a platform wrote: the groups of PLATFORM, or a folder of GitHub Classroom with its user."""
        folder = re.compile(rf"(?P<folder>{re.escape(self.before)}(?<=-)(?!\d+/)(?P<user>[^/]+))/")
        found = PLATFORM.search(self.text) or folder.match(self.text)
        return defaultdict(str, found.groupdict("") if found else {})

    @property
    def sender(self):
        """Whom a platform names with a number, as "Ada Lovelace (41)", or gives a folder, or ""."""
        found = self.platform
        number = found["participant"] or found["number"]
        return f"{found['name'] or found['glued']} ({number})" if number else found["folder"]


def read_files(students):
    """[File] in the order of attempts, of {path: what the notebook says}."""
    shared = commonpath([*map(dirname, students)] or [""])
    texts = [relpath(place, shared) for place in students]
    if len(texts) < 2 or not any(words(NOTEBOOK.sub("/", text)) for text in texts):  # one student's folder
        texts = [relpath(place, dirname(shared)) for place in students]
    tops = {text.split("/")[0] for text in texts}
    starts = Counter(top[: end.end()] for top in tops for end in re.finditer("[ _-]+", top))
    common = [start for start, n in starts.items() if n > 1 and 2 * n > len(tops)]
    before = max(common, key=len, default="")
    files = [File(*pair, text, before) for pair, text in zip(students.items(), texts)]
    return sorted(files, key=order_of)


def order_of(file):
    """Sorts attempts by dates and numbers, "x (1)" after "x" and before "x (10)"."""
    text = file.text.removesuffix(".ipynb")
    text = DATE.sub(lambda date: str(pd.to_datetime(f"{date[1]}:{date[2]}", errors="coerce")), text)
    return re.sub(r"\d+", lambda digits: digits[0].zfill(20), text)


def without_list(files):
    """([(what a file is called, path)], these names as a class list), of a pair both."""
    called, owners = {}, []
    for file in files:
        top, *below = file.text.split("/")
        before = top if below else NOTEBOOK.split(top)[0].strip(" _-.,")
        says = [name.strip() for name in file.student.split(";") if name.strip()]
        for name in says or [file.sender or before or top]:
            owners.append((called.setdefault(folded(name), name), file.place))
    names = sorted(called.values())
    return owners, pd.DataFrame({"Student": names, "_ids": [[] for _ in names]}, index=names)


def id_within(id):
    """The pattern of an id between other words; a name of letters is no part of another one, as in "max-x@y"."""
    whole = re.escape(id) if id.isdigit() else rf"(?<![-.+]){re.escape(id)}(?![-.+]?[^\W_]|@)"
    return re.compile(rf"(?<![^\W_]){whole}(?![^\W_])")


class Roster:
    """The people of a class list, by all that they are called."""

    def __init__(self, table):
        self.names, self.ids = defaultdict(set), defaultdict(set)
        known = set()
        for person, ids in table._ids.items():
            for id in ids:
                self.ids[folded(id)].add(person)
            name = re.sub(r"\(.*?\)|\S*@\S*", " ", person)
            known.update(map(bare, words(name)))
            for spelling in (name, re.sub("['’]", " ", name), person):
                parts = words(spelling)
                glued = [[GLUED + "".join(parts[i:] + parts[:i])] for i in range(len(parts))]
                for more in [parts, *glued, *(parts + words(id) for id in ids)] if parts else []:
                    for key in keys(more):
                        self.names[key].add(person)
        # An id of words that are names says no more than a name, unless a platform puts it.
        named = {id for id in self.ids if {*map(bare, words(id))} <= known or self.look_up([GLUED + id])}
        self.sure = {id: people for id, people in self.ids.items() if id not in named}
        self.patterns = {id_within(id): people for id, people in self.sure.items() if len(id) > 4}

    def look_up(self, parts):
        """The people whom words name in any order, as they are or else without accents."""
        exact, loose = (self.names.get(key) for key in keys(parts))
        return frozenset(exact or loose or ())

    def called(self, text):
        """The people who are called so, by a whole name or an id."""
        return self.look_up(words(text)) | self.sure.get(folded(text), set())

    def exactly(self, text):
        """The people of a text with semicolons, if each part is what exactly one is called."""
        parts = [self.called(part) for part in text.split(";") if part.strip()]
        return union(parts if all(len(part) == 1 for part in parts) else [])

    def named_in(self, text):
        """The people of each name in a text, unless it is within a longer one; a word alone must be all of a step."""
        found = set()
        for parts in map(words, text.split("/")):
            spans = combinations(range(len(parts) + 1), 2)
            spans = [(i, j) for i, j in spans if self.look_up(parts[i:j])]
            for start, end in spans:
                is_within = any(i <= start and end <= j and j - i > end - start for i, j in spans)
                if (end - start > 1 or len(parts) == 1) and not is_within:
                    found.add(self.look_up(parts[start:end]))
        return found

    def by_path(self, file):
        """The sets of people of the first step that names somebody."""
        found = file.platform
        owner = self.called(found["name"]) | self.look_up([GLUED + "".join(words(found["glued"]))])
        number = found["number"] or f"participant {found['participant']}"
        by_number = self.ids[number] if owner or len(number) > 4 else set()
        text = NOTEBOOK.sub("/", PLATFORM.sub("/", file.text))
        rest = folded(text.removeprefix(file.before))
        steps = [
            [owner, by_number, self.ids[folded(found["user"])]],
            [people for pattern, people in self.patterns.items() if pattern.search(rest)],
            [self.look_up(words(text.split("/")[0])), *self.named_in(rest)],
        ]
        named = next(filter(None, map(narrowed, steps)), set())
        within = [people for people in chain(*steps) if any(people < one for one in named)]
        return narrowed([*named, *within])

    def claim(self, file):
        """(whose a file is, if that is settled; the sets of people whom its notebook names; whom its path names)."""
        # There may be more than a name.
        said = narrowed(map(self.called, file.student.split(";"))) or self.named_in(file.student)
        named = self.by_path(file)
        if people := self.exactly(file.student):
            agreed = all(people & one for one in named)
        else:
            people = union(named)
            agreed = len(people) == 1 and ";" not in file.student and all(people <= one for one in said)
        return people if agreed else frozenset(), said, named

    def owners(self, files, lines):
        """([(person, path)], {what waits: people whose it may be}).

        `lines` are {name: line} of whose.csv; what waits gets one.
        """
        owners, waits = [], {}
        for file in files:
            people, said, named = self.claim(file)
            # In a conflict, and of people with one name, each file has a line.
            name = file.place if said else file.sender or file.place
            keys = [folded(key) for key in (file.place, dirname(file.place), name)][: 1 if people else 3]
            key = next((key for key in keys if key in lines), keys[-1])
            name, answer, *_ = lines.get(key, [name, ""])
            people = self.exactly(answer) or people
            if folded(answer) == "nobody":
                people = ()
            elif not people:
                path = " | ".join(sorted(union(named)))
                lines[key] = [name, answer, file.student, path, file.place]
                why = f"notebook: {file.student or '-'}; path: {path or '-'}"
                waits[f"{file.place} ({why})"] = union([*said, *named])
            owners += [(person, file.place) for person in sorted(people)]
        return owners, waits
