"""Writes the tables of teaching/README.md, and teaching/clickers.csv.

    .venv/bin/python -m publish.guide

They are made from notes.toml, routes.toml, the notebooks and the checker, so that each fact is
written once. In README.md it replaces what stands between <!-- made: NAME --> and <!-- end -->. Names
are minutes-01 (the sections of notebook 1), ask-01 (its questions, and what each answer reveals),
clickers, mistakes and route-50.
"""

import argparse
import csv
import io
import re

from attention_lib.check.texts_by_id import all_ids, cause_and_question
from publish import minutes, notebooks, teaching_data

MARKED = re.compile(r"(<!-- made: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
LETTERS = "ABCDE"
SHORT_QUESTION = 45  # letters; a shorter one is printed with the sentence before it


def read_series():
    """{number: cells} of the notebooks; a cell is (id, kind, source)."""
    return {number: minutes.cells_of(path) for number, path in notebooks.PATHS.items()}


def markdown_table(heads, rows, numeric=()):
    """A Markdown table; the columns in `numeric` are aligned to the right."""
    line = ["---:" if head in numeric else "---" for head in heads]
    rows = [[str(text).replace("|", "\\|").replace("\n", " ") for text in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, line, *rows])


# Minutes


def minutes_table(cells):
    """A notebook's sections with their minutes, questions and exercises.

    The minutes of the sections are rounded so that they add up to the stated ones.
    """
    text = "\n".join(source for _, _, source in cells)
    core_minutes, further_minutes = re.search(r"\*\*Time\*\*: (\d+) minutes.*?(\d+) more", text).groups()
    sections = minutes.sections(cells)
    further = sections.pop(minutes.FURTHER)
    first = next(i for i, title in enumerate(sections) if title.startswith("1."))
    parts = list(sections.values())
    opening = [cell for part in parts[:first] for cell in part]
    parts = [opening, *parts[first:]]
    titles = ["Opening", *list(sections)[first:]]
    times = round_to_total([minutes.estimate(part) for part in parts], int(core_minutes))
    rows = [
        (title, time, minutes.asked(part), exercise_names(part))
        for title, time, part in zip(titles, times, parts, strict=True)
    ]
    rows.append(("**Core path**", f"**{core_minutes}**", minutes.asked(minutes.core(cells)), ""))
    rows.append((minutes.FURTHER, further_minutes, minutes.asked(further), exercise_names(further)))
    return markdown_table(["section", "minutes", "questions", "exercises"], rows, ("minutes", "questions"))


def round_to_total(parts, total):
    """Numbers scaled and rounded to integers that add up to `total`: the largest remainders go up."""
    exact = [part * total / sum(parts) for part in parts]
    rounded = [int(n) for n in exact]
    by_remainder = sorted(range(len(parts)), key=lambda i: rounded[i] - exact[i])
    for i in by_remainder[: total - sum(rounded)]:
        rounded[i] += 1
    return rounded


def exercise_names(cells):
    text = "\n".join(source for _, _, source in cells)
    names = re.findall(r"^check\.(\w+)\(", text, re.MULTILINE)
    return ", ".join(f"`{name}`" for name in names)


# Questions


def question_text(source):
    """What a cell asks: the first question of its box ✎ Predict, of its choices, or of its text."""
    box = re.search(rf"{notebooks.PREDICT}\n(.*?)(?=\n(?!>)|\Z)", source, re.DOTALL)
    folds = re.findall(rf"{notebooks.SUMMARY}(\d\. .*?)</summary>", source, re.DOTALL)
    choices = [fold for fold in folds if "(a)" in fold]
    text = box[1] if box else choices[0] if choices else source
    text = re.sub(r"^> ?", "", text, flags=re.MULTILINE).split("<br>")[0]
    paragraphs = re.split(r"\n\s*\n|\n- ", text.strip())
    sentences = re.split(r"(?<=[.?]) +", " ".join(" ".join(paragraphs).split()))
    at = next((i for i, sentence in enumerate(sentences) if sentence.endswith("?")), 0)
    start = at - 1 if at > 0 and len(sentences[at]) < SHORT_QUESTION else at
    return " ".join(sentences[start : at + 1])


def section_labels(cells):
    """{cell id: "§1" and so on, "more" in the part that may be left out, else "start" or "end"}"""
    labels, outside = {}, "start"
    for title, inside in minutes.sections(cells).items():
        if number := re.match(r"\d+", title):
            label, outside = f"§{number[0]}", "end"
        else:
            label = "more" if title == minutes.FURTHER else outside
        labels |= {id: label for id, _, _ in inside}
    return labels


def question_table(cells, notes):
    """What to ask in a notebook, what a class answers, and what each answer reveals."""
    labels, rows = section_labels(cells), []
    for id, _, source in cells:
        if id in notes:
            note = notes[id]
            question = f"**{labels[id]}** {note.get('question') or question_text(source)}"
            answers = [(answer_text(answer), answer["means"]) for answer in note["answers"]]
            rows += with_first_column(question, [*answers, ("*next*", note["next"])])
    return markdown_table(["stop and ask", "they say", "it reveals"], rows)


def with_first_column(text, rows):
    """Rows with one more column in front, which is empty but for the first row."""
    return [(text if i == 0 else "", *row) for i, row in enumerate(rows)]


def answer_text(answer):
    return f"✓ {answer['says']}" if answer.get("right") else answer["says"]


def vote_questions(series, notes):
    """The questions that can be put to a vote, as (notebook, cell id, note)."""
    return [
        (number, id, notes[id])
        for number, cells in series.items()
        for id, _, _ in cells
        if "question" in notes.get(id, {})
    ]


def vote_table(series, notes):
    rows = []
    for n, (number, _, note) in enumerate(vote_questions(series, notes), start=1):
        lettered = zip(LETTERS, note["answers"], strict=False)
        options = [(f"{letter}. {answer_text(answer)}", answer["means"]) for letter, answer in lettered]
        rows += with_first_column(f"**{n}** ({int(number)}) {note['question']}", options)
    return markdown_table(["question (notebook)", "options", "who takes it"], rows)


def plain_text(markdown):
    """Text for a cell of a spreadsheet: without Markdown, and no formula that would be computed."""
    text = re.sub(r"(?<!\w)\*+(\S.*?)\*+(?!\w)", r"\1", markdown.replace("`", ""))
    return f"'{text}" if text.startswith(tuple("=+-@")) else text


def vote_csv(series, notes):
    """The questions to vote on, one a line, as clicker programs import them."""
    questions = vote_questions(series, notes)
    letters = LETTERS[: max((len(note["answers"]) for _, _, note in questions), default=0)]
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    meanings = [f"{letter} means" for letter in letters]
    table.writerow(["notebook", "cell", "question", *letters, "right", *meanings])
    for number, id, note in questions:
        answers, blank = note["answers"], [""] * (len(letters) - len(note["answers"]))
        (right,) = [x for x, answer in zip(letters, answers, strict=False) if answer.get("right")]
        says = [plain_text(answer["says"]) for answer in answers] + blank
        means = [plain_text(answer["means"]) for answer in answers] + blank
        table.writerow([number, id, plain_text(note["question"]), *says, right, *means])
    return file.getvalue()


# Mistakes and routes


def mistake_table():
    rows = [(f"`{id}`", *cause_and_question(id)) for id in all_ids()]
    return markdown_table(["id", "what happened", "what to ask"], rows)


def route_table(parts, series):
    """The plan of a class, minute by minute."""
    rows, start = [], 0
    for part in parts:
        end = start + part["minutes"]
        rows.append((f"{start}-{end}", part["title"], part_sections(part, series), part["say"]))
        start = end
    return markdown_table(["minutes", "what", "where", "say"], rows)


def part_sections(part, series):
    """The notebook and the sections of a route's part; nothing for one at the board."""
    if not part["cells"]:
        return ""
    labels = section_labels(series[part["notebook"]])
    inside = list(dict.fromkeys(labels[id] for id in part["cells"]))
    return f"{int(part['notebook'])} {', '.join(inside)}"


# Files


def all_tables():
    """{name: Markdown} of every table."""
    series, notes = read_series(), teaching_data.read_notes()
    tables = {f"minutes-{number}": minutes_table(cells) for number, cells in series.items()}
    tables |= {f"ask-{number}": question_table(cells, notes) for number, cells in series.items()}
    tables |= {"clickers": vote_table(series, notes), "mistakes": mistake_table()}
    routes = teaching_data.read_routes()
    return tables | {f"route-{name}": route_table(parts, series) for name, parts in routes.items()}


def fill_tables(text, tables):
    """A Markdown text with its marked tables replaced."""
    names = re.findall(r"<!-- made: (\S+) -->", text)
    if unknown := [name for name in names if name not in tables]:
        raise SystemExit(f"no such table: {unknown[0]}; there are {', '.join(tables)}")
    if len(names) != len(MARKED.findall(text)) or len(names) != text.count("<!-- end -->"):
        raise SystemExit("each <!-- made: NAME --> on a line of its own needs its <!-- end -->")
    return MARKED.sub(lambda match: f"{match[1]}\n{tables[match[2]]}\n\n{match[3]}", text)


def contents():
    """{path: what should be in the file}"""
    readme = teaching_data.FOLDER / "README.md"
    return {
        readme: fill_tables(readme.read_text(encoding="utf-8"), all_tables()),
        teaching_data.FOLDER / "clickers.csv": vote_csv(read_series(), teaching_data.read_notes()),
    }


def main():
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    for path, text in contents().items():
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{path.name}: {len(text.splitlines())} lines")


if __name__ == "__main__":
    main()
