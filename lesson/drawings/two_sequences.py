"""Cross-attention: the query comes from one sequence, the keys and values from another."""

from collections.abc import Sequence

from numpy.typing import ArrayLike

from attention_lib.arguments import checked
from attention_lib.show.figures import for_screen, show_picture
from lesson.drawings.parts import BLUE, TINTS, plain, write

WIDEST = 12  # points, of the line of a weight of 1


@checked(weights="Lk", query="text", keys="Lk names", askers="text", tokens="text")
def cross_attention(
    weights: ArrayLike, query: str, keys: Sequence[str], *, askers: str, tokens: str, name=None
) -> None:
    """Shows one query above the keys of another sequence, each joined to it by a line as wide as its weight.

    Shapes: weights (Lk,); keys Lk names. `askers` and `tokens` are the names of the two sequences.
    """
    if (weights < 0).any():
        raise ValueError("weights must not be negative: they are the widths of lines")
    key_width, narrowest, height = for_screen(
        (0.8, 3.4, 2.3), projector=(1.3, 6.2, 3.4), phone=(0.5, 3.4, 2.3)
    )
    middle = (len(keys) - 1) / 2

    def draw(figure):
        axes = figure.subplots()
        axes.set(xlim=(-0.6, len(keys) - 0.4), ylim=(-0.85, 1.25), xticks=[], yticks=[])
        axes.spines[:].set_visible(False)
        axes.set_title(f"query: from {askers}", fontsize=11, weight="bold")
        axes.set_xlabel(f"keys and values: from {tokens}", fontsize=11, weight="bold")
        for x, (key, weight) in enumerate(zip(keys, weights)):
            axes.plot([middle, x], [1, 0], color=BLUE, lw=WIDEST * weight, solid_capstyle="butt")
            _boxed(axes, x, 0, key, TINTS[1])
            write(axes, x, -0.4, plain(weight, 2))
        write(axes, middle, -0.72, "weights")
        _boxed(axes, middle, 1, query, TINTS[0])

    shown = ", ".join(f"{key} {plain(weight, 2)}" for key, weight in zip(keys, weights))
    alt = f"Cross-attention. Query {query}, from {askers}. Keys, from {tokens}, with their weights: {shown}."
    width = max(key_width * len(keys) + 0.4, narrowest)
    show_picture(draw, (width, height), alt, name)


def _boxed(axes, x, y, text, tint):
    write(axes, x, y, text, fontsize=12, bbox={"boxstyle": "round", "facecolor": tint, "edgecolor": "none"})
