"""Breaks a module in places drawn by a seed, one at a time, and prints which test functions notice each break.

    python -m tests.drawn_mutants FILE HOW_MANY SEED TESTS...

At the end it prints a smallest set of test functions that notices every break that any of them does: a test outside
of it is needed only for a promise that no break shows.
It runs in a copy of the tracked files. Before a release: the modules that changed most.
"""

import ast
import copy
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAIRS = [
    (ast.Eq, ast.NotEq),
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Is, ast.IsNot),
    (ast.Add, ast.Sub),
    (ast.BitAnd, ast.BitOr),
    (ast.And, ast.Or),
]
OTHER = {ast.In: ast.NotIn, ast.Mult: ast.Add} | dict(PAIRS) | {other: one for one, other in PAIRS}


def break_at(node):
    """Breaks this node of a syntax tree, and says whether it could be broken."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
        node.ops[0] = OTHER[type(node.ops[0])]()
    elif isinstance(node, (ast.BinOp, ast.BoolOp)) and type(node.op) in OTHER:
        node.op = OTHER[type(node.op)]()
    elif isinstance(node, (ast.If, ast.IfExp)):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float, bool):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        node.value = ast.Constant(None)
    else:
        return False
    return True


def noticing(folder, tests):
    """The test functions that fail in a folder, with their files."""
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", "--tb=no", "--color=no", *tests]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    failed = set(re.findall(r"^(?:FAILED|ERROR) ([^\[\s]+)", ran.stdout, re.MULTILINE))
    return failed or ({"the run itself"} if ran.returncode else set())


def smallest_set(noticed):
    """Few test functions that notice each break: the one that notices most of what is left, until nothing is."""
    left, chosen = [found for found in noticed if found], []
    while left:
        best = max(sorted(set().union(*left)), key=lambda test: sum(test in found for found in left))
        chosen.append((best, sum(best in found for found in left)))
        left = [found for found in left if best not in found]
    return chosen


def main(file, how_many, seed, *tests):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    places = [i for i, node in enumerate(ast.walk(tree)) if break_at(copy.deepcopy(node))]
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    noticed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names.stdout.split("\0")[:-1]:
            (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, Path(folder) / name)
        for place in random.Random(int(seed)).sample(places, min(int(how_many), len(places))):
            mutant = copy.deepcopy(tree)
            node = [*ast.walk(mutant)][place]
            before, line = ast.unparse(node), getattr(node, "lineno", 0)
            break_at(node)
            (Path(folder) / file).write_text(ast.unparse(mutant), encoding="utf-8")
            noticed.append(noticing(folder, tests))
            by = ", ".join(sorted(noticed[-1])) or "NOT noticed"
            print(f"line {line}: {before[:90]!r} -> {ast.unparse(node)[:90]!r}: {by}", flush=True)
    print(f"\n{sum(map(bool, noticed))} of {len(noticed)} breaks are noticed, all by:")
    for test, how_many in smallest_set(noticed):
        print(f"{how_many:4d}  {test}")


if __name__ == "__main__":
    main(*sys.argv[1:])
