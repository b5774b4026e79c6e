"""show.heatmap: cells, numbers, axes and colours."""

import numpy as np
import pytest
from matplotlib.colors import rgb_to_hsv, to_rgb

from attention_lib import data, show
from attention_lib.show.colours import FAINT, colour_map
from attention_lib.show.drawings.parts import signed_colours
from attention_lib.show.heatmaps import SIZES
from tests.show.pixels import contrast, luminance, pixels, png

CAT = data.load("cat_sentence")
TOKENS = list(CAT["tokens"])
WEIGHTS = CAT["weights"][1, 3]


def texts(axes):
    return [text.get_text() for text in axes.texts]


def names(labels):
    return [label.get_text() for label in labels]


def test_axes_name_queries_and_keys(drawn):
    show.heatmap(WEIGHTS[:3], range(3), TOKENS)  # names may be numbers
    axes = drawn[0].axes[0]
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("← query", "key →")
    assert names(axes.get_yticklabels()) == list("012")
    assert names(axes.get_xticklabels()) == TOKENS
    assert axes.yaxis_inverted()  # the first query is on top


def test_names_must_fit_the_values(shown):
    with pytest.raises(ValueError, match=r"values has shape \(2, 2\)"):
        show.heatmap(np.eye(2), ["x"], ["a", "b"])
    assert not shown


def test_long_names_are_tilted(drawn):
    show.heatmap(np.eye(2), "ab", "ab")
    show.heatmap(np.eye(2), "ab", ["a long name", "b"])
    assert [figure.axes[0].get_xticklabels()[0].get_rotation() for figure in drawn] == [0, 45]


def test_cells_hold_their_numbers_while_they_fit(drawn):
    show.heatmap(WEIGHTS, TOKENS, TOKENS)
    numbers = texts(drawn[0].axes[0])
    assert len(numbers) == 121 and numbers[8 * 11 + 4] == "0.46"
    show.heatmap(np.eye(17), range(17), range(17))
    assert not drawn[1].axes[0].texts


def test_large_numbers_have_one_decimal(drawn):
    show.heatmap([[12.34]], "x", "a", vmax=40)
    show.heatmap([[1.234]], "x", "a", vmin=-40)
    show.heatmap([[1.234]], "x", "a", vmin=-9.9, vmax=9.9)
    assert [texts(figure.axes[0]) for figure in drawn] == [["12.3"], ["1.2"], ["1.23"]]


def test_numbers_beyond_the_scale_are_printed_as_they_are(drawn):
    show.heatmap([[-99.0, 5.0]], "q", "ab", vmin=-1, vmax=9)
    axes = drawn[0].axes[0]
    assert axes.collections[0].get_array().tolist() == [[-1, 5]]
    assert texts(axes) == ["−99.00", "5.00"]  # a minus sign, not a hyphen


def test_hidden_cell_is_hatched_and_has_no_number(drawn):
    allowed = np.tri(11, dtype=bool)
    show.heatmap(WEIGHTS, TOKENS, TOKENS, allowed=allowed)
    axes = drawn[0].axes[0]
    assert len(axes.texts) == allowed.sum()
    hatched = {(round(p.get_y() + 0.5), round(p.get_x() + 0.5)) for p in axes.patches if p.get_hatch()}
    assert hatched == {(int(i), int(j)) for i, j in np.argwhere(~allowed)}
    assert (axes.collections[0].get_array().mask == ~allowed).all()
    assert "hatched: the query may not attend" in drawn[0].get_supxlabel()


def test_without_hidden_cells_no_hatch_is_explained(drawn):
    show.heatmap(np.eye(2), "ab", "ab", allowed=[True, True])
    assert drawn[0].get_supxlabel() == ""


def test_allowed_must_broadcast(drawn):
    show.heatmap(np.eye(3), "abc", "abc", allowed=[True, True, False])
    assert len(drawn[0].axes[0].texts) == 6
    with pytest.raises(ValueError, match=r"allowed has shape \(2,\), values \(3, 3\)"):
        show.heatmap(np.eye(3), "abc", "abc", allowed=[True, False])


@pytest.mark.parametrize(
    "outline, cells", [((8, 4), [(8, 4)]), ([(8, 4), (0, 1)], [(8, 4), (0, 1)]), ([], [])]
)
def test_outlined_cells_are_framed(drawn, outline, cells):
    show.heatmap(WEIGHTS, TOKENS, TOKENS, outline=outline)
    frames = drawn[0].axes[0].patches
    assert [(p.get_y() + 0.5, p.get_x() + 0.5) for p in frames] == cells


@pytest.mark.parametrize("outline", [(8, 11), (-1, 0), (1.0, 2.0), (1, 2, 3)])
def test_outline_must_name_cells(shown, outline):
    with pytest.raises(ValueError, match=r"outline must be \(row, column\)"):
        show.heatmap(WEIGHTS, TOKENS, TOKENS, outline=outline)
    assert not shown


def test_values_are_not_changed(drawn):
    values = np.array([[-0.5, 1.5]])
    show.heatmap(values, "q", "ab", allowed=[True, False])
    assert values.tolist() == [[-0.5, 1.5]]


# Colours


def test_weights_are_coloured_from_0_to_1_darker_as_they_grow(drawn):
    show.heatmap([[0.0, 0.5, 0.9]], "q", "abc")
    cells = drawn[0].axes[0].collections[0]
    assert cells.get_clim() == (0, 1)
    lightness = [luminance(cells.cmap(cells.norm(x))[:3]) for x in (0.0, 0.25, 0.5, 0.75, 1.0)]
    assert (np.diff(lightness) < 0).all()  # readable without colour


