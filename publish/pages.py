"""Makes the series into a small site: a page a notebook, from their stored outputs.

    .venv/bin/pip install -r publish/requirements.txt
    .venv/bin/python -m publish.pages OUT                    then open OUT/index.html
    .venv/bin/python -m publish.pages OUT --place NAME/COPY  links lead to that copy on GitHub

Nothing runs, and no page asks another machine for anything. Every page is made from Markdown and code
cells by one template (template/index.html.j2). Words of the site itself stand there and in front.md;
all else is taken from the notebooks, README.md, teaching/README.md and the library's docstrings.
"""

import argparse
import base64
import inspect
import re
import shutil
from pathlib import Path
from urllib.parse import unquote

import nbformat
from bs4 import BeautifulSoup
from jinja2 import Environment, StrictUndefined
from nbconvert import HTMLExporter
from traitlets.config import Config

import attention_lib
from attention_lib import attention, check, data, model, plain_python, show
from publish import handouts, minutes
from publish.formulas import WithMathML

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
GUIDE = ROOT / "teaching" / "README.md"
EXPLAINED = f"<details>{minutes.EXPLAINED}\n"
FOLD = {"fold": True}  # what marks the neutral sentence that execute.py puts into a folded answer


class Pages(WithMathML, HTMLExporter):
    """nbconvert's HTML with our template, and formulas as MathML."""

    def __init__(self):
        # Only the template's own folder: what a user has installed under this name is none of ours.
        super().__init__(
            extra_template_basedirs=[str(HERE / "site")], template_name="template", config=Config()
        )


# The cells of each page


def notebook_cells(path):
    """The cells of a notebook, each prediction's answers and explanation made ready for one fold."""
    cells = nbformat.read(path, as_version=4).cells
    answers = []
    for cell in cells:
        tags = cell.metadata.get("tags", [])
        if "answer" in tags:
            cell.outputs = [output for output in cell.outputs if output.get("metadata") != FOLD]
            if "hide-input" in tags:
                cell.source = cell.source.split("\n", 1)[1]  # the first line is JupyterLab's fold
            answers.append(cell)
        elif answers:
            if not (cell.source.startswith(EXPLAINED) and cell.source.endswith("</details>")):
                raise ValueError(f"{path.name}, cell {cell.id}: no folded explanation, and answers above it")
            cell.source = cell.source.removeprefix(EXPLAINED).removesuffix("</details>")
            cell.metadata["closes_fold"] = True
            answers[0].metadata["opens_fold"] = minutes.SUMMARY
            answers = []
    if answers:
        raise ValueError(f"{path.name}, cell {answers[-1].id}: no folded explanation follows")
    return cells


def markdown(*sources):
    return [nbformat.v4.new_markdown_cell(source, id=f"cell-{i}") for i, source in enumerate(sources)]


def title(cells):
    return re.search(r"^# (.+)$", cells[0].source, re.MULTILINE)[1]


def front_cells(place):
    """The front door: front.md, with what README.md says already put into its places."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    opening, table = re.match(r"(?s)(# .*?\n\n)(\|.*?)\n\n", readme).groups()
    # A finger needs more than the one digit that README.md links.
    table = re.sub(r"(?m)^\| \[(\d)\]\((.*?)\) \| (.*?) \|", r"| \1 | [\3](\2) |", table)
    unix, windows = re.findall(r"```\n(.*jupyter.lab .*)\n```", readme)
    template = (HERE / "site" / "front.md").read_text(encoding="utf-8")
    words = Environment(undefined=StrictUndefined).from_string(template)
    return markdown(words.render(opening=opening, table=table, unix=unix, windows=windows, place=place))


def is_public(module, name):
    thing = getattr(module, name)
    ours = getattr(thing, "__module__", "").startswith(module.__name__)
    return not name.startswith("_") and ours and callable(thing)


def library_cells():
    """The library's public names with their docstrings."""
    sources = ["# The library\n\n" + words(attention_lib)]
    for module in (attention, show, model, data, check, plain_python):
        file = Path(inspect.getsourcefile(module)).resolve().relative_to(ROOT).as_posix()
        short = module.__name__.partition(".")[2]
        sources.append(f"## `{short}`\n\n{words(module)}\n\n[{file}]({file})")
        prefix = "" if module is attention else f"{short}."  # as a reader calls it
        names = {attention: attention_lib.__all__, check: list(check.EXERCISES)}.get(module)
        for name in names or [name for name in vars(module) if is_public(module, name)]:
            thing = getattr(module, name)
            call = f"```python\n{name}{signature(thing)}\n```"
            sources.append(f"### `{prefix}{name}`\n\n{call}\n\n{words(thing)}")
    return markdown(*sources)


def signature(thing):
    """The arguments without their types, which the words below tell; a function is shown by its name."""

    class Name(str):
        __repr__ = str.__str__

    found = inspect.signature(thing)
    bare = []
    for parameter in found.parameters.values():
        if inspect.isfunction(parameter.default):
            parameter = parameter.replace(default=Name(parameter.default.__name__))
        bare.append(parameter.replace(annotation=parameter.empty))
    return str(found.replace(parameters=bare, return_annotation=found.empty))


def words(thing):
    """A docstring as Markdown: its underlined headings are bold, what is raised is a list."""
    text = inspect.getdoc(thing) or ""
    text = re.sub(r"(?m)^(\w+)\n-+$\n", r"**\1**\n\n", text)
    text = re.sub(r"(?m)^(\w+Error(?:, \w+Error)*)\n    ", r"- \1: ", text)
    return re.sub(r"(?<!\*)\*(?!\*)", r"\\*", text)


