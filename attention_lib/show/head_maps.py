"""The weights of all heads of a model, a small map each."""

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.show import descriptions
from attention_lib.show.checks import weights_of_heads
from attention_lib.show.colours import NOT_A_NUMBER
from attention_lib.show.figures import show_picture

SIDE = 0.86  # of a map, where the distance from map to map is 1


def heads(weights: ArrayLike, *, name: str | None = None) -> None:
    """Shows the weights of every head of a model as one small map each: a row a layer, a column a head.

    Shapes: weights (layers, heads, Lq, Lk), from 0, white, to 1, dark blue; NaN is grey. `name` is
    that of `heatmap`.

    Raises ValueError if weights do not have four axes, none of them empty, if a number is below 0 or above 1,
    or if `name` is no string or empty; TypeError if weights are not real numbers.

    Source: Vig 2019 (arXiv 1906.05714), section 3.2: the model view, all layers and heads at once.
    """
    weights = weights_of_heads(weights)
    n_layers, n_heads, *_ = weights.shape

    def draw(figure):
        axes = figure.add_subplot()
        _draw_maps(axes, weights)
        _label_layers_and_heads(axes, n_layers, n_heads)
        note = "in each map queries go down, keys to the right; white: 0, dark: 1"
        if np.isnan(weights).any():
            note += "; grey: not a number"
        figure.supxlabel(note, fontsize=9)

    place = np.clip(8.4 / n_heads, 0.7, 2)  # of one map, in hundreds of pixels
    show_picture(draw, (0.6 + place * n_heads, 0.75 + place * n_layers), descriptions.heads(weights), name)


def _draw_maps(axes, weights):
    """Draws one small map for each head."""
    import matplotlib
    from matplotlib.patches import Rectangle

    colours = matplotlib.colormaps["Blues"].with_extremes(bad=NOT_A_NUMBER)
    for layer, head in np.ndindex(weights.shape[:2]):
        extent = np.array([head, head, layer, layer]) + np.array([-1, 1, 1, -1]) * SIDE / 2
        axes.imshow(weights[layer, head], cmap=colours, vmin=0, vmax=1, extent=extent)
        corner = (head - SIDE / 2, layer - SIDE / 2)
        axes.add_patch(Rectangle(corner, SIDE, SIDE, fill=False, edgecolor="#999999", lw=0.6))


def _label_layers_and_heads(axes, n_layers, n_heads):
    """Writes the numbers of layers and heads beside the maps."""
    axes.set(xlim=(-0.5, n_heads - 0.5), ylim=(n_layers - 0.5, -0.5), aspect="equal")
    axes.set_xticks(range(n_heads))
    axes.set_yticks(range(n_layers))
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_xlabel("head →", loc="left", fontweight="bold")
    axes.set_ylabel("← layer", loc="top", fontweight="bold")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
