"""Shows what a class did not understand, from the notebooks that it handed in.

    .venv/bin/python -m teaching.collect FOLDER --class LIST

FOLDER holds what a platform gives, a folder for each student, or files. LIST is a CSV file as a platform exports it,
or a text with a name a line. The program reads what is stored in the notebooks and runs nothing. It writes
FOLDER/collected/: index.html for the teacher, students.csv and gradebook.csv for a spreadsheet, feedback/ with a file
for each student, and whose.csv, where you say whose a file is that neither its notebook nor its path settles.
"""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from publish import teaching_data
from teaching import class_list, class_page, stored, who
from teaching.stored import EXERCISES, ONE, OUT

WHOSE = "whose.csv"
FORMULA = r"^([=+\-@\t\r＝＋－＠])"  # how a cell begins that a spreadsheet would compute
POINTS = "Attention points (from stored outputs, which can be forged)"


class Class(NamedTuple):
    """What a class handed in. Students are those of the list, or what notebooks and folders say."""

    people: pd.DataFrame  # by name: the list, and "_ids"
    attempts: pd.DataFrame  # "student", and the columns of stored.read_folder(), in order
    best: pd.DataFrame  # of each student at each exercise, of several as good the last
    waits: dict  # {file that waits for a line, and why: people whose it may be}
    told: dict  # {what to look at: [files or names]}
    lines: dict | None  # {name: line of WHOSE}, with a list

    @property
    def states(self):
        """Why nothing of a student is there: "missing", "waits" (a file, perhaps), or "not-read"."""
        not_read = self.attempts[self.attempts.group == "not-read"].student
        states = dict.fromkeys(self.people.index, "missing")
        states |= dict.fromkeys(who.union(self.waits.values()), "waits") | dict.fromkeys(not_read, "not-read")
        return pd.Series(states, dtype=object)

    def may_wait(self, name):
        """Whether a file that waits may be this person's."""
        return any(name in people or not people for people in self.waits.values())


def read_class(folder, table=None, lines=None):
    """The Class of a folder. `table` is the list, `lines` are those of WHOSE, {name: line}; new ones are added."""
    results = stored.read_folder(folder)
    told = results[results.exercise == ""].groupby("also").file.agg(list).to_dict()
    is_other = results.also == stored.NO_NOTEBOOK
    says = [dict(zip(part.file, part.says)) for part in (results[~is_other], results[is_other])]
    files, others = map(who.read_files, says)
    waits = {}
    if table is None:
        owners, table = who.without_list(files)
    else:
        roster = who.Roster(table)
        owners, waits = roster.owners(files, lines)
        came = {person for person, _ in owners}
        owners += [pair for pair in roster.owners(others, {})[0] if pair[0] not in came]
    told["waits for your line in whose.csv"] = list(waits)
    results["late"] = results.file.map({file.place: file.platform["late"] for file in files})
    attempts = pd.DataFrame(owners, columns=["student", "file"]).merge(results, on="file")
    several = attempts[attempts.duplicated(ONE) & (attempts.exercise != "")].student.unique()
    told["several files of one exercise, the best counts"] = list(several)
    told["passed, but the function is empty"] = list(results[results["empty"]].file.unique())
    return Class(table, attempts, stored.best_of(attempts, ONE), waits, told, lines)


def exercises_set(found, wanted=""):
    """The exercises that --set names, or a plan's; without it those that more than a tenth began."""
    wanted = teaching_data.read("routes.toml").get(wanted, {}).get("set", wanted)
    names = wanted.replace(",", " ").split()
    if unknown := [name for name in names if name not in EXERCISES]:
        sys.exit(f"--set: {', '.join(unknown)} is no plan and none of {', '.join(EXERCISES)}")
    begun = found.best[found.best.group > "not-started"].exercise.value_counts()
    names = names or begun[begun > len(found.people) / 10].index
    return [name for name in EXERCISES if name in names]


def points(found, chosen):
    """The number of exercises that are right by name, of those that were set; none where nothing is there."""
    right = (found.best.group == "right") & found.best.exercise.isin(chosen)
    points = right.groupby(found.best.student).sum().reindex(found.people.index).astype("Int64")
    return points.mask((points == 0) & (found.states != "missing"))


def write(folder, found, chosen):
    """Writes everything into FOLDER/collected/, and returns a summary for the terminal."""
    names = found.people.index
    came = [name for name in EXERCISES if name in {*found.best.exercise, *chosen}]
    # The number keeps apart names that a file system takes for the same.
    files = {name: f"feedback/{i:02} {' '.join(who.words(name))[:80]}.txt" for i, name in enumerate(names, 1)}
    context = {
        "found": found,
        "chosen": chosen,
        "out": folder / OUT,
        "points": points(found, chosen),
        "results": class_page.table_of_results(found, came),
        "files": files,
        "counts": class_page.count_exercises(found.best, came, chosen),
        "mistakes": class_page.mistakes(found.best, names),
    }
    book = found.people.drop(columns="_ids").assign(**{POINTS: context["points"]})
    tables = {"students.csv": context["results"], "gradebook.csv": book}
    if found.lines is not None:
        tables[WHOSE] = pd.DataFrame(found.lines.values(), columns=class_list.LINE)
    texts = {file: class_page.render("feedback.txt", context, name=name) for name, file in files.items()}
    for name, table in tables.items():
        texts[name] = "\ufeff" + table.replace(FORMULA, r"'\1", regex=True).to_csv(index=False)
    texts["index.html"] = class_page.render("index.html", context)
    write_files(folder / OUT, texts)
    return class_page.render("summary.txt", context)


def write_files(out, texts):
    """{name: text} as files of a folder, in place of those of an earlier run."""
    (out / "feedback").mkdir(parents=True, exist_ok=True)
    for path in [*out.glob("feedback/*.txt"), *(out / name for name in texts)]:
        path.unlink(missing_ok=True)  # a link is not followed
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8", errors="replace", newline="\n")


def main():
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--class", type=Path, dest="list", help="the class list")
    parser.add_argument("--set", default="", help="softmax,causal_mask, or a plan")
    args = parser.parse_args()
    sys.stdout.reconfigure(errors="replace")  # names may have letters that the terminal lacks
    table, told, lines = None, [], None
    try:
        if args.list:
            table, told = class_list.read_list(args.list.read_bytes())
            lines = class_list.read_lines(args.folder / OUT / WHOSE)
    except (OSError, ValueError) as error:
        sys.exit(f"the class list or {WHOSE} is no text and no CSV file: {error}")
    found = read_class(args.folder, table, lines)
    found.told["the class list"] = told
    print(write(args.folder, found, exercises_set(found, args.set)))


if __name__ == "__main__":
    main()