# What becomes of a page's HTML


class Site:
    def __init__(self, out, place):
        self.out, self.place = out, place
        self.exporter = Pages()
        self.pages = {ROOT / "README.md": "index.html"}
        self.pages |= {path: f"{path.stem}.html" for path in NOTEBOOKS}
        self.pages |= {GUIDE: "teaching.html", ROOT / "attention_lib": "library.html"}

    def target(self, address, folder):
        """Where a link that stands in a file of `folder` leads on the site."""
        if re.match(r"\w+:|#", address):
            return address.replace("ACCOUNT/REPOSITORY", self.place)
        path, sign, fragment = address.partition("#")
        file = (folder / unquote(path)).resolve()
        if not file.exists():
            raise ValueError(f"a link leads nowhere: {address}, from {folder.name}")
        if file in self.pages:
            return self.pages[file] + sign + fragment
        if file.suffix == ".png":
            return self.keep(file.read_bytes(), f"figures/{file.name}")
        inside = file.relative_to(ROOT).as_posix()
        return f"https://github.com/{self.place}/blob/HEAD/{inside}{sign}{fragment}"

    def keep(self, content, name):
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return name

    def page(self, name, cells, folder=ROOT, **more):
        """Writes one page. `folder` is where the links of its words start from."""
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"language_info": {"name": "python"}})
        more |= {"metadata": {"name": name}, "place": self.place, "page": name, "title": title(cells)}
        page, _ = self.exporter.from_notebook_node(notebook, more)
        soup = BeautifulSoup(page.replace("ACCOUNT/REPOSITORY", self.place), "html.parser")
        main = soup.main
        for link in main.select("a[href]:not([download])"):  # the template's own
            link["href"] = self.target(link["href"], folder)
        for image in main.select("img[src]"):
            self.place_picture(image, name.split("_")[0], folder)
        tidy_tables(main, soup)
        tidy_headings(main, soup)
        (self.out / name).write_text(str(soup), encoding="utf-8", newline="\n")

    def place_picture(self, image, number, folder):
        """A stored picture becomes a file beside the page, so that it is there once."""
        if image["src"].startswith("data:image/png;base64,"):
            content = base64.b64decode(image["src"].partition(",")[2])
            figure = image.find_parent("figure")["id"]
            image["src"] = self.keep(content, f"figures/{number}_{figure}.png")
        else:
            image["src"] = self.target(image["src"], folder)
            content = (self.out / image["src"]).read_bytes()
        # The size stands in a PNG's header. With it the words below do not jump when the picture comes.
        width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
        shown = int(image.get("width", width // 2))
        image["width"], image["height"] = shown, round(shown * height / width)


def tidy_tables(main, soup):
    """Tables scroll in a box of their own; pandas's styles and empty head cells go."""
    for style in main.select("style"):
        style.decompose()
    for table in main.select("table"):
        for styled in (table, *table.select("tr")):
            del styled["border"], styled["style"]
        for head in table.select("th"):
            if not head.get_text(strip=True):
                head.name = "td"
                head.attrs.pop("scope", None)
        if not table.find_parent(attrs={"data-lm-suppress-shortcuts": True}):  # not an explorer's
            table.wrap(soup.new_tag("div", attrs={"class": "scroll"}))


def tidy_headings(main, soup):
    """Ids that are there once, no link signs behind headings, and the list of sections."""
    for sign in main.select("a.anchor-link"):
        sign.decompose()
    for heading in main.select("blockquote :is(h2, h3, h4)"):
        del heading["id"]
    sections = soup.select_one("nav.sections ul")
    headings = main.select("h2[id]")
    for heading in headings:
        item = soup.new_tag("li")
        item.append(soup.new_tag("a", href=f"#{heading['id']}", string=heading.get_text()))
        sections.append(item)
    if len(headings) < 3:
        soup.select_one("nav.sections").decompose()


def download(path, folder):
    """A copy of a notebook without outputs."""
    notebook = nbformat.read(path, as_version=4)
    handouts.strip_outputs(notebook)
    folder.mkdir(exist_ok=True)
    (folder / path.name).write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")


def build(out, place="ACCOUNT/REPOSITORY"):
    """Writes the site to the folder `out`, for the copy of the repository at `place` on GitHub."""
    out.mkdir(parents=True, exist_ok=True)
    site = Site(out, place)
    series = [
        {
            "number": i,
            "title": title(nbformat.read(path, as_version=4).cells),
            "page": site.pages[path],
            "file": path.name,
        }
        for i, path in enumerate(NOTEBOOKS, 1)
    ]
    site.page("index.html", front_cells(place), series=series)
    for path, entry in zip(NOTEBOOKS, series, strict=True):
        site.page(entry["page"], notebook_cells(path), path.parent, notebook=entry, series=series)
        download(path, out / "notebooks")
    guide = markdown(GUIDE.read_text(encoding="utf-8"))
    site.page("teaching.html", guide, GUIDE.parent, series=series)
    site.page("library.html", library_cells(), series=series)
    for name in ("style.css", "page.js"):
        shutil.copy(HERE / "site" / name, out / name)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    parser.add_argument("--place", default="ACCOUNT/REPOSITORY", help="the repository's name on GitHub")
    options = parser.parse_args()
    build(options.out, options.place)


if __name__ == "__main__":
    main()
