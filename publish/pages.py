"""Makes the series into a small website: a page a notebook, from the stored outputs.

    .venv/bin/pip install -r publish/requirements.txt
    .venv/bin/python -m publish.pages OUT        then open OUT/index.html
    .venv/bin/python -m publish.pages OUT --pyodide [SOURCE]     exercises get boxes, in which Python runs
    .venv/bin/python -m publish.pages OUT --live ADDRESS         links to the site of publish.live
    .venv/bin/python -m publish.pages OUT --without-solutions    for a class

The outputs are those that the notebooks store, and no page requests anything from another machine. Only
pictures that have a form for phones are drawn again, in that form. Each page is a list of Markdown and
code cells, rendered by one template (site/template/index.html.j2) and changed by the passes of Site.
What a notebook says of running it stands between `<!-- notebook -->` and `<!-- end -->`, and on no page. A link into
the repository leads to its published copy (published_copy.py); without one it is plain text. A site for a class has
no solutions, and no link to where they are. SOURCE is as in publish/live.py.
"""

import base64
import functools
import html
import re
import shutil
import textwrap
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import nbformat
from bs4 import BeautifulSoup
from jinja2 import Environment, StrictUndefined, pass_context
from nbconvert import TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from traitlets.config import Config

from attention_lib import data
from attention_lib.show import figures
from attention_lib.show.explorer_page import Explorer
from publish import boxes, handouts, live, notebooks, projector_pictures, published_copy, search, sheet
from publish.dark import dark
from publish.execute import command_line
from publish.formulas import FormulaError, MathRenderer, mathml
from publish.notebooks import ROOT

SITE = Path(__file__).resolve().parent / "site"
README = ROOT / "README.md"
GUIDE = ROOT / "teaching" / "README.md"
PHONE = 3.4  # hundreds of pixels: no picture is wider that has a form for phones
NARROW = "(max-width: 40rem)"  # the screens that show it
DARK = "(prefers-color-scheme: dark)"  # page.js replaces it by a reader's choice
EXPLAINING = f"<details>{notebooks.EXPLAINED}\n"
FORMULA = re.compile(r"\$(.+?)\$")
OF_RUNNING = re.compile(r"(?s)<!-- notebook -->.*?<!-- end -->")


class PageExporter(TemplateExporter):
    """nbconvert's HTML with our template, and formulas as MathML."""

    def __init__(self):
        # An empty Config, and templates from site/ alone: a user's own settings must not change the pages.
        super().__init__(
            config=Config(),
            extra_template_basedirs=[str(SITE)],
            template_name="template",
            file_extension=".html",
        )
        self.register_filter("highlight_code", Highlight2HTML(pygments_lexer="python"))
        self.register_filter("markdown2html", self.markdown2html)

    @pass_context
    def markdown2html(self, context, source):
        """The filter that the template calls. A formula that cannot be converted is an error that names its cell."""
        try:
            return MarkdownWithMath(renderer=MathRenderer(escape=False)).render(source)
        except FormulaError as error:
            place = f"{context['resources']['metadata']['name']}, cell {context['cell']['id']}"
            raise FormulaError(f"{place}: {error}") from error


# The cells of each page


def notebook_cells(path, with_solutions=True):
    """The cells of a notebook, marked so that folds hold helper code, and a prediction's answers and explanation."""
    cells = handouts.read(path, with_solutions).cells
    boxes.mark(path, cells)
    answers = []
    for cell in cells:
        tags = cell.metadata.get("tags", [])
        cell.source = OF_RUNNING.sub("", cell.source)
        if "hide-input" in tags:  # JupyterLab shows the first line in place of the code
            comment, cell.source = cell.source.split("\n", 1)
        if "answer" in tags:
            answers.append(cell)
        elif "hide-input" in tags:
            cell.metadata["folds_code"] = comment.removeprefix("# ")
        elif answers:
            cell.source = cell.source.removeprefix(EXPLAINING).removesuffix("</details>")
            cell.metadata["closes_fold"] = True
            answers[0].metadata["opens_fold"] = notebooks.EXPLANATION
            answers = []
    return cells


