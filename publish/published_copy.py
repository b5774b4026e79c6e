"""Where a published copy lives: writes links to it into README and notebooks.

    .venv/bin/python -m publish.published_copy NAME/COPY    the copy github.com/NAME/COPY is published

It is written as `repository` into the table [tool.published-copy] of pyproject.toml, where the pages read it. README
gets links and the address, and each notebook a line that installs the library on Colab.
"""

import os
import re
import tomllib

from publish import notebooks
from publish.execute import command_line
from publish.notebooks import ROOT

LINKS = ROOT / "publish" / "links.toml"
SETTING = re.compile(r'(?m)^(\[tool\.published-copy\]\nrepository = )"[^"]*"')
NAME = re.compile(r"(?:https://github\.com/)?([\w.-]+/[\w.-]+?)(?:\.git)?/?")
CLONED = re.compile(r"(?m)^(git clone --depth 1 ).*( attention)$")
NO_ADDRESS = "<address of this repository>"
README_LINKS = re.compile(r"(<!-- published copy: .* -->\n).*?(<!-- end -->)", re.DOTALL)


def repository():
    """The published copy as "NAME/COPY", or "" while there is none."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return settings["tool"]["published-copy"]["repository"]


def address():
    """Where this repository is: the named copy, or the one whose workflow runs on GitHub."""
    copy = repository() or os.environ.get("GITHUB_REPOSITORY")
    return f"https://github.com/{copy}" if copy else NO_ADDRESS


def in_browser(copy):
    """Where .github/workflows/pages.yml puts the first notebook, to be run in a browser."""
    owner, _, name = copy.partition("/")
    return f"https://{owner}.github.io/{name}/live/notebooks/index.html?path=01_dot_product.ipynb"


def write(copy):
    """Writes the setting, README's links and the notebooks' first lines for this copy."""
    if not (found := NAME.fullmatch(copy)):
        raise SystemExit(f"the copy must be NAME/COPY or https://github.com/NAME/COPY, got {copy!r}")
    copy = found[1]
    owner, _, name = copy.partition("/")
    links = tomllib.loads(LINKS.read_text(encoding="utf-8"))["links"]
    links = links.format(copy=copy, owner=owner, name=name, in_browser=in_browser(copy))
    replace(ROOT / "pyproject.toml", SETTING, rf'\1"{copy}"')
    replace(ROOT / "README.md", README_LINKS, rf"\1{links}\2")
    replace(ROOT / "README.md", CLONED, rf"\1https://github.com/{copy}\2")
    for path in notebooks.stored(ROOT / "notebooks"):
        notebook = notebooks.read(path)
        notebooks.add_colab_line(notebook, copy)
        notebooks.write(notebook, path)


def replace(path, pattern, text):
    """Replaces what `pattern` matches in a file; it must match once."""
    new, count = pattern.subn(text, path.read_text(encoding="utf-8"))
    if count != 1:
        raise SystemExit(f"{path.name} must hold {pattern.pattern} once, and holds it {count} times")
    path.write_text(new, encoding="utf-8", newline="\n")


def main():
    parser = command_line(__doc__)
    parser.add_argument("copy", metavar="NAME/COPY")
    write(parser.parse_args().copy)


if __name__ == "__main__":
    main()
