"""Whose a file is: a person of the class list, or, without a list, what its path says.

A File has the parts of a path. Of "Ada_4711_assignsubmission_file_/03_softmax.ipynb", Moodle's form, the owner is
Ada, the id 4711, and the hand-in "Ada (4711)". Of "week 1/Ada/03_softmax.ipynb" the name is Ada, and the hand-in is
the first folder, "week 1". A Person has the words of a name, and the ids. find() compares the two. What it does not
settle, the teacher answers in a line of a second file.
"""

import io
import re
import unicodedata
from posixpath import commonpath, dirname, relpath
from typing import NamedTuple

import pandas as pd

from lesson import check

# Words that are no names, as in "week 2" and "final". In all patterns [^\W\d_] is a letter.
WORDS = (
    "week|wk|woche|unit|session|sheet|blatt|übung|uebung|lab|hw|homework|assignment|exercises?|ex|work"
    "|submissions?|submitted|attempt|try|version|v|draft|final|corrections?|new|old|LATE"
    "|attachments?|files?|notebooks?|untitled|copies|copy|kopie|my"
)
# The date of Brightspace, "Oct 30, 2026 905 PM", in two parts between which a colon belongs.
DATE = re.compile(r"([A-Z][a-z]{2,8} \d+, 20\d\d \d\d?)(\d\d [AP]M)")
# What else a path has besides names: "(1)", numbers of four digits or more with what hangs on them, and WORDS.
NOISE = re.compile(
    rf"{DATE.pattern}|\(\d*\)|\d{{4,}}(?:[-_.:T ]+\d\d?(?!\d))*|(?<![^\W\d_])(?:{WORDS})(?![^\W\d_])[ _-]*\d*",
    re.I,
)
# The name of a notebook with what browsers and JupyterLab add to it; or the ending of another file.
TITLES = "|".join({task.notebook[3:] for task in check.TASKS}).replace("_", "[ _-]")
NOTEBOOK = re.compile(
    rf"(?<![^\W\d_])(?:0?\d[ _-])?(?:{TITLES})(?![^\W\d_])(?:-\d+|[ _-]*\(\d+\)|[ _-]*copy\d*)*"
    r"|\.[a-z]+$",
    re.I,
)
# A name and an id, which Moodle and Canvas write before a file, and Moodle as a folder; empty for other paths.
# Canvas writes small letters alone, an id of four digits or more, which is no year or date, and a file's number.
PLATFORM = re.compile(
    rf"""(?:(?:.*/)?
    (?=[^/]+_assignsubmission_|(?!(?:{WORDS})\d*_)[^\WA-Z_]+(?:_LATE)?_(?!20\d\d(?:\d{{4}})?_)\d{{4,}}_)
    ([^/]+?)(?:_LATE)?_(\d+)_(?=assignsubmission_|\d{{3,}}_[^/]*$))?""",
    re.VERBOSE,
)
LETTERS = str.maketrans("æœøłđðı", "aoolddi")  # æ and œ as plain() leaves ae and oe
# The heads of columns with names and with ids, in the class lists of platforms.
NAMES = r"^(?i:student|((full|student|display|first|given|last|family) ?)?name|surname|vorname|nachname) *$"
IDS = r"^(?i:(sis )?(id|user|student|login)?[ _-]?(id|number|nummer)|matrikel.*|orgdefinedid|identifier|.*e-?mail.*|(user|login|github_user|benutzer)[ _]?(name)?) *$"
NOBODY = "Points Possible|Student, Test|Test Student|"
LINE = ["name", "student", "fits", "file"]  # the columns of the second file; the teacher writes "student"


def plain(text):
    """The letters and digits of a text, without accents and case."""
    text = unicodedata.normalize("NFKD", text.casefold().translate(LETTERS))
    return " ".join(re.findall(r"[^\W_]+", re.sub("[\u0300-\u036f]", "", text)))


def words_in(text):
    """The plain words of a text, in which ä and ae, or å and aa, are the same: of "ZoeMüller-3" zo, muller."""
    parted = re.sub("(?<=[a-zß-ž])(?=[A-Z])", " ", text)
    return re.findall(r"[^\W\d_]+", re.sub("(?<=[aou])e|(?<=a)a", "", plain(parted)))


def name_in(text):
    """What may be a name in a path: without notebooks' names, dates and "week 2"."""
    name = " ".join(re.findall(r"[^\s_./()-]+", NOISE.sub(" ", NOTEBOOK.sub(" ", text))))
    return name if words_in(name) else ""


class File(NamedTuple):
    """What a path says. `text` is the part below the folders that all files share, if it has a name."""

    place: str
    text: str
    owner: str  # whom a platform names, with an id
    id: str

    @property
    def name(self):
        return self.owner or name_in(self.text) or self.place

    @property
    def hand_in(self):
        """Whose it is without a list, by the rule that templates/who.txt states."""
        first, *below = self.text.split("/")
        before = first if below else NOTEBOOK.split(first)[0].strip(" _-.,") or first
        return f"{self.owner} ({self.id})" if self.id else before


def read_places(places):
    """[File] in the order of attempts, of paths with "/"."""
    shared = commonpath([dirname(place) for place in places] or [""])
    if not any(name_in(relpath(place, shared)) for place in places):  # one student's folder
        shared = ""
    files = [File(place, relpath(place, shared), *PLATFORM.match(place).groups("")) for place in places]
    return sorted(files, key=order_of)


