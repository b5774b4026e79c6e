"""A check needs NumPy and nothing else: no IPython, no pandas, no matplotlib, no threads."""

import subprocess
import sys

PROGRAM = """
import sys
import threading


def no_threads(self):
    raise RuntimeError("can't start new thread")


threading.Thread.start = no_threads
for name in ("IPython", "pandas", "matplotlib", "PIL", "attention_lib.show"):
    sys.modules[name] = None  # an import of it fails

import numpy as np
from lesson import check

assert not check.softmax(lambda scores: scores).passed
assert check.causal_mask(lambda n: np.tri(n, dtype=bool)).passed
assert check.linking_head(1, 8).passed
bug = check.mystery("softmax", 1)
bug([[1, 2]])
assert [bug.guess(letter).passed for letter in bug.choices].count(True) == 1
"""


def test_check_runs_with_numpy_alone():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("✓ Right") == 3 and "without a softmax" in done.stdout
