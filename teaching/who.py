"""Whose a file is: the person of the class list whom its notebook or its path names, by the rule of the guide."""

import re
import unicodedata
from collections import Counter, defaultdict
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
    |(?P<glued>[^/\d\sA-Z_.-]+)(?P<late>_LATE)?_(?!20\d\d(?:\d{4})?_)(?P<number>\d{4,})_\d{4,}_(?=[^/]*$)
    |[^/]*?_(?P<user>[^/_]+)_attempt_\d{4}-)""",
    re.VERBOSE,
)
# The date of Brightspace, "Oct 30, 2026 905 PM", in two parts between which a colon belongs.
DATE = re.compile(r"([A-Z][a-z]{2,8} \d+, 20\d\d \d\d?)(\d\d [AP]M)")
ACCENTS = re.compile("(?<=[a-z\u0370-\u04ff])[\u0300-\u036f]+")  # of Latin, Greek and Cyrillic letters
LETTERS = str.maketrans({"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"})
LINE = [
    "name",
    "student",
    "notebook says",
    "path names",
    "file",
]  # of whose.csv; the teacher writes "student"

# Words


def folded(text):
    """A text with one form of each letter, NFC and case folded."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text.strip()).casefold())


def words(text):
    """The words of a text, folded: letters with their marks, and digits. O'Brien is one word."""
    text = re.sub("['’ʼ\u200c\u200d]", "", folded(text))
    return "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in text).split()


def bare(word):
    """A word without accents."""
    return unicodedata.normalize(
        "NFC", ACCENTS.sub("", unicodedata.normalize("NFD", word.translate(LETTERS)))
    )


def look_up(tables, parts, key=tuple):
    """The people whom words name in any order, as they are or else without accents."""
    exact, loose = (tables[form].get(key(sorted(map(form, parts))), set()) for form in (str, bare))
    return frozenset(exact or loose)


def narrowed(sets):
    """Sets of people without the empty ones, and those that have another of them within."""
    sets = {frozenset(people) for people in sets if people}
    return {people for people in sets if not any(other < people for other in sets)}


def union(sets):
    return frozenset().union(*sets)


# Files


class File(NamedTuple):
    """A path with "/", what its notebook says, and the path below the folders that all files share."""

    place: str
    student: str
    text: str

    @property
    def platform(self):
        """{what: text} of what a platform wrote, or {}."""
        found = PLATFORM.search(self.text)
        return {what: text for what, text in found.groupdict().items() if text} if found else {}

    @property
    def owner(self):
        """Whom a platform names with a number, as "Ada Lovelace (41)", or ""."""
        found = self.platform
        number = found.get("participant") or found.get("number")
        return f"{found.get('name') or found.get('glued')} ({number})" if number else ""

    @property
    def called(self):
        """What the notebook says, or whom a platform names, or the top folder, or what stands before a file's title."""
        top, *below = self.text.split("/")
        before = top if below else NOTEBOOK.split(top)[0].strip(" _-.,")
        return self.student or self.owner or before or top


def read_files(students):
    """[File] in the order of attempts, of {path: what the notebook says}."""
    shared = commonpath([dirname(place) for place in students] or [""])
    texts = [relpath(place, shared) for place in students]
    parts = [part for text in texts for part in NOTEBOOK.split(text)]
    if len(texts) < 2 or not any(map(words, parts)):  # one student's folder
        texts = [relpath(place, dirname(shared)) for place in students]
    files = [File(*pair, text) for pair, text in zip(students.items(), texts)]
    return sorted(files, key=order_of)


def order_of(file):
    """Sorts attempts by dates and numbers, "x (1)" after "x" and before "x (10)"."""
    text = file.text.removesuffix(".ipynb")
    text = DATE.sub(lambda date: str(pd.to_datetime(f"{date[1]}:{date[2]}", errors="coerce")), text)
    return re.sub(r"\d+", lambda digits: digits[0].zfill(20), text)


def before_names(files):
    """What most top folders begin with, in whole words, such as "attention-lab-" of GitHub Classroom."""
    tops = {file.text.split("/")[0] for file in files}
    starts = Counter(top[: end.end()] for top in tops for end in re.finditer("[ _-]+", top))
    return max((start for start, n in starts.items() if n > 1 and 2 * n > len(tops)), key=len, default="")


def without_list(files):
    """([(what a file is called, path)], these names as a class list), of a pair both."""
    called = {}
    owners = []
    for file in files:
        names = [name.strip() for name in file.student.split(";") if name.strip()] or [file.called]
        owners += [(called.setdefault(folded(name), name), file.place) for name in names]
    names = sorted(called.values())
    return owners, pd.DataFrame({"Student": names, "_ids": [[] for _ in names]}, index=names)


# People


