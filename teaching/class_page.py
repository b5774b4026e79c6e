"""What collect writes in words: the page for the teacher, the feedback, the summary in the terminal."""

import re
from collections import defaultdict

import pandas as pd
from jinja2 import Environment, FileSystemLoader, select_autoescape

from lesson.check.puzzles.head_puzzle import NAMED
from lesson.check.verdict import marked
from publish import assistant, notebooks, teaching_data
from teaching import who
from teaching.stored import KINDS, ONE

DECKS = notebooks.ROOT / "decks"  # where publish.slides writes by the guide
TEMPLATES = Environment(
    loader=FileSystemLoader(teaching_data.FOLDER / "templates"),
    autoescape=select_autoescape(["html"]),
    trim_blocks=True,
    lstrip_blocks=True,
)
PUZZLE_ASKS = "For which of the 72 heads is the selectivity the largest?"
# The likely cause of each mistake, and a question.
UNKNOWN = "A check of another version found this.", "What does its message ask?"
TEXTS = defaultdict(lambda: UNKNOWN, assistant.TEXTS)
TEXTS |= {id: (cause, PUZZLE_ASKS) for id, cause in NAMED.values()}
TEMPLATES.globals |= {"marked": marked, "TEXTS": TEXTS, "KINDS": KINDS}


def slides():
    """{mistake or exercise: (number of the notebook that treats it, address of the slide or "")}."""
    found = {}
    for cell, ids in teaching_data.read("treats.toml").items():
        number = cell[2:4]  # nb04-03 is a cell of notebook 4
        deck = DECKS / f"{notebooks.PATHS[number].stem}.html"
        address = f"{deck.as_uri()}#/{cell}" if deck.is_file() else ""
        found |= dict.fromkeys(ids.split(), (int(number), address))
    return found


def examples(lines, names):
    """Up to three ways in which a mistake was written, the commonest first, none long or with a word of a name."""
    short = lines[lines.str.fullmatch(r".{1,80}(\n.{1,80}){0,4}")].value_counts().index
    # A name in code may end in a digit.
    texts = [re.sub(r"\d", " ", text) for text in (" ".join(names), *short)]
    of_names, *of_lines = [{*map(who.bare, who.words(text))} for text in texts]
    return [text for text, words in zip(short, of_lines) if words.isdisjoint(of_names)][:3]


def mistakes(best, names):
    """What the page says of each mistake, that of most students first."""
    treated = slides()
    found = []
    for id, rows in best[best.group == "mistake"].groupby("result"):
        places = rows.groupby("exercise").student.agg(list).to_dict()
        found.append(
            {
                "id": id,
                "places": places,
                "n": rows.student.nunique(),
                "slide": treated.get(id) or treated.get(min(places)),
                "examples": examples(rows.lines, names),
            }
        )
    return sorted(found, key=lambda mistake: mistake["n"], reverse=True)


def count_exercises(best, came, chosen):
    """A row for each exercise that came, with the number of students by group: those set first, the worst on top."""
    counts = pd.crosstab(best.exercise, best.group).reindex(index=came, columns=KINDS, fill_value=0)
    counts["wrong"] = counts.drop(columns="right").sum(axis="columns")
    counts["set"] = counts.index.isin(chosen)
    return counts.sort_values(["set", "wrong"], ascending=False)


def table_of_results(found, came):
    """A row for each student and exercise: the best result, and that of the latest attempt."""
    table = found.best.set_index(ONE)[["result", "also", "late"]]
    table["latest"] = found.attempts.drop_duplicates(ONE, keep="last").set_index(ONE).result
    rows = pd.MultiIndex.from_product([found.people.index, came], names=ONE)
    table = table.reindex(rows).reset_index()
    table["result"] = table.result.fillna(table.student.map(found.states))
    table.insert(1, "id", table.student.map(found.people._ids.str[0]))
    return table


def render(template, context, **more):
    return TEMPLATES.get_template(template).render(context, **more)
