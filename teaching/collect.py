"""Shows what a class did not understand, from the notebooks that it handed in.

    .venv/bin/python -m teaching.collect FOLDER --class LIST

FOLDER holds what Canvas, Moodle or another platform gives, a folder for each student, or files with the
student's name. LIST is a CSV file as a platform exports it, or a text with a name a line. The program reads the
verdicts that are stored in the notebooks and runs nothing. It writes FOLDER/collected/: index.html for the
teacher, students.csv and gradebook.csv for a spreadsheet, feedback/ with a file for each student, and with a
list whose.csv. Nothing leaves this machine.

A file is a person's if an e-mail address or an id of this person stands in its path, or else all words of the
name: in any order, with or without accents, hyphens and apostrophes. What fits nobody, or several people, counts
for nobody, until you write into its line of whose.csv whose it is. Copy the file into collected/ of a later week.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from publish import teaching_data
from teaching import class_page, stored, who
from teaching.stored import EXERCISES, KINDS

OUT = "collected"
WHOSE = "whose.csv"
SKIPPED = re.compile(rf"(^|/)\.|^{OUT}/(?!.*\.ipynb$)")  # hidden files, and what an earlier run wrote
ONE = ["student", "exercise"]
FORMULA = r"^([=+\-@\t\r＝＋－＠])"  # how a cell begins that a spreadsheet would compute


class Class(NamedTuple):
    """What a class handed in. Students are those of the list, or hand-ins."""

    people: pd.DataFrame  # by name: the list, and "_ids"
    attempts: pd.DataFrame  # "student", and the columns of read_results(), in order
    best: pd.DataFrame  # of each student at each exercise, of several as good the last
    told: dict  # {what to look at: [files or names]}
    lines: dict | None  # {name: line of WHOSE}, with a list


def read_class(folder, table=None, lines=None):
    """The Class of a folder. `table` is the list, `lines` are those of WHOSE, {name: line}; new ones are added."""
    results = read_results(folder)
    told = results[results.exercise == ""].groupby("also").file.agg(list).to_dict()
    files = who.read_places(results[results.also != stored.NO_NOTEBOOK].file.unique())
    if table is None:
        owners, table, doubts = who.by_rule(files)
        told["without a name, or like another"] = doubts
    else:
        owners, nobodys = who.by_list(files, table, lines)
        told["counts for nobody, until whose.csv says whose it is"] = nobodys
    attempts = pd.DataFrame(owners, columns=["student", "file"]).merge(results, on="file")
    several = attempts[attempts.duplicated(ONE) & (attempts.exercise != "")].student.unique()
    told["several files of one exercise, the best counts"] = list(several)
    same = results[results.group >= "mistake"].groupby("digest").file.unique()
    told["identical files"] = [" = ".join(files) for files in same if len(files) > 1]
    return Class(table, attempts, best_of(attempts, ONE), told, lines)


def read_results(folder):
    """The best result of each file at each exercise; a file without any has one row, of exercise "".

    Columns: file, digest, exercise, result, also, lines, and group, the one of KINDS to which the result belongs.
    """
    rows = []
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder).as_posix()
        if path.is_file() and not SKIPPED.search(place):
            found, digest = stored.read(path)
            rows += [(place, digest, *result) for result in found]
    if not rows:
        sys.exit(f"{folder} holds no file, and no notebook")
    results = pd.DataFrame(rows, columns=["file", "digest", "exercise", "result", "also", "lines"])
    kinds = results.result.where(results.result.isin(KINDS), "mistake")
    results["group"] = pd.Categorical(kinds, KINDS, ordered=True)
    return best_of(results, ["file", "exercise"])


def best_of(results, keys):
    return results.sort_values("group", kind="stable").drop_duplicates(keys, keep="last")


def exercises_set(found, wanted=""):
    """The exercises that --set names, or a plan's; without it those that more than a tenth began."""
    wanted = teaching_data.read_routes().get(wanted, {}).get("set", wanted)
    names = wanted.replace(",", " ").split()
    for name in names:
        if name not in EXERCISES:
            sys.exit(f"--set: {name} is no plan and none of {', '.join(EXERCISES)}")
    begun = found.best[found.best.group > "not-started"].exercise.value_counts()
    names = names or begun[begun > len(found.people) / 10].index
    return [name for name in EXERCISES if name in names]


