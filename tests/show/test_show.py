"""The package itself: what it exports, and what importing it loads."""

import subprocess
import sys
from types import FunctionType

from attention_lib import show


def test_exports_are_functions():
    assert all(isinstance(getattr(show, name), FunctionType) for name in show.__all__)


def test_import_loads_neither_pandas_nor_matplotlib():
    program = (
        "import sys, attention_lib.show, attention_lib.drawings\n"
        "print({'pandas', 'matplotlib', 'IPython'} & set(sys.modules))"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "set()"
