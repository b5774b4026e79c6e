"""Pictures for the projector: type of the promised size, and the same numbers as in the stored ones."""

import pytest

from attention_lib.show import figures
from publish import execute, notebooks, projector_pictures


@pytest.mark.parametrize("points, width, pixels", [(5, 6, 22.01), (30, 6, 30 / 0.72), (5, 18.72, 44.02)])
def test_smallest_type_that_shows_has_22_pixels_on_a_slide_or_more(points, width, pixels):
    def draw(figure):
        drawn.append(figure.text(0.5, 0.5, "8", fontsize=points))
        figure.text(0.1, 0.1, " ", fontsize=1)

    drawn = []
    picture = projector_pictures.readable(figures.Picture(draw, (width, 3), "an eight", "eight"))
    assert (picture.width, picture.height) == (100 * width, 300)
    assert picture.type == pytest.approx(pixels) == pytest.approx(drawn[-1].get_fontsize() / 0.72)


def test_picture_that_differs_from_the_stored_one_is_refused():
    notebook = notebooks.read(notebooks.PATHS["02"])
    cell, _ = next(execute.pictures(notebook))
    cell.source = cell.source.replace('step="scale"', 'step="mask"')
    with pytest.raises(ValueError, match=f"{cell.id} draws another picture"):
        projector_pictures.redraw(notebook)
