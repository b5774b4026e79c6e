"""Makes a deck of slides of every notebook, to be shown from a disk or a USB stick, without a network.

    .venv/bin/pip install -r publish/requirements.txt
    .venv/bin/python -m publish.slides OUT               OUT/index.html, and a deck a notebook
    .venv/bin/python -m publish.slides OUT --route 50    OUT/route-50.html alone, from routes.toml

Nothing is written for the slides: they are what the notebooks hold. Of a Markdown cell, headings, lists,
formulas and predictions go on the slide, and of its paragraphs the sentences that hold something bold, or
else the first sentence; an explanation always gives its first. Where that is the wrong choice, the cell's
metadata name the right one: "slide" is a list of the first words of what goes on. Text of up to
SHORT letters, and an exercise, stays whole. The notes of the speaker (key S) have it all, and what notes.toml says.
Code shows only where the metadata say "slide": "code". "slide_type" says where a slide, or a step, begins.
"""

import argparse
import functools
import html
import itertools
import re
import shutil
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import nbformat
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from publish import guide, pictures
from publish.minutes import SUMMARY

HERE = Path(__file__).resolve().parent
ROOT, DECK = HERE.parent, HERE / "deck"

SHORT = 150
ABRUPT = 30  # letters of a first sentence, up to which the second goes with it
PLAYER = ["dist/reveal.js", "dist/reveal.css", "plugin/notes/notes.js", "LICENSE"]
FOLD = re.compile(r"<details><summary>(.*?)</summary>\n\n(.*?)\n\n</details>", re.DOTALL)
UNFOLD = re.compile(r"\*\*(Recall|Check yourself)\.?\*\*.*unfold\.$", re.MULTILINE)
NEXT = re.compile(r"^(\*\*Next\*\*|Go back to).*$", re.MULTILINE)


@dataclass
class Step:
    """What one press of a key brings to a slide, in HTML, and what the speaker reads meanwhile."""

    shown: str
    notes: str = ""


@dataclass
class Slide:
    name: str
    title: str  # HTML: a heading of its own, or where in the notebook it stands
    steps: list[Step] = field(default_factory=list)


# Markdown: what of it goes on a slide


def render(markdown):
    """Markdown as HTML, formulas as MathML, links to notebooks as links to decks."""
    from publish.formulas import MathRenderer

    linked = re.sub(r"\]\((\d\d_\w+)\.ipynb\)", r"](\1.html)", markdown)
    renderer = MathRenderer(escape=False, exclude_anchor_links=True)
    page = MarkdownWithMath(renderer=renderer).render(linked)
    return page.replace("<ul>\n<li>(a)", '<ul class="options">\n<li>(a)')


def blocks(markdown):
    """Paragraphs, lists, headings and the like, in order; fenced code is one of them."""
    found = re.split(r"(^```.*?^```$)", markdown, flags=re.DOTALL | re.MULTILINE)
    for i, text in enumerate(found):
        yield from [text] if i % 2 else filter(None, map(str.strip, text.split("\n\n")))


def sentences(paragraph):
    """The sentences of a paragraph. A bold label is none: it goes with the sentence behind it."""

    def masked(match):
        inside = match[0]
        ends = inside[-1] == ")" and inside[-2] in ".?!"
        return "x" * (len(inside) - 2) + (".)" if ends else "xx")

    quiet = re.sub(r"`[^`]*`|\$[^$]*\$|\([^()]*\)", masked, paragraph)
    ends = [match.end() for match in re.finditer(r"[.?!]['\"*_)]*(?=\s)", quiet)] + [len(paragraph)]
    ends = [end for end in ends if re.match(r"\s+[^a-z]|$", paragraph[end:])]
    found = [paragraph[start:end].strip() for start, end in itertools.pairwise([0, *ends])]
    label = re.compile(r"\*\*[^*]+\*\*(\s*\([^()]*\))?[.:]?|[*(][^*()]+[*)]")
    for i in range(len(found) - 1, 0, -1):
        if label.fullmatch(found[i - 1]) and (i == 1 or label.fullmatch(found[i - 2])):
            found[i - 1 : i + 1] = [f"{found[i - 1]} {found[i]}"]
    return list(filter(None, found))


