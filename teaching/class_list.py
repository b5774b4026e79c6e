"""Reads a class list, a table of a platform or a text with a name on each line, and the lines of whose.csv."""

import io
import re

import pandas as pd

from teaching.who import LINE, folded, words

# The heads of columns: a part of a name, a whole name, an id. And an address or an id beside a name.
PART = re.compile(r"(?i)(first|given|last|family) ?name|surname|vorname|nachname")
WHOLE = re.compile(r"(?i)student|((full|student|display) ?)?name")
ID = re.compile(
    r"(?i)(sis )?(id|user|student|login)?[ _-]?(id|number|nummer)|matrikel.*|orgdefinedid|identifier|.*e-?mail.*"
    r"|(user|login|github_user|benutzer)[ _]?(name)?"
)
SIGN = re.compile(r"Participant \d+|(?=[^\s<>(),;]*[@\d])[^\s<>(),;]{5,}")
NO_SIGN = re.compile(
    r"[^\d@]+\s[^\d@]+"
)  # a name in a column of ids, as GitHub Classroom's identifier may be
NOBODY = re.compile(r"Points Possible|Student, Test|Test Student")


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
    """(the name, [id]) of a row, [(head, cell)]; of an address what stands before its "@" is an id, too."""
    parts = [cell for head, cell in row if PART.fullmatch(head)]
    whole = [cell for head, cell in row if PART.fullmatch(head) or WHOLE.fullmatch(head)]  # "Name", "Vorname"
    ids = [cell for head, cell in row if ID.fullmatch(head)]
    text = " ".join(parts if len(parts) > 1 else whole)
    name = re.sub(r"^\s*\d+[.)]|[;\t<>]", " ", SIGN.sub(" ", text))
    names = [name, *filter(NO_SIGN.fullmatch, ids)]
    ids = [*(id for id in ids if id not in names), *SIGN.findall(text)]
    ids += [id.partition("@")[0] for id in ids if "@" in id]
    names = [" ".join(name.split()).strip(" ,") for name in names]
    return next(filter(None, [*names, *ids]), ""), ids


def read_list(content):
    """(the list by name, with "_ids", all ids of each person; [what is told of its rows])."""
    text = text_of_table(content)
    table = pd.DataFrame({"Student": text.splitlines()})
    heads = read_table(text.partition("\n")[0]).columns
    if has_heads := any(kind.fullmatch(head) for head in heads for kind in (PART, WHOLE, ID)):
        table = read_table(text)
    rows, told = {}, []  # {row: (name, ids)}
    for number, cells in enumerate(table.values.tolist()):
        name, ids = name_and_ids([(head, cell) for head, cell in zip(table.columns, cells) if cell.strip()])
        line = f"line {number + 1 + has_heads}"
        if NOBODY.fullmatch(name):
            continue
        if name and ids and (name, ids) in rows.values():
            told.append(f"{line}: {name} again, with the same id")
        elif name:
            rows[number] = name, ids
        elif any(cells):
            told.append(f"{line}: no name and no id")
    shown = {}
    for number, (name, ids) in rows.items():
        others = [other for n, other in rows.items() if n != number and words(other[0]) == words(name)]
        own = [id for id in ids if not any(id in other[1] for other in others)]
        line = f"line {number + 1 + has_heads}"
        if others and not own:
            told.append(f"{line}: {name} has no id that tells these people apart")
        shown[number] = f"{name} ({own[0] if own else line})" if others else name
    table = table.loc[[*rows]].assign(_ids=[ids for _, ids in rows.values()])
    return table.set_index(pd.Index(shown.values(), dtype=object)), told


def read_lines(path):
    """{name: line} of the whose.csv that an earlier run wrote, if there is one."""
    if not path.is_file():
        return {}
    table = read_table(text_of_table(path.read_bytes())).reindex(columns=LINE, fill_value="")
    table = table.replace(r"^'(?=[=+\-@])", "", regex=True)
    return {folded(line[0]): line for line in table.values.tolist()}
