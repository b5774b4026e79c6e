"""What collect writes in words: the page for the teacher, the feedback, the summary in the terminal."""

from jinja2 import Environment, FileSystemLoader, select_autoescape

from lesson import check
from lesson.check.mistakes.general import GENERAL
from lesson.check.puzzles.head_puzzle import NAMED
from lesson.check.verdict import marked
from publish import notebooks, teaching_data
from teaching import stored, who

DECKS = notebooks.ROOT / "decks"  # where publish.slides writes by the guide
TEMPLATES = Environment(
    loader=FileSystemLoader(teaching_data.FOLDER / "templates"),
    autoescape=select_autoescape(["html"]),
    trim_blocks=True,
    lstrip_blocks=True,
)
PUZZLE_ASKS = "For which of the 72 heads is the selectivity the largest?"
TEXTS = {mistake.id: (mistake.cause, mistake.question) for mistake in check.MISTAKES} | GENERAL
TEXTS |= {id: (cause, PUZZLE_ASKS) for id, cause in NAMED.values()}


def text_of(id):
    """The likely cause of a mistake, and a question."""
    return TEXTS.get(id, ("A check of another version found this.", "What does its message ask?"))


def slides():
    """{mistake or exercise: (number of the notebook that treats it, address of the slide or "")}."""
    found = {}
    for cell, ids in teaching_data.read_treats().items():
        number = teaching_data.notebook_of(cell)
        deck = DECKS / f"{notebooks.PATHS[number].stem}.html"
        address = f"{deck.as_uri()}#/{cell}" if deck.is_file() else ""
        found |= dict.fromkeys(ids.split(), (int(number), address))
    return found


def examples(lines, names):
    """Up to three ways in which a mistake was written, the commonest first, none long or with a word of a name."""
    words = {*who.words_in(" ".join(names).lower())}
    short = lines[lines.str.fullmatch(r".{1,80}(\n.{1,80}){0,4}")].value_counts().index
    return [text for text in short if words.isdisjoint(who.words_in(text.lower()))][:3]


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


def render(template, **context):
    """The text of a template."""
    return TEMPLATES.get_template(template).render(
        marked=marked, text_of=text_of, KINDS=stored.KINDS, **context
    )
