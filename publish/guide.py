"""Writes the tables of teaching/README.md, and clickers.csv.

    .venv/bin/python -m publish.guide

They are made from notes.toml, routes.toml, the notebooks and the checker, so no fact stands in two
places. In README.md a table stands between <!-- made: NAME --> and <!-- end -->, and what stands
there is replaced: minutes-01 (the sections of notebook 1), ask-01 (its questions, and what each
answer reveals), clickers, mistakes, route-50.
"""

import csv
import io
import re
import sys
import tomllib
from pathlib import Path

from attention_lib.check.mistake_texts import all_ids, saying
from publish import minutes
from teaching.collect import harmless

HERE = Path(__file__).resolve().parents[1] / "teaching"
NOTEBOOKS = HERE.parent / "notebooks"
COMMAND = ".venv/bin/python -m publish.guide"
MADE = re.compile(r"(<!-- made: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
LETTERS = "ABCDE"
SHORT = 45  # letters: such a question leans on the sentence before it


def read(name, folder=HERE):
    """The tables of one of the teacher's TOML files."""
    return tomllib.loads((folder / name).read_text(encoding="utf-8"))


def notebooks(folder=NOTEBOOKS):
    """{number: cells} of the series."""
    paths = sorted(folder.glob("[0-9][0-9]_*.ipynb"))
    return {path.name[:2]: minutes.cells_of(path) for path in paths}


def table(heads, rows, right=()):
    """A Markdown table; the columns in `right` are numbers."""
    line = ["---:" if head in right else "---" for head in heads]
    rows = [[str(text).replace("|", "\\|").replace("\n", " ") for text in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, line, *rows])


# Minutes


def section_minutes(cells):
    """A notebook's sections with their minutes, predictions and exercises."""
    text = "\n".join(source for _, _, source in cells)
    stated, more = re.search(r"\*\*Time\*\*: (\d+) minutes.*?(\d+) more", text).groups()
    found = minutes.sections(cells)
    first = next(i for i, title in enumerate(found) if title.startswith("1."))
    parts = [[c for inside in list(found.values())[:first] for c in inside]]
    parts += [inside for title, inside in list(found.items())[first:] if title != minutes.FURTHER]
    titles = ["Opening", *(t for t in list(found)[first:] if t != minutes.FURTHER)]
    times = minutes.whole([minutes.felt(part) for part in parts], int(stated))
    rows = []
    for title, time, part in zip(titles, times, parts, strict=True):
        rows.append((title, time, minutes.asked(part), exercises(part)))
    rows.append(("**Core path**", f"**{stated}**", minutes.asked(minutes.core(cells)), ""))
    further = found[minutes.FURTHER]
    rows.append((minutes.FURTHER, more, minutes.asked(further), exercises(further)))
    return table(["section", "minutes", "questions", "exercises"], rows, ("minutes", "questions"))


def exercises(cells):
    text = "\n".join(source for _, _, source in cells)
    found = re.findall(r"^check\.(\w+)\(", text, re.MULTILINE)
    return ", ".join(f"`{name}`" for name in found)


# Questions


def prompt(source):
    """What a cell asks: the first question of its box, or of its text."""
    box = re.search(r"### ✎ Predict\n(.*?)(?=\n(?!>)|\Z)", source, re.DOTALL)
    asks = re.findall(r"<summary>(\d\. .*?)</summary>", source, re.DOTALL)
    choices = [ask for ask in asks if "(a)" in ask]
    text = box[1] if box else choices[0] if choices else source
    text = re.sub(r"^> ?", "", text, flags=re.MULTILINE).split("<br>")[0]
    text = re.split(r"\n\s*\n|\n- ", text.strip())
    sentences = re.split(r"(?<=[.?]) +", " ".join(" ".join(text).split()))
    i = next((i for i, sentence in enumerate(sentences) if sentence.endswith("?")), 0)
    short = len(sentences[i]) < SHORT and i > 0
    return " ".join(sentences[i - short : i + 1])


def where(cells):
    """{cell id: its section's number, "more" for what may be left out, or "start" or "end"}"""
    found, other = {}, "start"
    for title, inside in minutes.sections(cells).items():
        number = re.match(r"\d+", title)
        place = f"§{number[0]}" if number else "more" if title == minutes.FURTHER else other
        other = "end" if number else other
        found |= {id: place for id, _, _ in inside}
    return found


def questions(cells, notes):
    """What to ask in a notebook, what a room says, and what each answer reveals."""
    places, rows = where(cells), []
    for id, _, source in cells:
        if id in notes:
            note = notes[id]
            asks = f"**{places[id]}** {note.get('question') or prompt(source)}"
            answers = [(mark(answer), answer["means"]) for answer in note["answers"]]
            rows += beside(asks, [*answers, ("*next*", note["next"])])
    return table(["stop and ask", "they say", "it reveals"], rows)


def beside(first, rows):
    """Rows with something in front of the first of them."""
    return [(first if i == 0 else "", *row) for i, row in enumerate(rows)]


def mark(answer):
    return f"✓ {answer['says']}" if answer.get("right") else answer["says"]


def clickers(series, notes):
    """The questions that can be put to a vote, as (notebook, id, note)."""
    return [
        (number, id, notes[id])
        for number, cells in series.items()
        for id, _, _ in cells
        if "question" in notes.get(id, {})
    ]


def clicker_table(series, notes):
    rows = []
    for n, (number, _, note) in enumerate(clickers(series, notes), start=1):
        lettered = zip(LETTERS, note["answers"], strict=False)
        options = [(f"{letter}. {mark(answer)}", answer["means"]) for letter, answer in lettered]
        rows += beside(f"**{n}** ({int(number)}) {note['question']}", options)
    return table(["question (notebook)", "options", "who takes it"], rows)


def plain(text):
    """Text without Markdown, for a program that knows none."""
    return harmless(re.sub(r"(?<!\w)\*+(\S.*?)\*+(?!\w)", r"\1", text.replace("`", "")))


def clicker_csv(series, notes):
    """The same questions, one a line, as clicker programs take them in."""
    found = clickers(series, notes)
    letters = LETTERS[: max((len(note["answers"]) for _, _, note in found), default=0)]
    file = io.StringIO()
    lines = csv.writer(file, lineterminator="\n")
    meanings = [f"{letter} means" for letter in letters]
    lines.writerow(["notebook", "cell", "question", *letters, "right", *meanings])
    for number, id, note in found:
        answers, blank = note["answers"], [""] * (len(letters) - len(note["answers"]))
        (right,) = [x for x, a in zip(letters, answers, strict=False) if a.get("right")]
        says = [plain(answer["says"]) for answer in answers] + blank
        means = [plain(answer["means"]) for answer in answers] + blank
        lines.writerow([number, id, plain(note["question"]), *says, right, *means])
    return file.getvalue()


# Mistakes and routes


def mistakes():
    rows = [(f"`{id}`", *saying(id)) for id in all_ids()]
    return table(["id", "what happened", "what to ask"], rows)


def route(stops, series):
    """The minutes of a class, one stop a row."""
    rows, now = [], 0
    for stop in stops:
        then = now + stop["minutes"]
        rows.append((f"{now}-{then}", stop["title"], place_of(stop, series), stop.get("say", "")))
        now = then
    return table(["minutes", "what", "where", "say"], rows)


def place_of(stop, series):
    if not stop.get("cells"):
        return ""
    places = where(series[stop["notebook"]])
    inside = list(dict.fromkeys(places[id] for id in stop["cells"]))
    return f"{int(stop['notebook'])} {', '.join(inside)}"


# All of it


def tables(series, notes, routes):
    """{name: Markdown} of every table there is."""
    made = {f"minutes-{number}": section_minutes(cells) for number, cells in series.items()}
    made |= {f"ask-{number}": questions(cells, notes) for number, cells in series.items()}
    made |= {"clickers": clicker_table(series, notes), "mistakes": mistakes()}
    made |= {f"route-{name}": route(stops, series) for name, stops in routes.items()}
    return made


def filled(text, made):
    """A Markdown text with its tables put in."""
    names = re.findall(r"<!-- made: (\S+) -->", text)
    if wrong := [name for name in names if name not in made]:
        raise SystemExit(f"no such table: {wrong[0]}; there are {', '.join(made)}")
    if len(names) != len(MADE.findall(text)) or len(names) != text.count("<!-- end -->"):
        raise SystemExit("each <!-- made: NAME --> on a line of its own needs its <!-- end -->")
    return MADE.sub(lambda match: f"{match[1]}\n{made[match[2]]}\n\n{match[3]}", text)


def files(folder=HERE):
    """{path: what should stand in it}"""
    series, notes = notebooks(), read("notes.toml", folder)
    wanted = {folder / "clickers.csv": clicker_csv(series, notes)}
    readme = folder / "README.md"
    if readme.exists():
        made = tables(series, notes, read("routes.toml", folder))
        wanted[readme] = filled(readme.read_text(encoding="utf-8"), made)
    return wanted


def outdated():
    """The names of the files that this program would change."""
    return [
        path.name
        for path, text in files().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def main():
    if sys.argv[1:]:
        sys.exit(__doc__)
    for path, text in files().items():
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{path.name}: {len(text.splitlines())} lines")


if __name__ == "__main__":
    main()
