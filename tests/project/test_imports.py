"""Imports run one way between the parts of the project, without circles, and take no private names."""

import ast
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from publish import notebooks

ROOT = Path(__file__).resolve().parents[2]
# What is known of attention: the way from a function to its verdict reads it, and it knows nothing of that way.
NAMES = ["compare", "exercises", "formatting", "in_a_row", "mistakes", "probes", "steps"]
KNOWN = tuple(f"lesson.check.{name}" for name in NAMES)
# A module may import modules of its own part and of the parts on lower levels.
LEVELS = [
    ["attention_lib.arguments", "attention_lib.in_place"],
    ["attention_lib.attention", "attention_lib.plain_python"],
    ["attention_lib"],  # the names that attention_lib/__init__.py passes on
    ["attention_lib.data", "attention_lib.today"],
    ["attention_lib.learning", "attention_lib.model"],
    ["attention_lib.show"],
    ["lesson"],
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
    """What a module imports, as (module, its name here), and as (module, None) where it takes names from it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, alias.asname or alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield (inner, alias.asname or alias.name) if inner in trees() else (node.module, None)


def part_of(module):
    """The part that a module belongs to: the longest that its name begins with."""
    parts = [part for part in LEVEL if f"{module}.".startswith(f"{part}.")]
    assert parts, f"LEVELS has no place for {module}"
    return max(parts, key=len)


@cache
def graph():
    """{module: the modules of the project that it imports}"""
    return {module: {m for m, _ in imports(tree) if m in trees()} for module, tree in trees().items()}


def test_modules_import_their_own_part_and_lower_ones_without_circles():
    for module, found in graph().items():
        part = part_of(module)
        for other in map(part_of, found):
            assert other == part or LEVEL[other] < LEVEL[part], f"{module} imports from {other}"
    TopologicalSorter(graph()).prepare()


def test_what_is_known_of_attention_imports_nothing_that_judges_answers():
    known = {module for module in graph() if module.startswith(KNOWN)}
    others = set().union(*(graph()[module] for module in known)) - known
    assert not [module for module in others if module.startswith("lesson.check")]


def names_taken(module, tree):
    """The names that a module takes from other modules of the project."""
    modules = {name for imported, name in imports(tree) if imported in trees()}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in trees():
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in modules:
            yield node.attr


def test_private_names_stay_in_their_module():
    for module, tree in trees().items():
        private = [name for name in names_taken(module, tree) if name.startswith("_") and name[:2] != "__"]
        assert not private, f"{module} takes {private}"


def test_attention_needs_numpy_alone():
    for name in ("attention", "arguments", "today", "learning", "plain_python"):
        packages = {imported.partition(".")[0] for imported, _ in imports(trees()[f"attention_lib.{name}"])}
        assert packages - sys.stdlib_module_names <= {"numpy", "attention_lib"}, name