def test_negative_numbers_are_orange_and_as_dark_as_their_opposites(drawn):
    show.heatmap([[-15.0, 0.0, 15.0, 40.0]], "q", "abcd", vmin=-15, vmax=40)
    cells = drawn[0].axes[0].collections[0]

    def colour(number):
        return cells.cmap(cells.norm(number))[:3]

    assert contrast(colour(0), (1, 1, 1)) < 1.03
    for number in (3, 8, 15):
        red, _, blue = colour(-number)
        assert red > blue
        red, _, blue = colour(number)
        assert blue > red
        assert contrast(colour(number), colour(-number)) < 1.03
    darker = [luminance(colour(number)) for number in range(0, 41, 4)]
    assert (np.diff(darker) < 0).all()


def test_negative_numbers_have_the_same_hue_in_heatmaps_and_drawings():
    (hue, *_), (other, *_) = (
        rgb_to_hsv(colours[:3])
        for colours in (colour_map(-1, 1)[0](0.2845), signed_colours(np.array([[-1.0]]))[0, 0])
    )
    assert abs(hue - other) < 0.005


@pytest.mark.parametrize("vmin, middle, vmax", [(0, 0.5, 1), (-15, 12.5, 40)])
def test_colour_bar_names_its_ends_and_its_middle(drawn, vmin, middle, vmax):
    show.heatmap([[vmin, vmax]], "q", "ab", vmin=vmin, vmax=vmax)
    bar = drawn[0].axes[1]
    assert bar.get_ylim() == (vmin, vmax) and bar.get_yticks().tolist() == [vmin, middle, vmax]


@pytest.mark.parametrize("vmin, vmax", [(0, 1), (-15, 40), (-3, 0)])
def test_numbers_have_contrast_on_every_colour(drawn, vmin, vmax):
    values = np.linspace(vmin, vmax, 256).reshape(16, 16)
    show.heatmap(values, range(16), range(16), vmin=vmin, vmax=vmax)
    axes = drawn[0].axes[0]
    cells = axes.collections[0]
    for value, text in zip(values.flat, axes.texts, strict=True):
        cell = cells.cmap(cells.norm(value))[:3]
        reached = contrast(cell, to_rgb(text.get_color()))
        assert reached >= 4.5
        if text.get_color() != FAINT:
            assert reached >= max(contrast(cell, (0, 0, 0)), contrast(cell, (1, 1, 1))) - 1e-9
    assert {"black", "white"} <= {text.get_color() for text in axes.texts}


def test_numbers_that_round_to_0_are_grey_where_grey_is_legible(drawn):
    show.heatmap([[0.0, 0.004, 0.006, 1.0]], "q", "abcd")
    assert [text.get_color() for text in drawn[0].axes[0].texts] == [FAINT, FAINT, "black", "white"]
    show.heatmap([[0.0, 0.004]], "q", "ab", vmax=0.004)
    assert [text.get_color() for text in drawn[1].axes[0].texts] == [FAINT, "white"]


# Pixels


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
    corners = rendered[0].axes[0].transData.transform([(0.6, 0.4), (1.4, -0.4)])  # inside the hatched cell
    (left, bottom), (right, top) = corners.astype(int)
    picture = png(shown[0]).convert("RGB")
    cell = picture.crop((left, picture.height - top, right, picture.height - bottom)).reduce(3)
    colours = np.asarray(cell).reshape(-1, 3) / 255
    line, fill = min(colours, key=luminance), max(colours, key=luminance)
    assert contrast(line, fill) >= 3 and contrast(fill, (1, 1, 1)) >= 1.4


def test_frame_shows_on_pale_and_on_dark_cells(rendered, shown):
    show.heatmap([[0.0, 1.0]], "q", "ab", outline=[(0, 0), (0, 1)])
    axes = rendered[0].axes[0]
    picture = pixels(shown[0])
    y = len(picture) - int(axes.transData.transform((0, 0.4))[1])
    left, right = axes.transData.transform([(-0.5, 0), (1.5, 0)])[:, 0].astype(int)
    for inside in (picture[y, left : left + 9, :3] / 255, picture[y, right - 9 : right, :3] / 255):
        assert contrast(min(inside, key=luminance), max(inside, key=luminance)) > 15


# Sizes


def test_16_tokens_fit_a_page_of_900_pixels(drawn):
    show.heatmap(np.eye(16), range(16), [f"token{i}" for i in range(16)])
    assert drawn[0].get_figwidth() < 9


@pytest.mark.parametrize("n", [4, 16])
def test_projector_digits_are_large_and_fit_their_cells(rendered, n):
    tokens = ["[CLS]", "because", "street", "it"] * 4
    show.heatmap(np.eye(n), tokens[:n], tokens[:n], size="projector")
    figure = rendered[0]
    number = figure.axes[0].texts[0]
    box = number.get_window_extent()
    font = number.get_fontsize() * figure.dpi / 72
    slide = min(1280 / figure.bbox.width, 720 / figure.bbox.height)  # when it fills the slide
    assert 0.729 * font * slide >= 16  # the height of DejaVu's digits: 0.729 em
    (left, top), (right, bottom) = figure.axes[0].transData.transform([(0, 0), (1, 1)])
    assert box.width < right - left and font < top - bottom


def test_size_must_be_known(shown):
    with pytest.raises(ValueError, match="'page', 'projector'"):
        show.heatmap(np.eye(2), "ab", "ab", size="huge")


@pytest.mark.parametrize("size", SIZES)
def test_names_and_colour_bar_share_a_type_size(drawn, size):
    show.heatmap([[0.0, 1.0]], "q", "ab", size=size)
    cells, bar = drawn[0].axes
    sizes = {label.get_fontsize() for axes in (cells, bar) for label in axes.get_yticklabels()}
    assert sizes == {SIZES[size].name_points}
