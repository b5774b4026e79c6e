"""Breaks the code in one place at a time, and says which breaks no test notices.

    python -m tests.mutants [PART [WORD]]    of one file here; of these the mutants in whose `old` this word stands

A mutant is an entry of a TOML file here, one file for each part of the project: in `file`, the text `old`, which
stands there once (tests/project/test_mutants.py), becomes `new`, and then one of `tests` has to fail. They run in a
copy of the tracked files.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main(part="*", word=""):
    files = sorted(Path(__file__).parent.glob(f"{part}.toml"))
    mutants = [mutant for file in files for mutant in tomllib.loads(file.read_text("utf-8"))["mutants"]]
    mutants = [mutant for mutant in mutants if word in mutant["old"]]
    if not mutants:
        raise SystemExit(f"no mutant of {part} has {word!r} in its `old`")
    with tempfile.TemporaryDirectory() as folder:
        copy_tracked_files(folder)
        survivors = [mutant for mutant in mutants if not is_noticed(mutant, Path(folder))]
    for mutant in survivors:
        print(f"not noticed: {mutant['file']}: {mutant['old']!r} -> {mutant['new']!r}")
    print(f"{len(mutants)} mutants, {len(survivors)} of them not noticed")
    return bool(survivors)


def copy_tracked_files(folder):
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in names.split("\0")[:-1]:
        copy = Path(folder) / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy)


def is_noticed(mutant, folder):
    """Whether a test fails with this mutant. Other ends than a failed test are an error of this program's."""
    path = folder / mutant["file"]
    source = path.read_text(encoding="utf-8")
    path.write_text(source.replace(mutant["old"], mutant["new"]), encoding="utf-8")
    try:
        command = [sys.executable, "-m", "pytest", "-q", "-x", *mutant["tests"].split()]
        environment = os.environ | {"PYTHONPATH": str(folder)}  # for the notebooks' kernels
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    finally:
        path.write_text(source, encoding="utf-8")
    if run.returncode not in (0, 1, 2):
        raise RuntimeError(run.stdout + run.stderr)
    print(f"{'noticed' if run.returncode else 'NOT'}: {mutant['file']}: {mutant['new']!r}", flush=True)
    return bool(run.returncode)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
