"""How a picture reaches the page: HTML with an alt text, a PNG, plain text; collected pictures; memory."""

import gc
import os
import re
import subprocess
import sys
import weakref

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from attention_lib import show
from attention_lib.show import figures
from lesson import drawings


def test_picture_is_html_png_and_text(shown, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert show.heatmap(np.eye(2), "ab", "ab", alt="her looks at cat", name="her") is None
    (bundle,) = shown
    assert bundle["text/plain"] == "her looks at cat"
    assert '<img alt="her looks at cat"' in bundle["text/html"]
    assert bundle["image/png"] in bundle["text/html"]
    assert '<figure id="her"' in bundle["text/html"]
    assert not list(tmp_path.iterdir())  # no file is written


def test_alt_and_name_are_escaped_and_no_name_is_no_id(undrawn):
    for name in ('"n"', None):
        show.heatmap(np.eye(2), "ab", "ab", alt='a < b & "c"', name=name)
    named, nameless = (bundle["text/html"] for bundle in undrawn)
    assert 'alt="a &lt; b &amp; &quot;c&quot;"' in named and 'id="&quot;n&quot;"' in named
    assert not re.search(r"\bid=", nameless)


def test_reader_s_settings_do_not_change_the_picture(shown):
    show.heatmap(np.eye(2), "ab", "ab")
    settings = {"font.size": 20, "figure.facecolor": "black", "image.cmap": "jet"}
    with matplotlib.rc_context({**settings, "text.color": "red", "axes.edgecolor": "red"}):
        show.heatmap(np.eye(2), "ab", "ab")
    assert shown[0] == shown[1]


def test_dollar_signs_are_no_formula(shown):
    show.heatmap(np.eye(2), ["$a$", r"$\x$"], ["$$", "b"])
    assert shown[0]["image/png"]


SCRIPT = """
import numpy as np
import pytest
import pandas as pd
from attention_lib import show
show.heatmap([[-1, 2]], "q", "ab")
show.lines(pd.DataFrame({"loss": [2, 1]}))
show.explorer(np.eye(2), np.eye(2), "ab")
"""


@pytest.mark.parametrize("encoding, minus", [("utf-8", "−"), ("ascii", "-")])
def test_script_prints_descriptions_and_draws_nothing(encoding, minus):
    script = f"{SCRIPT}\nimport sys\nassert not {{'matplotlib', 'IPython'}} & set(sys.modules)"
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    printed = subprocess.check_output([sys.executable, "-c", script], env=environment).decode(encoding)
    lines = printed.splitlines()
    assert lines[0].startswith("Heatmap, 1 query by 2 keys.") and f"{minus}1.00" in lines[0]
    assert [line[:10] for line in lines[1:]] == ["Line chart", "Attention "]


def test_terminal_shell_prints_a_description(tmp_path):
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path)}
    command = [sys.executable, "-m", "IPython", "--no-banner", "--colors=NoColor", "-c", SCRIPT]
    printed = subprocess.check_output(command, env=environment, text=True)
    assert printed.startswith("Heatmap, 1 query by 2 keys.") and len(printed) < 1000


def test_wide_picture_is_a_stop_for_the_tab_key_as_it_scrolls(undrawn, monkeypatch):
    for width, scrolls in (
        (450, False),
        (470, True),
    ):  # shrunk to 0.7 of its width, it fits 320 pixels or not
        monkeypatch.setattr(figures, "png_of", lambda draw, size, width=width: ("", width))
        show.heatmap(np.eye(2), "ab", "ab")
        page = undrawn[-1]["text/html"]
        assert (
            ("min-width" in page)
            == ('<figure style="margin: 0; overflow-x: auto" tabindex="0">' in page)
            == scrolls
        )


def test_pixels_are_freed_without_garbage_collection(shown, monkeypatch):
    show.heatmap(np.eye(2), "ab", "ab")  # the first picture imports modules
    canvases = []
    draw = FigureCanvasAgg.draw

    def keep(canvas):
        canvases.append(weakref.ref(canvas))
        draw(canvas)

    monkeypatch.setattr(FigureCanvasAgg, "draw", keep)
    gc.disable()
    try:
        show.heatmap(np.eye(2), "ab", "ab")
        assert canvases[0]() is None
    finally:
        gc.enable()


def test_collected_pictures_are_not_displayed(shown):
    with figures.collecting("projector") as pictures:
        show.heatmap(np.eye(2), "ab", "ab", alt="first", name="n")
        drawings.arrows([1, 2], [[2, 1]])
        show.explorer(np.eye(2), np.eye(2), "ab")
    assert not shown
    assert [(picture.alt[:5], picture.name) for picture in pictures] == [("first", "n"), ("Arrow", None)]
