"""Shows what a class did not understand, from the notebooks that it handed in.

    .venv/bin/python -m teaching.collect FOLDER --class LIST

FOLDER holds what Canvas, Moodle or another platform gives, a folder for each student, or files with the
student's name. LIST is a CSV file as a platform exports it, or a text with a name a line. The program reads the
verdicts that are stored in the notebooks and runs nothing. It writes FOLDER/collected/: index.html for the
teacher, students.csv and gradebook.csv for a spreadsheet, feedback/ with a file for each student, and with a
list whose.csv. Nothing leaves this machine.

A file is a person's if an e-mail address or an id of this person stands in its path, or else all words of the
name: in any order, with or without accents, hyphens and apostrophes. What fits nobody, or several people, counts
for nobody, until you write into its line of whose.csv whose it is.
"""

import argparse
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from teaching import class_page, stored, who
from teaching.stored import EXERCISES

OUT, WHOSE, PAGE, TABLES = "collected", "whose.csv", "index.html", ("students.csv", "gradebook.csv")
COLUMNS = ["student", "exercise", "file", "result", "also", "lines", "group", "rank"]
LINE = ["name", "student", "partner", "fits", "files"]  # of WHOSE
SENT = re.compile(r"(?i)\.ipynb|\.(zip|7z|rar|tar|t?gz)$")


@dataclass
class Class:
    """What a class handed in. Names are those of the list, or of hand-ins."""

    ids: dict = field(default_factory=dict)  # {name: id}
    attempts: pd.DataFrame | None = None  # COLUMNS, a row for each file and exercise, in order
    told: dict = field(default_factory=lambda: defaultdict(list))  # {what to look at: [files or names]}
    rows: dict = field(default_factory=dict)  # {name: what the list says}
    present: set = field(default_factory=set)  # names
    unreadable: dict = field(default_factory=lambda: defaultdict(list))  # {name: [file and why]}
    notebooks: int = 0
    unsettled: int = 0  # hand-ins that a list, or lines of WHOSE, would settle
    rule: str = ""  # how hand-ins were told apart; "" with a list

    @property
    def absent(self):
        return [name for name in self.ids if name not in self.present]

    def nothing_right(self, chosen):
        """Those who handed in, and have none of the exercises `chosen` right."""
        right = self.attempts[(self.attempts.result == "right") & self.attempts.exercise.isin(chosen)]
        return [name for name in self.ids if name in self.present - set(right.student)]

    @property
    def best(self):
        """The best attempt of each student at each exercise, of several as good the last."""
        known = self.attempts[self.attempts.exercise.isin(EXERCISES)]
        return known.sort_values("rank", kind="stable").groupby(["student", "exercise"]).tail(1)


def read_class(folder, people=None, lines=None):
    """The Class of a folder. `people` is the list, `lines` the second file, {name: line}, which gets new ones."""
    found = Class()
    paths = [path.relative_to(folder) for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()]
    hidden = (".", "__MACOSX")
    paths = [p for p in paths if p.parts[0] != OUT and not any(part.startswith(hidden) for part in p.parts)]
    files = who.read_paths(paths)
    notebooks, unreadable = read_notebooks(folder, files, found.told)
    found.notebooks = len(notebooks)
    sent = {*notebooks, *(path for path in unreadable if SENT.search(path.name))}
    if people is None:
        owners = owners_by_rule(found, files, sent, folder)
    else:
        owners = owners_by_list(found, files, sent, people, lines)
    attempts = []
    for name, file in owners:
        found.present.add(name)
        if file.path in sent & unreadable.keys():
            found.unreadable[name].append(f"{who.printable(file.path.name)} ({unreadable[file.path]})")
        for exercise, result in notebooks.get(file.path, {}).items():
            attempts.append((name, exercise, file.place, *result, result.group, result.rank))
    found.attempts = pd.DataFrame(attempts, columns=COLUMNS)
    again = found.attempts[found.attempts.duplicated(["student", "exercise"])].drop_duplicates(COLUMNS[:2])
    for name, exercises in again.groupby("student").exercise:
        found.told["several files of one exercise, the best counts"].append(
            f"{name} ({', '.join(exercises)})"
        )
    found.told = {
        why: names for why, names in sorted(found.told.items(), key=lambda item: len(item[1])) if names
    }
    return found


def read_notebooks(folder, files, told):
    """{file: {exercise: Result}}, {file: why it cannot be read}. Adds these, doubles and oddities to `told`."""
    notebooks, unreadable, copies = {}, {}, defaultdict(list)
    for file in files:
        try:
            cells, digest = stored.read_cells(folder / file.path)
        except (stored.UnreadableFile, OSError) as error:
            unreadable[file.path] = error.strerror if isinstance(error, OSError) else str(error)
            told[unreadable[file.path]].append(file.place)
            continue
        results = notebooks[file.path] = stored.results_in(cells)
        for exercise in set(results) - set(EXERCISES):
            told[f"what it says on {exercise[:60]}, unknown here"].append(file.place)
        if not results:
            told["no exercise is in it"].append(file.place)
        if any(result.kind not in stored.UNCHECKED for result in results.values()):
            copies[digest].append(file.place)
    told["identical files"] = [" = ".join(same) for same in copies.values() if len(same) > 1]
    return notebooks, unreadable


