"""Reads pictures: their pixels, words, hatched cells, and the contrast of colours."""

import base64
import io
import re

import numpy as np
from PIL import Image


def png(bundle):
    return Image.open(io.BytesIO(base64.b64decode(bundle["image/png"])))


def pixels(bundle):
    return np.asarray(png(bundle).convert("RGBA"))


def width_on_page(bundle):
    return int(re.search(r'<img [^>]*width="(\d+)"', bundle["text/html"])[1])


def words(artists):
    return [artist.get_text() for artist in artists]


def hatched_cells(axes):
    """{(row, column)} of the hatched cells, each 1 by 1 round its place."""
    hatched = [patch for patch in axes.patches if patch.get_hatch()]
    return {(round(patch.get_y() + 0.5), round(patch.get_x() + 0.5)) for patch in hatched}


def cells_where(condition):
    """{(row, column)} where an array is true."""
    return set(map(tuple, np.argwhere(condition).tolist()))


def luminance(colour):
    """WCAG 2.2, "relative luminance", of three numbers from 0 to 1."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    """WCAG 2.2, "contrast ratio"."""
    darker, lighter = sorted([luminance(a), luminance(b)])
    return (lighter + 0.05) / (darker + 0.05)
