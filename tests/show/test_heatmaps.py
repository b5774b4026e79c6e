"""show.heatmap: numbers, hidden cells, colours, and sizes. Notebooks store pictures of the rest."""

import base64
import io

import numpy as np
import pytest
from matplotlib.colors import rgb_to_hsv, to_rgb
from PIL import Image

from attention_lib import show
from attention_lib.show import figures
from attention_lib.show.colours import FAINT, colour_map
from lesson.drawings.parts import signed_colours
from tests.show.pixels import contrast, luminance, words


@pytest.fixture
def axes_of(drawn):
    """Shows a heatmap and returns its axes."""

    def axes_of(*arguments, **options):
        show.heatmap(*arguments, **options)
        return drawn[-1].axes[0]

    return axes_of


def test_cells_hold_their_numbers_while_they_fit(axes_of):
    largest = axes_of(np.eye(16), range(16), [f"token{i}" for i in range(16)])
    assert len(largest.texts) == 256 and largest.figure.get_figwidth() < 9  # a page has 900 pixels
    assert not axes_of(np.eye(17), range(17), range(17)).texts


def test_numbers_are_printed_as_they_are(axes_of):
    for value, vmin, vmax, number in (
        (12.34, 0, 40, "12.3"),
        (1.234, -40, 1, "1.2"),
        (1.234, -9.9, 9.9, "1.23"),
        (-99.0, -1, 9, "−99.00"),  # outside of the colours; a minus sign, not a hyphen
        (0.0021, None, None, "0.0021"),
        (-0.0021, None, None, "−0.0021"),
        (0.05, -40, 40, "0.050"),
        (1e-9, None, None, "0.00"),
    ):
        assert words(axes_of([[value]], "x", "a", vmin=vmin, vmax=vmax).texts) == [number]


def test_hidden_cell_is_hatched_and_has_no_number(axes_of):
    axes = axes_of(np.eye(3), "abc", "abc", allowed=[True, True, False])
    hatched = [patch.get_xy() for patch in axes.patches if patch.get_hatch()]
    assert hatched == [(1.5, -0.5), (1.5, 0.5), (1.5, 1.5)] and len(axes.texts) == 6
    assert "hatched: the query may not attend" in axes.figure.get_supxlabel()
    assert axes_of(np.eye(2), "ab", "ab", allowed=[True, True]).figure.get_supxlabel() == ""


# Colours


FUTURE = [True, False]  # key 1 is hidden


@pytest.mark.parametrize(
    "values, options, limits",
    [
        ([0.2, 0.5], {}, (0, 1)),
        ([1.0000001, -1e-7], {}, (0, 1)),
        ([0, 0], {}, (0, 1)),
        ([np.nan, np.nan], {}, (0, 1)),
        ([5, 6], {"allowed": False}, (0, 1)),
        ([7.7, 21.4], {}, (0, 22)),
        ([1.95, -0.04], {}, (0, 2)),
        ([37.78, -13.5], {}, (-40, 40)),
        ([0.002, -0.0011], {}, (-0.002, 0.002)),
        ([-5.5, -6.2], {}, (-6.5, 6.5)),
        ([0.07, -0.02], {}, (-0.07, 0.07)),  # 0.07 / 0.01 is more than 7
        ([3, -1e9], {"allowed": FUTURE}, (0, 3)),
        ([3, np.nan], {}, (0, 3)),
        ([np.inf, -np.inf], {}, (0, 1)),
        ([2, -3], {"vmin": -15}, (-15, 3)),
        ([0.5, 0.2], {"vmax": 2}, (0, 2)),
    ],
)
def test_colours_reach_as_far_as_the_numbers_or_as_asked(drawn, values, options, limits):
    show.heatmap([values], "q", "ab", **options)
    assert drawn[0].axes[1].get_ylim() == limits


def test_largest_number_is_rounded_up_to_two_digits(drawn):
    for number in (1.0001, 1.95, 3e-5, 8.9, 37.78, 99.5, 1234.5):
        for smallest, step in ((0, 1), (-number, 5)):  # one colour, two colours
            show.heatmap([[number, smallest]], "q", "ab")
            end = drawn[-1].axes[1].get_ylim()[1]
            digits, power = f"{end:.1e}".split("e")
            assert float(f"{end:.1e}") == end and round(float(digits) * 10) % step == 0
            assert number <= end <= max(1, number + step * 10 ** (int(power) - 1))


def marked(axes):
    """The cells with a triangle."""
    return [
        tuple(np.round(place).astype(int)) for marks in axes.collections[1:] for place in marks.get_offsets()
    ]


def test_number_outside_of_the_colours_is_marked(axes_of):
    axes = axes_of([[0.5, 1.1], [-0.3, 0]], "xy", "ab", vmin=0, vmax=1)
    assert marked(axes) == [(1, 0), (0, 1)]
    assert axes.figure.get_supxlabel() == "▲ above 1, where the colours end\n▼ below 0, where the colours end"
    axes = axes_of([[np.inf, -np.inf], [1, np.nan]], "xy", "ab")
    assert marked(axes) == [(0, 0), (1, 0)] and axes.figure.get_supxlabel().startswith("grey: not a number\n")


