"""How a picture reaches the page: HTML with an alt text, a PNG, plain text."""

import os
import subprocess
import sys

import matplotlib
import numpy as np

from attention_lib import show


def test_picture_is_html_png_and_text(shown, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert show.heatmap(np.eye(2), "ab", "ab", alt='a < b & "c"', name='"n"') is None
    show.heatmap(np.eye(2), "ab", "ab", alt="nameless")
    named, nameless = shown
    page = named["text/html"]
    assert 'alt="a &lt; b &amp; &quot;c&quot;"' in page and '<figure id="&quot;n&quot;"' in page
    assert named["text/plain"] == 'a < b & "c"' and named["image/png"] in page
    assert " id=" not in nameless["text/html"]
    assert not list(tmp_path.iterdir())  # no file is written


def test_reader_s_settings_do_not_change_the_picture(shown):
    show.heatmap(np.eye(2), ["$a$", r"$\x$"], ["$$", "b"])  # no formula
    with matplotlib.rc_context({"font.size": 20, "figure.facecolor": "black", "text.color": "red"}):
        show.heatmap(np.eye(2), ["$a$", r"$\x$"], ["$$", "b"])
    assert shown[0] == shown[1]


SCRIPT = """
import sys
import attention_lib.show, lesson.drawings
assert not {"matplotlib", "pandas"} & set(sys.modules)
import numpy as np
import pandas as pd
from attention_lib import show
show.heatmap([[-1, 2]], "q", "ab")
show.lines(pd.DataFrame({"loss": [2, 1]}))
show.explorer(np.eye(2), np.eye(2), "ab")
assert not {"matplotlib", "IPython"} & set(sys.modules)
"""


def test_script_prints_descriptions_and_draws_nothing():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    printed = subprocess.check_output([sys.executable, "-c", SCRIPT], env=environment, text=True)
    heatmap, *others = printed.splitlines()
    assert heatmap.startswith("Heatmap, 1 query by 2 keys.") and "-1.00" in heatmap
    assert [line[:10] for line in others] == ["Line chart", "Attention "]
