"""What collect writes in words: the page for the teacher, the feedback, the summary in the terminal."""

import json
import tomllib
from collections import Counter
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, select_autoescape

from lesson import check
from lesson.check.mistakes.general import GENERAL
from lesson.check.puzzles.head_puzzle import NAMED
from lesson.check.verdict import marked
from teaching import stored, who

TEACHING = Path(__file__).resolve().parent
TEMPLATES = Environment(
    loader=FileSystemLoader(TEACHING / "templates"),
    autoescape=select_autoescape(["html"]),
    trim_blocks=True,
    lstrip_blocks=True,
)
TEMPLATES.filters["marked"] = marked
PUZZLE_ASKS = "For which of the 72 heads is the selectivity the largest?"
OF_ANOTHER_VERSION = "A check of another version found this.", "What does its message ask?"
TEXTS = {mistake.id: (mistake.cause, mistake.ask) for mistake in check.MISTAKES} | GENERAL
TEXTS |= {id: (cause, PUZZLE_ASKS) for id, cause in NAMED.values()}


def cells():
    """The cells of all notebooks, each with the "file" and the "section" that it is in, and its "text"."""
    section = ""
    for path in sorted(TEACHING.parent.glob("notebooks/0*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            text = "".join(cell["source"])
            if text.startswith(("# ", "## ")):
                section = text.partition("\n")[0].strip("# ")
            yield {"id": cell["id"], "text": text, "file": path.stem, "section": section}


def exercises_of_plans():
    """{name of a plan: the exercises on its slides}, of those that have any."""
    routes = tomllib.loads((TEACHING / "routes.toml").read_text(encoding="utf-8"))
    called = {cell["id"]: stored.CHECK_CALL.findall(cell["text"]) for cell in cells()}
    plans = {
        plan: [name for part in route["parts"] for id in part.get("cells", []) for name in called.get(id, [])]
        for plan, route in routes.items()
    }
    return {plan: names for plan, names in plans.items() if names}


def slides(decks):
    """{mistake or exercise: (address of the slide that treats it, or "", notebook and section)}."""
    treats = tomllib.loads((TEACHING / "treats.toml").read_text(encoding="utf-8"))
    found = {}
    for cell in cells():
        deck = Path(decks or "", f"{cell['file']}.html").resolve()
        address = f"{deck.as_uri()}#/{cell['id']}" if deck.is_file() else ""
        for id in treats.get(cell["id"], "").split():
            found[id] = address, f"notebook {int(cell['file'][:2])}, {cell['section']}"
    return found


def examples(lines, names):
    """Up to three ways in which a mistake was written, the commonest first, none with a word of a name."""
    words = {word for name in names for word in who.words_in(name)}
    short = [text for text in lines if text and text.count("\n") < 5 and len(text) < 300]
    return [text for text, _ in Counter(short).most_common() if words.isdisjoint(who.words_in(text))][:3]


def context(found, best, ranking, decks):
    """What the templates need; `ranking` has (mistake, {exercise: [student]})."""
    treated, mistakes = slides(decks), []
    for id, places in ranking:
        slide = treated.get(id) or treated.get(next(iter(places))) or ("", "")
        names = {name for names in places.values() for name in names}
        lines = examples(best.lines[best.result == id], found.ids)
        mistakes.append({"id": id, "places": places, "n": len(names), "slide": slide, "examples": lines})
    attempts = {key: rows.to_dict("records") for key, rows in found.attempts.groupby(["student", "exercise"])}
    best = {(row["student"], row["exercise"]): row for row in best.to_dict("records")}
    return {"found": found, "mistakes": mistakes, "attempts": attempts, "best": best}


def render(template, **context):
    texts = {"text_of": lambda id: TEXTS.get(id, OF_ANOTHER_VERSION), "unchecked": stored.UNCHECKED}
    return TEMPLATES.get_template(template).render(**texts, **context)
