"""show.heatmap: cells, numbers, axes and colours."""

import numpy as np
import pytest
from matplotlib.colors import rgb_to_hsv, to_rgb

from attention_lib import data, show
from attention_lib.drawings.parts import signed_colours
from attention_lib.show import figures
from attention_lib.show.colours import FAINT, colour_map
from tests.show.pixels import cells_where, contrast, hatched_cells, luminance, pixels, png, words

CAT = data.load("cat_sentence")
TOKENS = list(CAT["tokens"])
WEIGHTS = CAT["weights"][1, 3]


@pytest.fixture
def axes_of(drawn):
    """Shows a heatmap and returns its axes."""

    def axes_of(*arguments, **options):
        show.heatmap(*arguments, **options)
        return drawn[-1].axes[0]

    return axes_of


def test_axes_name_queries_and_keys(axes_of):
    axes = axes_of(WEIGHTS[:3], range(3), TOKENS)  # names may be numbers
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("← query", "key →")
    assert words(axes.get_yticklabels()) == list("012")
    assert words(axes.get_xticklabels()) == TOKENS
    assert axes.yaxis_inverted()  # the first query is on top


def test_axes_may_have_other_names(axes_of):
    axes = axes_of(np.eye(2), "ab", "ab", axes=("step", "word"))
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("← step", "word →")


def test_long_names_are_tilted(axes_of):
    for name, rotation in (("a", 0), ("a long name", 45)):
        assert axes_of(np.eye(2), "ab", [name, "b"]).get_xticklabels()[0].get_rotation() == rotation


def test_cells_hold_their_numbers_while_they_fit(axes_of):
    numbers = words(axes_of(WEIGHTS, TOKENS, TOKENS).texts)
    assert len(numbers) == 121 and numbers[8 * 11 + 4] == "0.46"
    largest = axes_of(np.eye(16), range(16), [f"token{i}" for i in range(16)])
    assert len(largest.texts) == 256 and largest.figure.get_figwidth() < 9  # a page has 900 pixels
    assert not axes_of(np.eye(17), range(17), range(17)).texts


def test_large_numbers_have_one_decimal(axes_of):
    assert words(axes_of([[12.34]], "x", "a", vmax=40).texts) == ["12.3"]
    assert words(axes_of([[1.234]], "x", "a", vmin=-40).texts) == ["1.2"]
    assert words(axes_of([[1.234]], "x", "a", vmin=-9.9, vmax=9.9).texts) == ["1.23"]


def test_numbers_beyond_the_scale_are_printed_as_they_are(axes_of):
    values = np.array([[-99.0, 5.0]])
    axes = axes_of(values, "q", "ab", vmin=-1, vmax=9)
    assert axes.collections[0].get_array().tolist() == [[-1, 5]]
    assert words(axes.texts) == ["−99.00", "5.00"]  # a minus sign, not a hyphen
    assert values.tolist() == [[-99, 5]]  # not changed


def test_hidden_cell_is_hatched_and_has_no_number(axes_of):
    allowed = np.tri(11, dtype=bool)
    axes = axes_of(WEIGHTS, TOKENS, TOKENS, allowed=allowed)
    assert len(axes.texts) == allowed.sum()
    assert hatched_cells(axes) == cells_where(~allowed)
    assert (axes.collections[0].get_array().mask == ~allowed).all()
    assert "hatched: the query may not attend" in axes.figure.get_supxlabel()


def test_allowed_broadcasts_and_nothing_hidden_is_not_explained(axes_of):
    axes = axes_of(np.eye(3), "abc", "abc", allowed=[True, True, False])
    assert hatched_cells(axes) == {(0, 2), (1, 2), (2, 2)}
    assert axes_of(np.eye(2), "ab", "ab", allowed=[True, True]).figure.get_supxlabel() == ""


def test_outlined_cells_are_framed(axes_of):
    for outline, cells in [((8, 4), [(8, 4)]), ([(8, 4), (0, 1)], [(8, 4), (0, 1)]), ([], [])]:
        frames = axes_of(WEIGHTS, TOKENS, TOKENS, outline=outline).patches
        assert [(p.get_y() + 0.5, p.get_x() + 0.5) for p in frames] == cells


@pytest.mark.parametrize(
    "options, message",
    [
        *(({"outline": cell}, r"\(row, column\)") for cell in [(2, 0), (-1, 0), (1.0, 0.0), (1, 1, 1)]),
        ({"queries": "x"}, r"values has shape \(2, 2\), with 1 queries and 2 keys"),
        ({"allowed": [True] * 3}, r"allowed has shape \(3,\), values \(2, 2\)"),
    ],
)
def test_bad_argument_is_refused(shown, options, message):
    with pytest.raises(ValueError, match=message):
        show.heatmap(np.eye(2), **{"queries": "xy", "keys": "ab"} | options)
    assert not shown


# Colours


def test_weights_are_coloured_from_0_to_1_darker_as_they_grow(axes_of):
    cells = axes_of([[0.0, 0.5, 0.9]], "q", "abc").collections[0]
    assert cells.get_clim() == (0, 1)
    lightness = [luminance(cells.cmap(cells.norm(x))[:3]) for x in (0.0, 0.25, 0.5, 0.75, 1.0)]
    assert (np.diff(lightness) < 0).all()  # readable without colour


