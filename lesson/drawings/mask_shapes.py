"""Shapes of masks and scores."""

from attention_lib.arguments import LARGEST_SIZE, checked, indices
from attention_lib.show.colours import INK
from attention_lib.show.figures import show_picture
from lesson.drawings.parts import label_left

VERDICTS = {
    "fits": ("✓", "#ccece3"),
    "repeats": ("↻", "#cce3f0"),
    "does not fit": ("✗", "#f7dfcc"),
    "fits by accident": ("⚠", "#f7dfcc"),
}
NO_AXIS = "counts as 1"


def _shape(name, value):
    """value as a tuple of integers from 0."""
    array = indices(name, value, LARGEST_SIZE, "")
    if array.ndim != 1:
        raise ValueError(f"{name} must be the shape of an array, such as (2, 3), got {value!r}")
    return tuple(array.tolist())


@checked(scores_shape=_shape, mask_shape=_shape, names="list_of_names", mask_names="list_of_names")
def line_up(scores_shape, mask_shape, names, mask_names, *, name=None) -> None:
    """Shows whether a mask's shape fits the scores', lined up from the right.

    `names` and `mask_names` say what each axis counts: two that count other things fit by accident.
    """
    lacking = len(scores_shape) - len(mask_shape)
    if lacking < 0 or len(names) != len(scores_shape) or len(mask_names) != len(mask_shape):
        raise ValueError(
            f"names {names}, mask_shape {mask_shape} and mask_names {mask_names} must fit the axes of "
            f"scores_shape {scores_shape}"
        )
    mask_sizes = [NO_AXIS] * lacking + list(mask_shape)
    mask_names = [""] * lacking + list(mask_names)
    verdicts = [_verdict(*sizes) for sizes in zip(scores_shape, mask_sizes, names, mask_names)]

    def draw(figure):
        figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
        upper, lower = figure.subplots(2, len(names), squeeze=False)
        label_left(upper[0], "scores")
        label_left(lower[0], "mask")
        for axes, axis, size in zip(upper, names, scores_shape):
            _draw_size(axes, size, "#f4f4f4")
            axes.set_title(axis, fontsize=11)
        for axes, axis, size, verdict in zip(lower, mask_names, mask_sizes, verdicts):
            sign, tint = VERDICTS[verdict]
            _draw_size(axes, size, tint)
            axes.set_title(axis, fontsize=11)
            weight = "bold" if sign in "✗⚠" else "normal"
            axes.set_xlabel(f"{sign} {verdict}", fontsize=12, weight=weight)

    parts = [
        f"{axis} {size} meets {f'{mask_axis} {other}' if mask_axis else f'nothing, which {other}'}, {verdict}"
        for axis, size, mask_axis, other, verdict in zip(
            names, scores_shape, mask_names, mask_sizes, verdicts
        )
    ]
    alt = f"The axes of scores and mask lined up from the right. {'; '.join(parts)}."
    show_picture(draw, (1.1 + 1.6 * len(names), 2.6), alt, name)


def _verdict(scores_size, mask_size, name, mask_name):
    if mask_size == scores_size:
        return "fits" if mask_name == name or mask_size == 1 else "fits by accident"
    return "repeats" if mask_size in (1, NO_AXIS) else "does not fit"


def _draw_size(axes, size, colour):
    """A box with the size of an axis; dashed where the mask has no such axis."""
    axes.set(xticks=[], yticks=[], facecolor="white" if size == NO_AXIS else colour)
    axes.spines[:].set(color=INK, linestyle="--" if size == NO_AXIS else "-")
    style = {"fontsize": 11 if size == NO_AXIS else 15, "ha": "center", "va": "center"}
    axes.text(0.5, 0.5, size, transform=axes.transAxes, color=INK, **style)
