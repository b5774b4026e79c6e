"""Writes what a class gets: copies of the notebooks without outputs and without solutions.

    .venv/bin/python -m publish.handouts DIR               copies, the library's wheel, a README
    .venv/bin/python -m publish.handouts DIR --solutions   the copies with solutions, for later

Building the wheel uses the network, and so does installing what it needs on a student's machine.
Nothing else does. DIR may be handed out as it is: nothing in it leads back to this repository.
"""

import argparse
import ast
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import nbformat

from attention_lib import check

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "notebooks"

# A solution is a fold of that name, whatever stands beside it in its cell.
SOLUTION = re.compile(r"(?si)<details>\s*<summary>\s*Solution.*?</details>\s*")
# Up to a link's target, in Markdown and in HTML, and the target.
LINK = re.compile(r'(\]\(|\b(?:src|href)=")([^)"\s#]+)')
WITH_SOLUTIONS = "_with_solutions"  # no name of the first set: nobody's own work is written over

FOR_STUDENTS = """\
# Scaled dot-product attention, on real numbers

Six notebooks, to be worked through in order. You need Python {python} or newer. Open a terminal \
in this folder and type one line, once. It needs the network, for NumPy, pandas, Matplotlib and \
JupyterLab; everything else is in this folder.

On Linux and macOS:

```
python3 -m venv .venv && .venv/bin/pip install jupyterlab ./{wheel}
```

On Windows, in PowerShell:

```
py -m venv .venv; .venv\\Scripts\\pip install jupyterlab .\\{wheel}
```

From then on, without the network, `.venv/bin/jupyter lab {first}` (on Windows \
`.venv\\Scripts\\jupyter lab {first}`) opens the first notebook.

- A box with a pencil, ✎ Predict, is a stop: write your answer down before you run the next cell.
- An exercise is a function whose body is `...`. Write yours in its place and run the cell. The \
checker under it says what it saw. A hint is folded below.
- To hand in, save the notebook (Ctrl-S) after its cells have run, and do not clear its outputs: \
what the checker said is in them. Your teacher's program reads that, and runs none of your code.
"""


def copies(with_solutions):
    """The notebooks as a class gets them, {name: (notebook, the pictures that it shows)}."""
    paths = sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))
    ending = WITH_SOLUTIONS if with_solutions else ""
    names = {path.name: f"{path.stem}{ending}.ipynb" for path in paths}
    made = {}
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        strip_outputs(notebook)
        if not with_solutions:
            drop_solutions(notebook, path.name)
        made[names[path.name]] = (notebook, relink(notebook, names, path.name))
    return made


def strip_outputs(notebook):
    """Takes out what running left in the cells, in place."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
            look = cell.metadata.get("jupyter", {})
            look.pop("outputs_hidden", None)  # nothing is left to hide, and a fold would hide more
            if not look:
                cell.metadata.pop("jupyter", None)


def drop_solutions(notebook, name):
    """Takes out the solutions, in place. Stops where an exercise is solved all the same."""
    kept = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and SOLUTION.search(cell.source):
            cell.source = SOLUTION.sub("", cell.source).rstrip()
            if not cell.source:
                continue
        kept.append(cell)
    notebook.cells = kept
    for cell in kept:
        if solved := sorted(solved_in(cell)):
            raise SystemExit(f"{name}: the cell {cell.id} holds a solution of {', '.join(solved)}")


def solved_in(cell):
    """The exercises that a cell defines with more than a stub's body."""
    pieces = [cell.source]
    if cell.cell_type != "code":
        pieces = re.findall(
            r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(.*?)^ {0,3}\1", cell.source, re.DOTALL | re.MULTILINE
        )
        pieces = [code for _, code in pieces]
    return {name for code in pieces for name in defined(code) if name in check.EXERCISES}


def defined(code):
    """The names of the functions in `code` whose body does something."""
    try:
        tree = ast.parse(code)
    except SyntaxError:  # a magic, or a fence that is no Python
        return
    for node in ast.walk(tree):
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if function and not all(does_nothing(statement) for statement in node.body):
            yield node.name


def does_nothing(statement):
    """Whether it is `pass`, `...` or a docstring."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass)


def relink(notebook, names, name):
    """Makes the links of a copy right, in place; returns the pictures that it shows."""
    pictures = set()

    def target_in_copy(match):
        before, target = match.groups()
        if target in names:
            return before + names[target]
        if ":" in target:
            return match[0]
        file = (NOTEBOOKS / target).resolve()
        if file.suffix != ".png" or not file.is_file():
            raise SystemExit(f"{name}: the link to {target} would lead nowhere in a copy")
        pictures.add(file)
        return f"{before}figures/{file.name}"

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = LINK.sub(target_in_copy, cell.source)
    return pictures


def write(folder, with_solutions=False):
    """Writes the copies and their pictures into `folder`. No notebook there is written over."""
    made = copies(with_solutions)
    if there := sorted(name for name in made if (folder / name).exists()):
        raise SystemExit(f"{folder} holds {there[0]} already: choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name, (notebook, pictures) in made.items():
        text = nbformat.writes(notebook) + "\n"
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        for picture in pictures:
            (folder / "figures").mkdir(exist_ok=True)
            shutil.copy(picture, folder / "figures")
    return sorted(made)


def build_wheel(folder):
    """Builds the library's wheel into `folder`, and returns its name.

    From a copy of the sources: a build leaves files behind, and must not pick up older ones.
    """
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary) / "source"
        source.mkdir()
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, source)
        no_caches = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "attention_lib", source / "attention_lib", ignore=no_caches)
        build = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            temporary,
        ]
        subprocess.run([*build, str(source)], check=True)
        (wheel,) = Path(temporary).glob("*.whl")
        shutil.copy(wheel, folder)
        return wheel.name


def readme(names, wheel):
    """What the students read first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    python = project["requires-python"].removeprefix(">=")
    return FOR_STUDENTS.format(python=python, wheel=wheel, first=names[0])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--solutions", action="store_true", help="the second set, without wheel")
    options = parser.parse_args()
    names = write(options.folder, options.solutions)
    what = f"{len(names)} notebooks"
    if not options.solutions:
        text = readme(names, build_wheel(options.folder))
        (options.folder / "README.md").write_text(text, encoding="utf-8", newline="\n")
        what += ", the wheel and README.md"
    print(f"{options.folder}: {what}")


if __name__ == "__main__":
    main()
