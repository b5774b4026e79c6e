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
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from publish import teaching_data
from teaching import class_page, stored, who
from teaching.stored import EXERCISES

OUT, WHOSE, PAGE = "collected", "whose.csv", "index.html"
ONE = ["student", "exercise"]
COLUMNS = ["file", "digest", "exercise", "result", "also", "lines", "group", "rank"]


@dataclass
class Class:
    """What a class handed in. Students are those of the list, or hand-ins."""

    people: pd.DataFrame  # by name: the list, and "_id"
    # "student" and COLUMNS, in order; exercise "" in the one row of a file without any
    attempts: pd.DataFrame
    told: dict  # {what to look at: [files or names]}
    notebooks: int
    unsettled: int  # hand-ins that a list, or lines of WHOSE, would settle
    with_list: bool

    @property
    def best(self):
        """The best attempt of each student at each exercise, of several as good the last."""
        known = self.attempts[self.attempts.exercise != ""]
        return known.sort_values("rank", kind="stable").drop_duplicates(ONE, keep="last")

    def points(self, chosen):
        """The number of exercises that are right by name, of those that were set; none for whom nothing came."""
        right = self.attempts[self.attempts.exercise.isin(chosen) & (self.attempts.result == "right")]
        points = right.groupby("student").exercise.nunique()
        points = points.reindex(self.attempts.student.unique(), fill_value=0)
        return points.reindex(self.people.index).astype("Int64")


def read_class(folder, table=None, lines=None):
    """The Class of a folder. `table` is the list, `lines` are those of WHOSE, {name: line}; new ones are added."""
    results = read_results(folder)
    told = results[results.exercise == ""].groupby("result").file.agg(list).to_dict()
    files = who.read_places(sorted({*results.file}.difference(told.get(stored.NO_NOTEBOOK, []))))
    with_list = table is not None
    if with_list:
        owners, nobodys = who.by_list(files, who.people_of(table), lines)
        told[f"counts for nobody, until {WHOSE} says whose it is"] = nobodys
    else:
        owners, table = who.by_rule(files)
        told |= who.doubts(table.index)
    attempts = pd.DataFrame(owners, columns=["student", "file"]).merge(results, on="file")
    several = attempts[attempts.duplicated(ONE) & (attempts.exercise != "")].drop_duplicates(ONE)
    several = several.groupby("student").exercise.agg(", ".join)
    told["several files of one exercise, the best counts"] = list(several.index + " (" + several + ")")
    checked = results[results["rank"] >= stored.KINDS.index("mistake")].drop_duplicates("file")
    same = checked[checked.duplicated("digest", keep=False) & (checked.exercise != "")]
    told["identical files"] = list(same.groupby("digest").file.agg(" = ".join))
    unsettled = nobodys if with_list else {*table.index[table._id == ""], *several.index}
    notebooks = results.file[results.digest != ""].nunique()
    return Class(table, attempts, told, notebooks, len(unsettled), with_list)


def read_results(folder):
    """A table of COLUMNS, a row for each exercise of each file."""
    rows = []
    for path in sorted(folder.rglob("*")):
        place = path.relative_to(folder).as_posix()
        if path.is_file() and not place.startswith(f"{OUT}/") and "/." not in f"/{place}":
            results, digest = stored.read(path)
            for exercise, result in results.items():
                rows.append((place, digest, exercise, *result, result.group, result.rank))
    return pd.DataFrame(rows, columns=COLUMNS)


def exercises_set(found, wanted=""):
    """The exercises that --set names, or a plan's; without it those that more than a tenth began."""
    plans = {
        plan: route["set"].split() for plan, route in teaching_data.read_routes().items() if "set" in route
    }
    names = plans.get(wanted) or wanted.replace(",", " ").split()
    if unknown := sorted(set(names) - set(EXERCISES)):
        sys.exit(f"--set: {unknown[0]} is none of {', '.join(EXERCISES)}, and no plan ({', '.join(plans)})")
    begun = found.best[found.best.result != "not-started"].exercise.value_counts()
    names = names or begun[begun > len(found.people) / 10].index
    return [name for name in EXERCISES if name in names]


def count_exercises(best, came, chosen):
    """A row for each exercise that came, with the number of students by group: those set first, the worst on top."""
    counts = pd.crosstab(best.exercise, best.group).reindex(index=came, columns=stored.KINDS, fill_value=0)
    counts["came"] = counts.sum(axis="columns")
    counts["wrong"] = counts.came - counts.right
    counts["set"] = counts.index.isin(chosen)
    return counts.sort_values(["set", "wrong"], ascending=False, kind="stable")


