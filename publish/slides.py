"""Makes decks of slides, to be shown from a disk or a USB stick, without a network.

    .venv/bin/pip install -r publish/requirements.txt
    .venv/bin/python -m publish.slides OUT

OUT/index.html lists a deck for each notebook and for each plan of routes.toml, the votes as clickers.txt, and a page
to hand out. The HTML around it is in deck/; all text of a notebook's deck comes from the notebook:

- "slide_type" in a cell's metadata says where a slide, or a step of it, begins.
- In a Markdown cell or a fold, what stands below a line <!-- notes --> goes to the speaker's notes (key S).
- A box ✎ Predict is always shown; with a question to vote on in notes.toml, that question and its options.
- A fold "1. ..." is a slide with a question. An explanation, answer or solution comes on the next key; other
  folds go to the notes.
- Code is shown if the metadata say "slide": "code".
- The slide of an exercise says which notebook to open.
"""

import re
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from attention_lib.show import figures
from lesson import check
from lesson.check.steps import steps_with
from lesson.check.verdict import TYPE as VERDICT
from publish import assistant, formulas, notebooks, projector_pictures, teaching_data
from publish.execute import command_line

DECK = Path(__file__).resolve().parent / "deck"
PLAYER = ["dist/reveal.js", "dist/reveal.css", "plugin/notes/notes.js", "LICENSE"]
FOLD = re.compile(r"<details><summary[^>]*>(.*?)</summary>\n\n(.*?)\n\n</details>", re.DOTALL)
EXERCISE = re.compile(r"^### Exercise (\d+)", re.MULTILINE)
BOX = re.compile(rf"^> {re.escape(notebooks.PREDICT)}\n(?:>.*\n?)+", re.MULTILINE)
QUESTION = re.compile(r"\d+\. ")
NOTES_BELOW = "<!-- notes -->"


@dataclass
class Step:
    """What one key press adds to a slide, and the speaker's notes meanwhile, in HTML."""

    shown: str
    notes: str = ""


@dataclass
class Slide:
    name: str
    title: str  # HTML: its own heading, or the section that it belongs to
    steps: list[Step] = field(default_factory=list)


def render(markdown):
    """Markdown as HTML, formulas as MathML, links to notebooks as links to decks."""
    page = formulas.render(re.sub(r"\]\((\d\d_\w+)\.ipynb\)", r"](\1.html)", markdown))
    return page.replace("<ul>\n<li>(a)", '<ul class="options">\n<li>(a)')


def inline(markdown):
    """A line of Markdown as HTML, without an element around it."""
    return re.sub("</?h1>", "", render(f"# {markdown}").strip())


TEMPLATES = Environment(loader=FileSystemLoader(DECK), undefined=StrictUndefined, trim_blocks=True)
TEMPLATES.filters["render"] = render
TEMPLATES.filters["inline"] = inline
TEMPLATES.globals["READABLE"] = projector_pictures.READABLE
PARTS = TEMPLATES.get_template("parts.html").module


# From cells to slides