class Roster:
    """The people of a class list, by all that they are called."""

    def __init__(self, table):
        self.names, self.glued = ({form: defaultdict(set) for form in (str, bare)} for _ in range(2))
        self.ids = defaultdict(set)
        known = set()
        for person, ids in table._ids.items():
            for id in ids:
                self.ids[folded(id)].add(person)
            name = re.sub(r"\(.*?\)|\S*@\S*", " ", person)
            known.update(words(name), map(bare, words(name)))
            for spelling in (name, re.sub("['’]", " ", name), person):
                self.add(person, words(spelling), ids)
        self.longest = max(map(len, self.names[str]), default=0)
        # An id of words that are names says no more than a name, unless a platform puts it.
        named = {id for id in self.ids if {*words(id)} <= known or look_up(self.glued, [id], "".join)}
        self.sure = {id: people for id, people in self.ids.items() if id not in named}
        long = sorted((id for id in self.sure if len(id) > 4), key=len, reverse=True)
        long = [re.escape(id) if id.isdigit() else rf"(?<![-.+]){re.escape(id)}(?!-?[^\W_]|@)" for id in long]
        self.id_in = re.compile(rf"(?<![^\W_])(?:{'|'.join(long) or '(?!)'})(?![^\W_])")

    def add(self, person, name, ids):
        """Makes the words of a name stand for a person: by themselves, glued together, and with an id."""
        for form in (str, bare) if name else ():
            parts = [form(word) for word in name]
            for more in ([], *map(words, ids)):
                self.names[form][tuple(sorted([*parts, *more]))].add(person)
            for i in range(len(parts)):
                self.glued[form]["".join([*parts[i:], *parts[:i]])].add(person)

    def called(self, text):
        """The people who are called so, by a whole name or an id."""
        return look_up(self.names, words(text)) | self.sure.get(folded(text), set())

    def named_in(self, parts):
        """The people of each name among words, unless it is within a longer one; one word alone is all there is."""
        found = {}
        for i in range(len(parts)):
            for j in range(i + 1, min(len(parts), i + self.longest) + 1):
                if people := (j - i > 1 or len(parts) == 1) and look_up(self.names, parts[i:j]):
                    found[i, j] = people
        inner = {(i, j) for i, j in found if any(a <= i and j <= b and b - a > j - i for a, b in found)}
        return {people for span, people in found.items() if span not in inner}

    def by_path(self, file, before):
        """(the sets of people of the first step that names somebody, all others whom later steps name)."""
        found = file.platform
        owner = self.called(found.get("name", ""))
        owner |= look_up(self.glued, words(found.get("glued", "")), "".join)
        number = found.get("number", f"participant {found.get('participant')}")
        by_number = self.ids.get(number, set()) if owner or len(number) > 4 else set()
        top, *below = PLATFORM.sub("/", file.text).split("/")
        rest = top.removeprefix(before)
        at_end = rest if below and before.endswith("-") and not rest.isdigit() else ""
        user = self.ids.get(folded(found.get("user", at_end)), set())
        whole = look_up(self.names, words(NOTEBOOK.split(top)[0]))
        parts = [words(part) for step in (rest, *below) for part in NOTEBOOK.split(step)]
        steps = [
            narrowed([owner, by_number, user]),
            narrowed(self.ids[id] for id in self.id_in.findall(folded("/".join([rest, *below])))),
            narrowed([whole, *(people for part in parts for people in self.named_in(part))]),
        ]
        named = next(filter(None, steps), set())
        every = union(steps)
        named = narrowed([*named, *(people for people in every if any(people < one for one in named))])
        return named, union(every) - union(named)

    def claim(self, file, before):
        """(whose a file is, if that is settled; whom its notebook names; whom its path names; whom besides)."""
        parts = [self.called(part) for part in file.student.split(";") if part.strip()]
        said = narrowed(parts) or self.named_in(words(file.student))  # there may be more than a name
        named, others = self.by_path(file, before)
        mine = set()
        if parts and all(len(part) == 1 for part in parts):
            mine = union(parts)
            agreed = all(mine & one for one in named)
        elif len(parts) < 2 and len(named) == 1:
            [mine] = named
            agreed = len(mine) == 1 and all(mine <= one for one in said)
        return (mine if mine and agreed else frozenset()), said, named, others

    def owners(self, files, lines):
        """([(person, path)], {what waits: people whose it may be}, [what names others besides]).

        `lines` are {name: line} of whose.csv; what waits gets one.
        """
        before = before_names(files)
        claims = {file: self.claim(file, before) for file in files}
        settled = {file.text.split("/")[0] for file, (people, *_) in claims.items() if people}
        owners, waits, besides = [], {}, []
        for file, (people, said, named, others) in claims.items():
            top, is_below, _ = file.text.partition("/")
            is_persons = is_below and before.endswith("-") and top.startswith(before) and top not in settled
            name = file.owner or (top if is_persons else file.place)
            if said:  # in a conflict, and of people with one name, each file has a line
                name = file.place
            new = [name, "", file.student, " | ".join(sorted(union(named))), file.place]
            keys = [file.place] if people else [file.place, dirname(file.place), name]
            line = next((lines[folded(key)] for key in keys if folded(key) in lines), new)
            answers = [self.called(answer) for answer in line[1].split(";")]
            if folded(line[1]) == "nobody":
                people = ()
            elif all(len(answer) == 1 for answer in answers):
                people, others = union(answers), ()
            elif not people:
                lines[folded(line[0])] = [*line[:2], *new[2:]]
                why = f"notebook: {file.student or '-'}; path: {new[3] or '-'}"
                waits[f"{file.place} ({why})"] = union([*said, *named])
            owners += [(person, file.place) for person in sorted(people)]
            besides += [f"{file.place}: {'; '.join(sorted(others))}"] if people and others else []
        return owners, waits, besides
