"""The map of attention: its tables, its mask, its marked steps."""

import matplotlib
import numpy as np
import pytest

import attention_lib as al
from attention_lib import drawings
from attention_lib.drawings.parts import INK, signed_colours
from tests.drawings.examples import K, Q, V, assert_shaded, dashed_cells, draw
from tests.show.pixels import cells_where, hatched_cells

TITLES = ["1  scores", "2  scale", "3  mask", "4  softmax", "5  times V"]
CAUSAL = al.causal_mask(11)


@pytest.mark.parametrize(
    "mask, told",
    [
        (None, "none hidden. 4: softmax, weights, the largest 0.72 from query 0 x to key 1"),
        (
            np.array([[True, False, True], [True, True, False]]),
            "2 of 6 hidden. 4: softmax, weights, the largest 0.95 from query 0 x to key 2",
        ),
    ],
)
def test_alt_tells_what_attention_computes(mask, told):
    q, k = np.array([[4, 0], [0, 2]]), np.array([[0, -1], [2, 0], [1.5, 1]])
    drawn = draw("attention_map", q=q @ np.eye(2, 4), k=k @ np.eye(2, 4), v=V[:3], tokens="xy", mask=mask)
    assert drawn.alt == (
        "Map of attention. 1: Q (2, 4) times Kᵀ (4, 3) is scores (2, 3) from −2 to 8. "
        f"2: divided by √4, from −1 to 4. 3: mask, {told}. 5: times V (3, 32) is output (2, 32). Marked: scores."
    )
    assert "output\n(2, 32)" in drawn.words()


def test_tables_are_shaded_by_their_numbers():
    named = {name: axes.images[0].get_array() for name, axes in draw("attention_map").tables().items()}
    output, weights = al.scaled_dot_product_attention(Q, K, V)
    for name, numbers in {"Kᵀ": K.T, "Q": Q, "scores": Q @ K.T, "V": V, "output": output}.items():
        assert_shaded(named[name], numbers)
    scaled = signed_colours(al.scaled_scores(Q, K), abs(Q @ K.T).max())  # in the scale of the scores
    assert np.allclose(named["scaled"], scaled) and np.allclose(named["masked"], scaled)
    assert scaled.min() > named["scores"].min()  # so it is paler
    assert np.allclose(named["weights"], matplotlib.colormaps["Blues"](weights.astype(float)))


def test_masked_scores_and_weights_are_hatched_and_negative_scores_have_a_dash():
    hidden, negative = cells_where(~CAUSAL), cells_where(Q @ K.T < 0)
    hatched = {"masked": hidden, "weights": hidden}
    dashed = {"scores": negative, "scaled": negative, "masked": negative - hidden}
    for name, axes in draw("attention_map", mask=CAUSAL).tables().items():
        assert hatched_cells(axes) == hatched.get(name, set()), name
        assert dashed_cells(axes) == dashed.get(name, set()), name


def test_cells_too_small_for_a_dash_have_none():
    drawn = draw("attention_map", q=Q[np.arange(17) % 11], tokens=range(17))
    assert not any(map(dashed_cells, drawn.axes()))


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
    arrows = draw("attention_map", step="mask").arrows()
    assert [arrow.get_edgecolor() == matplotlib.colors.to_rgba(INK) for arrow in arrows].count(True) == 1
    right, down = ((1, 0.5), (0, 0.5)), ((0.5, 0), (0.5, 1))  # from the middle of a side to that of another
    assert sorted((arrow.xy1, arrow.xy2) for arrow in arrows) == [down] * 2 + [right] * 5


def test_arrows_on_a_phone_stay_within_a_band():
    assert len(draw("attention_map", size="phone").arrows()) == 5  # none from scores or from masked


def test_tables_of_all_steps_are_level():
    drawn = draw("attention_map")
    drawn.lay_out()
    boxes = [axes.get_window_extent() for axes in drawn.axes() if axes.get_xlabel()]
    assert len({(round(box.y0), round(box.y1)) for box in boxes}) == 1