class Deck:
    """The slides made so far; cells are added one after the other.

    `notes` has the note of each question, by cell id, and `own_notes` what the speaker's notes say in place of the
    notebook's words.
    """

    def __init__(self, notes, own_notes=()):
        self.slides, self.section, self.notes, self.own_notes = [], "", notes, dict(own_notes)
        self.voted = None  # the note of this slide's vote, until its answer comes

    def start_slide(self, name, title=None):
        if self.slides and self.slides[-1].steps and not self.slides[-1].steps[0].shown:
            return  # a part of a route begins with this cell
        self.slides.append(Slide(name, title or PARTS.section(self.section)))
        self.voted = None

    def add_content(self, shown, notes="", new_step=False):
        """Adds to the last slide: as a step of its own, or to its last step."""
        steps = self.slides[-1].steps
        if not steps or (shown and new_step and steps[-1].shown):
            steps.append(Step(shown, notes))
        else:
            steps[-1].shown += shown
            steps[-1].notes += notes

    def add_cell(self, cell, picture=None):
        kind = cell.metadata.get("slideshow", {}).get("slide_type")
        if kind == "skip":
            return
        starts_slide = kind in ("slide", "subslide")
        if cell.cell_type == "markdown":
            self._add_markdown(cell, starts_slide, kind == "fragment")
            return
        if starts_slide or not self.slides:
            self.start_slide(cell.id)
        shown = outputs(cell, picture)
        if cell.metadata.get("slide") == "code":
            code = re.sub(r"\n{3,}", "\n\n", cell.source)
            shown = highlight(code, PythonLexer(), HtmlFormatter(cssclass="code")) + shown
        if self.voted and "answer" in cell.metadata.get("tags", []):
            shown, self.voted = options_line(self.voted) + shown, None
        exercise = assistant.STUB.search(cell.source)
        likely = assistant.likely(exercise[1]) if exercise else []
        notes = "\n\n".join(f"· {cause} *{question}*" for _, cause, question in likely)
        self.add_content(shown, render(notes), new_step=kind == "fragment")

    def _add_markdown(self, cell, starts_slide, new_step):
        folds = FOLD.findall(cell.source)
        note = self.notes.get(cell.id, {})
        is_asked_below = any(QUESTION.match(summary) for summary, _ in folds)
        if text := FOLD.sub("", cell.source).strip():
            self._add_text(cell.id, text, {} if is_asked_below else note, starts_slide, new_step)
        for i, (summary, answer) in enumerate(folds, 1):
            if QUESTION.match(summary):
                self.start_slide(f"{cell.id}-{i}")
                self._add_question(summary, note)
                self._add_answer(cell.id, answer)
            elif summary in (notebooks.EXPLANATION, "Answer", "Solution"):
                self._add_answer(cell.id, answer)
            else:  # a remark
                self.add_content("", PARTS.remark(summary, render(answer.replace(NOTES_BELOW, ""))))

    def _add_text(self, name, text, note, starts_slide, new_step):
        title, place = None, ""
        if exercise := EXERCISE.search(text):
            place = PARTS.place(int(name[2:4]), exercise[1])  # nb04-47 is a cell of notebook 4
        if heading := re.match(r"(#+) (.*)\n*", text):
            text = text[heading.end() :]
            level, words = len(heading[1]), inline(heading[2])
            title = f"<h{level}>{words}</h{level}>"
            if level < 3:
                self.section = words
        shown, below = self._shown_and_notes(name, text)
        if (starts_slide and (shown or title)) or not self.slides:
            self.start_slide(name, title)
        if "question" in note:
            shown, self.voted = BOX.sub(lambda _: vote(note), shown), note
        self.add_content(place + render(shown), speaker_notes(note) + render(below), new_step)

    def _add_question(self, summary, note):
        if "<br>" not in summary:  # one without options
            note = {}
        question = QUESTION.sub("", summary, count=1).replace("<br>", "\n\n")
        shown = render(vote(note) if "question" in note else question)
        self.add_content(PARTS.box("question", shown), speaker_notes(note))

    def _add_answer(self, name, answer):
        shown, below = self._shown_and_notes(name, notebooks.YOU_SAID.sub("", answer))
        self.add_content(PARTS.box("answer", render(shown)), render(below), new_step=True)

    def _shown_and_notes(self, name, text):
        """What of a cell's text goes on the slide, and what to the notes: a box ✎ Predict is always shown."""
        shown, _, below = text.partition(NOTES_BELOW)
        boxes = BOX.findall(below)
        below = self.own_notes.get(name, BOX.sub("", below).strip())
        return "\n\n".join([shown.strip(), *boxes]).strip(), below


def vote(note):
    """A question with its lettered options, in Markdown, as a box."""
    return "> ### ✎ Vote\n>\n> " + "\n>\n> ".join([note["question"], *options(note)]) + "\n"


def options(note, told=False):
    """The lettered options of a vote, in Markdown, the right one ticked once it is told."""
    return [
        f"{'✓ ' if told and answer.get('right') else ''}**{letter}** {answer['says']}"
        for letter, answer in zip(teaching_data.LETTERS, note["answers"])
    ]


def options_line(note):
    """The options in one line. deck.css shows it once the vote has given its room to the answer."""
    return PARTS.box("options-line", render(" &nbsp; ".join(options(note, told=True))))


def speaker_notes(note):
    """The answers to a question and what comes next, in HTML, the right answer first."""
    if not note:
        return ""
    letters = [f"{x} " for x in teaching_data.LETTERS] if "question" in note else [""] * len(note["answers"])
    answers = [
        f"{'✓' if a.get('right') else '·'} {letter}{': '.join(a[x] for x in ('says', 'means') if x in a)}"
        for letter, a in sorted(zip(letters, note["answers"]), key=lambda answer: not answer[1].get("right"))
    ]
    return render("\n\n".join([*answers, f"Next question: {note['next']}"])) + "<hr>"


def outputs(cell, picture):
    """The outputs of a code cell in HTML, with `picture` in the place of the stored one."""
    shown = ""
    for output in cell.outputs:
        data = output.get("data", {})
        page = data.get("text/html", "")
        if output.get("metadata", {}).get("fold"):  # execute.py's sentence for JupyterLab's fold
            continue
        if output.output_type == "stream":
            shown += PARTS.result(output.text.strip())
        elif VERDICT in data:
            shown += example(data[VERDICT]["exercise"])
        elif "<script" in page:  # an explorer
            shown += page
        elif "image/png" in data:
            shown += PARTS.figure(picture)
        elif page:
            shown += re.sub(r"<style.*?</style>", "", page, flags=re.DOTALL)
        else:
            shown += PARTS.result(data["text/plain"])
    return shown


def example(name):
    """A call of an exercise's function and its result, in HTML; nothing if there is no example."""
    exercise = check.EXERCISES.get(name)
    if not exercise or not exercise.example:
        return ""

    def right_answer(*args):
        return exercise.recipe(steps_with(), *(np.array(a) if isinstance(a, list) else a for a in args))

    result = eval(exercise.example, {"np": np, name: right_answer})
    parts = result if isinstance(result, tuple) else [result]
    printed = "\n".join(np.array2string(np.asarray(part), precision=2) for part in parts)
    return PARTS.result(f">>> {exercise.example}\n{printed}")


