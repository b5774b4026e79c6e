"""Where a published copy lives: writes links to it into README and notebooks, or takes them out.

    .venv/bin/python -m publish.published_copy NAME/COPY    the copy github.com/NAME/COPY is published
    .venv/bin/python -m publish.published_copy --remove     none is

The name stands in one place, `repository` in the table [tool.published-copy] of pyproject.toml. The
pages read it from there. README gets its links between two comments and the address in its command that
clones, and each notebook a first line that installs the library on Colab.
"""

import argparse
import re
import tomllib

from publish import notebooks
from publish.notebooks import ROOT

SETTING = re.compile(r'(?m)^(\[tool\.published-copy\]\nrepository = )"[^"]*"')
CLONED = re.compile(r"(?m)^(git clone --depth 1 ).*( attention)$")
NO_ADDRESS = "<address of this repository>"
README_LINKS = re.compile(r"(<!-- published copy: .* -->\n).*?(<!-- end -->)", re.DOTALL)
COLAB_LINE = re.compile(r"\A# On Colab, first: %pip install git\+\S+\n")
LINKS = """
**Read it now, without installing anything**: [as pages](https://{owner}.github.io/{name}/), on a phone too, with boxes for the exercises; or [in your browser]({in_browser}), where the notebooks run. Also [on Binder](https://mybinder.org/v2/gh/{copy}/HEAD?urlpath=lab/tree/notebooks/01_dot_product.ipynb), which may take some minutes to start and forgets what you wrote after ten idle minutes (File, Download before you leave); and [on Colab](https://colab.research.google.com/github/{copy}/blob/main/notebooks/01_dot_product.ipynb), where you first run the first line of the first cell without its `#`.

"""


def repository(root=ROOT):
    """The published copy as "NAME/COPY", or "" while there is none."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return settings["tool"]["published-copy"]["repository"]


def in_browser(copy):
    """Where .github/workflows/pages.yml puts the first notebook, to be run in a browser."""
    owner, _, name = copy.partition("/")
    return f"https://{owner}.github.io/{name}/live/notebooks/index.html?path=01_dot_product.ipynb"


def write(copy, root=ROOT):
    """Writes the setting, README's links and the notebooks' first lines for this copy; "" removes them."""
    if copy and not re.fullmatch(r"[\w.-]+/[\w.-]+", copy):
        raise ValueError(f"the copy must be named NAME/COPY, as on GitHub, got {copy!r}")
    owner, _, name = copy.partition("/")
    links = LINKS.format(copy=copy, owner=owner, name=name, in_browser=in_browser(copy)) if copy else ""
    address = f"https://github.com/{copy}"
    colab_line = f"# On Colab, first: %pip install git+{address}\n" if copy else ""
    replace(root / "pyproject.toml", SETTING, rf'\1"{copy}"')
    replace(root / "README.md", README_LINKS, rf"\1{links}\2")
    replace(root / "README.md", CLONED, rf"\1{address if copy else NO_ADDRESS}\2")
    for path in notebooks.stored(root / "notebooks"):
        notebook = notebooks.read(path)
        first = next(cell for cell in notebook.cells if cell.cell_type == "code")
        first.source = colab_line + COLAB_LINE.sub("", first.source)
        notebooks.write(notebook, path)


def replace(path, pattern, text):
    """Replaces what `pattern` matches in a file; it must match once."""
    new, count = pattern.subn(text, path.read_text(encoding="utf-8"))
    if count != 1:
        raise ValueError(f"{path.name} must hold {pattern.pattern} once, and holds it {count} times")
    path.write_text(new, encoding="utf-8", newline="\n")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("copy", nargs="?", default="", metavar="NAME/COPY")
    which.add_argument("--remove", action="store_true")
    write(parser.parse_args().copy)


if __name__ == "__main__":
    main()