def is_prose(block):
    return not re.match(r"[#>|$]|```|[-*] |\d+\. ", block)


def essence(markdown, chosen=None, answer=False):
    """What of a text goes on the slide, in Markdown: the rule above, or what begins as `chosen` says."""
    parts = [[block] if not is_prose(block) else sentences(block) for block in blocks(markdown)]
    if chosen is not None:
        lost = [words for words in chosen if not any(s.startswith(words) for part in parts for s in part)]
        if lost:
            raise ValueError(f"nothing begins with {', '.join(map(repr, lost))}")
        always = ("#", ">")
        kept = [[s for s in part if s.startswith((*always, *chosen))] for part in parts]
    elif "### Exercise" in markdown or sum(len(b) for b in blocks(markdown) if is_prose(b)) <= SHORT:
        kept = parts
    else:
        kept = [part if not is_prose(part[0]) else [s for s in part if "**" in s] for part in parts]
        prose = [i for i, part in enumerate(parts) if is_prose(part[0])]
        if prose and (answer or not any(kept[i] for i in prose)):
            number = 2 if len(parts[prose[0]][0]) < ABRUPT else 1
            first = parts[prose[0]][:number]
            kept[prose[0]] = [*first, *(s for s in kept[prose[0]] if s not in first)]
    return "\n\n".join(" ".join(part) for part in kept if part)


# Cells: what they put on slides


class Deck:
    """Slides in the making: cells are laid on one after the other."""

    def __init__(self, notes):
        self.slides, self.where, self.said = [], "", notes

    def begin(self, name, title=None):
        self.slides.append(Slide(name, title or f'<p class="where">{self.where}</p>'))

    def lay(self, shown, notes="", new_step=False):
        """Adds to the slide: as a step of its own, or to the step before."""
        steps = self.slides[-1].steps
        if shown and (new_step or not steps):
            steps.append(Step(shown, notes))
        elif steps:
            steps[-1].shown += shown
            steps[-1].notes += notes
        else:
            steps.append(Step("", notes))

    def add(self, cell, picture=None, begins=None):
        """Lays on a cell; `begins` overrules the metadata on whether it begins a slide."""
        kind = cell.metadata.get("slideshow", {}).get("slide_type")
        if begins is None:
            begins = kind in ("slide", "subslide")
        if cell.cell_type == "markdown":
            self._add_markdown(cell, begins, kind == "fragment")
        else:
            if begins or not self.slides:
                self.begin(cell.id)
            shown = outputs(cell, picture)
            if cell.metadata.get("slide") == "code":
                shown = coloured(cell.source) + shown
            self.lay(shown, new_step=kind == "fragment")

    def _add_markdown(self, cell, begins, new_step):
        text, chosen = FOLD.sub("", cell.source).strip(), cell.metadata.get("slide")
        folds = FOLD.findall(cell.source)
        asked = UNFOLD.search(text)
        text = NEXT.sub("", UNFOLD.sub("", text)).strip()
        if text:
            title = None
            if heading := re.match(r"#+ (.*)\n*", text):
                level = heading[0].count("#", 0, 3)
                text = text[heading.end() :]
                title = render(f"{'#' * level} {heading[1]}")
                if level < 3:
                    self.where = re.sub(r"</?h\d[^>]*>", "", title)
            if begins or not self.slides:
                self.begin(cell.id, title)
            shown = self._essence(cell, text, chosen)
            notes = "" if shown == text else render(text)
            self.lay(render(shown), self.spoken(cell.id) * (not asked) + notes, new_step)
        for i, (question, answer) in enumerate(folds, 1):
            if asked:
                self.begin(f"{cell.id}-{i}", f'<p class="where">{asked[1]}</p>')
                shown = re.sub(r"^\d+\. ", "", question).replace("<br>", "\n\n")
                spoken = self.spoken(cell.id) if "<br>" in question else ""
                self.lay(f'<div class="ask">{render(shown)}</div>', spoken)
            elif question not in (SUMMARY, "Answer", "Solution"):
                self.lay("", f"<p><b>{question}</b></p>{render(answer)}")  # an aside
                continue
            shown = self._essence(cell, answer, chosen, answer=True) if question == SUMMARY else answer
            notes = "" if shown == answer else render(answer)
            self.lay(f'<div class="told">{render(shown)}</div>', notes, new_step=True)

    @staticmethod
    def _essence(cell, text, chosen, answer=False):
        try:
            return essence(text, chosen, answer)
        except ValueError as error:
            raise SystemExit(f"{cell.id}: {error}") from None

    def spoken(self, name):
        """What notes.toml has to say about a question, in HTML."""
        said = self.said.get(name)
        if not said:
            return ""
        vote = [f"To vote on: {said['question']}"] if "question" in said else []
        answers = [f"{'✓' if a.get('right') else '·'} {a['says']}: {a['means']}" for a in said["answers"]]
        return render("\n\n".join([*vote, *answers, f"Next question: {said['next']}"])) + "<hr>"


