"""README and the guides: what their commands, links and names lead to exists, and sizes are as they say."""

import importlib.util
import json
import re
import tomllib
import zlib
from functools import cache
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote

import pytest

from publish.wheel import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ["README.md", "CONTRIBUTING.md", "teaching/README.md"]
GUIDES += [path.relative_to(ROOT).as_posix() for path in sorted(ROOT.glob("docs/*.md"))]
FOLDERS = ("attention_lib", "docs", "figures", "lesson", "notebooks", "publish", "teaching", "tests")

every_guide = pytest.mark.parametrize("guide", GUIDES)


def text_of(file):
    return (ROOT / file).read_text(encoding="utf-8")


def test_test_commands_are_the_same_everywhere():
    workflow, readme = text_of(".github/workflows/ci.yml"), text_of("README.md")
    (command,) = re.findall(r"^test_command='(.*)'$", text_of(".ci/run"), re.MULTILINE)
    (for_windows,) = re.findall(r"py -m venv [^`\n]*pytest", readme)
    assert f"\n{command}\n" in readme
    assert f"run: {command}\n" in workflow and f"run: {for_windows}\n" in workflow


def test_commands_that_open_a_notebook_name_files_that_exist():
    lines = re.findall(r"^.*jupyter lab .*$", text_of("README.md"), re.MULTILINE)
    assert len(lines) == 4  # for Windows, with uv, and without pins
    for line in lines:
        files = re.findall(r"[\w\\/]+\.(?:txt|ipynb)", line)
        assert files and all((ROOT / file.replace("\\", "/")).exists() for file in files), line
        assert " --notebook-dir=. " in line  # or JupyterLab would not open the notebooks' links to docs/


def test_versions_are_the_same_everywhere():
    (versions,) = re.findall(r"linux:.*?python: \[(.*?)\]", text_of(".github/workflows/ci.yml"), re.DOTALL)
    *others, newest = re.findall(r"[\d.]+", versions)
    assert f"with Python {', '.join(others)} or {newest}:" in text_of("README.md")
    project = tomllib.loads(text_of("pyproject.toml"))["project"]
    assert project["requires-python"] == f">={others[0]}"
    title = text_of("README.md").splitlines()[0].removeprefix("# ")
    assert f"\ntitle: {title}\n" in text_of("CITATION.cff")
    assert f"\nversion: {project['version']}\n" in text_of("CITATION.cff")
    assert f"\n## {project['version']}\n" in text_of("CHANGELOG.md")


@every_guide
def test_links_lead_to_files(guide):
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(guide)):
        path, _, _ = unquote(target).partition("#")
        if path and not re.match(r"[a-z]+:", path):
            assert (ROOT / guide).parent.joinpath(path).exists(), target


@every_guide
def test_files_and_modules_that_are_named_exist(guide):
    for file in re.findall(rf"(?<![\w./-])(?:{'|'.join(FOLDERS)})/[\w./-]*\w", text_of(guide)):
        path = ROOT / file
        is_placeholder = path.stem.isupper()  # answers/NAME.py, in a recipe: its folder must exist
        assert (path.parent if is_placeholder else path).exists(), file
    for module in re.findall(r"\bpython3? -m ([\w.]+\w)", text_of(guide)):
        assert importlib.util.find_spec(module), module


@cache
def packed(file):
    """The bytes of a file as git and a wheel keep it, or a few more."""
    return len(zlib.compress(file.read_bytes(), level=1))


def size_of(folders):
    """The packed bytes of what is in folders, without what JupyterLab and Python leave there."""
    left = {".ipynb_checkpoints", "__pycache__"}
    paths = [path for folder in folders for path in ROOT.glob(f"{folder}/**/*")]
    return sum(packed(path) for path in paths if path.is_file() and not left & {*path.parts})


def installed():
    """The bytes of the packages of requirements.txt, and of those that they need: constraints.txt lists them."""
    names = re.findall(r"(?m)^([\w.-]+)==", text_of("tests/constraints.txt"))
    found = [package for name in names for package in metadata.distributions(name=name)]
    files = {file.locate() for package in found for file in package.files}
    return sum(file.stat().st_size for file in files if file.exists())


@pytest.mark.slow
def test_guides_state_sizes_within_a_twentieth():
    """Those of the site are in tests/live."""
    packages = installed()
    for guide, pattern, size in [
        ("README.md", r"(\d+) MB to fetch", size_of(FOLDERS)),
        ("README.md", r"packages of the next line take (\d+) MB", packages),
        ("teaching/README.md", r"That is (\d+) MB", size_of(PACKAGES)),
        ("teaching/README.md", r"installs (\d+) MB of packages", packages),
    ]:
        (stated,) = re.findall(pattern, text_of(guide))
        assert size / 1e6 == pytest.approx(int(stated), rel=0.05), f"{guide}: {pattern}"


# Names in CONTRIBUTING.md

# What stands in backticks outside of blocks of code, up to its arguments
QUOTED = re.findall(
    r"`@?([A-Za-z_][\w./]*)(?:[(=][^`\n]*)?`", re.sub(r"(?ms)^ *```.*?^ *```", "", text_of("CONTRIBUTING.md"))
)


def test_files_and_names_in_contributing_exist():
    paths = [path for folder in FOLDERS for path in (ROOT / folder, *ROOT.glob(f"{folder}/**/*"))]
    paths += [path for path in ROOT.iterdir() if path.is_file()]
    places = "".join(f"{path.as_posix()}\n{path.as_posix()}/\n" for path in paths)
    code = "".join(path.read_text(encoding="utf-8") for path in paths if path.suffix == ".py")
    for quoted in QUOTED:
        is_file = quoted.endswith((".py", ".md", ".toml", ".txt", "/"))
        is_placeholder = is_file and Path(quoted).stem.isupper()
        known = f"/{quoted}\n" in places if is_file else re.search(rf"\b{quoted.split('.')[-1]}\b", code)
        assert known or is_placeholder, f"CONTRIBUTING.md names {quoted}, which the project does not have"


def test_way_onward_is_the_same_as_in_the_last_notebook():
    section = text_of("README.md").partition("## Where to go from here\n\n")[2].partition("\n\n## ")[0]
    *_, last = sorted((ROOT / "notebooks").glob("*.ipynb"))
    assert section in "".join(
        "".join(cell["source"]) for cell in json.loads(last.read_text(encoding="utf-8"))["cells"]
    )
