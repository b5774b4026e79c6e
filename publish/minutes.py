"""Estimates the minutes that a notebook and its sections take.

    .venv/bin/python -m publish.minutes         print the minutes that each notebook states and needs
    .venv/bin/python -m publish.minutes 03 05   write what these two need into their first cells and README

The estimate is for a reader with English as a second language: 140 words a minute, where the folded
words of hints, solutions, questions and of *You said ...?* count half and those of explanations in full; 20 seconds a
code cell and 3 seconds a line of code that is not folded; 45 seconds a prediction or question. All of it times 1.3,
for what is read twice. To this come 2 minutes a row of eight words or more in a table, a rule or a line of code to be
compared with what it is about, and what the exercises state.

Simulated students with a clock needed 55, 41, 61, 72 and 70 minutes for the core paths of notebooks 1, 2, 4, 7 and 8
as they were in November 2026; this gives 52, 45, 55, 70 and 66. (All times 1.2, without tables, gave 52, 44, 57, 49
and 50.)
"""

import json
import re

from publish.execute import command_line
from publish.notebooks import EXPLAINED, PATHS, PREDICT, ROOT, SUMMARY, YOU_SAID

FURTHER = "Going further"
NOT_CORE = (FURTHER, "Sources")  # sections that are not part of the core path
EXERCISE_MINUTES = re.compile(r"\b(?:[Ee]asy|[Mm]edium|[Hh]ard), (\d+) minutes?\b")
HEADING = re.compile(r"^## +(.+?) *$", re.MULTILINE)
FELT = 1.3  # what readers needed, as a multiple of the sum
ROW = 2  # minutes, a row of a table in words
FEWEST_WORDS = 8  # of such a row
STATED = re.compile(r"(\*\*Time\*\*: )(\d+)( minutes for the core path)")


def cells_of(path):
    """The cells of a stored notebook as (id, kind, source), where folded code is left out: nobody needs to read it."""
    found = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        is_folded = "hide-input" in cell["metadata"].get("tags", [])
        found.append((cell["id"], cell["cell_type"], "" if is_folded else "".join(cell["source"])))
    return found


def markdown(cells):
    return "\n".join(source for _, kind, source in cells if kind == "markdown")


def sections(cells):
    """{title: its cells}, in order; "" has the cells before the first heading."""
    found, title = {"": []}, ""
    for cell in cells:
        _, kind, source = cell
        heading = HEADING.search(re.sub(r"(?ms)^```.*?^```", "", source))
        if kind == "markdown" and heading:
            title = heading[1]
        found.setdefault(title, []).append(cell)
    return found


def core(cells):
    """The cells of the core path: all sections but "Going further" and "Sources"."""
    return [cell for title, inside in sections(cells).items() if title not in NOT_CORE for cell in inside]


def asked(cells):
    """How many predictions and questions these cells ask for."""
    text = markdown(cells)
    return text.count(PREDICT) + len(re.findall(rf"{SUMMARY}\d\.", text))


def exercise_minutes(cells):
    """The sum of the minutes that the exercises state."""
    return sum(map(int, EXERCISE_MINUTES.findall(markdown(cells))))


def words(text):
    """How many words a text has, without its HTML tags."""
    return len(re.sub(r"<[^<>]*>", " ", text).split())


def rows_in_words(text):
    """How many rows of tables hold sentences or rules, and not numbers."""
    rows = re.findall(r"^\|.*", text, re.MULTILINE)
    return sum(words(row.replace("|", " ")) >= FEWEST_WORDS for row in rows)


def estimate(cells):
    """The minutes that these cells take, not rounded."""
    text = markdown(cells)
    code = [source for _, kind, source in cells if kind == "code"]
    lines = [line for source in code for line in source.splitlines() if line.strip()]
    folds = re.findall(r"<details>.*?</details>", text, flags=re.DOTALL)
    wrong_answers = [f"You said {says} {refuted}" for says, refuted in YOU_SAID.findall(text)]
    optional = [fold for fold in folds if EXPLAINED not in fold]
    folded = " ".join([*wrong_answers, *optional])
    rows = rows_in_words(text) - sum(map(rows_in_words, optional))  # a folded table is for looking things up
    reading = (words(text) - words(folded) / 2) / 140
    reading += len(code) / 3 + len(lines) / 20 + asked(cells) * 3 / 4
    return FELT * reading + ROW * rows + exercise_minutes(cells)


def stated(cells):
    """The minutes that a notebook states for its core path."""
    return int(STATED.search(markdown(cells))[2])


def write(path, readme):
    """Write the estimate for the notebook at `path` into its first cell and into README's table."""
    minutes = round(estimate(core(cells_of(path))))
    row = re.compile(rf"^(\|.*{re.escape(path.name)}\).*\| )(\d+)( \|)$", re.MULTILINE)
    for file, pattern in [(path, STATED), (readme, row)]:
        text = pattern.sub(rf"\g<1>{minutes}\g<3>", file.read_text(encoding="utf-8"))
        file.write_text(text, encoding="utf-8", newline="\n")


def main():
    parser = command_line(__doc__)
    parser.add_argument("numbers", nargs="*", metavar="NN", help="notebooks by number")
    numbers = parser.parse_args().numbers
    print("notebook  stated  estimated")
    for number, path in PATHS.items():
        if number in numbers:
            write(path, ROOT / "README.md")
        cells = cells_of(path)
        print(f"{number}        {stated(cells):6}  {estimate(core(cells)):9.0f}")


if __name__ == "__main__":
    main()
