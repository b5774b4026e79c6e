"""Whose a file is: a person of the class list, or, without a list, what its path says."""

import io
import re
import unicodedata
from posixpath import commonpath, dirname
from typing import NamedTuple

import pandas as pd

from lesson import check

# What Moodle and Canvas write before a file, or Moodle as a folder: a name and an id. A year or a date is no id.
PLATFORM = re.compile(
    r"""(?:.*/)?(?:
    ([^/]+?)_(\d+)_assignsubmission_  # Moodle
    | ([^\WA-Z_]+)(?:_LATE)?_(?!20\d\d(?:\d{4})?_)(\d{4,})_\d{3,}_[^/]*$  # Canvas; the second number is the file's
    )""",
    re.VERBOSE,
)
# The name of a notebook, and what browsers and JupyterLab add to it.
TITLES = "|".join(sorted({task.notebook[3:] for task in check.TASKS})).replace("_", "[ _-]")
NOTEBOOK = re.compile(
    rf"(?<![^\W\d_])(?:0?\d[ _-])?(?:{TITLES})(?![^\W\d_])(?:-\d+|[ _-]*\(\d+\)|[ _-]*copy\d*)*", re.I
)
# The date of Brightspace, "Oct 30, 2026 905 PM".
MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
DATE = re.compile(rf"((?:\d+ )?{MONTH}(?: \d+)?, 20\d\d,?) (\d\d?):?(\d\d [AP]M)", re.I)
# What else a path has besides names: numbers of four digits or more with what hangs on them, "week 2", "final".
WORDS = """week wk woche lab hw homework assignment exercises? ex sheet blatt übung uebung unit session attempt
version submissions? submitted corrections? submission attachments? files? notebooks? copies copy kopie final new old
my work try draft v LATE"""
NOISE = re.compile(
    r"\(\d*\)|\d{4,}(?:[-_.:T ]+\d\d?(?!\d))*"
    rf"|(?<![^\W\d_])(?:{'|'.join(WORDS.split())})(?![^\W\d_])[ _-]*\d*",
    re.I,
)
SUFFIX = re.compile(r"\.(ipynb.*|[a-z]+)$", re.I)
LETTERS = str.maketrans("æœøłđðı", "aoolddi")  # æ and œ as folded() leaves ae and oe
# The heads of columns with names and with ids, in the class lists of platforms.
NAMES = r"(?i)^(student|((full|student|display|first|given|last|family) ?)?name|surname|vorname|nachname)$"
IDS = r"(?i)^((sis )?(user|student|login)?[ _-]?(id|number|nummer)|matrikel.*|orgdefinedid|identifier|.*e-?mail.*|(user|login|github_user|benutzer)[ _]?(name)?)$"
LINE = ["name", "student", "fits", "file"]  # the columns of the second file
NOBODY = "Points Possible|Student, Test|Test Student|"


# Letters


def plain(text):
    """Text without accents and case."""
    text = unicodedata.normalize("NFKD", text.casefold().translate(LETTERS))
    return "".join(c for c in text if not unicodedata.combining(c))


def spaced(text):
    """The letters and digits of a text, plain: how ids and lines of the second file are compared."""
    return " ".join(re.findall(r"[^\W_]+", plain(text)))


def words_in(text):
    return re.findall(r"[^\W\d_]+", plain(text))


def joined(words):
    """Words as one, in which ä and ae, or å and aa, are the same: how names are compared."""
    return re.sub("([aou])e|aa", lambda match: match[1] or "a", "".join(words))


def runs(text):
    """The words of a path, and those that stand in a row joined."""
    words = words_in(re.sub("(?<=[a-zà-ÿ])(?=[A-Z])", " ", NOTEBOOK.sub(" ", text)))
    ends = range(1, len(words) + 1)
    return {joined(words[start:end]) for end in ends for start in range(end)}


def name_in(text):
    """What may be a name in a path: without notebooks' names, dates and "week 2"."""
    for pattern in (NOTEBOOK, DATE, NOISE):
        text = pattern.sub(" ", text)
    return " ".join(re.split(r"[\s_./()-]+", text)).strip() if words_in(text) else ""


# Files


class File(NamedTuple):
    """What a path says. `text` is what stands below the folders that all files share, if it has a name."""

    place: str
    text: str
    owner: str  # whom a platform names, with an id
    id: str

    @property
    def name(self):
        return self.owner or name_in(self.text) or self.place

    @property
    def order(self):
        """Sorts attempts by dates and numbers, "x (1)" after "x" and before "x (10)"."""
        text = DATE.sub(date_sorted, self.text.replace("_LATE", "").casefold())
        return re.sub(r"\d+", lambda digits: digits[0].zfill(20), text)


def date_sorted(match):
    return str(pd.to_datetime(f"{match[1]} {match[2]}:{match[3]}", errors="coerce"))


def read_places(places):
    """[File] in the order of attempts, of paths with "/"."""
    shared = commonpath([dirname(f"/{place}") for place in places]).strip("/") if places else ""
    texts = [SUFFIX.sub("", place.removeprefix(shared).strip("/")) for place in places]
    if not any(map(name_in, texts)):  # one student's folder
        texts = [SUFFIX.sub("", place) for place in places]
    files = [File(place, text, *named_by_platform(place)) for place, text in zip(places, texts)]
    return sorted(files, key=lambda file: file.order)


def named_by_platform(place):
    """The name and the id that Moodle or Canvas wrote; empty where none is."""
    match = PLATFORM.match(place)
    name, id = filter(None, match.groups()) if match else ("", "")
    return (name, id) if name_in(name) else ("", "")