def owners_by_rule(found, files, sent, folder):
    """[(name, File)] without a list."""
    owners, root = who.hand_ins(files)
    found.rule = who.RULE.format(folder / root)
    names = [name for name, _ in dict.fromkeys(owners)]
    named = []
    for (name, id), file in zip(owners, files):
        if file.path in sent or id or file.path.parent != Path(root):
            named.append((f"{name} ({id})" if id and names.count(name) > 1 else name, file))
            found.ids[named[-1][0]] = id
    found.ids = dict(sorted(found.ids.items(), key=lambda item: item[0].casefold()))
    doubts = who.doubts([owner for owner in named if owner[1].path in sent])
    found.told |= {why: [", ".join(names) for names in sets] for why, sets in doubts.items()}
    found.unsettled = len(
        found.ids.keys() & {name for sets in doubts.values() for names in sets for name in names}
    )
    return named


def owners_by_list(found, files, sent, people, lines):
    """[(name, File)]. Lines of the second file go first. What neither settles is told, and gets a line."""
    found.rows = {person.name: person.row for person in people}
    keys = [*who.GRADEBOOK[1:4], "e-mail"]
    found.ids = {
        name: next((row[key] for key in keys if row.get(key)), "") for name, row in found.rows.items()
    }
    owners = []
    for file, fits in zip(files, who.find_all(people, files)):
        key = file.owner or file.name or file.place
        key = f"{key} {file.id}".strip() if len(fits) > 1 else key
        line = lines.get(who.key(file.place)) or lines.get(who.key(key)) or dict.fromkeys(LINE, "")
        said = [name for name in (line["student"], line["partner"]) if name]
        if said:
            fits = [person for name in said for person in named_by(people, name)]
        if fits and len(fits) == max(len(said), 1):
            owners += [(person.name, file) for person in fits]
        elif file.path in sent and said != ["-"]:
            why = f"{WHOSE} names nobody of the list" if said else "fits several" if fits else "fits nobody"
            found.told[f"{why}: counts for nobody until {WHOSE} says whose it is"].append(file.place)
            near = fits or [person for person in people if person.words & who.runs(key)]
            places = dict.fromkeys([*filter(None, line["files"].split(" | ")), file.place])
            shown = {"fits": " | ".join(p.name for p in near), "files": " | ".join(places)}
            lines[who.key(key)] = {**line, "name": line["name"] or key, **shown}
            found.unsettled += 1
    return owners


def named_by(people, name):
    """The one person whom a line of the second file names, in a list."""
    same = [p for p in people if name.casefold() in (p.name.casefold(), *p.ids)]
    found = same or who.find(people, name)
    return found if len(found) == 1 else []


def read_lines(path):
    """{name: line} of a second file."""
    table = who.read_table(path.read_bytes()).reindex(columns=LINE)
    if table[LINE[:3]].isna().any(axis=None):
        sys.exit(
            f"{path} lacks one of the columns {', '.join(LINE[:3])}: was it written by teaching.collect?"
        )
    return {who.key(row["name"]): row for row in table.fillna("").to_dict("records")}


# Counting


def exercises_set(found, wanted=""):
    """The exercises that --set names, or a plan's; without it those that more than a tenth began."""
    plans = class_page.exercises_of_plans()
    names = plans.get(wanted) or wanted.replace(",", " ").split()
    if unknown := sorted(set(names) - set(EXERCISES)):
        sys.exit(f"--set: {unknown[0]} is none of {', '.join(EXERCISES)}, and no plan ({', '.join(plans)})")
    begun = (
        found.attempts[~found.attempts.result.isin(stored.UNCHECKED[:3])]
        .groupby("exercise")
        .student.nunique()
    )
    return [
        name
        for name in EXERCISES
        if name in names or (not names and begun.get(name, 0) > len(found.ids) / 10)
    ]


def count_exercises(best, chosen):
    """A row for each exercise that came, with the number of students by group: those set first, the worst on top."""
    came = [name for name in EXERCISES if name in {*best.exercise, *chosen}]
    counts = pd.crosstab(best.exercise, best.group)
    counts = counts.reindex(index=came, columns=stored.KINDS[::-1], fill_value=0)
    counts["came"] = counts.sum(axis=1)
    counts["wrong"] = counts.came - counts.right
    counts["set"] = counts.index.isin(chosen)
    return counts.sort_values(["set", "wrong", "exercise"], ascending=[False, False, True])


def rank_mistakes(best):
    """[(mistake, {exercise: [students]})], the mistake of most students first."""
    wrong = best[best.group == "mistake"]
    counts = wrong.groupby("result").student.nunique()
    ranking = []
    for id in sorted(counts.index, key=lambda id: (-counts[id], id in class_page.GENERAL, id)):
        names = wrong[wrong.result == id].groupby("exercise").student.apply(list)
        ranking.append((id, dict(sorted(names.items(), key=lambda item: -len(item[1])))))
    return ranking


