"""What importing the package loads."""

import subprocess
import sys


def test_import_loads_neither_pandas_nor_matplotlib():
    program = (
        "import sys, attention_lib.show, lesson.drawings\n"
        "print({'pandas', 'matplotlib', 'IPython'} & set(sys.modules))"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "set()"