def phone_pictures(path):
    """{name: PNG in base64} of the pictures of a notebook that have a form for phones, in that form."""
    if path in notebooks.TOO_LARGE:  # its model may not be there
        return {}
    return {
        picture.name: figures.png_of(picture.draw, picture.size)[0]
        for _, picture in projector_pictures.collected(notebooks.read(path), "phone")
        if picture.size[0] <= PHONE
    }


def markdown_cells(*sources):
    return [nbformat.v4.new_markdown_cell(source, id=f"cell-{i}") for i, source in enumerate(sources)]


def parts_of_readme():
    """README's heading, first paragraph, table of the series, sections on running it and on what to read next."""
    text = README.read_text(encoding="utf-8").replace(published_copy.NO_ADDRESS, published_copy.address())
    # Link the title in place of the number: one digit is too small for a finger.
    text = re.sub(r"(?m)^\| \[(\d+)\]\((.*?)\) \| (.*?) \|", r"| \1 | [\3](\2) |", text)
    heading, opening, *others = text.split("\n\n")

    def section(title):
        return text.partition(f"\n## {title}\n\n")[2].partition("\n\n## ")[0]

    return {
        "heading": heading.removeprefix("# "),
        "opening": opening,
        "table": next(part for part in others if part.startswith("|")),
        "run_it": section("Run it"),
        "onward": section("Where to go from here"),
    }


def words_on_handing_in():
    """What the guide tells students."""
    section = GUIDE.read_text(encoding="utf-8").partition("\n## How students hand in\n")[2]
    return re.search(r"(?m)^> (.+)$", section)[1]


def first_explorer():
    """Where *her* looks, as curves, above small maps of all heads."""
    recorded = data.load("cat_sentence")
    arrays = recorded["q"], recorded["k"], recorded["tokens"]
    controls = "layer", "head", "query", "view", "maps"
    explorer = Explorer(*arrays, controls, layer=1, head=3, query=8, causal=False, view="curves")
    return nbformat.v4.new_output("display_data", {"text/html": explorer.page("first_look")})


# From cells to a page of HTML


def typeset(title):
    """A title as HTML, with its formulas as MathML."""
    return FORMULA.sub(lambda formula: mathml(formula[1]), html.escape(title))


def parsed(page):
    return BeautifulSoup(page, "html.parser")


class Page(NamedTuple):
    path: Path  # of the file that it is made from: its links are relative to that
    cells: list
    name: str  # of its own file
    entry: dict | None  # of the series, if it is a notebook


def description(page):
    """What a shared link says of a page: the beginning of its first paragraph, or of README's on the front page."""
    text = parts_of_readme()["opening"] if page.path == README else page.cells[0].source
    paragraph = re.search(r"(?m)^(?!#|<)\S.*$", text)[0]
    return textwrap.shorten(re.sub(r"\[(.*?)\]\(.*?\)|[*`$]", r"\1", paragraph), 200, placeholder=" ...")


