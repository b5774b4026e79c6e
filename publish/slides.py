"""Makes a deck of slides of every notebook, to be shown from a disk or a USB stick, without a network.

    .venv/bin/pip install -r publish/requirements.txt
    .venv/bin/python -m publish.slides OUT               OUT/index.html, and a deck a notebook
    .venv/bin/python -m publish.slides OUT --route 50    OUT/route-50.html alone, from routes.toml

All text comes from the notebooks; slide_text.py picks what goes on a slide. The speaker's notes (key S)
have the whole text, and what notes.toml says. Code is shown if a cell's metadata say "slide": "code".
"slide_type" says where a slide, or a step of it, begins.
"""

import argparse
import functools
import html
import re
import shutil
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from nbconvert.filters.markdown_mistune import MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from publish import minutes, notebooks, projector_pictures, teaching_data
from publish.slide_text import slide_text

DECK = Path(__file__).resolve().parent / "deck"
PLAYER = ["dist/reveal.js", "dist/reveal.css", "plugin/notes/notes.js", "LICENSE"]
FOLD = re.compile(r"<details><summary[^>]*>(.*?)</summary>\n\n(.*?)\n\n</details>", re.DOTALL)
# A line that asks to unfold questions, and the links to other notebooks: slides need neither.
UNFOLD = re.compile(r"\*\*(Recall|Check yourself)\.?\*\*.*unfold\.$", re.MULTILINE)
NEXT = re.compile(r"^(\*\*Next\*\*|Go back to).*$", re.MULTILINE)


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
    from publish.formulas import MathRenderer  # needs publish/requirements.txt

    linked = re.sub(r"\]\((\d\d_\w+)\.ipynb\)", r"](\1.html)", markdown)
    renderer = MathRenderer(escape=False, exclude_anchor_links=True)
    page = MarkdownWithMath(renderer=renderer).render(linked)
    return page.replace("<ul>\n<li>(a)", '<ul class="options">\n<li>(a)')


# From cells to slides


class Deck:
    """The slides made so far; cells are added one after the other."""

    def __init__(self, notes):
        self.slides, self.section, self.notes = [], "", notes

    def start_slide(self, name, title=None):
        self.slides.append(Slide(name, title or f'<p class="section">{self.section}</p>'))

    def add_content(self, shown, notes="", new_step=False):
        """Adds to the last slide: as a step of its own, or to its last step."""
        steps = self.slides[-1].steps
        if not steps or (shown and new_step):
            steps.append(Step(shown, notes))
        else:
            steps[-1].shown += shown
            steps[-1].notes += notes

    def add_cell(self, cell, picture=None, starts_slide=None):
        """Adds a cell; `starts_slide` overrides what its metadata say."""
        kind = cell.metadata.get("slideshow", {}).get("slide_type")
        if starts_slide is None:
            starts_slide = kind in ("slide", "subslide")
        if cell.cell_type == "markdown":
            self._add_markdown(cell, starts_slide, kind == "fragment")
            return
        if starts_slide or not self.slides:
            self.start_slide(cell.id)
        shown = outputs(cell, picture)
        if cell.metadata.get("slide") == "code":
            shown = highlighted(cell.source) + shown
        self.add_content(shown, new_step=kind == "fragment")

    def _add_markdown(self, cell, starts_slide, new_step):
        text = FOLD.sub("", cell.source).strip()
        to_unfold = UNFOLD.search(text)
        text = NEXT.sub("", UNFOLD.sub("", text)).strip()
        if text:
            notes = "" if to_unfold else self.speaker_notes(cell.id)
            self._add_text(cell, text, notes, starts_slide, new_step)
        for i, (summary, answer) in enumerate(FOLD.findall(cell.source), 1):
            if to_unfold:
                self.start_slide(f"{cell.id}-{i}", f'<p class="section">{to_unfold[1]}</p>')
                self._add_question(cell, summary)
                self._add_answer(cell, summary, answer)
            elif summary in (notebooks.EXPLANATION, "Answer", "Solution"):
                self._add_answer(cell, summary, answer)
            else:  # a remark, for the notes alone
                self.add_content("", f"<p><b>{summary}</b></p>{render(answer)}")

    def _add_text(self, cell, text, notes, starts_slide, new_step):
        title = None
        if heading := re.match(r"#+ (.*)\n*", text):
            level = heading[0].count("#", 0, 3)
            text = text[heading.end() :]
            title = render(f"{'#' * level} {heading[1]}")
            if level < 3:
                self.section = re.sub(r"</?h\d[^>]*>", "", title)
        if starts_slide or not self.slides:
            self.start_slide(cell.id, title)
        shown = selected_text(cell, text)
        left_out = "" if shown == text else render(text)
        self.add_content(render(shown), notes + left_out, new_step)

    def _add_question(self, cell, summary):
        question = re.sub(r"^\d+\. ", "", summary).replace("<br>", "\n\n")
        notes = self.speaker_notes(cell.id) if "<br>" in summary else ""  # <br>: one with options
        self.add_content(f'<div class="question">{render(question)}</div>', notes)

    def _add_answer(self, cell, summary, answer):
        shown = selected_text(cell, answer, is_answer=True) if summary == notebooks.EXPLANATION else answer
        left_out = "" if shown == answer else render(answer)
        self.add_content(f'<div class="answer">{render(shown)}</div>', left_out, new_step=True)

    def speaker_notes(self, cell_id):
        """What notes.toml says about a question, in HTML."""
        note = self.notes.get(cell_id)
        if not note:
            return ""
        vote = [f"To vote on: {note['question']}"] if "question" in note else []
        answers = [f"{'✓' if a.get('right') else '·'} {a['says']}: {a['means']}" for a in note["answers"]]
        return render("\n\n".join([*vote, *answers, f"Next question: {note['next']}"])) + "<hr>"