# Writing


def spreadsheet_text(cell):
    """A cell of a spreadsheet, which would compute text that begins like a formula."""
    is_formula = isinstance(cell, str) and cell.startswith(tuple("=+-@\t\r＝＋－＠"))
    return f"'{cell}" if is_formula else cell


def tables(found, chosen):
    """{file: table}: a row for each student and exercise; and points, as Canvas and Moodle import them."""
    best, last = (table.set_index(["student", "exercise"]) for table in (found.best, found.attempts))
    again = last[last.index.duplicated(keep=False)]
    again = again[~again.index.duplicated(keep="last")]
    came = [name for name in EXERCISES if name in {*best.index.get_level_values("exercise"), *chosen}]
    rows = pd.MultiIndex.from_product([list(found.ids), came], names=["student", "exercise"])
    long = best[["result", "also"]].reindex(rows)
    long["result"] = long.result.fillna("missing")
    long["latest"] = (again.result + " " + again.also).str.strip().reindex(rows)
    long.insert(0, "id", [found.ids[name] for name, _ in rows])
    long = long.reset_index()[["student", "id", "exercise", "result", "also", "latest"]]
    points = long[long.exercise.isin(chosen) & (long.result == "right")].groupby("student").size()
    book = []
    for name, id in found.ids.items():
        row = found.rows.get(name, {"Student": name, "ID": id})
        row = {"SIS Login ID": row.get("e-mail"), **{head: text for head, text in row.items() if text}}
        row["Attention points"] = str(points.get(name, 0)) if name in found.present else ""
        book.append(row)
    book = pd.DataFrame(book, columns=[*who.GRADEBOOK, "Attention points"])
    return dict(zip(TABLES, (long, book)))


def make_output_folder(folder):
    """FOLDER/collected/ without the files of an earlier run. Stops if it has any other file."""
    out = folder / OUT
    inner = out / "feedback"
    for path in (out, inner):
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            sys.exit(f"{path} is not a folder written by teaching.collect: move it elsewhere")
    inner.mkdir(parents=True, exist_ok=True)
    old = [path for path in (*out.iterdir(), *inner.iterdir()) if path != inner]
    own = [*(out / name for name in (PAGE, WHOSE, *TABLES)), *inner.glob("*.txt")]
    for path in old:
        if path not in own or (path.is_dir() and not path.is_symlink()):
            sys.exit(f"{path} was not written by teaching.collect: move it elsewhere")
    for path in old:
        path.unlink()
    return out


def feedback_names(students):
    """{student: file name}; the number keeps apart names that a file system takes for the same."""
    stems = {student: re.sub(r"[^\w .,'()-]", "_", student)[:80] for student in students}
    return {student: f"{i:02} {stem}.txt" for i, (student, stem) in enumerate(stems.items(), 1)}


def write(folder, found, chosen, lines=None, decks=None):
    """Writes everything into FOLDER/collected/, and returns the page and a summary for the terminal."""
    written = tables(found, chosen) | ({WHOSE: pd.DataFrame(lines.values())} if lines else {})
    files, best = feedback_names(found.ids), found.best
    shown = class_page.context(found, best, rank_mistakes(best), decks)
    shown |= {"counts": count_exercises(best, chosen), "chosen": chosen, "files": files}
    texts = {PAGE: class_page.render(PAGE, **shown)}
    for name in found.ids:
        texts[f"feedback/{files[name]}"] = class_page.render("feedback.txt", name=name, **shown)
    out = make_output_folder(folder)
    for name, table in written.items():
        texts[name] = "\ufeff" + table.map(spreadsheet_text).to_csv(index=False)
    for name, text in texts.items():
        with (out / name).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    return out / PAGE, class_page.render("summary.txt", **shown)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--class", dest="list", type=Path, metavar="LIST", help="the class list")
    parser.add_argument("--whose", type=Path, metavar="FILE", help="whose.csv of an earlier week")
    parser.add_argument(
        "--set", default="", metavar="EXERCISES", help="what was set: softmax,causal_mask, or a plan"
    )
    parser.add_argument(
        "--decks", type=Path, default=Path("decks"), help="where publish.slides wrote the slides"
    )
    args = parser.parse_args()
    sys.stdout.reconfigure(errors="replace")  # names may have letters that the terminal lacks
    if not args.folder.is_dir():
        sys.exit(f"{args.folder} is no folder")
    people, lines = None, {}
    if args.list:
        try:
            people = who.read_list(args.list.read_bytes()) or sys.exit(f"{args.list} names nobody")
        except (OSError, ValueError) as error:
            sys.exit(f"{args.list}: {error}")
        for path in (args.whose, args.folder / OUT / WHOSE):
            lines |= read_lines(path) if path and path.is_file() else {}
    found = read_class(args.folder, people, lines)
    if not found.notebooks:
        sys.exit(f"{args.folder} holds no notebook")
    page, summary = write(args.folder, found, exercises_set(found, args.set), lines, args.decks)
    print(f"{summary}\nLook at {page}")


if __name__ == "__main__":
    main()