def coloured(source):
    """Python code in HTML."""
    return highlight(re.sub(r"\n{3,}", "\n\n", source), PythonLexer(), HtmlFormatter(cssclass="code"))


def outputs(cell, picture):
    """The results of a code cell in HTML; of a picture, the larger one."""
    shown = ""
    for output in cell.outputs:
        data = output.get("data", {})
        page = data.get("text/html", "")
        if output.get("metadata", {}).get("fold"):
            continue
        if output.output_type == "stream":
            shown += f'<pre class="result">{html.escape(output.text.strip())}</pre>'
        elif "<script" in page:  # an explorer
            shown += page
        elif "image/png" in data:
            shown += drawn(picture)
        elif page:
            shown += re.sub(r"<style.*?</style>", "", page, flags=re.DOTALL)
        else:
            shown += f'<pre class="result">{html.escape(data["text/plain"])}</pre>'
    return shown


def drawn(picture):
    """A picture in HTML, with the size of its type; it shrinks no further than that can be read."""
    least = picture.height * pictures.READABLE / picture.type
    return (
        f'<figure class="drawn" style="min-height: {least:.0f}px; width: {1.3 * picture.width:.0f}px; '
        f'aspect-ratio: {picture.width / picture.height:.4f}">'
        f'<img alt="{html.escape(picture.alt)}" data-type="{picture.type / picture.width:.5f}" '
        f'src="data:image/png;base64,{picture.png}"></figure>'
    )


# Decks


def stored():
    """The notebooks of the series, in order, by number."""
    return {path.name[:2]: path for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))}


def shown_cells(cells):
    skipped = {"skip", "notes"}
    return [c for c in cells if c.metadata.get("slideshow", {}).get("slide_type") not in skipped]


def whole(notebook, drawings, notes):
    """The slides of a notebook."""
    deck = Deck(notes)
    for cell in shown_cells(notebook.cells):
        deck.add(cell, drawings.get(cell.id))
    return deck.slides


def along(route, notebooks, drawings, notes):
    """The slides of a route: of each part its cells, or its title alone, while the teacher is at the board."""
    deck, minute = Deck(notes), 0
    for number, part in enumerate(route, 1):
        until = minute + part["minutes"]
        clock = render(f"**Minute {minute} to {until}: {part['title']}.** {part['say']}")
        minute = until
        cells = notebooks[part["notebook"]].cells if part["cells"] else []
        known, shown = {cell.id: cell for cell in cells}, shown_cells(cells)
        heading = html.escape(part["title"].replace("*", ""))
        before = len(deck.slides)
        for name in part["cells"]:
            if name not in known:
                raise SystemExit(f"routes.toml: notebook {part['notebook']} has no cell {name}")
            if known[name] in shown:
                first = len(deck.slides) == before
                deck.where = heading
                deck.add(known[name], drawings.get(name), begins=True if first else None)
        if len(deck.slides) == before:
            deck.begin(f"board-{number}", f"<h2>{heading}</h2>")
            deck.lay("<p></p>")  # what to say is for the one who stands in front
        opening = deck.slides[before].steps[0]
        opening.notes = clock + opening.notes
    for slide in deck.slides:  # sections of several notebooks: their numbers would confuse
        slide.title = re.sub(r">\d+\. ", ">", slide.title)
    return deck.slides


