"""Imports run one way between the parts of the project, without circles."""

import ast
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from publish import notebooks

ROOT = Path(__file__).resolve().parents[2]
KNOWN = ["compare", "exercises", "formatting", "in_a_row", "mistakes", "probes", "steps"]
# A module may import modules of the parts on its own and on lower levels.
LEVELS = [
    ["attention_lib.arguments", "attention_lib.in_place"],
    ["attention_lib.attention", "attention_lib.plain_python"],
    ["attention_lib"],  # the names that attention_lib/__init__.py passes on
    ["attention_lib.data", "attention_lib.today"],
    ["attention_lib.learning", "attention_lib.model"],
    ["attention_lib.show"],
    ["lesson"],
    # What is known of attention. The way from a function to its verdict reads it.
    [f"lesson.check.{name}" for name in KNOWN],
    ["lesson.check", "lesson.drawings"],
    ["notebooks"],
    ["publish"],
    ["teaching"],
]
LEVEL = {part: level for level, parts in enumerate(LEVELS) for part in parts}


def module_name(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PACKAGES = [path.parent for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests"]


@cache
def trees():
    """{module, or notebook: its syntax tree}"""
    found = {}
    for path in (path for package in PACKAGES for path in package.rglob("*.py")):
        found[module_name(path)] = ast.parse(path.read_text(encoding="utf-8"))
    for path in notebooks.PATHS.values():
        cells = [cell.source for cell in notebooks.read(path).cells if cell.cell_type == "code"]
        found[f"notebooks.{path.stem}"] = ast.parse("\n".join(cells))
    return found


def imports(tree):
    """The modules that a module imports, or takes names from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in trees() else node.module for name in inner)


def part_of(module):
    """The part that a module belongs to: the longest that its name begins with."""
    parts = [part for part in LEVEL if f"{module}.".startswith(f"{part}.")]
    assert parts, f"LEVELS has no place for {module}"
    return max(parts, key=len)


@cache
def graph():
    """{module: the modules of the project that it imports}"""
    return {module: {m for m in imports(tree) if m in trees()} for module, tree in trees().items()}


def test_modules_import_no_higher_part_and_without_circles():
    for module, found in graph().items():
        part = part_of(module)
        for other in map(part_of, found):
            assert LEVEL[other] <= LEVEL[part], f"{module} imports from {other}"
    TopologicalSorter(graph()).prepare()


def test_attention_needs_numpy_alone():
    for name in ("attention", "arguments", "today", "learning", "plain_python"):
        packages = {imported.partition(".")[0] for imported in imports(trees()[f"attention_lib.{name}"])}
        assert packages - sys.stdlib_module_names <= {"numpy", "attention_lib"}, name
