"""From a function that draws on a matplotlib figure to a picture in the page, with its description.

A picture is displayed as HTML with an alt text, as a PNG for viewers without HTML, and as its
description in plain text. Programs that want the pictures themselves collect them: `collecting`.
"""

import base64
import contextlib
import ctypes
import gc
import html
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

SMALLEST = 0.7  # of its width: on a narrow page a picture shrinks to this, then scrolls
NARROW = 320  # pixels: a picture that can shrink to this never scrolls


@dataclass(frozen=True)
class Picture:
    """One picture: a function that draws on a figure, its size in hundreds of pixels, its alt text and name."""

    draw: Callable
    size: tuple[float, float]
    alt: str
    name: str | None


@dataclass
class Collection:
    """The pictures that were collected, and the size in which heatmaps are drawn meanwhile."""

    size: str
    pictures: list[Picture]


_collection: Collection | None = None


@contextlib.contextmanager
def collecting(size: str) -> Iterator[list[Picture]]:
    """Collects pictures in a list instead of displaying them; heatmaps are drawn in this size."""
    global _collection
    before, _collection = _collection, Collection(size, [])
    try:
        yield _collection.pictures
    finally:
        _collection = before


def is_collecting() -> bool:
    return _collection is not None


def size_to_draw(size):
    """The size that a heatmap was asked for, or that of the collection."""
    return _collection.size if _collection else size


def show_picture(draw, size, alt, name):
    """Displays what `draw` puts on a figure of this size, with its description.

    On a page narrower than the picture it shrinks to SMALLEST of its width and then scrolls in its
    own frame. Without a name it has no id.
    """
    if not alt or name == "":
        raise ValueError(
            "alt and name must not be empty: alt tells readers who cannot see the picture what it shows"
        )
    if _collection:
        _collection.pictures.append(Picture(draw, size, alt, name))
        return
    from IPython.display import display

    png, width = png_of(draw, size)
    least = round(SMALLEST * width)
    style, focus = "max-width: 100%", ""
    if least > NARROW:
        style, focus = f"{style}; min-width: {least}px", ' tabindex="0"'  # scrolled with arrow keys
    called = f' id="{html.escape(name)}"' if name else ""
    page = (
        f'<figure{called} style="margin: 0; overflow-x: auto"{focus}>'
        f'<img alt="{html.escape(alt)}" width="{width}" style="{style}" '
        f'src="data:image/png;base64,{png}"></figure>'
    )
    display({"text/html": page, "image/png": png, "text/plain": alt}, raw=True)


def png_of(draw, size):
    """The PNG in base64 of what `draw` puts on a fresh figure with default settings, and its width on the page.

    `size` is width and height in hundreds of pixels on the page; it is drawn at twice that density.
    """
    import matplotlib.style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    with _memory_given_back(), matplotlib.style.context(["default", {"hatch.linewidth": 1.5}]):
        figure = Figure(figsize=size, dpi=200, layout="constrained", facecolor="white")
        canvas = FigureCanvasAgg(figure)
        draw(figure)
        canvas.draw()
        picture = Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")
        file = io.BytesIO()  # with a palette it is smaller than with all colours at half the density
        picture.quantize(256).save(file, "PNG")
        width = picture.width // 2
        del draw, figure, canvas, picture
    return base64.b64encode(file.getvalue()).decode(), width


@contextlib.contextmanager
def _memory_given_back():
    """Lets go of what a figure takes, some 20 MB: thirty kernels on one machine notice.

    A figure and its canvas hold each other until Python collects them. What is made while nothing is
    collected is young, so collecting the young is enough, and does not wade through all that a kernel holds.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.collect(0)
        if collecting:
            gc.enable()
        if sys.platform == "linux":
            with contextlib.suppress(OSError, AttributeError):  # a Linux without glibc has no such call
                ctypes.CDLL("libc.so.6").malloc_trim(0)
