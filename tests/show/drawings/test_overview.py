"""The map of attention: its tables, its mask, its marked steps."""

import re

import matplotlib
import numpy as np
import pytest

import attention_lib as al
from attention_lib import drawings
from attention_lib.show.drawings.parts import INK, signed_colours
from tests.show.drawings.examples import TOKENS, K, Q, V, assert_shaded, draw, signed

TITLES = ["1  scores", "2  scale", "3  mask", "4  softmax", "5  times V"]


@pytest.mark.parametrize("mask", [None, al.causal_mask(11)])
def test_alt_tells_what_attention_computes(mask):
    q, tokens = Q[::-1], TOKENS[::-1]  # so that the largest weight is not on the diagonal
    alt = draw("attention_map", q, K, V, tokens, mask=mask).alt
    scores = q @ K.T
    weights = al.scaled_dot_product_attention(q, K, V, mask).weights
    assert f"scores (11, 11) from {signed(f'{scores.min():.1f}')} to {scores.max():.1f}" in alt
    assert f"from {signed(f'{scores.min() / 32**0.5:.2f}')} to" in alt
    row, column = np.unravel_index(weights.argmax(), weights.shape)
    assert f"largest {weights.max():.2f} from query {row} {tokens[row]} to key {column}" in alt
    assert ("none hidden" if mask is None else "55 of 121 hidden") in alt


def test_tables_are_shaded_by_their_numbers():
    drawn = draw("attention_map")
    named = {}
    for axes in drawn.axes():
        if axes.images:
            name = re.match(r"\w+", axes.get_xlabel() or axes.get_title())[0]
            named[name] = axes.images[0].get_array()
    output, weights = al.scaled_dot_product_attention(Q, K, V)
    for name, numbers in {"Kᵀ": K.T, "Q": Q, "scores": Q @ K.T, "V": V, "output": output}.items():
        assert_shaded(named[name], numbers)
    scaled = signed_colours(al.scaled_scores(Q, K), abs(Q @ K.T).max())  # in the scale of the scores
    assert np.allclose(named["scaled"], scaled) and np.allclose(named["masked"], scaled)
    assert scaled.min() > named["scores"].min()  # so it is paler
    assert np.allclose(named["weights"], matplotlib.colormaps["Blues"](weights.astype(float)))


def test_hidden_cells_are_hatched_in_masked_scores_and_weights():
    mask = al.causal_mask(11)
    drawn = draw("attention_map", mask=mask)
    for axes in drawn.axes():
        hatched = {(round(p.get_y() + 0.5), round(p.get_x() + 0.5)) for p in axes.patches if p.get_hatch()}
        has_mask = axes.get_xlabel().startswith(("masked", "weights"))
        assert hatched == ({(int(i), int(j)) for i, j in np.argwhere(~mask)} if has_mask else set())


def test_negative_scores_have_a_dash():
    mask = al.causal_mask(11)
    scores = Q @ K.T
    expected = {"scores": scores < 0, "scaled": scores < 0, "masked": (scores < 0) & mask}
    dashes = {}
    for axes in draw("attention_map", mask=mask).axes():
        for line in axes.lines:
            if line.get_marker() == "_":
                dashes[axes.get_xlabel()[:6]] = set(zip(line.get_ydata(), line.get_xdata()))
    assert dashes == {name: set(zip(*np.nonzero(cells))) for name, cells in expected.items()}


def test_cells_too_small_for_a_dash_have_none():
    drawn = draw("attention_map", Q[np.arange(17) % 11], K, V, None)
    assert not any(line.get_marker() == "_" for axes in drawn.axes() for line in axes.lines)


@pytest.mark.parametrize(
    "step, marked", [("mask", [2]), (("softmax", "values"), [3, 4]), ("all", [0, 1, 2, 3, 4])]
)
def test_marked_steps_are_bold_and_framed(step, marked):
    drawn = draw("attention_map", step=step)
    panels = drawn.figure.subfigs
    assert [panel.get_suptitle() for panel in panels] == TITLES
    bold = [i for i, panel in enumerate(panels) if panel._suptitle.get_fontweight() == "bold"]
    framed = [i for i, panel in enumerate(panels) if panel.patch.get_linewidth()]
    assert bold == framed == marked
    assert drawn.alt.endswith(f"Marked: {', '.join(drawings.STEPS[i] for i in marked)}.")


def test_arrow_to_a_marked_step_is_dark():
    arrows = draw("attention_map", step="mask").figure.findobj(matplotlib.patches.ConnectionPatch)
    dark = [arrow for arrow in arrows if arrow.get_edgecolor() == matplotlib.colors.to_rgba(INK)]
    assert len(arrows) == 7 and len(dark) == 1
    right, down = ((1, 0.5), (0, 0.5)), ((0.5, 0), (0.5, 1))  # from the middle of a side to that of another
    assert sorted((arrow.xy1, arrow.xy2) for arrow in arrows) == [down] * 2 + [right] * 5


def test_arrows_on_a_phone_stay_within_a_band():
    arrows = draw("attention_map", size="phone").figure.findobj(matplotlib.patches.ConnectionPatch)
    assert len(arrows) == 5  # not from scores to scaled, nor from masked to weights


def test_tables_of_all_steps_are_level():
    axes = [axes for axes in draw("attention_map").axes() if axes.get_xlabel()]
    assert len({(round(a.get_window_extent().y0), round(a.get_window_extent().y1)) for a in axes}) == 1


def test_fewer_queries_than_keys_and_no_tokens():
    drawn = draw("attention_map", Q[:4, :5], K[:6, :5], V[:6, :3], None, step="values")
    assert "scores (4, 6)" in drawn.alt and "output\n(4, 3)" in drawn.words()
