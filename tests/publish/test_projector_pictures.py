"""Pictures for the projector: type of the promised size, and the same numbers as in the stored ones."""

import base64
import io
import sys

import numpy as np
import pytest
from PIL import Image

from attention_lib.show import figures
from publish import notebooks, projector_pictures


def figure_with(text, points):
    return lambda figure: figure.text(0.5, 0.5, text, fontsize=points, ha="center")


@pytest.mark.parametrize("points, pixels", [(5, projector_pictures.READABLE), (30, 30 / 0.72)])
def test_type_has_the_size_that_the_picture_states(points, pixels):
    eight = figures.Picture(figure_with("8", points), (6, 3), "an eight", "eight")
    picture = projector_pictures.readable(eight)
    assert picture.type == pytest.approx(pixels) and (picture.width, picture.height) == (600, 300)
    image = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture.png))).convert("L"))
    rows = np.flatnonzero((image < 128).any(axis=1))
    ink = (rows.max() - rows.min() + 1) * picture.height / len(image)
    assert ink == pytest.approx(0.756 * picture.type, abs=1)  # the height of an 8 in DejaVu Sans


def test_picture_that_differs_from_the_stored_one_is_refused():
    notebook = notebooks.read(notebooks.PATHS["02"])
    cell = next(cell for cell in notebook.cells if projector_pictures.stored_alt_text(cell))
    cell.source = cell.source.replace('step="scale"', 'step="mask"')
    with pytest.raises(ValueError, match=f"{cell.id} draws another picture"):
        projector_pictures.redraw(notebook)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reproduces the bytes of the pictures")
@pytest.mark.parametrize("number", ["01", "04"])
def test_collected_at_the_size_of_a_page_every_picture_has_the_stored_bytes(number):
    notebook = notebooks.read(notebooks.PATHS[number])
    stored = [
        output.data["image/png"].strip()
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if projector_pictures.stored_alt_text(cell) and "image/png" in output.get("data", {})
    ]
    collected = projector_pictures.collected(notebook, "page")
    assert [figures.png_of(picture.draw, picture.size)[0] for _, picture in collected] == stored