# The class list


class Person:
    """Somebody of the class list, or a hand-in, as it is compared with paths."""

    def __init__(self, name, ids=()):
        parts = re.sub(r"\(.*?\)|,", " ", name).split()
        words = [word for part in parts if (word := joined(words_in(part)))]
        full = [word for word in words if len(word) > 1]
        words = full if len(full) > 1 else words or [name]  # no initials
        self.name, self.words = name, frozenset(words)
        self.joined = {joined(words[i:] + words[:i]) for i in range(len(words))}
        ids = [part for id in ids for part in (id, id.partition("@")[0])]
        self.ids = {spaced(id).removeprefix("participant ") for id in ids} - self.words - {""}

    def is_named_in(self, found):
        return self.words <= found or not self.joined.isdisjoint(found)


def find(people, text, id=""):
    """Those of `people` whom a path fits: by an id of more than four signs, or the platform's `id`, or else by all
    words of a name."""
    found, signs = runs(text), f" {spaced(text)} "
    known = [p for p in people if id in p.ids or any(len(i) > 4 and f" {i} " in signs for i in p.ids)]
    own = frozenset().union(*(person.words for person in known))
    if known and own.isdisjoint(found):  # a word of another name disagrees with an id
        return known + [p for p in people if p not in known and not p.words.isdisjoint(found)]
    named = [p for p in people if not p.words <= own and p.is_named_in(found | own)]
    part_of = [p for p in people if not known and any(other.words < p.words for other in named)]
    return list(dict.fromkeys(known + named + part_of))


def by_list(files, people, lines):
    """([(name, place)], [places of what is nobody's]). `lines` go first; what nothing settles gets one."""
    owners, nobodys = [], []
    for file in files:
        fits = find(people, file.text, file.id)
        name = f"{file.name} {file.id}".strip() if len(fits) > 1 else file.name
        said = (lines.get(spaced(file.place)) or lines.get(spaced(name)) or {}).get("student", "").strip(" '")
        if said:
            fits = [p for one in said.split(";") for p in people if spaced(one) in {spaced(p.name), *p.ids}]
        if len(fits) == 1 + said.count(";"):
            owners += [(person.name, file.place) for person in fits]
        elif said != "-":
            shown = " | ".join(person.name for person in fits)
            lines[spaced(name)] = {"name": name, "student": said, "fits": shown, "file": file.place}
            nobodys.append(file.place)
    return owners, nobodys


def text_of_table(content):
    """The text of a file that a spreadsheet or a platform wrote."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252")


def read_table(text):
    """A CSV file as a table of strings, whatever separates its columns."""
    separator = max("\t,;", key=text.partition("\n")[0].count)
    table = pd.read_csv(io.StringIO(text), sep=separator, dtype=str, keep_default_na=False, index_col=False)
    return table.rename(columns=str.strip).fillna("").map(str.strip)


def read_list(content):
    """A class list by name, with "_id", the first id of each person: a table with heads, or a name a line."""
    text = text_of_table(content)
    heads = [head.strip(' \r"') for head in re.split("[,;\t]", text.partition("\n")[0])]
    is_table = any(re.search(NAMES, head) or re.search(IDS, head) for head in heads)
    table = read_table(text) if is_table else read_lines_of_names(text)
    table["_id"] = table.filter(regex=IDS).agg(lambda row: next(filter(None, row), ""), axis="columns")
    names = table.filter(regex=NAMES).agg(" ".join, axis="columns").str.strip()
    names = names.where(names != "", table._id)
    numbered = names + " (" + table._id.where(table._id != "", names.index.astype(str)) + ")"
    table.index = pd.Index(names.where(~names.duplicated(keep=False), numbered))
    return table[~table.index.str.fullmatch(NOBODY)]


def read_lines_of_names(text):
    """A name a line, and perhaps a number before it, an e-mail address or an id."""
    lines = pd.Series(text.splitlines())
    mails = lines.str.extract(r"([^\s<>(),;]+@[^\s<>(),;]+)", expand=False)
    ids = lines.str.extract(r"(?<![\w@.-])((?=\w*\d)\w{5,})(?![\w.-]*@)", expand=False)
    names = lines.str.replace(r"\S*[@\d]\S*|[;\t]", " ", regex=True).str.strip(" ,")
    return pd.DataFrame({"Student": names, "ID": ids, "Email": mails}).fillna("")


def people_of(table):
    """The people of a class list."""
    return [Person(name, row) for name, row in zip(table.index, table.filter(regex=IDS).values)]


# Without a list


def by_rule(files):
    """([(hand-in, place)], the hand-ins as a class list) by the rule that templates/who.txt states."""
    owners, ids = [], {}
    inside = all("/" in file.text for file in files)
    for file in files:
        first, *below = (file.text if inside else SUFFIX.sub("", file.place)).split("/")
        before = first if below else NOTEBOOK.split(first)[0].strip(" _-.,") or first
        name = f"{file.owner} ({file.id})" if file.id else before
        owners.append((name, file.place))
        ids[name] = file.id
    return owners, pd.DataFrame(
        {"Student": ids.keys(), "ID": ids.values(), "_id": ids.values()}, index=[*ids]
    )


def doubts(names):
    """{why: [hand-ins]} to look at."""
    people = {Person(name_in(name)): name for name in names}
    alike = [sorted(people[person] for person in find(people, name)) for name in names]
    alike = {", ".join(names) for names in alike if len(names) > 1}
    nameless = [name for name in names if not name_in(name)]
    return {"may be one person": sorted(alike), "without a name": nameless}