def selected_text(cell, text, is_answer=False):
    """`slide_text`; the error names the cell."""
    try:
        return slide_text(text, cell.metadata.get("slide"), is_answer)
    except ValueError as error:
        raise SystemExit(f"{cell.id}: {error}") from None


def highlighted(source):
    """Python code in HTML."""
    return highlight(re.sub(r"\n{3,}", "\n\n", source), PythonLexer(), HtmlFormatter(cssclass="code"))


def outputs(cell, picture):
    """The outputs of a code cell in HTML, with `picture` in the place of the stored one."""
    shown = ""
    for output in cell.outputs:
        data = output.get("data", {})
        page = data.get("text/html", "")
        if output.get("metadata", {}).get("fold"):  # execute.py's sentence for JupyterLab's fold
            continue
        if output.output_type == "stream":
            shown += f'<pre class="result">{html.escape(output.text.strip())}</pre>'
        elif "<script" in page:  # an explorer
            shown += page
        elif "image/png" in data:
            shown += figure(picture)
        elif page:
            shown += re.sub(r"<style.*?</style>", "", page, flags=re.DOTALL)
        else:
            shown += f'<pre class="result">{html.escape(data["text/plain"])}</pre>'
    return shown


def figure(picture):
    """A picture in HTML; it shrinks until its smallest type has READABLE pixels, and no further."""
    least = picture.height * projector_pictures.READABLE / picture.type
    return (
        f'<figure class="picture" style="min-height: {least:.0f}px; width: {1.3 * picture.width:.0f}px; '
        f'aspect-ratio: {picture.width / picture.height:.4f}">'
        f'<img alt="{html.escape(picture.alt)}" data-type="{picture.type / picture.width:.5f}" '
        f'src="data:image/png;base64,{picture.png}"></figure>'
    )


# The slides of a notebook and of a route


def cells_for_slides(cells):
    left_out = {"skip", "notes"}
    return [c for c in cells if c.metadata.get("slideshow", {}).get("slide_type") not in left_out]


def notebook_slides(notebook, redrawn, notes):
    """The slides of a notebook. `redrawn` has its pictures by cell id."""
    deck = Deck(notes)
    for cell in cells_for_slides(notebook.cells):
        deck.add_cell(cell, redrawn.get(cell.id))
    return deck.slides


def route_slides(route, series, redrawn, notes):
    """The slides of a route, of the notebooks in `series` by number. `redrawn` has all their pictures."""
    deck, start = Deck(notes), 0
    for number, part in enumerate(route, 1):
        end = start + part["minutes"]
        first = len(deck.slides)
        if part["cells"]:
            add_part(deck, part, series[part["notebook"]].cells, redrawn)
        if len(deck.slides) == first:  # the teacher draws on the board
            deck.start_slide(f"board-{number}", f"<h2>{part_title(part)}</h2>")
            deck.add_content("<p></p>")
        plan = render(f"**Minute {start} to {end}: {part['title']}.** {part['say']}")
        opening = deck.slides[first].steps[0]
        opening.notes = plan + opening.notes
        start = end
    for slide in deck.slides:  # sections of several notebooks: their numbers would confuse
        slide.title = re.sub(r">\d+\. ", ">", slide.title)
    return deck.slides