def page(title, slides):
    """A deck as one page."""
    parts = []
    for slide in slides:
        steps, notes = "", ""
        for i, step in enumerate(slide.steps):
            notes = step.notes or notes  # what was said of a question holds while its answer shows
            aside = f'<aside class="notes">{notes}</aside>'
            steps += f'<div class="step{" fragment" * (i > 0)}">{step.shown}{aside}</div>'
        parts.append(f'<section id="{slide.name}"><header>{slide.title}</header>{steps}</section>')
    template = (DECK / "deck.html").read_text(encoding="utf-8")
    for name, text in {
        "TITLE": html.escape(title),
        "CODE": HtmlFormatter(style="friendly", cssclass="code").get_style_defs(".code"),
        "SLIDES": "\n".join(parts),
    }.items():
        template = template.replace(f"<!--{name}-->", text)
    return template


def title_of(notebook):
    return re.match(r"# (.*)", notebook.cells[0].source)[1]


def minutes_of(notebook):
    return int(re.search(r"\*\*Time\*\*: (\d+) minutes", "".join(c.source for c in notebook.cells))[1])


@functools.cache
def opened(number):
    """A notebook, and its pictures for the projector."""
    notebook = nbformat.read(stored()[number], as_version=4)
    return notebook, pictures.redrawn(notebook)


def prepare(out):
    """The folder, with the player in it."""
    (out / "player").mkdir(parents=True, exist_ok=True)
    player = files("sphinx_revealjs") / "_static" / "revealjs"
    for name in PLAYER:
        (out / "player" / Path(name).name).write_bytes((player / name).read_bytes())
    for name in ("deck.css", "deck.js"):
        shutil.copy(DECK / name, out / "player")


def write_decks(out):
    """Writes a deck a notebook, and the index of all."""
    prepare(out)
    rows = []
    for number, path in stored().items():
        notebook, drawings = opened(number)
        deck = whole(notebook, drawings, guide.read("notes.toml"))
        title, name = title_of(notebook), f"{path.stem}.html"
        (out / name).write_text(page(title, deck), encoding="utf-8")
        rows.append(
            f'<tr><td>{int(number)}</td><td><a href="{name}">{html.escape(title)}</a></td>'
            f"<td>{minutes_of(notebook)} minutes</td><td>{len(deck)} slides</td></tr>"
        )
    index = (DECK / "index.html").read_text(encoding="utf-8")
    (out / "index.html").write_text(index.replace("<!--DECKS-->", "\n".join(rows)), encoding="utf-8")


def write_route(out, name):
    """Writes the deck of a route."""
    prepare(out)
    parts = guide.read("routes.toml")[name]
    used = {part["notebook"]: opened(part["notebook"]) for part in parts if part["cells"]}
    notebooks = {number: notebook for number, (notebook, _) in used.items()}
    drawings = {cell: picture for _, drawn in used.values() for cell, picture in drawn.items()}
    title = f"Attention in {sum(part['minutes'] for part in parts)} minutes"
    deck = along(parts, notebooks, drawings, guide.read("notes.toml"))
    (out / f"route-{name}.html").write_text(page(title, deck), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    parser.add_argument("--route", metavar="NAME", help="one deck along a route of routes.toml")
    options = parser.parse_args()
    if options.route and options.route not in guide.read("routes.toml"):
        parser.error(f"no such route: there are {', '.join(guide.read('routes.toml'))}")
    if options.route:
        write_route(options.out, options.route)
        print(f"open {options.out / f'route-{options.route}.html'}")
    else:
        write_decks(options.out)
        print(f"open {options.out / 'index.html'}")


if __name__ == "__main__":
    main()