def test_number_that_rounding_puts_outside_or_that_is_hidden_is_not_marked(axes_of):
    for values, options in (
        ([1.0000001, -1e-7], {"vmin": 0, "vmax": 1}),
        ([1.95, -0.04], {"vmin": 0, "vmax": 2}),
        ([-0.04, 1.95], {}),
        ([0.5, 7], {"vmax": 1, "allowed": FUTURE}),
    ):
        assert marked(axes_of([values], "q", "ab", **options)) == []


def test_infinite_number_has_the_colour_of_its_end_and_nan_one_of_its_own(axes_of):
    cells = axes_of([[np.inf, -np.inf, 4, -4, np.nan, 0]], "q", range(6)).collections[0]
    colours = cells.cmap(cells.norm(cells.get_array()))[0]
    assert (colours[0] == colours[2]).all() and (colours[1] == colours[3]).all()
    assert contrast(colours[4, :3], colours[5, :3]) > 1.3


def test_negative_numbers_are_orange_and_as_dark_as_their_opposites(axes_of):
    for vmin, vmax in ((-15, 40), (-40, 15)):
        cells = axes_of([[0.0]], "q", "a", vmin=vmin, vmax=vmax).collections[0]
        blues, oranges = cells.cmap(cells.norm([range(0, 41, 4), range(0, -41, -4)]))[..., :3]
        assert contrast(blues[0], (1, 1, 1)) < 1.03
        for blue, orange in zip(blues[1:], oranges[1:]):
            assert blue[2] > blue[0] and orange[0] > orange[2] and contrast(blue, orange) < 1.03
        assert (np.diff([luminance(blue) for blue in blues]) < 0).all()


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


@pytest.mark.parametrize("vmin, vmax", [(0, 1), (-40, 40), (0, 0.004)])
def test_numbers_have_contrast_on_every_colour(axes_of, vmin, vmax):
    values = np.linspace(vmin, vmax, 256).reshape(16, 16)
    axes = axes_of(values, range(16), range(16), vmin=vmin, vmax=vmax)
    cells = axes.collections[0]
    inks = [text.get_color() for text in axes.texts]
    for value, ink in zip(values.flat, inks, strict=True):
        cell = cells.cmap(cells.norm(value))[:3]
        reached = contrast(cell, to_rgb(ink))
        assert reached >= 4.5
        if ink != FAINT:
            assert reached >= max(contrast(cell, (0, 0, 0)), contrast(cell, (1, 1, 1))) - 1e-9
    assert {"black", "white"} <= set(inks)
    assert inks[0] == FAINT or vmin < 0


# Pixels


def darkest_and_lightest(axes, bundle, start, end, shrink=1):
    """Two colours of the part of a displayed picture between two places (column, row) of its cells."""
    (left, top), (right, bottom) = axes.transData.transform([start, end]).astype(int)
    picture = Image.open(io.BytesIO(base64.b64decode(bundle["image/png"]))).convert("RGB")
    part = picture.crop((left, picture.height - top, right, picture.height - bottom))
    colours = np.asarray(part.reduce(shrink)).reshape(-1, 3) / 255
    return min(colours, key=luminance), max(colours, key=luminance)


def test_hatching_shows_at_a_third_of_the_size(rendered, shown):
    show.heatmap([[0.0, 0.5]], "q", "ab", allowed=[True, False])
    line, fill = darkest_and_lightest(rendered[0].axes[0], shown[0], (0.6, -0.4), (1.4, 0.4), shrink=3)
    assert contrast(line, fill) >= 3 and contrast(fill, (1, 1, 1)) >= 1.4


def test_frame_shows_on_pale_and_on_dark_cells(rendered, shown):
    show.heatmap([[0.0, 1.0]], "q", "ab", outline=[(0, 0), (0, 1)])
    for start, end in (((-0.5, 0.3), (-0.4, 0.4)), ((1.4, 0.3), (1.5, 0.4))):  # at the outer sides
        assert contrast(*darkest_and_lightest(rendered[0].axes[0], shown[0], start, end)) > 15


# Sizes


@pytest.mark.parametrize("screen", ["page", "projector"])
def test_long_numbers_fit_their_cells(rendered, screen):
    with figures.collecting(screen) as pictures:
        show.heatmap(np.full((2, 11), -0.0021), "xy", range(11))
    figures.png_of(pictures[0].draw, pictures[0].size)
    axes = rendered[0].axes[0]
    (left, _), (right, _) = axes.transData.transform([(0, 0), (1, 1)])
    assert axes.texts[0].get_window_extent().width < 0.97 * (right - left)


def test_cells_too_small_for_a_number_have_none(axes_of):
    assert not axes_of([[1e9, -1e9]], "q", "ab").texts


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