def part_title(part):
    return html.escape(part["title"].replace("*", ""))


def add_part(deck, part, cells, redrawn):
    """Adds the cells of a route's part."""
    by_id = {cell.id: cell for cell in cells}
    if unknown := [id for id in part["cells"] if id not in by_id]:
        raise SystemExit(f"routes.toml: notebook {part['notebook']} has no cell {unknown[0]}")
    first = len(deck.slides)
    for cell in cells_for_slides([by_id[id] for id in part["cells"]]):
        deck.section = part_title(part)
        starts_slide = True if len(deck.slides) == first else None
        deck.add_cell(cell, redrawn.get(cell.id), starts_slide)


# Files


def page(title, slides):
    """A deck as one HTML page."""
    sections = []
    for slide in slides:
        steps, notes = "", ""
        for i, step in enumerate(slide.steps):
            notes = step.notes or notes  # the notes on a question stay while its answer shows
            aside = f'<aside class="notes">{notes}</aside>'
            steps += f'<div class="step{" fragment" * (i > 0)}">{step.shown}{aside}</div>'
        sections.append(f'<section id="{slide.name}"><header>{slide.title}</header>{steps}</section>')
    template = (DECK / "deck.html").read_text(encoding="utf-8")
    for name, text in {
        "TITLE": html.escape(title),
        "CODE": HtmlFormatter(style="friendly", cssclass="code").get_style_defs(".code"),
        "SLIDES": "\n".join(sections),
    }.items():
        template = template.replace(f"<!--{name}-->", text)
    return template


@functools.cache
def load(number):
    """A notebook, and its pictures for the projector."""
    notebook = notebooks.read(notebooks.PATHS[number])
    return notebook, projector_pictures.redraw(notebook)


def copy_player(out):
    """Copies reveal.js, and what deck/ adds to it, into OUT/player."""
    (out / "player").mkdir(parents=True, exist_ok=True)
    reveal = files("sphinx_revealjs") / "_static" / "revealjs"
    for name in PLAYER:
        (out / "player" / Path(name).name).write_bytes((reveal / name).read_bytes())
    for name in ("deck.css", "deck.js"):
        shutil.copy(DECK / name, out / "player")


def write_decks(out):
    """Writes a deck a notebook, and the index of all."""
    copy_player(out)
    notes, rows = teaching_data.read_notes(), []
    for number, path in notebooks.PATHS.items():
        notebook, redrawn = load(number)
        slides = notebook_slides(notebook, redrawn, notes)
        title, name = notebooks.title(notebook.cells), f"{path.stem}.html"
        (out / name).write_text(page(title, slides), encoding="utf-8")
        rows.append(
            f'<tr><td>{int(number)}</td><td><a href="{name}">{html.escape(title)}</a></td>'
            f"<td>{minutes.stated(minutes.cells_of(path))} minutes</td><td>{len(slides)} slides</td></tr>"
        )
    index = (DECK / "index.html").read_text(encoding="utf-8")
    (out / "index.html").write_text(index.replace("<!--DECKS-->", "\n".join(rows)), encoding="utf-8")


def write_route(out, name):
    """Writes the deck of a route."""
    copy_player(out)
    route = teaching_data.read_routes()[name]
    loaded = {part["notebook"]: load(part["notebook"]) for part in route if part["cells"]}
    series = {number: notebook for number, (notebook, _) in loaded.items()}
    redrawn = {id: picture for _, pictures in loaded.values() for id, picture in pictures.items()}
    slides = route_slides(route, series, redrawn, teaching_data.read_notes())
    title = f"Attention in {sum(part['minutes'] for part in route)} minutes"
    (out / f"route-{name}.html").write_text(page(title, slides), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    parser.add_argument("--route", metavar="NAME", help="only the deck of this route of routes.toml")
    options = parser.parse_args()
    routes = teaching_data.read_routes()
    if options.route and options.route not in routes:
        parser.error(f"no such route: there are {', '.join(routes)}")
    if options.route:
        write_route(options.out, options.route)
        print(f"open {options.out / f'route-{options.route}.html'}")
    else:
        write_decks(options.out)
        print(f"open {options.out / 'index.html'}")


if __name__ == "__main__":
    main()
