"""Good arguments for every drawing, and a way to draw without displaying."""

import functools
from typing import NamedTuple

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from attention_lib import data
from attention_lib.show import figures
from lesson import drawings
from publish import projector_pictures

CAT = data.load("cat_sentence")
TOKENS = list(CAT["tokens"])
Q, K, V = (CAT[name][1, 3] for name in "qkv")
LAYER = data.load("layer_one")
WORD, ADDED = LAYER["x"][8], LAYER["added"][8]
CONTEXTS = CAT["context"][1, :, 8]
RNG = np.random.default_rng(0)
KEYS = RNG.integers(-3, 4, (6, 5))
STAMPED = 100 * np.arange(4)[:, None] + np.arange(6)
DOTS = {d_k: RNG.normal(0, d_k**0.5, 500) for d_k in (4, 64, 512)}
CORNERS = np.array([[10.0, 0], [0, 10], [0, 2]])
THREE_Q = np.array([[2, 1], [1, 2], [0, -1]])
THREE_K = np.array([[1, 0], [0, -1], [1, 2]])
THREE_V = np.array([[10, 1], [20, 0], [40, -3]])
AXES = ["sentence", "head", "query", "key"]
for array in (KEYS, STAMPED, CORNERS, THREE_Q, THREE_K, THREE_V, *DOTS.values()):
    array.setflags(write=False)  # a drawing that changes its arguments fails
GOOD = {
    "attention_map": {"q": Q, "k": K, "v": V, "tokens": TOKENS, "step": "scores"},
    "arrows": {"a": [2, 1], "others": [[1, 2], [-1, 2], [-2, 1], [-3, -1]]},
    "transpose_and_reshape": {"k": KEYS},
    "spreads": {"dots": DOTS},
    "mixture": {"weights": [0.5, 0.3, 0.2], "values": CORNERS, "labels": "xyz", "others": CORNERS / 3 + 2},
    "line_up": {
        "scores_shape": (2, 3, 11, 11),
        "mask_shape": (2, 1, 11),
        "names": AXES,
        "mask_names": ["sentence", "query", "key"],
    },
    "cut_and_swap": {"stamped": STAMPED, "n_heads": 2},
    "five_steps": {
        "q": THREE_Q,
        "k": THREE_K,
        "v": THREE_V,
        "tokens": ["i", "have", "cats"],
        "mask": np.tri(3, dtype=bool),
    },
    "row_through_steps": {"q": Q[8], "k": K, "v": V, "query": "her", "tokens": TOKENS},
    "row_times_column": {"q": 2 * KEYS[:4], "k": KEYS, "query": 2, "key": 4},
    "probability_lines": {
        "logits": [2, 3, 0, 1, 2],
        "tokens": "aeiou",
        "temperatures": [0.5, 1, 2],
        "draw": 0.72,
    },
    "turning_pair": {"pair": [1, 0], "speeds": [1, 0.1], "places": [0, 1, 2]},
    "word_to_qkv": {"x": WORD, "q": Q[8], "k": K[8], "v": V[8], "word": "her"},
    "way_back": {"contexts": CONTEXTS, "added": ADDED, "x": WORD, "word": "her"},
}


class Drawn(NamedTuple):
    """A drawing on its figure, and its alt text."""

    figure: Figure
    alt: str

    def images(self):
        """The colours of every table, in the order of their axes."""
        return [image.get_array() for axes in self.figure.axes for image in axes.images]

    def lay_out(self):
        """{each Text artist that matplotlib draws: its box in pixels}, after the layout."""
        found, draw = [], Text.draw
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Text, "draw", lambda text, renderer: found.append(text) or draw(text, renderer))
            self.figure.draw_without_rendering()
        texts = [text for text in found if text.get_visible() and text.get_text().strip()]
        return {text: text.get_window_extent() for text in texts}


def draw(drawing, size="page", **changes):
    """A drawing by its name, not yet rendered; arguments that are not named are the good ones."""
    with figures.collecting(size) as pictures:
        assert getattr(drawings, drawing)(**GOOD[drawing] | changes, name="n") is None
    (picture,) = pictures
    assert picture.name == "n"
    figure = Figure(figsize=picture.size, dpi=200, layout="constrained")
    if size == "projector":
        projector_pictures.draw_large(figure, picture)
    else:
        picture.draw(figure)
    return Drawn(figure, picture.alt)


good_drawing = functools.cache(draw)  # with good arguments: several tests look at it
