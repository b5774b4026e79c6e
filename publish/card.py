"""Two pictures of the website: its icon on a phone, and the card of a link that is shared, *her* and where it looks."""

import re

from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path as Curve
from PIL import Image, ImageColor

from attention_lib import data
from attention_lib.show import curves

DARK, LIGHT = "#08519c", "#9ecae1"  # of the icon in the template, too
HER = 8  # its position in the sentence


def write_icon(path):
    """A square of four, 180 pixels wide."""
    icon = Image.new("RGB", (2, 2), DARK)
    for place in ((1, 0), (0, 1)):
        icon.putpixel(place, ImageColor.getrgb(LIGHT))
    icon.resize((180, 180), Image.Resampling.NEAREST).save(path)


def write_card(path, title):
    """The sentence and the curves from *her*, 1200 by 630 pixels."""
    recorded = data.load("cat_sentence")
    tokens, weights = recorded["tokens"][1:-1], recorded["weights"][1, 3, HER, 1:-1]  # without marks
    figure = Figure(figsize=(12, 6.3), dpi=100, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 600), ylim=(315, 0))
    axes.axis("off")
    places = [60 + 60 * i for i in range(len(tokens))]
    her = places[HER - 1]
    axes.text(her, 215, tokens[HER - 1], fontsize=34, ha="center", weight="bold", color=DARK)
    for token, weight, place in zip(tokens, weights, places, strict=True):
        if place != her:
            axes.text(place, 215, token, fontsize=34, ha="center")
        if weight >= curves.LEAST:
            points = re.findall(r"(-?[\d.]+) (-?[\d.]+)", curves.curve("row", her, place, to_mark=False))
            curve = Curve([(float(x), float(y) + 35) for x, y in points], [Curve.MOVETO, *[Curve.CURVE4] * 3])
            width = 2 * curves.THICKEST * weight
            axes.add_patch(PathPatch(curve, fill=False, linewidth=width, edgecolor=DARK, alpha=0.75))
    axes.text(300, 285, title, fontsize=30, ha="center")
    figure.savefig(path)
