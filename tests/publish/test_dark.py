"""The dark form of a picture."""

import io

import numpy as np
import pytest
from PIL import Image

from publish.dark import dark


def luminance(rgb):
    """Of WCAG 2.2."""
    parts = np.array(rgb) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


# The ink on a colour of a heatmap: (ink, colour).
PAIRS = [((0, 0, 0), (255, 255, 255)), ((0, 0, 0), (82, 157, 204)), ((255, 255, 255), (8, 73, 145))]


@pytest.mark.parametrize("pair", PAIRS)
def test_ink_keeps_its_contrast_and_changes_sides(pair):
    picture, file = Image.new("P", (2, 1)), io.BytesIO()
    picture.putpalette([part for colour in pair for part in colour])
    picture.putpixel((1, 0), 1)
    picture.save(file, "PNG")
    turned = Image.open(io.BytesIO(dark(file.getvalue()))).convert("RGB")
    before = [luminance(colour) for colour in pair]
    after = [luminance(turned.getpixel((i, 0))) for i in (0, 1)]
    assert (before[0] > before[1]) != (after[0] > after[1])
    assert (max(after) + 0.05) / (min(after) + 0.05) >= 4.5