def order_of(file):
    """Sorts attempts by dates and numbers, "x (1)" after "x" and before "x (10)"."""
    text = file.text.removesuffix(".ipynb")
    text = DATE.sub(lambda date: str(pd.to_datetime(f"{date[1]}:{date[2]}", errors="coerce")), text)
    return re.sub(r"\d+", lambda digits: digits[0].zfill(20), text)


# People


class Person:
    """Somebody of the class list, or a hand-in, as it is compared with paths.

    All of `words` must be found, each by itself or in a run of the name's words without a space, as in "bergannavon".
    """

    def __init__(self, name, ids=()):
        self.name = name
        words = words_in(re.sub(r"\(.*?\)|\S*@\S*", "", name)) or ["-"]
        long = {word for word in words if len(word) > 1}
        self.words = long if len(long) > 1 else {*words}  # no initials
        self.one = "|".join(sorted(words, key=len, reverse=True))
        # Without an end, "lolololo" would take for ever in search of Lo Lolo.
        self.run = re.compile(rf"\b(?:{self.one}){{1,6}}\b")
        # What consists of words of the name, such as a surname as a user name, is no id.
        ids = {*map(plain, ids)} - {""}
        self.ids = {id for id in ids if not self.run.fullmatch(id.replace(" ", ""))}

    def found_in(self, letters):
        """The words of the name that a text has."""
        return self.words.intersection(
            word for run in self.run.findall(letters) for word in re.findall(self.one, run)
        )


def find(people, file):
    """Those of `people` whom a file fits: by an id of more than four characters or the platform's own, or else by the name."""
    signs = f" {plain(file.text)} "
    text = NOTEBOOK.sub(" ", file.text)
    # Anne-Marie is also written Annemarie. In "mariaandersson" å and aa are not the same.
    letters = " ".join([*words_in(text), plain(re.sub("['’-]", "", text))])
    known = [p for p in people if any(f" {i} " in signs and (len(i) > 4 or i == file.id) for i in p.ids)]
    if known:  # a word of another name disagrees with an id
        own = {word for p in known for word in p.words}
        return known + [p for p in people if p.found_in(letters) - own]
    named = [p.words for p in people if p.words <= p.found_in(letters)]
    # Anna Berg fits Anna von Berg, too
    return [p for p in people if any(words <= p.words for words in named)]


def by_list(files, table, lines):
    """([(name, place)], [places of what is nobody's]). Answers in `lines` go first; what is not settled gets a line."""
    people = [Person(name, ids.split()) for name, ids in table._ids.items()]
    owners = []
    nobodys = []
    for file in files:
        fits = find(people, file)
        name = file.hand_in if file.id and len(fits) > 1 else file.name
        new = [name, "", " | ".join(person.name for person in fits), file.place]
        line = lines.get(plain(file.place)) or lines.get(plain(name), new)
        answers = line[1].split(";")
        if line[1]:
            fits = [p for one in answers for p in people if plain(one) in {plain(p.name), *p.ids}]
        if len(fits) == len(answers):
            owners += [(person.name, file.place) for person in fits]
        elif answers != ["nobody"]:
            lines[plain(line[0])] = line
            nobodys.append(file.place)
    return owners, nobodys


def by_rule(files):
    """([(hand-in, place)], the hand-ins as a class list, those that have no name or are like another)."""
    owners = [(file.hand_in, file.place) for file in files]
    table = pd.DataFrame({"_ids": {file.hand_in: file.id for file in files}})
    table["Student"] = table.index
    people = [Person(name_in(name)) for name in table.index]
    return owners, table, sorted({file.hand_in for file in files if len(find(people, file)) != 1})


# The class list


def text_of_table(content):
    """The text of a file that a spreadsheet or a platform wrote."""
    try:
        is_wide = content.startswith((b"\xff\xfe", b"\xfe\xff"))
        return content.decode("utf-16" if is_wide else "utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252")


def read_table(text):
    """A CSV file as a table of strings, whatever separates its columns."""
    separator = max("\t,;", key=text.partition("\n")[0].count)
    file = io.StringIO(text)
    return pd.read_csv(
        file, sep=separator, dtype=str, na_filter=False, index_col=False, skipinitialspace=True
    )


def read_list(content):
    """A class list by name, with "_ids", all ids of each person: a table with heads, or a name a line."""
    text = text_of_table(content)
    table = pd.DataFrame({"Student": text.splitlines()})
    if len(read_table(text.partition("\n")[0]).filter(regex=f"{NAMES}|{IDS}").columns):
        table = read_table(text)
    names, ids = (table.filter(regex=heads).agg(" ".join, axis="columns") for heads in (NAMES, IDS))
    # A name may have an address or an id beside it. The number of "Participant 41" is an id, and so is what stands
    # before the "@" of an address.
    ids += " " + names.str.findall(r"(?=[^\s<>(),;]*[@\d])[^\s<>(),;]{5,}").str.join(" ")
    ids = ids.str.replace(r"Participant (\d+)|(\S+)(@\S+)", r"\1\2\3 \2", regex=True).str.strip()
    names = names.str.replace(r"\S*[@\d]\S*|[;\t]", " ", regex=True).str.strip(" ,")
    first = ids.str.partition()[0]
    names = names.where(names != "", first)
    number = first.where(ids != "", names.index.astype(str))
    names = names.mask(names.duplicated(keep=False), names + " (" + number + ")")
    left_out = names.str.fullmatch(NOBODY) | names.duplicated()  # somebody in two sections stands there twice
    return table.assign(_ids=ids).set_index(names)[~left_out.values]
