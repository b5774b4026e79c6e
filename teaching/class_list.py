"""Reads a class list, a table of a platform or a text with a name on each line, and the lines of whose.csv."""

import io
import re
from collections import Counter

import pandas as pd

from teaching.who import folded, words

# The heads of columns: a part of a name, any name, an id. And an address or an id beside a name.
PART = "(first|given|last|family) ?name|surname|vorname|nachname"
NAME = f"{PART}|student|((full|student|display) ?)?name"
ID = (
    "(sis )?(id|user|student|login)?[ _-]?(id|number|nummer)|matrikel.*|orgdefinedid|identifier|.*e-?mail.*"
    "|(user|login|github_user|benutzer)[ _]?(name)?"
)
SIGN = re.compile(r"Participant \d+|(?=[^\s<>(),;]*[@\d])[^\s<>(),;]{5,}")
# A name in a column of ids, as GitHub Classroom's identifier may be.
NO_SIGN = re.compile(r"[^\d@]+\s[^\d@]+")
NOBODY = re.compile(r"Points Possible|Student, Test|Test Student")
LINE = ["name", "student", "notebook says", "path names", "file"]  # of whose.csv; a teacher writes "student"


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
    table = pd.read_csv(
        file, sep=separator, dtype=str, na_filter=False, index_col=False, skipinitialspace=True
    )
    return table.rename(columns=str.strip)


def name_and_ids(row):
    """(the name, [id]) of a row; of an address what stands before its "@" is an id, too."""
    row = row[row.str.strip() != ""]
    parts, names, ids = (list(row.filter(regex=f"(?i)^({heads})$")) for heads in (PART, NAME, ID))
    text = " ".join(parts if len(parts) > 1 else names)
    name = re.sub(r"^\s*\d+[.)]|[;\t<>]", " ", SIGN.sub(" ", text))
    names = [name, *filter(NO_SIGN.fullmatch, ids)]
    ids = [*(id for id in ids if id not in names), *SIGN.findall(text)]
    ids += [id.partition("@")[0] for id in ids if "@" in id]
    names = [" ".join(name.split()).strip(" ,") for name in names]
    return next(filter(None, [*names, *ids]), ""), ids


def read_list(content):
    """(the list by name, with "_ids", all ids of each person; [what is told of its rows])."""
    text = text_of_table(content)
    heads = read_table(text.partition("\n")[0]).columns
    first = 2 if heads.str.fullmatch(f"(?i){NAME}|{ID}").any() else 1
    table = read_table(text) if first == 2 else pd.DataFrame({"Student": text.splitlines()})
    table.index = [f"line {number + first}" for number in table.index]
    rows, told = {}, []  # {line: (name, ids)}
    for line, cells in table.iterrows():
        name, ids = row = name_and_ids(cells)
        if not name and any(cells):
            told.append(f"{line}: no name and no id")
        elif ids and row in rows.values():
            told.append(f"{line}: {name} again, with the same id")
        elif name and not NOBODY.fullmatch(name):
            rows[line] = row
    named = Counter(tuple(words(name)) for name, _ in rows.values())
    owners = Counter(id for _, ids in rows.values() for id in {*ids})
    shown = {}
    for line, (name, ids) in rows.items():
        own = next((id for id in ids if owners[id] == 1), line)
        is_alone = named[tuple(words(name))] == 1
        shown[line] = name if is_alone else f"{name} ({own})"
        if own == line and not is_alone:
            told.append(f"{line}: {name} has no id that tells these people apart")
    table = table.loc[[*rows]].assign(_ids=[ids for _, ids in rows.values()])
    return table.rename(index=shown), told


def read_lines(path):
    """{name: line} of the whose.csv that an earlier run wrote, if there is one."""
    if not path.is_file():
        return {}
    table = read_table(text_of_table(path.read_bytes())).reindex(columns=LINE, fill_value="")
    table = table.replace(r"^'(?=[=+\-@])", "", regex=True)
    return {folded(line[0]): line for line in table.values.tolist()}
