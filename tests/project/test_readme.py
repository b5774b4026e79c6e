"""README and the guides: their commands, links and file names lead to something that exists."""

import ast
import importlib.util
import re
import tomllib
from pathlib import Path
from urllib.parse import unquote

import pytest

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
    lines = [line for line in text_of("README.md").splitlines() if "jupyter lab " in line]
    assert len(lines) == 4  # for Windows, with uv, and without pins
    for line in lines:
        files = re.findall(r"[\w\\/]+\.(?:txt|ipynb)", line)
        assert files and all((ROOT / file.replace("\\", "/")).exists() for file in files), line
        assert " --notebook-dir=. " in line  # or JupyterLab would not open the notebooks' links to docs/


def test_python_versions_are_those_that_the_workflow_runs():
    (versions,) = re.findall(r"linux:.*?python: \[(.*?)\]", text_of(".github/workflows/ci.yml"), re.DOTALL)
    *others, newest = re.findall(r"[\d.]+", versions)
    assert f"with Python {', '.join(others)} or {newest}:" in text_of("README.md")
    requires = tomllib.loads(text_of("pyproject.toml"))["project"]["requires-python"]
    assert requires == f">={others[0]}"


def test_citation_and_changelog_have_the_version_of_the_project():
    citation = text_of("CITATION.cff")
    version = tomllib.loads(text_of("pyproject.toml"))["project"]["version"]
    assert f"\ntitle: {text_of('README.md').splitlines()[0].removeprefix('# ')}\n" in citation
    assert f"\nversion: {version}\n" in citation
    assert f"\n## {version}\n" in text_of("CHANGELOG.md")


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


# Names in CONTRIBUTING.md

# The exercise that the guide adds, a word to be replaced, a keyword of Python, and keys in notebooks and data.
DEFINED_ELSEWHERE = {"cosine_similarity", "NAME", "lambda", "slide_type", "about"}
FILE = re.compile(r"[\w./-]+(?:\.(?:py|md|toml|txt)|/)")
PATHS = [path for folder in FOLDERS for path in (ROOT / folder, *ROOT.glob(f"{folder}/**/*"))]
PATHS += [path for path in ROOT.iterdir() if path.is_file()]


def quoted(text):
    """What stands in backticks outside of blocks of code."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^ *```.*?^ *```", "", text))


def names_claimed(text):
    """The names in what looks like a name, a call or an argument: `same`, `show.heatmap(weights, name="x")`, `a=1`."""
    for code in quoted(text):
        found = re.fullmatch(r"@?([A-Za-z_][\w.]*)(?:[(=].*)?", code)
        if found and not FILE.fullmatch(code):
            yield from {*found[1].split("."), *re.findall(r"(\w+)=", code)}


def names_defined():
    """What the project's Python files define: modules, functions, classes, parameters, variables, fields."""
    for path in PATHS:
        yield path.stem
        for node in ast.walk(ast.parse(text_of(path))) if path.suffix == ".py" else ():
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                yield node.name
            elif isinstance(node, ast.arg):
                yield node.arg
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def test_names_in_contributing_are_defined():
    unknown = set(names_claimed(text_of("CONTRIBUTING.md"))) - set(names_defined()) - DEFINED_ELSEWHERE
    assert not unknown, (
        f"CONTRIBUTING.md names {sorted(unknown)}, which no Python file of the project defines"
    )


def test_files_in_contributing_exist():
    paths = [f"/{path.relative_to(ROOT).as_posix()}{'/' * path.is_dir()}" for path in PATHS]
    for file in filter(FILE.fullmatch, quoted(text_of("CONTRIBUTING.md"))):
        known = Path(file).stem.isupper() or any(path.endswith(f"/{file}") for path in paths)
        assert known, f"CONTRIBUTING.md names {file}, which the project does not have"
