"""Tables keep every token, and every picture reaches its reader with its description."""

import base64
import gc
import io
import re

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

import attention_lib as al
from attention_lib import data, show

CAT = data.load("cat_sentence")
TOKENS = list(CAT["tokens"])
WEIGHTS = CAT["weights"][1, 3]


@pytest.fixture
def shown(monkeypatch):
    """What was displayed: a list of MIME bundles."""
    bundles = []
    monkeypatch.setattr("IPython.display.display", lambda bundle, raw: bundles.append(bundle))
    return bundles


@pytest.fixture
def said(monkeypatch, shown):
    """What was displayed, for tests of the words alone: nothing is drawn."""
    monkeypatch.setattr(show.figures, "png_of", lambda draw, size: ("", 400))
    return shown


@pytest.fixture
def painted(monkeypatch, shown):
    """The matplotlib figures behind what was displayed, laid out and painted."""
    figures = []
    draw = FigureCanvasAgg.draw

    def keep(canvas):
        figures.append(canvas.figure)
        draw(canvas)

    monkeypatch.setattr(FigureCanvasAgg, "draw", keep)
    return figures


@pytest.fixture
def figures(monkeypatch, shown):
    """The figures of what would be displayed, for tests of what is in them: nothing is painted."""
    kept = []

    def keep(draw, size):
        kept.append(Figure(figsize=size))
        draw(kept[-1])
        return "", 400

    monkeypatch.setattr(show.figures, "png_of", keep)
    return kept


def png(bundle):
    return Image.open(io.BytesIO(base64.b64decode(bundle["image/png"])))


def pixels(bundle):
    return np.asarray(png(bundle).convert("RGBA"))


def width_on_page(bundle):
    return int(re.search(r'<img [^>]*width="(\d+)"', bundle["text/html"])[1])


