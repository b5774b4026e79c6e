"""Writes copies of the notebooks for a class: without outputs, with or without solutions.

    .venv/bin/python -m publish.handouts DIR               copies, questions, glossary, a sheet to print, the library's wheel, a README
    .venv/bin/python -m publish.handouts DIR --solutions   the copies with solutions, for later

The network is used to build the wheel. DIR may be handed out as it is: no link in it leads to this repository.
"""

import re
import tomllib
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from nbformat.v4 import new_code_cell

from lesson import check
from publish import notebooks, published_copy, sheet, wheel
from publish.execute import command_line

SOLUTION = re.compile(r"(?si)<details>\s*<summary[^>]*>\s*Solution.*?</details>\s*")
# A function with more in it than a docstring and `...`.
WRITTEN = re.compile(r'^ *def (\w+)\([^)]*\)[^:\n]*:(?!(?:\n +"""[^"]*""")?\n +\.\.\.$)', re.MULTILINE)
# What stands before the target of a link, in Markdown or HTML, and the target.
LINK = re.compile(r'(\]\(|\b(?:src|href)=")([^)"\s#]+)')
# The first cell of a copy, which teaching.collect reads, and the last, which runs also if the first did not.
STUDENT = 'student = ""  # your name or number, as on the class list'
STILL_EMPTY = """if not globals().get("student"):
    print("Whose notebook is this? Write your name into the first cell, run it, and save.")"""


def make_copies(with_solutions):
    """{file name: text} of the copies of notebooks, questions and glossary."""
    suffix = "_with_solutions" if with_solutions else ""  # solutions never overwrite a student's file
    paths = [*notebooks.PATHS.values(), *notebooks.TEXTS]
    new_names = {path.name: f"{path.stem}{suffix}{path.suffix}" for path in paths}
    copies = {}
    for path in notebooks.TEXTS:
        text = path.read_text(encoding="utf-8")
        copies[new_names[path.name]] = rewrite_links(text, new_names, path.name)
    for path in notebooks.PATHS.values():
        notebook = read(path, with_solutions, new_names)
        if not with_solutions:
            ask_whose(notebook)
        notebooks.strip_outputs(notebook)
        copies[new_names[path.name]] = notebooks.as_text(notebook)
    return copies


def read(path, with_solutions, new_names=None):
    """A notebook, perhaps without solutions, and with links to files of these names."""
    notebook = notebooks.read(path)
    if not with_solutions:
        remove_solutions(notebook, path.name)
    for cell in notebook.cells if new_names else []:
        if cell.cell_type == "markdown":
            cell.source = rewrite_links(cell.source, new_names, path.name)
    return notebook


def ask_whose(notebook):
    """Adds the cells that ask whose a notebook is, in place."""
    notebook.cells.insert(0, new_code_cell(STUDENT, id="student"))
    notebook.cells.append(new_code_cell(STILL_EMPTY, id="student-empty"))


def remove_solutions(notebook, name):
    """Removes folded solutions, in place. Stops if an exercise is solved anywhere else."""
    for cell in notebook.cells:
        cell.source = SOLUTION.sub("", cell.source).rstrip()
        for function in WRITTEN.findall(cell.source):
            if function in check.EXERCISES:
                raise SystemExit(f"{name}: the cell {cell.id} holds a solution of {function}")
    notebook.cells = [cell for cell in notebook.cells if cell.source]


def rewrite_links(markdown, new_names, name):
    """The text of the file `name` with links to the copies."""

    def rewritten(match):
        before, target = match.groups()
        if ":" not in target and Path(target).name not in new_names:
            raise SystemExit(f"{name}: the link to {target} would lead nowhere in a copy")
        return before + new_names.get(Path(target).name, target)

    return LINK.sub(rewritten, markdown)


def write_copies(folder, with_solutions):
    """Writes the copies into `folder`, and returns their names; stops if one is there, perhaps a student's work."""
    copies = make_copies(with_solutions)
    if existing := sorted(name for name in copies if (folder / name).exists()):
        raise SystemExit(f"{folder} holds {existing[0]} already: choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in copies.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return sorted(copies)


def readme(names, wheel_name, copy):
    """The README for students; `copy` is the published copy, or ""."""
    template = (sheet.SITE / "handout.md").read_text(encoding="utf-8")
    project = tomllib.loads((notebooks.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    python = project["requires-python"].removeprefix(">=")
    browser = copy and published_copy.in_browser(copy)
    text = Environment(undefined=StrictUndefined, keep_trailing_newline=True).from_string(template)
    return text.render(browser=browser, python=python, wheel=wheel_name, first=names[0])


def main():
    parser = command_line(__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--solutions", action="store_true", help="the second set, without wheel")
    options = parser.parse_args()
    names = write_copies(options.folder, options.solutions)
    if not options.solutions:
        text = readme(names, wheel.build(options.folder), published_copy.repository())
        (options.folder / "README.md").write_text(text, encoding="utf-8", newline="\n")
        (options.folder / "sheet.html").write_text(sheet.page(), encoding="utf-8", newline="\n")
    print(f"{options.folder}: {', '.join(names)}")


if __name__ == "__main__":
    main()
