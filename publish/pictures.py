"""The pictures of a notebook drawn again for a projector: the same numbers in larger type.

A stored picture is made for a page. On a slide of 960 x 720, the smallest that a projector shows, most of
its numbers would be too small for the back row. So the notebook's code runs once more, and every picture
comes out with type that can be read from there. Its description, which is made from the numbers, must be
the stored one, or the slides would show what the notebook does not.
"""

import contextlib
import io
from typing import NamedTuple

from attention_lib.show import figures

ROOM = 936  # pixels across a slide of 960 that a picture may take
READABLE = 16.2  # pixels of 720: the least size of type
SIZE = "projector"  # of heatmaps


class Picture(NamedTuple):
    """A PNG in base64, its description, its size in pixels, and the size of its smallest type in them."""

    png: str
    alt: str
    width: float
    height: float
    type: float


def redrawn(notebook):
    """The pictures of a notebook, by the id of the cell that makes them.

    Raises
    ------
    ValueError
        If the code makes a picture with another description than the stored one.
    """
    found, names = {}, {"__name__": "__main__"}
    last = max(i for i, cell in enumerate(notebook.cells) if stored_description(cell))

    with figures.collecting(SIZE) as made, contextlib.redirect_stdout(io.StringIO()):
        for cell in notebook.cells[: last + 1]:
            if cell.cell_type != "code":
                continue
            made.clear()
            exec(compile(cell.source, cell.id, "exec"), names)
            if made:
                if made[-1].alt != stored_description(cell):
                    raise ValueError(
                        f"{cell.id} draws another picture than the stored one: run notebooks/execute.py"
                    )
                found[cell.id] = picture(made[-1].draw, made[-1].size, made[-1].alt)
    return found


def stored_description(cell):
    """What a code cell's stored picture shows, in words; None if it has none."""
    for output in cell.get("outputs", []):
        if "image/png" in output.get("data", {}) and "<script" not in output.data["text/html"]:
            return output.data["text/plain"]


def picture(draw, size, alt, readable=READABLE):
    """What `draw` puts on a figure of `size` hundred pixels, no type smaller than can be read."""
    from matplotlib.text import Text

    pixels_per_point = 100 / 72
    sizes = []

    def larger(figure):
        draw(figure)
        least = readable * max(1, 100 * figure.get_figwidth() / ROOM) / pixels_per_point
        sizes.clear()
        for text in figure.findobj(Text):
            text.set_fontsize(max(text.get_fontsize(), least))
            if text.get_visible() and text.get_text().strip():
                sizes.append(text.get_fontsize())

    size = _with_room(larger, *size)
    png, width = figures.png_of(larger, size)
    return Picture(png, alt, width, width * size[1] / size[0], min(sizes) * pixels_per_point)


def _with_room(draw, width, height):
    """The size of a figure, wide enough for what `draw` writes at its right edge without a layout."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.text import Text

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    draw(figure)
    if isinstance(figure.get_layout_engine(), ConstrainedLayoutEngine):
        return width, height
    figure.draw_without_rendering()
    right = max(text.get_window_extent().x1 for text in figure.findobj(Text) if text.get_text().strip())
    return max(width, right / figure.dpi + 0.05), height
