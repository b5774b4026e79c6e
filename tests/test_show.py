"""Tables keep every token, and every picture reaches its reader with its description."""

import base64
import io

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

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
def figures(monkeypatch, shown):
    """The matplotlib figures behind what was displayed."""
    drawn = []
    draw = FigureCanvasAgg.draw

    def keep(canvas):
        drawn.append(canvas.figure)
        draw(canvas)

    monkeypatch.setattr(FigureCanvasAgg, "draw", keep)
    return drawn


def pixels(bundle):
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(bundle["image/png"]))).convert("RGBA"))


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


def test_alt_is_escaped_in_the_page(shown):
    show.heatmap(np.eye(2), "ab", "ab", alt='a < b & "c"', name="n")
    assert 'alt="a &lt; b &amp; &quot;c&quot;"' in shown[0]["text/html"]


@pytest.mark.parametrize("missing", [{"alt": "", "name": "n"}, {"alt": "a", "name": ""}])
def test_a_picture_without_description_or_name_is_refused(missing, shown):
    with pytest.raises(ValueError, match="alt and name"):
        show.heatmap(np.eye(2), "ab", "ab", **missing)
    with pytest.raises(ValueError, match="alt and name"):
        show.lines(pd.DataFrame({"x": [1]}), **missing)
    assert not shown


def test_the_background_is_opaque_and_white(shown):
    show.heatmap(WEIGHTS, TOKENS, TOKENS, alt="a", name="n")
    picture = pixels(shown[0])
    assert (picture[..., 3] == 255).all()
    assert (picture[0, 0, :3] == 255).all()


def test_axes_say_query_and_key_and_label_every_token(figures):
    show.heatmap(WEIGHTS, TOKENS, TOKENS, alt="a", name="n")
    axes = figures[0].axes[0]
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("query", "key")
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


def test_allowed_must_broadcast(shown):
    show.heatmap(np.eye(3), "abc", "abc", alt="a", name="n", allowed=[True, True, False])
    with pytest.raises(ValueError, match=r"allowed has shape \(2,\), values \(3, 3\)"):
        show.heatmap(np.eye(3), "abc", "abc", alt="a", name="n", allowed=[True, False])


def test_weights_are_drawn_from_0_to_1_darker_as_they_grow(figures):
    show.heatmap([[0.0, 0.5, 0.9]], "q", "abc", alt="a", name="n")
    image = figures[0].axes[0].images[0]
    assert image.get_clim() == (0, 1)
    lightness = image.cmap(image.norm([0.0, 0.25, 0.5, 0.75, 1.0]))[:, :3] @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(lightness) < 0).all()  # readable without colour


def test_a_reader_s_settings_do_not_change_the_picture(shown):
    show.heatmap(np.eye(2), "ab", "ab", alt="a", name="n")
    with matplotlib.rc_context({"font.size": 20, "figure.facecolor": "black", "image.cmap": "jet"}):
        show.heatmap(np.eye(2), "ab", "ab", alt="a", name="n")
    assert shown[0] == shown[1]


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