def test_negative_numbers_are_orange_and_as_dark_as_their_opposites(axes_of):
    cells = axes_of([[-15.0, 0.0, 15.0, 40.0]], "q", "abcd", vmin=-15, vmax=40).collections[0]

    def colour(number):
        return cells.cmap(cells.norm(number))[:3]

    assert contrast(colour(0), (1, 1, 1)) < 1.03
    for number in (3, 8, 15):
        (red, _, blue), (opposite_red, _, opposite_blue) = colour(number), colour(-number)
        assert blue > red and opposite_red > opposite_blue
        assert contrast(colour(number), colour(-number)) < 1.03
    darker = [luminance(colour(number)) for number in range(0, 41, 4)]
    assert (np.diff(darker) < 0).all()


def test_negative_numbers_have_the_same_hue_in_heatmaps_and_drawings():
    (hue, *_), (other, *_) = (
        rgb_to_hsv(colours[:3])
        for colours in (colour_map(-1, 1)[0](0.2845), signed_colours(np.array([[-1.0]]))[0, 0])
    )
    assert abs(hue - other) < 0.005


def test_colour_bar_names_its_ends_and_its_middle(drawn):
    show.heatmap([[-15, 40]], "q", "ab", vmin=-15, vmax=40)
    bar = drawn[0].axes[1]
    assert bar.get_ylim() == (-15, 40) and bar.get_yticks().tolist() == [-15, 12.5, 40]


@pytest.mark.parametrize("vmin, vmax", [(0, 1), (-40, 40)])
def test_numbers_have_contrast_on_every_colour(axes_of, vmin, vmax):
    values = np.linspace(vmin, vmax, 256).reshape(16, 16)
    axes = axes_of(values, range(16), range(16), vmin=vmin, vmax=vmax)
    cells = axes.collections[0]
    for value, text in zip(values.flat, axes.texts, strict=True):
        cell = cells.cmap(cells.norm(value))[:3]
        reached = contrast(cell, to_rgb(text.get_color()))
        assert reached >= 4.5
        if text.get_color() != FAINT:
            assert reached >= max(contrast(cell, (0, 0, 0)), contrast(cell, (1, 1, 1))) - 1e-9
    assert {"black", "white"} <= {text.get_color() for text in axes.texts}


def test_numbers_that_round_to_0_are_grey_where_grey_is_legible(axes_of):
    numbers = axes_of([[0.0, 0.004, 0.006, 1.0]], "q", "abcd").texts
    assert [number.get_color() for number in numbers] == [FAINT, FAINT, "black", "white"]
    numbers = axes_of([[0.0, 0.004]], "q", "ab", vmax=0.004).texts
    assert [number.get_color() for number in numbers] == [FAINT, "white"]


# Pixels


def between(axes, bundle, start, end):
    """The part of a displayed picture between two places (column, row) of its cells, upper left and lower right."""
    (left, top), (right, bottom) = axes.transData.transform([start, end]).astype(int)
    picture = png(bundle).convert("RGB")
    return picture.crop((left, picture.height - top, right, picture.height - bottom))


def darkest_and_lightest(picture):
    colours = np.asarray(picture).reshape(-1, 3) / 255
    return min(colours, key=luminance), max(colours, key=luminance)


def test_palette_keeps_the_colours_of_cells(shown, rendered):
    show.heatmap(WEIGHTS, TOKENS, TOKENS)
    axes = rendered[0].axes[0]
    cells, picture = axes.collections[0], pixels(shown[0])
    for row, column in np.ndindex(11, 11):
        x, y = axes.transData.transform((column - 0.4, row - 0.3)).astype(int)
        exact = 255 * np.array(cells.cmap(cells.norm(WEIGHTS[row, column])))
        assert abs(picture[-1 - y, x] - exact).max() <= 2


def test_hatching_shows_at_a_third_of_the_size(rendered, shown):
    show.heatmap([[0.0, 0.5]], "q", "ab", allowed=[True, False])
    inside = between(rendered[0].axes[0], shown[0], (0.6, -0.4), (1.4, 0.4))
    line, fill = darkest_and_lightest(inside.reduce(3))
    assert contrast(line, fill) >= 3 and contrast(fill, (1, 1, 1)) >= 1.4


def test_frame_shows_on_pale_and_on_dark_cells(rendered, shown):
    show.heatmap([[0.0, 1.0]], "q", "ab", outline=[(0, 0), (0, 1)])
    for start, end in [
        ((-0.5, 0.3), (-0.4, 0.4)),
        ((1.4, 0.3), (1.5, 0.4)),
    ]:  # within the cell, at its outer side
        assert contrast(*darkest_and_lightest(between(rendered[0].axes[0], shown[0], start, end))) > 15


# Sizes


def test_projector_digits_are_large_and_fit_their_cells(rendered):
    tokens = ["[CLS]", "because", "street", "it"] * 4
    with figures.collecting("projector") as pictures:
        show.heatmap(np.eye(16), tokens, tokens)
    figures.png_of(pictures[0].draw, pictures[0].size)
    figure = rendered[0]
    number = figure.axes[0].texts[0]
    font = number.get_fontsize() * figure.dpi / 72
    slide = min(1280 / figure.bbox.width, 720 / figure.bbox.height)  # when it fills the slide
    assert 0.729 * font * slide >= 16  # the height of DejaVu's digits: 0.729 em
    (left, top), (right, bottom) = figure.axes[0].transData.transform([(0, 0), (1, 1)])
    assert number.get_window_extent().width < right - left and font < top - bottom
    names = [label for axes in figure.axes for label in axes.get_yticklabels()]
    assert {name.get_fontsize() for name in names} == {16}  # of tokens and of the colour bar