def table_of_results(found, came):
    """A row for each student and exercise; "latest" where somebody has several attempts."""
    table = pd.MultiIndex.from_product([found.people.index, came], names=ONE).to_frame(index=False)
    again = found.attempts[found.attempts.duplicated(ONE)].drop_duplicates(ONE, keep="last")
    again = again.assign(latest=(again.result + " " + again.also).str.strip())[[*ONE, "latest"]]
    table = table.merge(found.best, on=ONE, how="left").merge(again, on=ONE, how="left")
    table = table.join(found.people._id.rename("id"), on="student").fillna({"result": "missing"})
    return table[["student", "id", "exercise", "result", "also", "latest"]]


# Writing


def spreadsheet_text(cell):
    """A cell of a spreadsheet, which would compute text that begins like a formula."""
    is_formula = isinstance(cell, str) and cell.startswith(tuple("=+-@\t\r＝＋－＠"))
    return f"'{cell}" if is_formula else cell


def feedback_names(students):
    """{student: file name}; the number keeps apart names that a file system takes for the same."""
    stems = [re.sub(r"[^\w .,'()-]", "_", student)[:80] for student in students]
    return {student: f"{i:02} {stem}.txt" for i, (student, stem) in enumerate(zip(students, stems), 1)}


def write(folder, found, chosen, lines=None):
    """Writes everything into FOLDER/collected/, and returns the page and a summary for the terminal."""
    came = [name for name in EXERCISES if name in {*found.best.exercise, *chosen}]
    points, results = found.points(chosen), table_of_results(found, came)
    files = feedback_names(found.people.index)
    context = {"found": found, "chosen": chosen, "points": points, "results": results, "files": files}
    context["counts"] = count_exercises(found.best, came, chosen)
    context["mistakes"] = class_page.mistakes(found.best, found.people.index)
    texts = {PAGE: class_page.render(PAGE, **context)}
    for name, file in files.items():
        texts[f"feedback/{file}"] = class_page.render("feedback.txt", name=name, **context)
    book = found.people.drop(columns="_id").assign(**{"Attention points": points})
    tables = {"students.csv": results, "gradebook.csv": book}
    if found.with_list:
        tables[WHOSE] = pd.DataFrame(lines.values(), columns=who.LINE)
    for name, table in tables.items():
        texts[name] = "\ufeff" + table.map(spreadsheet_text).to_csv(index=False)
    write_files(folder / OUT, texts)
    return folder / OUT / PAGE, class_page.render("summary.txt", **context)


def write_files(out, texts):
    """{name: text} as files of a folder, in place of those of an earlier run."""
    if any(out.rglob("*.ipynb")):
        sys.exit(f"{out} has notebooks, which are not read: move them elsewhere")
    (out / "feedback").mkdir(parents=True, exist_ok=True)
    for path in [*out.glob("feedback/*.txt"), *(out / name for name in texts)]:
        path.unlink(missing_ok=True)  # a link is not followed
    for name, text in texts.items():
        (out / name).write_text(text, encoding="utf-8", errors="replace", newline="\n")


def read_lines(path):
    """{name: line} of a second file."""
    table = who.read_table(who.text_of_table(path.read_bytes()))
    return {who.spaced(line["name"]): line for line in table.to_dict("records")}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--class", dest="list", type=Path, metavar="LIST", help="the class list")
    parser.add_argument("--whose", type=Path, metavar="FILE", help="whose.csv of an earlier week")
    parser.add_argument("--set", default="", metavar="EXERCISES", help="softmax,causal_mask, or a plan")
    args = parser.parse_args()
    sys.stdout.reconfigure(errors="replace")  # names may have letters that the terminal lacks
    table, lines = None, {}
    if args.list:
        for path in (args.whose, args.folder / OUT / WHOSE):
            lines |= read_lines(path) if path and path.is_file() else {}
        try:
            table = who.read_list(args.list.read_bytes())
        except (OSError, ValueError) as error:
            sys.exit(f"{args.list} is no text and no CSV file: {error}")
    found = read_class(args.folder, table, lines)
    if not found.notebooks:
        sys.exit(f"{args.folder} holds no notebook")
    page, summary = write(args.folder, found, exercises_set(found, args.set), lines)
    print(f"{summary}\nLook at {page}")


if __name__ == "__main__":
    main()
