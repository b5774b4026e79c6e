"""Pictures for the projector: type of the promised size, and the same numbers as in the stored ones."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from attention_lib.show import figures
from publish import notebooks, projector_pictures


@pytest.mark.parametrize("points, pixels", [(5, projector_pictures.READABLE), (30, 30 / 0.72)])
def test_smallest_type_has_the_size_that_the_picture_states(points, pixels):
    def draw(figure):
        figure.text(0.5, 0.5, "8", fontsize=points)
        figure.text(0.1, 0.1, "larger", fontsize=60, color="white")

    picture = projector_pictures.readable(figures.Picture(draw, (6, 3), "an eight", "eight"))
    assert picture.type == pytest.approx(pixels) and (picture.width, picture.height) == (600, 300)
    image = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture.png))).convert("L"))
    ink = (image < 128).any(axis=1).sum() * picture.height / len(image)
    assert ink == pytest.approx(0.756 * picture.type, abs=1)  # the height of an 8 in DejaVu Sans


def test_picture_that_differs_from_the_stored_one_is_refused():
    notebook = notebooks.read(notebooks.PATHS["02"])
    cell = next(cell for cell in notebook.cells if projector_pictures.stored_alt_text(cell))
    cell.source = cell.source.replace('step="scale"', 'step="mask"')
    with pytest.raises(ValueError, match=f"{cell.id} draws another picture"):
        projector_pictures.redraw(notebook)