def luminance(colour):
    """WCAG 2.2, "relative luminance", of three numbers from 0 to 1."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    darker, lighter = sorted([luminance(a), luminance(b)])
    return (lighter + 0.05) / (darker + 0.05)


def test_table_has_a_row_a_query_and_a_column_a_key():
    table = show.table([[0.123, 0.5, 0.25], [1, 2, 3]], ["x", "y"], ["a", "b", "c"])
    assert table.shape == (2, 3)
    assert (table.index.name, table.columns.name) == ("query", "key")
    assert table.loc["x", "a"] == 0.12


def test_table_keeps_both_rows_of_a_repeated_token():
    table = show.table(WEIGHTS, TOKENS, TOKENS)
    assert table.loc["i"].shape == (2, 11)
    assert not table.loc["i"].iloc[0].equals(table.loc["i"].iloc[1])


def test_table_rounds_without_a_negative_zero():
    table = show.table([[-0.001]], ["x"], ["a"])
    assert not np.signbit(table.to_numpy()).any()


@pytest.mark.parametrize("queries, keys", [(["x"], ["a", "b"]), (["x", "y"], ["a"]), ([], [])])
@pytest.mark.parametrize("show_it", [show.table, lambda *a: show.heatmap(*a, alt="alt", name="name")])
def test_names_must_fit_the_values(show_it, queries, keys, shown):
    with pytest.raises(ValueError, match=r"values has shape \(2, 2\)"):
        show_it(np.eye(2), queries, keys)
    assert not shown


@pytest.mark.parametrize("values", [np.zeros(3), np.zeros((2, 2, 2))])
def test_values_must_be_a_table(values):
    with pytest.raises(ValueError, match="values"):
        show.table(values, ["x", "y"], ["a", "b"])


def test_heatmap_reaches_the_reader_three_ways_and_returns_none(shown, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert show.heatmap(WEIGHTS, TOKENS, TOKENS, alt="her looks at cat", name="her") is None
    (bundle,) = shown
    assert bundle["text/plain"] == "her looks at cat"
    assert '<img alt="her looks at cat"' in bundle["text/html"]
    assert bundle["image/png"] in bundle["text/html"]
    assert '<figure id="her"' in bundle["text/html"]
    assert not list(tmp_path.iterdir())  # no file is written


def test_alt_is_escaped_in_the_page(said):
    show.heatmap(np.eye(2), "ab", "ab", alt='a < b & "c"', name="n")
    assert 'alt="a &lt; b &amp; &quot;c&quot;"' in said[0]["text/html"]


@pytest.mark.parametrize("empty", [{"alt": ""}, {"name": ""}])
def test_an_empty_description_or_name_is_refused(empty, shown):
    with pytest.raises(ValueError, match="alt and name"):
        show.heatmap(np.eye(2), "ab", "ab", **empty)
    with pytest.raises(ValueError, match="alt and name"):
        show.lines(pd.DataFrame({"x": [1]}), **empty)
    with pytest.raises(ValueError, match="alt and name"):
        show.heads(WEIGHTS[None, None], **empty)
    assert not shown


def test_a_picture_without_a_name_has_no_id(said):
    show.heatmap(np.eye(2), "ab", "ab")
    assert not re.search(r"\bid=", said[0]["text/html"])


def test_a_picture_has_two_dots_a_pixel_in_256_colours(shown):
    show.heatmap(WEIGHTS, TOKENS, TOKENS)
    picture = png(shown[0])
    assert picture.mode == "P" and not picture.info.keys() & {"Software", "dpi"}
    assert picture.width == 2 * width_on_page(shown[0])


def test_the_palette_keeps_the_colour_of_cells(shown, painted):
    show.heatmap(WEIGHTS, TOKENS, TOKENS)
    axes = painted[0].axes[0]
    to_pixels = axes.transData.transform
    cells, picture = axes.collections[0], pixels(shown[0])
    for row, column in np.ndindex(11, 11):
        x, y = to_pixels((column - 0.4, row - 0.3)).astype(int)
        exact = 255 * np.array(cells.cmap(cells.norm(WEIGHTS[row, column])))
        assert abs(picture[-1 - y, x] - exact).max() <= 2


def test_two_runs_draw_the_same_bytes(shown):
    for _ in range(2):
        show.heatmap(WEIGHTS, TOKENS, TOKENS, outline=(8, 4), allowed=np.tri(11, dtype=bool))
        show.heads(WEIGHTS[None, None])
    assert shown[:2] == shown[2:]


def test_a_wide_picture_scrolls_in_itself_and_by_keyboard(shown):
    show.heatmap(WEIGHTS, TOKENS, TOKENS)
    show.heatmap(np.eye(2), "ab", "ab")
    wide, narrow = (bundle["text/html"] for bundle in shown)
    least = int(re.search(r"min-width: (\d+)px", wide)[1])
    assert 0.65 < least / width_on_page(shown[0]) < 0.75
    assert re.search('<figure [^>]*tabindex="0"', wide) and "tabindex" not in narrow
    assert "min-width" not in narrow  # it fits everywhere, so it is no stop for the Tab key
    for page in (wide, narrow):
        assert re.search('<figure [^>]*style="margin: 0; overflow-x: auto"', page)
        assert "max-width: 100%" in page


def test_sixteen_tokens_fit_a_page_of_900_pixels(shown):
    names = [f"token{i}" for i in range(16)]
    show.heatmap(np.eye(16), names, names)
    assert width_on_page(shown[0]) < 900


def test_the_background_is_opaque_and_white(shown):
    show.heatmap(WEIGHTS, TOKENS, TOKENS, alt="a", name="n")
    picture = pixels(shown[0])
    assert (picture[..., 3] == 255).all()
    assert (picture[0, 0, :3] == 255).all()


def test_axes_say_query_and_key_and_label_every_token(figures):
    show.heatmap(WEIGHTS, TOKENS, TOKENS, alt="a", name="n")
    axes = figures[0].axes[0]
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("← query", "key →")
    assert [label.get_text() for label in axes.get_yticklabels()] == TOKENS
    assert [label.get_text() for label in axes.get_xticklabels()] == TOKENS


def test_cells_hold_their_numbers_while_they_fit(figures):
    show.heatmap(WEIGHTS, TOKENS, TOKENS, alt="a", name="n")
    texts = [text.get_text() for text in figures[0].axes[0].texts]
    assert len(texts) == 121 and texts[8 * 11 + 4] == "0.46"
    many = [str(i) for i in range(17)]
    show.heatmap(np.eye(17), many, many, alt="a", name="n")
    assert not figures[1].axes[0].texts


def test_a_masked_cell_is_hatched_and_has_no_number(figures):
    allowed = np.tri(11, dtype=bool)
    show.heatmap(WEIGHTS, TOKENS, TOKENS, alt="a", name="n", allowed=allowed)
    axes = figures[0].axes[0]
    assert len(axes.texts) == allowed.sum()
    hatched = {(round(p.get_y() + 0.5), round(p.get_x() + 0.5)) for p in axes.patches if p.get_hatch()}
    assert hatched == {(int(i), int(j)) for i, j in np.argwhere(~allowed)}


def drawn(picture, axes, row, column):
    """The pixels of one cell, without its edges."""
    (left, top), (right, bottom) = axes.transData.transform(
        [(column - 0.4, row - 0.4), (column + 0.4, row + 0.4)]
    )
    return (
        picture[int(picture.shape[0] - top) : int(picture.shape[0] - bottom), int(left) : int(right), :3]
        / 255
    )


def test_hatching_can_be_seen_even_when_shown_small(painted, shown):
    show.heatmap([[0.0, 0.5]], "q", "ab", allowed=[True, False])
    axes = painted[0].axes[0]
    palest = drawn(pixels(shown[0]), axes, 0, 0).reshape(-1, 3)[0]
    for smaller in (1, 2, 3):  # 3: two thirds of its size on a screen of one dot a pixel
        small = png(shown[0]).convert("RGB").reduce(smaller)
        picture = np.asarray(small.resize((small.width * smaller, small.height * smaller), 0))
        cell = drawn(picture, axes, 0, 1).reshape(-1, 3)
        line, fill = min(cell, key=luminance), max(cell, key=luminance)
        assert contrast(line, fill) >= 3
        assert contrast(fill, palest) >= 1.4


@pytest.mark.parametrize("vmin, vmax", [(0, 1), (-1, 1), (-15, 40), (-3, 0)])
def test_numbers_can_be_read_on_every_colour(figures, vmin, vmax):
    names = [str(i) for i in range(16)]
    values = np.linspace(vmin, vmax, 256).reshape(16, 16)
    show.heatmap(values, names, names, vmin=vmin, vmax=vmax)
    axes = figures[0].axes[0]
    cells = axes.collections[0]
    inks = {text.get_color() for text in axes.texts}
    for value, text in zip(values.flat, axes.texts, strict=True):
        cell = cells.cmap(cells.norm(value))[:3]
        ink = text.get_color()
        assert contrast(cell, to_rgb(ink)) >= 4.5
        if ink != show.FAINT:
            assert (
                contrast(cell, to_rgb(ink))
                >= max(contrast(cell, (0, 0, 0)), contrast(cell, (1, 1, 1))) - 1e-9
            )
    assert "black" in inks and "white" in inks


def test_what_rounds_to_0_is_grey(figures):
    show.heatmap([[0.0, 0.004, 0.006, 1.0]], "q", "abcd")
    inks = [text.get_color() for text in figures[0].axes[0].texts]
    assert inks == [show.FAINT, show.FAINT, "black", "white"]
    show.heatmap([[0.0, 0.004]], "q", "ab", vmax=0.004)  # dark, and grey could not be read there
    assert [text.get_color() for text in figures[1].axes[0].texts] == [show.FAINT, "white"]


def test_negative_numbers_are_orange_and_as_dark_as_their_opposites(figures):
    show.heatmap([[-15.0, 0.0, 15.0, 40.0]], "q", "abcd", vmin=-15, vmax=40)
    cells = figures[0].axes[0].collections[0]

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
    assert figures[0].axes[1].get_ylim() == (-15, 40)  # the bar ends where the numbers may


@pytest.mark.parametrize("vmin, middle, vmax", [(0, 0.5, 1), (-40, 0, 40), (-3, -1.5, 0)])
def test_the_colour_bar_goes_from_end_to_end_and_names_the_middle(figures, vmin, middle, vmax):
    show.heatmap([[vmin, vmax]], "q", "ab", vmin=vmin, vmax=vmax)
    bar = figures[0].axes[1]
    assert bar.get_ylim() == (vmin, vmax) and bar.get_yticks().tolist() == [vmin, middle, vmax]


def test_the_numbers_of_the_colour_bar_are_as_large_as_the_tokens(figures):
    for size in show.SIZES:
        show.heatmap([[0.0, 1.0]], "q", "ab", size=size)
        cells, bar = figures[-1].axes
        assert bar.get_yticklabels()[0].get_fontsize() == cells.get_xticklabels()[0].get_fontsize()


def test_the_scale_of_scores_is_kept_where_numbers_lie_beyond_it(figures):
    show.heatmap([[-99.0, 5.0]], "q", "ab", vmin=-1, vmax=9)
    assert figures[0].axes[0].collections[0].get_array().tolist() == [[-1, 5]]
    assert figures[0].axes[0].texts[0].get_text() == "-99.00"


@pytest.mark.parametrize(
    "outline, cells", [((8, 4), [(8, 4)]), ([(8, 4), (0, 0)], [(8, 4), (0, 0)]), ([], [])]
)
def test_the_cell_under_discussion_is_framed(figures, outline, cells):
    show.heatmap(WEIGHTS, TOKENS, TOKENS, outline=outline)
    frames = figures[0].axes[0].patches
    assert [(p.get_y() + 0.5, p.get_x() + 0.5) for p in frames] == cells


def test_a_frame_is_seen_on_pale_and_on_dark(painted, shown):
    show.heatmap([[0.0, 1.0]], "q", "ab", outline=[(0, 0), (0, 1)])
    axes = painted[0].axes[0]
    picture = pixels(shown[0])
    y = picture.shape[0] - int(axes.transData.transform((0, 0.4))[1])
    for column in (0, 1):
        x = int(axes.transData.transform((column + (-0.5 if column == 0 else 0.5), 0))[0])
        around = picture[y, x - 9 : x + 9, :3] / 255
        assert contrast(min(around, key=luminance), max(around, key=luminance)) > 15


@pytest.mark.parametrize("outline", [(8, 11), (-1, 0), (1.0, 2.0), (1, 2, 3), 4, "ab"])
def test_outline_must_name_cells(shown, outline):
    with pytest.raises(ValueError, match=r"outline must be \(row, column\)"):
        show.heatmap(WEIGHTS, TOKENS, TOKENS, outline=outline)
    assert not shown


def test_digits_for_the_back_row(painted):
    names = ["[CLS]", "because", "street", "it"] * 4
    for n in (4, 11, 16):
        show.heatmap(np.eye(n), names[:n], names[:n], size="projector")
        figure = painted[-1]
        box = figure.axes[0].texts[0].get_window_extent()
        slide = min(1280 / figure.bbox.width, 720 / figure.bbox.height)  # when it fills the slide
        figure.axes[0].texts[0].set_text("0")
        digit = figure.axes[0].texts[0].get_tightbbox()
        font = figure.axes[0].texts[0].get_fontsize() * figure.dpi / 72
        assert 0.72 * font * slide >= 16 and digit.width < box.width  # DejaVu's digits: 0.729 em
        cell = figure.axes[0].transData.transform([(0, 0), (1, 1)])
        assert box.width < cell[1, 0] - cell[0, 0] and font < cell[0, 1] - cell[1, 1]
    with pytest.raises(ValueError, match="'page', 'projector'"):
        show.heatmap(np.eye(2), "ab", "ab", size="huge")


def described(shown):
    assert shown[-1]["text/plain"] in shown[-1]["text/html"].replace("&#x27;", "'")
    return shown[-1]["text/plain"]


@pytest.mark.parametrize("layer, head", [(1, 3), (1, 8), (5, 11)])
def test_the_description_tells_each_row_s_largest(said, layer, head):
    weights = CAT["weights"][layer, head]
    show.heatmap(weights, TOKENS, TOKENS)
    text = described(said)
    assert text.startswith("Heatmap, 11 queries by 11 keys. Numbers from 0.00 to ")
    said = re.findall(r"([^,]+?) to ([^,]+) (\d\.\d\d)", text.split("largest: ")[1].replace(", ", ","))
    spoken = [f"i ({i})" if t == "i" else {".": "full stop"}.get(t, t) for i, t in enumerate(TOKENS)]
    for row, (query, key, number) in enumerate(said):
        assert query == spoken[row]
        (column,) = [i for i, name in enumerate(spoken) if name == key]
        assert number == f"{weights[row].max():.2f}" == f"{weights[row, column]:.2f}"
    assert len(said) == 11 and f"to {weights.max():.2f}." in text


def test_the_description_names_all_that_print_the_same(said):
    show.heatmap([[0.334, 0.326, 0.331], [0.2, 0.2, 0.6]], "xy", "abc")
    assert described(said).endswith("largest: x to a, b and c 0.33, y to c 0.60.")
    show.heatmap(np.full((1, 5), 0.2), "x", "abcde")
    assert described(said).endswith("largest: x to 5 keys 0.20.")


def test_the_description_of_scores_tells_both_ends(said):
    raw = al.attention_scores(CAT["q"][1, 3], CAT["k"][1, 3])
    show.heatmap(raw, TOKENS, TOKENS, vmin=-15, vmax=40, outline=[(8, 4), (4, 8)])
    row, column = np.unravel_index(raw.argmin(), raw.shape)
    assert (TOKENS[row], row, TOKENS[column]) == ("i", 6, "her")
    assert f"Smallest: i (6) to her {raw.min():.1f}." in described(said)
    assert f"Largest: [CLS] to [CLS] {raw.max():.1f}." in described(said)
    assert f"keys. Outlined: her to cat {raw[8, 4]:.1f}, cat to her {raw[4, 8]:.1f}." in described(said)


PAD = ["i", "am", "[PAD]", "[PAD]"]


@pytest.mark.parametrize(
    "allowed, names, words",
    [
        (al.causal_mask(4), list("abcd"), "all above the diagonal"),
        (al.padding_mask([2], 4)[0], PAD, "the 2 columns of [PAD]"),
        (al.padding_mask([3], 4)[0], PAD, "the column of [PAD] (3)"),
        (
            al.causal_mask(4) & al.padding_mask([2], 4)[0],
            PAD,
            "all above the diagonal and the 2 columns of [PAD]",
        ),
        ([True, False, True, False], list("abcd"), "the 2 columns of b and d"),
        (~np.eye(4, dtype=bool), list("abcd"), "4 cells of 16"),
    ],
)
def test_the_description_says_what_is_hidden(said, allowed, names, words):
    show.heatmap(np.full((4, 4), 0.5), names, names, allowed=allowed)
    assert f"Hidden: {words}." in described(said)


def test_the_description_never_tells_a_hidden_number(said):
    show.heatmap([[0.9, 0.25]], "x", "ab", allowed=[False, True], outline=(0, 0))
    assert "0.9" not in described(said)
    assert "Outlined: x to a, hidden." in described(said)
    assert described(said).endswith("largest: x to b 0.25.")


def test_nan_is_counted_and_no_largest(shown):
    show.heatmap([[np.nan, np.nan], [np.nan, 0.5]], "xy", "ab")
    assert described(shown).endswith("Not a number: 3 cells. Each row's largest: x to 0 keys, y to b 0.50.")


def test_a_long_table_is_described_by_its_columns(said):
    names = [f"t{i}" for i in range(20)]
    show.heatmap(np.eye(20)[[3] * 15 + [7] * 5], names, names)
    assert described(said).endswith("most often: t3 in 15 rows, t7 in 5 rows.")


def test_allowed_must_broadcast(shown):
    show.heatmap(np.eye(3), "abc", "abc", alt="a", name="n", allowed=[True, True, False])
    with pytest.raises(ValueError, match=r"allowed has shape \(2,\), values \(3, 3\)"):
        show.heatmap(np.eye(3), "abc", "abc", alt="a", name="n", allowed=[True, False])


def test_weights_are_drawn_from_0_to_1_darker_as_they_grow(figures):
    show.heatmap([[0.0, 0.5, 0.9]], "q", "abc", alt="a", name="n")
    cells = figures[0].axes[0].collections[0]
    assert cells.get_clim() == (0, 1)
    lightness = cells.cmap(cells.norm([0.0, 0.25, 0.5, 0.75, 1.0]))[:, :3] @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(lightness) < 0).all()  # readable without colour


def test_a_reader_s_settings_do_not_change_the_picture(shown):
    show.heatmap(np.eye(2), "ab", "ab", alt="a", name="n")
    mine = {"font.size": 20, "figure.facecolor": "black", "image.cmap": "jet"}
    with matplotlib.rc_context({**mine, "text.color": "red", "axes.edgecolor": "red"}):
        show.heatmap(np.eye(2), "ab", "ab", alt="a", name="n")
    assert shown[0] == shown[1]


@pytest.mark.parametrize("collecting", [True, False])
def test_no_figure_is_left_in_memory(shown, collecting):
    before = {id(thing) for thing in gc.get_objects() if isinstance(thing, Figure)}
    try:
        if not collecting:
            gc.disable()
        show.heatmap(np.eye(2), "ab", "ab", alt="a", name="n")
        assert gc.isenabled() == collecting
        assert not [
            thing for thing in gc.get_objects() if isinstance(thing, Figure) and id(thing) not in before
        ]
    finally:
        gc.enable()


def test_values_are_not_changed(shown):
    values = np.array([[0.123, 0.456]])
    show.heatmap(values, "q", "ab", alt="a", name="n", allowed=[True, False])
    show.table(values, "q", "ab")
    assert (values == [[0.123, 0.456]]).all()


def test_lines_differ_in_more_than_colour(figures, shown):
    table = pd.DataFrame({"unscaled": [1.0, 2], "scaled": [2.0, 1]}, index=pd.Index([4, 8], name="d_k"))
    assert show.lines(table.rename_axis("movement", axis=1), alt="two lines", name="n") is None
    axes = figures[0].axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("d_k", "movement")
    assert len({line.get_marker() for line in axes.lines}) == 2
    assert len({line.get_linestyle() for line in axes.lines}) == 2
    assert shown[0]["text/plain"] == "two lines"


def test_lines_keep_the_distances_of_a_wide_index(figures):
    for index, scale in (([4, 16, 64, 512], "log"), ([1, 2, 9], "linear"), ([0, 5, 100], "linear")):
        show.lines(pd.DataFrame({"x": np.arange(len(index))}, index=index))
        axes = figures[-1].axes[0]
        assert axes.get_xscale() == scale
        assert axes.lines[0].get_xdata().tolist() == axes.get_xticks().tolist() == index
        assert [label.get_text() for label in axes.get_xticklabels()] == [str(i) for i in index]
    show.lines(pd.DataFrame({"x": [1, 2, 3]}, index=["few", "some", "many"]))
    assert figures[-1].axes[0].lines[0].get_xdata().tolist() == [0, 1, 2]


def test_lines_are_described_by_their_ends(said):
    table = pd.DataFrame({"a": [0.00206, 0.5, -3.0], "b": [1.0, np.nan, 4096.0]}, index=[4, 16, 64])
    show.lines(table.rename_axis("d_k").rename_axis("movement", axis=1))
    assert described(said) == (
        "Line chart of movement against d_k, 4 to 64. "
        "a: first 0.00206, last -3, largest 0.5 at 16, smallest -3 at 64. "
        "b: first 1, last 4096, largest 4096 at 64, smallest 1 at 4."
    )


def test_a_table_has_the_same_decimals_everywhere():
    table = show.table([[0.45, 0.0, -0.001], [3.8, 4.35, 1]], "xy", "abc")
    numbers = re.findall(r"-?\d[\d.]*", repr(table))
    assert numbers == re.findall(r"<td>(.*?)</td>", table._repr_html_())
    assert numbers == ["0.45", "0.00", "0.00", "3.80", "4.35", "1.00"]
    assert table.to_numpy().tolist() == [[0.45, 0, 0], [3.8, 4.35, 1]]
    assert "4.3500" in repr(show.table([[4.35]], "x", "a", decimals=4))


def test_a_part_of_a_table_prints_like_the_whole():
    table = show.table([[0.5, 0.25], [1, 0]], "xy", "ab", decimals=3)
    for part in (table.iloc[:1], table.T, table[["a"]], table.loc[["y"]]):
        assert set(re.findall(r"\d\.\d+", repr(part))) <= {"0.500", "0.250", "1.000", "0.000"}


def test_rounded_changes_fractions_alone():
    frame = pd.DataFrame(
        {"mean": [4.35678, np.nan, -0.001], "n": [1, 20, 300], "word": ["a", "0.125", "c"]},
        index=pd.Index([0.001, 0.5, 1.0], name="scale"),
    )
    before = frame.copy()
    shown = show.rounded(frame, 1)
    assert [line.split() for line in repr(shown).splitlines()[2:]] == [
        ["0.001", "4.4", "1", "a"],
        ["0.5", "NaN", "20", "0.125"],
        ["1.0", "0.0", "300", "c"],
    ]
    pd.testing.assert_frame_equal(frame, before)
    pd.testing.assert_frame_equal(pd.DataFrame(shown), before)
    assert show.rounded(frame)._decimals == 2 and shown._decimals == 1


def test_a_wide_table_is_printed_in_one_piece():
    names = [f"token number {i}" for i in range(12)]
    lines_ = repr(show.table(np.eye(12), names, names)).splitlines()
    assert len(lines_) == 14 and len(lines_[0]) > 160


def test_headers_of_a_table_are_one_row_and_never_empty():
    for frame, corner in (
        (show.table(np.eye(2), "xy", "ab"), "query\u00a0\\\u00a0key"),
        (show.rounded(pd.DataFrame({"a": [0.5]}, index=pd.Index(["x"], name="d_k"))), "d_k"),
    ):
        page = frame._repr_html_()
        head, body = page.split("<tbody>")
        assert head.count("<tr") == 1
        assert re.findall(r"<th[^>]*>(.*?)</th>", head)[0] == corner
        assert head.count("<th ") == head.count('<th scope="col">')
        assert body.count("<th ") == body.count('<th scope="row">') == len(frame)
        assert "<th></th>" not in page and "<th>" not in page and 'class="dataframe"' in page
    assert "<th></th>" not in show.rounded(pd.DataFrame({"a": [0.5]}))._repr_html_()


def test_heads_are_drawn_each_in_its_place(painted, shown):
    assert show.heads(CAT["weights"], mark=[(1, 3), (5, 11)], name="all") is None
    axes = painted[0].axes[0]
    assert len(axes.images) == 72 and not axes.texts
    for (layer, head), image in zip(np.ndindex(6, 12), axes.images, strict=True):
        left, right, bottom, top = image.get_extent()
        assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx((head, layer))
        assert top < bottom if axes.yaxis_inverted() else top > bottom  # the first query is on top
        assert (np.asarray(image.get_array()) == CAT["weights"][layer, head]).all()
        assert image.get_clim() == (0, 1)
    strong = [p for p in axes.patches if p.get_linewidth() > 2]
    assert [(p.get_y() + p.get_height() / 2, p.get_x() + p.get_width() / 2) for p in strong] == [
        pytest.approx((1, 3)),
        pytest.approx((5, 11)),
    ]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("head →", "← layer")
    assert 850 <= width_on_page(shown[0]) <= 950


def test_heads_are_described_by_where_half_of_their_weight_is(said):
    show.heads(CAT["weights"], mark=(1, 3))
    text = described(said)
    assert text.startswith("72 maps of weights, 6 layers by 12 heads, each 11 queries by 11 keys.")
    assert "Outlined: layer 1 head 3." in text
    weights = CAT["weights"]
    to_first = np.argwhere(weights[..., 0].mean(-1) >= 0.5)
    assert f"on the first key, {len(to_first)} heads (" in text
    for layer in np.unique(to_first[:, 0]):
        assert f"{(to_first[:, 0] == layer).sum()} in layer {layer}" in text
    for word, offset in (("before", -1), ("after", 1)):
        means = np.diagonal(weights, offset, -2, -1).mean(-1)
        ((layer, head),) = np.argwhere(means >= 0.5)
        assert f"on the token {word}, layer {layer} head {head} ({means[layer, head]:.2f})" in text
    assert "on the token itself, no head" in text


@pytest.mark.parametrize(
    "weights, mark, message",
    [
        (np.eye(3), None, r"shape \(layers, heads, Lq, Lk\).*\(3, 3\)"),
        (np.zeros((0, 1, 2, 2)), None, r"none of them 0"),
        (np.zeros((2, 3, 2, 2)), (2, 0), r"mark must be \(layer, head\) of weights.*\(2, 3\)"),
    ],
)
def test_heads_refuses(shown, weights, mark, message):
    with pytest.raises(ValueError, match=message):
        show.heads(weights, mark=mark)
    assert not shown
