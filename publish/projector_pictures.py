"""Draws a notebook's pictures again for a projector: the same numbers in larger type.

On a slide of 960 x 720 pixels, the narrowest, most numbers of a stored picture are too small for the back row. So
the notebook's code runs again while `figures.collecting` takes the pictures. If an alt text, which is made from the
numbers, differs from the stored one, the stored outputs are outdated, and this stops.
"""

import contextlib
import io
from typing import NamedTuple

from attention_lib.show import figures
from publish import execute

WIDEST = 936  # pixels of a slide of 960 that a picture may take
READABLE = 22.01  # pixels of 720: the smallest type
PIXELS_PER_POINT = 100 / 72


class Picture(NamedTuple):
    """A PNG in base64, its alt text, its size in pixels, and the size of its smallest type in them."""

    png: str
    alt: str
    width: float
    height: float
    type: float


def redraw(notebook):
    """{id of a code cell: the picture that it draws} of a notebook."""
    return {cell.id: readable(picture) for cell, picture in collected(notebook, "projector")}


def collected(notebook, size):
    """Runs a notebook's code up to its last stored picture; yields (code cell, its picture in this size)."""
    namespace = {"__name__": "__main__"}
    stored = {cell.id: data["text/plain"] for cell, data in execute.pictures(notebook)}
    last = [cell.id for cell in notebook.cells].index([*stored][-1])

    with figures.collecting(size) as pictures, contextlib.redirect_stdout(io.StringIO()):
        for cell in notebook.cells[: last + 1]:
            if cell.cell_type != "code":
                continue
            pictures.clear()
            exec(compile(cell.source, cell.id, "exec"), namespace)
            if pictures:
                if pictures[-1].alt != stored.get(cell.id):
                    raise ValueError(
                        f"{cell.id} draws another picture than the stored one: run publish/execute.py"
                    )
                yield cell, pictures[-1]


def readable(picture):
    """A collected picture, drawn in large type."""
    smallest = []
    png, width = figures.png_of(lambda figure: smallest.append(draw_large(figure, picture)), picture.size)
    height = width * picture.size[1] / picture.size[0]
    return Picture(png, picture.alt, width, height, smallest[0])


def draw_large(figure, picture):
    """Draws a collected picture with type of READABLE pixels or larger; returns the pixels of the smallest on it.

    A picture wider than WIDEST shrinks on the slide, so its type is enlarged further.
    """
    from matplotlib.text import Text

    picture.draw(figure)
    shrinks = max(1, 100 * picture.size[0] / WIDEST)
    shown_sizes = []
    for text in figure.findobj(Text):
        text.set_fontsize(max(text.get_fontsize(), READABLE * shrinks / PIXELS_PER_POINT))
        if text.get_visible() and text.get_text().strip():
            shown_sizes.append(text.get_fontsize())
    return min(shown_sizes) * PIXELS_PER_POINT