def drawn_by(code, size):
    """The picture that these lines draw, as `figures.collecting` gives it."""
    with figures.collecting(size) as pictures:
        exec(code, {})
    return pictures[-1]


# The slides of a notebook and of a route


def notebook_slides(notebook, redrawn, notes):
    """The slides of a notebook. `redrawn` has its pictures by cell id."""
    deck = Deck(notes)
    for cell in notebook.cells:
        deck.add_cell(cell, redrawn.get(cell.id))
    return deck.slides


def route_slides(route, cells, redrawn, notes):
    """The slides of a route. `cells` has those of the notebooks by id, `redrawn` their pictures."""
    deck, start = Deck(notes, route.get("notes", {})), 0
    for number, part in enumerate(route["parts"], 1):
        end = start + part["minutes"]
        title, first = inline(part["title"]), len(deck.slides)
        deck.start_slide(f"part-{number}", f"<h2>{title}</h2>")
        deck.add_content("", render(f"**Minute {start} to {end}.** {part['say']}"))
        add_part(deck, part, title, cells, redrawn)
        start = end
        for slide in deck.slides[first:]:
            slide.title = re.sub(r">\d+\. ", ">", slide.title)  # the number of a notebook's section
            if slide.title.startswith("<h1>"):  # a notebook's title
                slide.title = PARTS.section(title)
    return deck.slides


def add_part(deck, part, title, cells, redrawn):
    """Adds the text, cells and picture of a route's part to the slide that was begun for it."""
    deck.add_content(render(part.get("before", "")))
    if "draws" in part:
        picture = projector_pictures.readable(drawn_by(part["draws"], "projector"))
        deck.add_content(PARTS.figure(picture))
    for id in part.get("cells", []):
        deck.section = title
        deck.add_cell(cells[id], redrawn.get(id))
    deck.add_content(render(part.get("after", "")), new_step=True)


# Files


def copy_player(out):
    """Copies reveal.js, and what deck/ adds to it, into OUT/player."""
    (out / "player").mkdir(parents=True, exist_ok=True)
    reveal = files("sphinx_revealjs") / "_static" / "revealjs"
    for file in [*(reveal / name for name in PLAYER), DECK / "deck.css", DECK / "deck.js"]:
        (out / "player" / file.name).write_bytes(file.read_bytes())


def write(path, template, **values):
    path.write_text(TEMPLATES.get_template(template).render(**values), encoding="utf-8")


def write_decks(out):
    """Writes all decks, their index, the votes and the page to hand out."""
    copy_player(out)
    notes, routes = teaching_data.read_notes(), teaching_data.read("routes.toml")
    decks, classes, cells, redrawn = [], [], {}, {}
    for number, path in notebooks.PATHS.items():
        notebook = notebooks.read(path)
        cells |= {cell.id: cell for cell in notebook.cells}
        if path not in notebooks.TOO_LARGE:  # its model may not be there; its pictures are on no slide
            redrawn |= projector_pictures.redraw(notebook)
        title = f"{int(number)}. {teaching_data.plain_text(notebooks.title(notebook.cells))}"
        time = notebooks.minutes(notebook.cells)
        slides = notebook_slides(notebook, redrawn, notes)
        decks.append({"name": path.stem, "title": title, "minutes": time, "slides": slides})
    for name, route in routes.items():
        time = sum(part["minutes"] for part in route["parts"])
        slides = route_slides(route, cells, redrawn, notes)
        classes.append({"name": f"route-{name}", "title": route["title"], "minutes": time, "slides": slides})
    code = HtmlFormatter(style="friendly", cssclass="code").get_style_defs(".code")
    for deck in decks + classes:
        write(out / f"{deck['name']}.html", "deck.html", code=code, **deck)
    write(out / "index.html", "index.html", decks=decks, classes=classes)
    write(out / "assistant.html", "assistant.html", exercises=assistant.exercises())
    write(out / "five_steps.html", "five_steps.html", **pictures_of_five_steps(cells, routes["50"]))
    votes = teaching_data.aiken(notes, routes["50"]["parts"])
    (out / "clickers.txt").write_text(votes, encoding="utf-8", newline="\n")


def pictures_of_five_steps(cells, hour):
    """The pictures of the page to hand out: of the five steps in small, and the last that the hour draws."""
    (output,) = [output for output in cells["nb01-setup"].outputs if "image/png" in output.data]
    last = drawn_by([part["draws"] for part in hour["parts"] if "draws" in part][-1], "page")
    png, _ = figures.png_of(last.draw, last.size)
    return {
        "small": PARTS.image(output.data["text/plain"], output.data["image/png"]),
        "real": PARTS.image(last.alt, png),
    }


def main():
    parser = command_line(__doc__)
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    out = parser.parse_args().out
    write_decks(out)
    print(f"open {out / 'index.html'}")


if __name__ == "__main__":
    main()