def count_exercises(best, came, chosen):
    """A row for each exercise that came, with the number of students by group: those set first, the worst on top."""
    counts = pd.crosstab(best.exercise, best.group).reindex(index=came, columns=KINDS, fill_value=0)
    counts["wrong"] = counts.drop(columns="right").sum(axis="columns")
    counts["set"] = counts.index.isin(chosen)
    return counts.sort_values(["set", "wrong"], ascending=False)


def table_of_results(found, came):
    """A row for each student and exercise: the best result, and that of the latest attempt."""
    table = found.best.set_index(ONE)[["result", "also"]]
    table["latest"] = found.attempts.drop_duplicates(ONE, keep="last").set_index(ONE).result
    rows = pd.MultiIndex.from_product([found.people.index, came], names=ONE)
    table = table.reindex(rows).fillna({"result": "missing"}).reset_index()
    table.insert(1, "id", table.student.map(found.people._ids.str.partition()[0]))
    return table


def points(found, chosen):
    """The number of exercises that are right by name, of those that were set; none for whom nothing came."""
    right = (found.best.group == "right") & found.best.exercise.isin(chosen)
    return right.groupby(found.best.student).sum().reindex(found.people.index).astype("Int64")


# Writing


def write(folder, found, chosen):
    """Writes everything into FOLDER/collected/, and returns a summary for the terminal."""
    names = found.people.index
    came = [name for name in EXERCISES if name in {*found.best.exercise, *chosen}]
    # The number keeps apart names that a file system takes for the same.
    files = {name: f"feedback/{i:02} {who.plain(name)[:80]}.txt" for i, name in enumerate(names, 1)}
    context = {
        "found": found,
        "chosen": chosen,
        "points": points(found, chosen),
        "results": table_of_results(found, came),
        "files": files,
        "counts": count_exercises(found.best, came, chosen),
        "mistakes": class_page.mistakes(found.best, names),
    }
    texts = {file: class_page.render("feedback.txt", name=name, **context) for name, file in files.items()}
    texts["index.html"] = class_page.render("index.html", **context)
    book = found.people.drop(columns="_ids")
    book["Attention points"] = context["points"]
    tables = {"students.csv": context["results"], "gradebook.csv": book}
    if found.lines is not None:
        tables[WHOSE] = pd.DataFrame(found.lines.values(), columns=who.LINE)
    for name, table in tables.items():
        texts[name] = "\ufeff" + table.replace(FORMULA, r"'\1", regex=True).to_csv(index=False)
    write_files(folder / OUT, texts)
    return class_page.render("summary.txt", out=folder / OUT, **context)


def write_files(out, texts):
    """{name: text} as files of a folder, in place of those of an earlier run."""
    (out / "feedback").mkdir(parents=True, exist_ok=True)
    for path in out.glob("feedback/*.txt"):
        path.unlink()
    for name, text in texts.items():
        path = out / name
        path.unlink(missing_ok=True)  # a link is not followed
        path.write_text(text, encoding="utf-8", errors="replace", newline="\n")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--class", type=Path, dest="list", help="the class list")
    parser.add_argument("--set", default="", help="softmax,causal_mask, or a plan")
    args = parser.parse_args()
    sys.stdout.reconfigure(errors="replace")  # names may have letters that the terminal lacks
    table = lines = None
    try:
        if args.list:
            table = who.read_list(args.list.read_bytes())
            lines = {}
            for path in args.folder.glob(f"{OUT}/{WHOSE}"):
                whose = who.read_table(who.text_of_table(path.read_bytes()))
                lines = {who.plain(line[0]): line for line in whose[who.LINE].values.tolist()}
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"the class list or {WHOSE} is no text and no CSV file: {error}")
    found = read_class(args.folder, table, lines)
    print(write(args.folder, found, exercises_set(found, args.set)))


if __name__ == "__main__":
    main()