class Site:
    """The folder `out` of the website; `repository` is the published copy, `live_site` the address of publish.live's.

    `loads` is what a browser loads for the boxes. Without solutions there is no guide for teachers either.
    """

    def __init__(self, out, repository, live_site="", loads=boxes.NOTHING, with_solutions=True):
        self.out, self.repository, self.live_site = out, repository, live_site
        self.loads = loads
        owner, _, name = repository.partition("/")
        self.address = f"https://{owner}.github.io/{name}/" if repository else ""  # where pages.yml puts it
        self.exporter = PageExporter()
        self.with_solutions = with_solutions
        self.pages = {README: "index.html"} | ({GUIDE: "teaching.html"} if with_solutions else {})
        texts = (*notebooks.PATHS.values(), *notebooks.TEXTS, sheet.SOURCE)
        self.pages |= {path: f"{path.stem}.html" for path in texts}
        self.sections = {}  # page -> {name of a section: its id}, of the pages written so far
        self.found = []  # what search.js searches
        self.series = {}
        for number, path in notebooks.PATHS.items():
            cells = notebooks.read(path).cells
            title = notebooks.title(cells)
            self.series[path] = {
                "number": int(number),
                "page": self.pages[path],
                "file": path.name,
                "title": typeset(title),
                "short": title.partition(":")[0],
                "exercises": boxes.mark(path, cells),
                "too_large": path in notebooks.TOO_LARGE,
            }
        # What is done to a page as the template made it, in this order.
        self.passes = [
            place_words_on_running,
            self.resolve_links,
            self.store_pictures,
            self.add_phone_forms,
            tidy_figures,
            tidy_tables,
            self.count_passed,
            typeset_summaries,
            tidy_headings,
            name_terms,
            explain_terms,
            list_sections,
            boxes.label,
            self.name_sections,
        ]

    def front_cells(self):
        """The front page: site/front.md with the first explorer and parts of README."""
        template = (SITE / "front.md").read_text(encoding="utf-8")
        front = Environment(undefined=StrictUndefined, trim_blocks=True).from_string(template)
        texts = front.render(parts_of_readme(), hand_in=words_on_handing_in(), **vars(self))
        above, below = markdown_cells(*texts.split("<!-- explorer -->"))
        return [above, nbformat.v4.new_code_cell(outputs=[first_explorer()], id="explorer"), below]

    def write_page(self, path, cells):
        page = Page(path, cells, self.pages[path], self.series.get(path))
        soup = parsed(self.rendered(page))
        for change in self.passes:
            change(soup, page)
        self.found += search.entries(soup, page.name, notebooks.title(page.cells).replace("$", ""))
        (self.out / page.name).write_text(str(soup), encoding="utf-8", newline="\n")

    def rendered(self, page):
        """The page as the template makes it."""
        notebook = nbformat.v4.new_notebook(cells=page.cells, metadata={"language_info": {"name": "python"}})
        title = notebooks.title(page.cells).replace("$", "")  # a tab shows no HTML
        resources = {
            "metadata": {"name": page.name},
            "page": page.name,
            "title": title,
            "description": description(page),
            "address": self.address,
            "repository": self.repository,
            "with_solutions": self.with_solutions,
            "series": [*self.series.values()],
            "notebook": page.entry,
            "live": self.live_site,
            "box": self.loads.box,
            "first_cell": next((cell.source for cell in page.cells if cell.cell_type == "code"), ""),
        }
        return self.exporter.from_notebook_node(notebook, resources)[0]

    # Passes that need to know the site

    def count_passed(self, soup, page):
        """Makes room for the number of exercises passed, which page.js writes, in the table of the series."""
        for entry in self.series.values() if self.loads.box.megabytes else []:
            for link in soup.select(f'.series a[href="{entry["page"]}"]'):
                exercises = " ".join(entry["exercises"])
                link.insert_after(" ", parsed(f'<span class="passed" data-exercises="{exercises}"></span>'))

    def resolve_links(self, soup, page):
        for link in soup.main.select("a[href]:not([download])"):  # the template has the downloads
            if target := self.target(link["href"], page.path.parent):
                link["href"] = target
                self.link_section(link)
            else:
                link.unwrap()

    def store_pictures(self, soup, page):
        """Writes pictures to files beside the page, and their sizes into the tags; a tap enlarges one."""
        for image in soup.main.select("img[src]"):
            content = base64.b64decode(image["src"].removeprefix("data:image/png;base64,"))
            figure = image.find_parent("figure")["id"]
            image["src"] = self.write_file(content, f"figures/{page.name[:2]}_{figure}.png")
            width, height = pixels(content)
            shown = int(image.get("width", width // 2))
            image["width"], image["height"] = shown, round(shown * height / width)
            image.wrap(soup.new_tag("a", href=image["src"]))
            self.add_form(soup, image, dark(content), "_dark.png", f"screen and {DARK}")

    def add_phone_forms(self, soup, page):
        """Makes narrow screens show the pictures that have a form for phones in that form."""
        for name, png in phone_pictures(page.path).items() if page.entry else []:
            image, content = soup.select_one(f"figure#{name} img"), base64.b64decode(png)
            self.add_form(soup, image, content, "_phone.png", NARROW)
            self.add_form(soup, image, dark(content), "_phone_dark.png", f"screen and {NARROW} and {DARK}")
            del image["style"]  # which has a smallest width

    def add_form(self, soup, image, png, ending, media):
        """Shows an image in another form on the screens that `media` names. The form that is added last goes first."""
        address = self.write_file(png, image["src"].replace(".png", ending))
        width, height = (size // 2 for size in pixels(png))
        form = soup.new_tag("source", media=media, srcset=address, width=width, height=height)
        picture = image.find_parent("picture") or image.wrap(soup.new_tag("picture"))
        picture.insert(0, form)

    def name_sections(self, soup, page):
        """Notes the ids of sections: of headings, and of bold words that open a paragraph, which get an id."""
        found = self.sections[page.name] = {}
        for element in soup.main.select(":is(h2, h3)[id], p > strong:first-child"):
            key = section_key(element.get_text())
            if element.name == "strong" and key not in found and not element.previous_sibling:
                element["id"] = f"section-{key}"
            if element.get("id"):
                found.setdefault(key, element["id"])

    # Links and files

    def link_section(self, link):
        """Points a link such as "notebook 3, Times V" to that section of the page."""
        named = re.match(r"notebook \d, (?:section )?(.+)", link.get_text())
        page = link["href"]
        if named and section_key(named[1]) in self.sections.get(page, {}):
            link["href"] += "#" + self.sections[page][section_key(named[1])]

    def target(self, address, folder):
        """Where a link in a file of `folder` leads on the website; None if to no page, and no copy is published."""
        if re.match(r"\w+:|#", address) or (self.live_site and address.startswith(self.live_site)):
            return address
        path, sign, fragment = address.partition("#")
        file = (folder / unquote(path)).resolve()
        if not file.exists():
            raise ValueError(f"a link leads nowhere: {address}, from {folder.name}")
        if file in self.pages:
            return self.pages[file] + sign + fragment
        if not self.repository:
            return None
        inside = file.relative_to(ROOT).as_posix()
        return f"https://github.com/{self.repository}/blob/HEAD/{inside}{sign}{fragment}"

    def write_file(self, content, name):
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return name


def pixels(png):
    """The width and height of a PNG, with which the text below it does not jump when it loads."""
    return [int.from_bytes(png[at : at + 4], "big") for at in (16, 20)]  # in its header


def place_words_on_running(soup, page):
    """Puts what a notebook's page says about running it under the title."""
    if words := soup.select_one(".run"):
        soup.h1.insert_after(words)


def tidy_figures(soup, page):
    """Leaves a figure's focus to its link, and removes what asks to run an explorer's cell."""
    for figure in soup.main.select("figure[tabindex]"):
        del figure["tabindex"]
    for words in soup.main.select("figure > div > p"):
        words.decompose()


def tidy_tables(soup, page):
    """Puts tables into boxes that scroll; removes pandas's styles and empty header cells."""
    for style in soup.main.find_all("style"):
        style.decompose()
    for table in soup.main.find_all("table"):
        for styled in (table, *table.find_all("tr")):
            del styled["border"], styled["style"]
        for head in table.find_all("th"):
            if not head.get_text(strip=True):
                head.name = "td"
                head.attrs.pop("scope", None)
        if not table.find_parent(attrs={"data-lm-suppress-shortcuts": True}):  # not an explorer's
            table.wrap(soup.new_tag("div", attrs={"class": "scroll"}))


def typeset_summaries(soup, page):
    """Draws the formulas of folded questions: Markdown leaves the text of HTML tags as it is."""
    for summary in soup.main.find_all("summary"):
        for text in summary.find_all(string=FORMULA):
            text.replace_with(parsed(typeset(text)))


def tidy_headings(soup, page):
    """Removes the links behind headings, and the ids of headings in quotes, which occur twice."""
    for sign in soup.main.select("a.anchor-link"):
        sign.decompose()
    for heading in soup.main.select("blockquote :is(h2, h3, h4)"):
        del heading["id"]


def name_terms(soup, page):
    """Gives each term of the glossary an id, and puts links to the first of each letter above the table."""
    if page.name != "glossary.html":
        return
    letters = soup.new_tag("p", attrs={"class": "letters"})
    for row in soup.main.select("tbody tr"):
        term = row.find(["td", "th"]).get_text()
        row["id"] = f"term-{section_key(term)}"
        if term[0].upper() not in letters.get_text():
            letters.append(parsed(f'<a href="#{row["id"]}">{term[0].upper()}</a> '))
    soup.main.select_one(".scroll").insert_before(letters)


@functools.cache
def glossary():
    """{term: its sentence}."""
    rows = re.findall(r"(?m)^\| ([^|]+?) \| ([^|]+?) \|", notebooks.TEXTS[1].read_text(encoding="utf-8"))
    return {term: re.sub(r"[*`$\\]", "", sentence) for term, sentence in rows}


def explain_terms(soup, page):
    """Lets a term in bold show its sentence of the glossary under the pointer, with the keyboard and to a finger."""
    for term in soup.main.select("p > strong, li > strong") if page.entry else []:
        if said := glossary().get(term.get_text()):
            term.attrs |= {
                "class": "term",
                "tabindex": "0",
                "role": "note",
                "aria-label": f"{term.get_text()}: {said}",
                "data-says": said,
            }


def list_sections(soup, page):
    """Fills the list of sections; a page with fewer than three has no list."""
    sections, headings = soup.select_one("nav.sections"), soup.main.select("h2[id]")
    for heading in headings:
        link = f'<a href="#{heading["id"]}">{heading.decode_contents()}</a>'  # with its formulas
        sections.ul.append(parsed(f"<li>{link}</li>"))
    if len(headings) < 3:
        sections.decompose()


def section_key(name):
    """The letters of a section's name: its number, code and formulas may be written in several ways."""
    return re.sub(r"^\d+\. |[\W_]", "", name)


# The whole website


def write_download(path, folder, with_solutions, repository=""):
    """Writes a copy of a notebook without outputs into `folder`, with the line for Colab if a copy is published."""
    notebook = handouts.read(path, with_solutions)
    if not with_solutions:  # for a class
        handouts.ask_whose(notebook)
    notebooks.strip_outputs(notebook)
    if repository:
        notebooks.add_colab_line(notebook, repository)
    folder.mkdir(exist_ok=True)
    notebooks.write(notebook, folder / path.name)


def build(out, repository, pyodide="", live_site="", with_solutions=True):
    """Writes the website to the folder `out`: with boxes, if `pyodide` says where Pyodide is."""
    if live_site and not live_site.endswith("/"):
        live_site += "/"
    if not with_solutions:
        repository = ""  # it has them
    loads = boxes.write(pyodide, out) if pyodide else boxes.NOTHING
    out.mkdir(parents=True, exist_ok=True)
    site = Site(out, repository, live_site, loads, with_solutions)
    site.write_page(README, site.front_cells())
    for path in notebooks.PATHS.values():
        site.write_page(path, notebook_cells(path, with_solutions))
        write_download(path, out / "notebooks", with_solutions, repository)
    texts = {path: notebooks.read_text(path) for path in notebooks.TEXTS} | {sheet.SOURCE: sheet.text()}
    if with_solutions:
        texts[GUIDE] = notebooks.read_text(GUIDE)
    for path, text in texts.items():
        site.write_page(path, markdown_cells(text))
    search.write(site.found, out / "search_index.js")
    more = ["browser.css"] if pyodide or live_site else []
    for name in ("style.css", "page.js", "search.js", "icon.png", "card.png", *more):
        shutil.copy(SITE / name, out / name)


def main():
    parser = command_line(__doc__)
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    parser.add_argument("--pyodide", nargs="?", const=live.OFFICIAL, default="", metavar="SOURCE")
    parser.add_argument("--live", default="", metavar="ADDRESS", help="such as live/, if it is OUT/live")
    parser.add_argument("--without-solutions", action="store_true", help="for a class")
    options = parser.parse_args()
    with_solutions = not options.without_solutions
    build(options.out, published_copy.repository(), options.pyodide, options.live, with_solutions)


if __name__ == "__main__":
    main()
