"""Imports run one way between the parts of the project, without circles."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

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
    ["publish"],
    ["teaching"],
]
LEVEL = {part: level for level, parts in enumerate(LEVELS) for part in parts}


def module_name(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


PACKAGES = ("attention_lib", "lesson", "publish", "teaching")
MODULES = {module_name(path): path for package in PACKAGES for path in (ROOT / package).rglob("*.py")}


def imports(path):
    """The modules of the project that a file imports, or takes names from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        found = []
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            found = [name if name in MODULES else node.module for name in inner]
        yield from (name for name in found if name in MODULES)


def level_of(module):
    """The level of the part that a module belongs to: the longest that its name begins with."""
    parts = [part for part in LEVEL if f"{module}.".startswith(f"{part}.")]
    assert parts, f"LEVELS has no place for {module}"
    return LEVEL[max(parts, key=len)]


def test_modules_import_no_higher_part_and_without_circles():
    graph = {module: {*imports(path)} for module, path in MODULES.items()}
    for module, found in graph.items():
        for other in found:
            assert level_of(other) <= level_of(module), f"{module} imports {other}"
    TopologicalSorter(graph).prepare()
