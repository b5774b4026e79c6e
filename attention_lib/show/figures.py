"""From a function that draws on a matplotlib figure to a picture in the page, with its description.

A picture is displayed as HTML with an alt text, as a PNG for viewers without HTML, and as its
description in plain text; outside IPython its description is printed. Programs that want the pictures
themselves collect them: `collecting`.
"""

import base64
import contextlib
import html
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from attention_lib.show.checks import check_texts

SHRINK = 0.7  # of its width: on a narrow page a picture shrinks to this, then scrolls
NARROW = 320  # pixels: a picture that can shrink to this never scrolls


@dataclass(frozen=True)
class Picture:
    """One picture: a function that draws on a figure, its size in hundreds of pixels, its alt text and name."""

    draw: Callable
    size: tuple[float, float]
    alt: str
    name: str | None


# While pictures are collected: the screen for which they are drawn, and those that were.
_collection: tuple[str, list[Picture]] | None = None


@contextlib.contextmanager
def collecting(screen: str) -> Iterator[list[Picture]]:
    """Collects pictures in a list instead of displaying them; `screen` is "page", "projector" or "phone"."""
    global _collection
    pictures: list[Picture] = []
    before, _collection = _collection, (screen, pictures)
    try:
        yield pictures
    finally:
        _collection = before


def panels(figure, n, n_columns):
    """Axes for n panels in rows of n_columns."""
    every = figure.subplots(-(-n // n_columns), n_columns, squeeze=False).ravel()
    for axes in every[n:]:
        axes.axis("off")
    return every[:n]


def for_screen(page, *, projector=None, phone=None):
    """The measures of a picture on the screen for which pictures are drawn now: those of a page if it has none.

    Lengths are in hundreds of pixels. The function that draws a collected picture runs later: call this before.
    """
    others = {"projector": projector, "phone": phone}
    return (others.get(_collection[0]) if _collection else None) or page


def show_picture(draw, size, alt, name):
    """Displays what `draw` puts on a figure of this size, with its description.

    On a page narrower than the picture it shrinks to SHRINK of its width and then scrolls in its
    own frame. Without a name it has no id.
    """
    check_texts(alt=alt, name=name)
    if _collection:
        _collection[1].append(Picture(draw, size, alt, name))
        return

    def bundle():
        png, width = png_of(draw, size)
        return {"text/html": _figure_element(png, width, alt, name), "image/png": png, "text/plain": alt}

    display(bundle, alt)


def display(make_bundle, text):
    """Displays {MIME type: content}, which `make_bundle` returns; outside IPython prints `text` instead.

    While pictures are collected it does neither.
    """
    if _collection:
        return
    ipython = sys.modules.get("IPython")  # whoever runs in it has imported it
    if ipython is None or ipython.get_ipython() is None:
        try:
            print(text)
        except UnicodeEncodeError:  # an old terminal, without a minus sign
            print(text.replace("−", "-").encode("ascii", "replace").decode())
        return
    from IPython.display import display

    display(make_bundle(), raw=True)


def _figure_element(png, width, alt, name):
    """The HTML of a picture: a <figure> with its name as id, and in it an <img> with its alt text."""
    smallest = round(SHRINK * width)
    style, focus = "max-width: 100%", ""
    if smallest > NARROW:
        style, focus = f"{style}; min-width: {smallest}px", ' tabindex="0"'  # scrolled with arrow keys
    figure_id = f' id="{html.escape(name)}"' if name else ""
    return (
        f'<figure{figure_id} style="margin: 0; overflow-x: auto"{focus}>'
        f'<img alt="{html.escape(alt)}" width="{width}" style="{style}" '
        f'src="data:image/png;base64,{png}"></figure>'
    )


def png_of(draw, size):
    """The PNG in base64 of what `draw` puts on a fresh figure with default settings, and its width on the page.

    `size` is width and height in hundreds of pixels on the page; it is drawn at twice that density.
    """
    import matplotlib.style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    settings = {"hatch.linewidth": 1.5, "text.parse_math": False}  # a token may hold dollar signs
    with matplotlib.style.context(["default", settings]):
        figure = Figure(figsize=size, dpi=200, layout="constrained", facecolor="white")
        canvas = FigureCanvasAgg(figure)
        draw(figure)
        canvas.draw()
        picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
        # Its references to its canvas and axes form cycles, so its pixels, some 10 MB, would stay in memory.
        figure.clear()
        figure.set_canvas(None)
    file = io.BytesIO()  # with a palette it is smaller than with all colours at half the density
    picture.quantize(256).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode(), picture.width // 2
