"""Every picture is drawn from the numbers given, says them in its description, and can be read."""

import inspect
import re
from itertools import groupby

import matplotlib.figure
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.patches import FancyBboxPatch

import attention_lib as al
from attention_lib import data, drawings
from attention_lib.show import canvas as sheet
from attention_lib.show import figures

CAT = data.load("cat_sentence")
TOKENS = list(CAT["tokens"])
Q, K, V = (CAT[name][1, 3] for name in "qkv")
LAYER = data.load("layer_one")
WORD, ADDED = LAYER["x"][8], LAYER["added"][8]
RNG = np.random.default_rng(0)
KEYS = RNG.integers(-3, 4, (6, 5))
STAMPED = 100 * np.arange(4)[:, None] + np.arange(6)
DOTS = {d_k: RNG.normal(0, d_k**0.5, 500) for d_k in (4, 64, 512)}
CORNERS = np.array([[10.0, 0], [0, 10], [0, 2]])
AXES = ["sentence", "head", "query", "key"]
GOOD = {
    "attention_map": ((Q, K, V, TOKENS), {"step": "scores"}),
    "arrows": (([2, 1], [[1, 2], [-1, 2], [-2, 1], [-3, -1]]), {}),
    "transpose_and_reshape": ((KEYS,), {}),
    "spreads": ((DOTS,), {}),
    "score_exp_share": (([2.0, 1.0, -1.0], ["a", "b", "c"]), {}),
    "mixture": (([0.5, 0.3, 0.2], CORNERS, ["x", "y", "z"]), {"others": CORNERS / 3 + 2}),
    "line_up": (((2, 3, 11, 11), (2, 1, 11), AXES), {}),
    "cut_and_swap": ((STAMPED, 2), {}),
    "block_of_rows": ((1024, 512, 64), {}),
    "word_to_qkv": ((WORD, Q[8], K[8], V[8], "her"), {}),
    "way_back": ((CAT["context"][1, :, 8], ADDED, WORD, "her"), {}),
}


class Shown:
    """What was displayed, and the figure behind it."""

    def __init__(self, bundles, figures):
        self.bundles, self.figures = bundles, figures

    def alt(self):
        return self.bundles[-1]["text/plain"]

    def texts(self):
        found = self.figures[-1].findobj(matplotlib.text.Text)
        for axes in self.figures[-1].axes:  # a tick beyond the end of its axis is not drawn
            low, high = axes.get_xlim()
            beyond = [t.label1 for t in axes.xaxis.get_major_ticks() if not low <= t.get_loc() <= high]
            found = [text for text in found if text not in beyond]
        return [text for text in found if text.get_visible() and text.get_text().strip()]

    def words(self):
        return [text.get_text() for text in self.texts()]


def watched(patches):
    """What is displayed from now on, and the figures behind it."""
    shown = Shown([], [])
    make = matplotlib.figure.Figure

    def keep(*args, **options):
        shown.figures.append(make(*args, **options))
        return shown.figures[-1]

    patches.setattr(matplotlib.figure, "Figure", keep)
    patches.setattr(figures, "release", lambda figure: None)
    patches.setattr("IPython.display.display", lambda bundle, raw: shown.bundles.append(bundle))
    return shown


@pytest.fixture
def shown(monkeypatch):
    return watched(monkeypatch)


def draw(picture, /, *args, **options):
    """The picture of that name, of the arguments given, and of the good ones where none are."""
    good, keywords = GOOD[picture]
    return getattr(drawings, picture)(*args, *good[len(args) :], **{**keywords, **options})


def signed(text):
    return text.replace("-", "−")


def test_every_picture_is_tried_here():
    public = {n for n, f in vars(drawings).items() if inspect.isfunction(f)}
    assert {name for name in public if not name.startswith("_")} == set(GOOD)


@pytest.fixture(scope="module", params=GOOD)
def once(request):
    """A picture: its name, what was displayed, and the arguments, copies of the good ones."""
    given = [a.copy() if isinstance(a, np.ndarray) else a for a in GOOD[request.param][0]]
    with pytest.MonkeyPatch.context() as patches:
        shown = watched(patches)
        assert draw(request.param, *given, name="picture") is None
    return request.param, shown, given


def test_a_picture_is_shown_with_its_description(once):
    name, shown, given = once
    (bundle,) = shown.bundles
    description = bundle["text/plain"]
    assert description.endswith(".") and "\n" not in description
    assert bundle["text/html"].startswith('<figure id="picture"') and description in bundle["text/html"]
    assert bundle["image/png"] in bundle["text/html"]
    for before, after in zip(GOOD[name][0], given):
        assert np.array_equal(before, after) or before is after


def test_a_picture_without_a_name_has_no_id(shown):
    draw("arrows")
    draw("arrows", name="two")
    nameless, named = (bundle["text/html"] for bundle in shown.bundles)
    assert nameless == named.replace(' id="two"', "") != named


def test_every_text_can_be_read(once):
    _, shown, _ = once
    page = shown.figures[0].bbox
    boxes = {text: text.get_window_extent() for text in shown.texts()}
    for text, box in boxes.items():
        assert text.get_fontsize() >= 9, text
        linear = [c / 12.92 if c <= 0.04 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(text.get_color())]
        assert 1.05 / (np.dot(linear, [0.2126, 0.7152, 0.0722]) + 0.05) >= 4.5, text
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= page.x1 and box.y1 <= page.y1, text
        inside = box.shrunk(0.9, 0.9)
        assert not any(inside.overlaps(boxes[other]) for other in boxes if other is not text), text


@pytest.mark.parametrize("mask", [None, al.causal_mask(11)])
def test_the_map_says_what_attention_computes(mask, shown):
    draw("attention_map", mask=mask)
    scores = Q @ K.T
    weights = al.scaled_dot_product_attention(Q, K, V, mask).weights
    assert f"scores (11, 11) from {signed(f'{scores.min():.1f}')} to {scores.max():.1f}" in shown.alt()
    assert f"from {signed(f'{scores.min() / 32**0.5:.2f}')} to" in shown.alt()
    assert f"largest {weights.max():.2f} from query {weights.max(axis=1).argmax()}" in shown.alt()
    assert ("none hidden" if mask is None else "55 of 121 hidden") in shown.alt()


def test_the_map_shades_the_numbers_given(shown):
    draw("attention_map")
    shapes = [image.get_array().shape[:2] for image in shown.figures[0].axes[0].images]
    assert shapes == [(11, 32), (32, 11), *[(11, 11)] * 4, (11, 32), (11, 32)]
    weights = shown.figures[0].axes[0].images[5].get_array()
    assert np.allclose(
        weights, matplotlib.colormaps["Blues"](al.softmax(al.scaled_scores(Q, K)).astype(float))
    )
    assert_shaded(shown.figures[0].axes[0].images[2].get_array(), Q @ K.T)
    draw("attention_map", -Q)  # now the farthest score is below 0
    scaled = sheet.two_sided(-Q @ K.T / 32**0.5, abs(Q @ K.T).max())
    assert np.allclose(shown.figures[1].axes[0].images[3].get_array(), scaled)


def assert_shaded(colours, numbers):
    """Bluer than orange where positive, the other way where negative, and darker as they grow."""
    numbers, (red, _, blue) = np.ravel(numbers), colours.reshape(-1, 4).T[:3]
    seen = abs(numbers) > 0.01 * abs(numbers).max()
    assert (np.sign(blue - red)[seen] == np.sign(numbers)[seen]).all()
    for side in (numbers[seen] > 0, numbers[seen] < 0):
        order = abs(numbers[seen][side]).argsort()
        assert (np.diff((red + blue)[seen][side][order]) <= 0).all() and side.any()


def test_the_map_hatches_what_the_mask_hides(shown):
    draw("attention_map", mask=al.causal_mask(11))
    hatched = [patch for patch in shown.figures[0].axes[0].patches if patch.get_hatch()]
    assert len(hatched) == 2 * 55


@pytest.mark.parametrize(
    "step, marked",
    [
        ("mask", {"3  mask"}),
        (("softmax", "values"), {"4  softmax", "5  times V"}),
        ("all", {"1  scores", "2  scale", "3  mask", "4  softmax", "5  times V"}),
    ],
)
def test_the_map_marks_the_step_of_today(step, marked, shown):
    draw("attention_map", step=step)
    titles = [text for text in shown.texts() if re.match(r"\d  ", text.get_text())]
    assert {text.get_text() for text in titles if text.get_weight() == "bold"} == marked
    named = [name for name in drawings.STEPS if step == "all" or name == step or name in step]
    assert shown.alt().endswith(f"Marked: {', '.join(named)}.")
    frames = [patch for patch in shown.figures[0].axes[0].patches if isinstance(patch, FancyBboxPatch)]
    runs = [on for on, _ in groupby(name in named for name in drawings.STEPS)]
    assert [frame.get_visible() for frame in frames] == runs  # one frame round neighbours


def test_the_map_takes_fewer_queries_than_keys_and_no_names(shown):
    draw("attention_map", Q[:4, :5], K[:6, :5], V[:6, :3], None, step="values")
    assert "scores (4, 6)" in shown.alt() and "(4, 3)" in shown.words()


def test_arrows_tell_angle_product_and_sign(shown):
    others = np.array([[3, 4], [-4, 3], [-3, -1]])
    draw("arrows", [3, 4], others)
    cosines = others @ [3, 4] / np.linalg.norm(others, axis=1) / 5
    for axes, b, cosine, sign in zip(
        shown.figures[0].axes, others, cosines, ["positive", "zero", "negative"]
    ):
        angle = round(np.degrees(np.arccos(cosine)))
        assert f"{angle}°" in [text.get_text() for text in axes.texts]
        assert axes.get_xlabel().endswith(signed(f"= {b @ [3, 4]}\n{sign}"))
        assert f"{angle} degrees, dot product {signed(str(b @ [3, 4]))}, {sign}" in shown.alt()


def test_the_arc_lies_between_the_arrows(shown):
    draw("arrows", [-1, 0.5], [[-1, -0.5]])
    arc = next(line for line in shown.figures[0].axes[0].lines if len(line.get_xdata()) == 61)
    assert (arc.get_xdata() < 0).all()  # by the left, where both are, though angles jump there


def cells(shown):
    numbers = [word for word in shown.words() if re.fullmatch(r"−?\d+", word)]
    return [int(word.replace("−", "-")) for word in numbers]


def test_cells_hold_the_keys_their_transpose_and_their_reshape(shown):
    draw("transpose_and_reshape")
    assert cells(shown) == [*KEYS.ravel(), *KEYS.T.ravel(), *KEYS.ravel()]
    letters = [word for word in shown.words() if re.fullmatch("[A-F]", word)]
    assert "".join(letters) == "".join(c * 5 for c in "ABCDEF") + "ABCDEF" * 5 + "".join(
        c * 5 for c in "ABCDEF"
    )
    assert signed(f"reshape is {tuple(KEYS.reshape(5, 6)[:, 0].tolist())}") in shown.alt()


def test_spreads_say_each_deviation_and_share_an_axis_a_row(shown):
    draw("spreads")
    panels = shown.figures[0].axes
    for i, (d_k, dots) in enumerate(DOTS.items()):
        for axes, deviation in [(panels[i], dots.std()), (panels[i + 3], dots.std() / d_k**0.5)]:
            number = f"{deviation:.1f}" if deviation >= 10 else f"{deviation:.2f}"
            assert f"standard deviation {number}" in [text.get_text() for text in axes.texts]
            assert number in shown.alt()
            (line,) = axes.collections[0].get_segments()
            assert np.isclose(np.ptp(line[:, 0]), 2 * deviation)
    assert panels[0].get_xlim()[1] >= max(abs(dots).max() for dots in DOTS.values())  # none falls off
    assert len({axes.get_xlim() for axes in panels[:3]}) == len({axes.get_xlim() for axes in panels[3:]}) == 1


def test_bars_are_as_high_as_their_numbers(shown):
    scores = np.array([1.5, -0.5, 0])
    draw("score_exp_share", scores)
    rows = [scores, np.exp(scores), al.softmax(scores)]
    for axes, values, decimals in zip(shown.figures[0].axes, rows, (1, 2, 3)):
        assert np.allclose([bar.get_height() for bar in axes.patches], values)
        assert [bar.get_hatch() for bar in axes.patches] == ["//" if value < 0 else "" for value in values]
        numbers = [signed(f"{value:.{decimals}f}") for value in values]
        assert [text.get_text() for text in axes.texts] == numbers
        assert all(number in shown.alt() for number in numbers)


def test_the_mixture_is_the_weighted_average(shown):
    shares = np.array([0.25, 0.25, 0.5])
    draw("mixture", shares)
    star = next(line for line in shown.figures[0].axes[0].lines if line.get_marker() == "*")
    assert np.allclose(np.ravel(star.get_data()), shares @ CORNERS)
    assert "output  (2.50, 3.50)" in shown.words() and "output (2.50, 3.50)" in shown.alt()
    assert {"z\nvalue (0, 2)\nweight 0.50", "x\nvalue (10, 0)\nweight 0.25"} <= set(shown.words())


@pytest.mark.parametrize("mask_shape", [(2, 1, 11), (2, 1, 1, 11), (11,), (1, 11, 1), (2, 1, 11, 12), ()])
def test_axes_fit_as_broadcasting_has_it(mask_shape, shown):
    scores_shape = (2, 3, 11, 11)
    draw("line_up", scores_shape, mask_shape)
    try:
        fits = np.broadcast_shapes(scores_shape, mask_shape) == scores_shape
    except ValueError:
        fits = False
    assert ("does not fit" in shown.alt()) != fits
    assert ("✗ does not fit" in shown.words()) != fits
    assert shown.words().count("counts as 1") == 4 - len(mask_shape)
    dashed = [patch for patch in shown.figures[0].axes[0].patches if patch.get_linestyle() == "--"]
    assert len(dashed) == 4 - len(mask_shape)


@pytest.mark.parametrize("n_heads", [2, 3])
def test_cells_hold_the_cut_the_swap_and_the_wrong_reshape(n_heads, shown):
    draw("cut_and_swap", STAMPED, n_heads)
    right, wrong = al.split_heads(STAMPED, n_heads), STAMPED.reshape(n_heads, 4, -1)
    assert cells(shown) == [
        *STAMPED.ravel(),
        *STAMPED.ravel(),  # the cut, token by token
        *np.concatenate([table[head].ravel() for head in range(n_heads) for table in (right, wrong)]),
    ]
    for table in (right, wrong):
        assert ", ".join(str(tuple(map(int, row))) for row in table[0]) in shown.alt()


@pytest.mark.parametrize(
    "sizes, rows", [((1024, 512, 64), 64), ((10, 2000, 4), 4), ((10, 4, 10), 10), ((3, 3, 2), 2)]
)
def test_a_block_counts_its_scores(sizes, rows, shown):
    draw("block_of_rows", *sizes)
    n_queries, n_keys, block = sizes
    part = f"one block: {rows} × {n_keys:,} = {rows * n_keys:,} scores"
    assert part in shown.alt() and any(word.startswith(part) for word in shown.words())
    assert f"{n_queries * n_keys:,} scores, {-(-n_queries // block)} blocks" in shown.alt()


def test_strips_are_shaded_by_the_vectors_given(shown):
    draw("word_to_qkv")
    for image, vector in zip(shown.figures[0].axes[0].images, [WORD, Q[8], K[8], V[8]], strict=True):
        assert_shaded(image.get_array(), vector)
        assert signed(f"from {vector.min():.2f} to {vector.max():.2f}") in shown.alt()
    signs = [line for line in shown.figures[0].axes[0].lines if line.get_marker() == "_"]
    assert [len(line.get_xdata()) for line in signs] == [(vector < 0).sum() for vector in (Q[8], K[8], V[8])]


def test_the_way_back_lays_the_heads_side_by_side(shown):
    contexts = GOOD["way_back"][0][0]
    draw("way_back")
    table, *rows = (image.get_array() for image in shown.figures[0].axes[0].images)
    assert (table.reshape(1, 384, 4) == rows[0]).all()
    # What attention adds, the vector before and their sum, all in one scale.
    reach = max(abs(x).max() for x in (ADDED, WORD, WORD + ADDED))
    for row, vector in zip(rows[1:], (ADDED, WORD, WORD + ADDED), strict=True):
        assert (row[0] == sheet.two_sided(vector, reach)).all()
    assert f"longest of head {np.linalg.norm(contexts, axis=1).argmax()}" in shown.alt()
    for vector in (ADDED, WORD):
        assert signed(f"from {vector.min():.2f} to {vector.max():.2f}") in shown.alt()


BAD = [
    ("attention_map", (Q, K[:, :5]), {}, r"k must .*\(Lk, d_k\), got shape \(11, 5\).*d_k is 32"),
    ("attention_map", (Q, K, V[:4]), {}, r"v must .*got shape \(4, 32\); Lk is 11"),
    ("attention_map", (Q[None],), {}, "q must"),
    ("attention_map", (Q, K, V, TOKENS[:3]), {}, r"tokens must .*got shape \(3,\)"),
    ("attention_map", (), {"mask": al.causal_mask(4)}, r"mask must .*got shape \(4, 4\)"),
    ("attention_map", (), {"mask": np.eye(11)}, "mask must be boolean"),
    ("attention_map", (), {"step": "divide"}, "step must"),
    ("attention_map", (), {"step": ()}, "step must"),
    ("arrows", ([1, 2, 3],), {}, r"a must .*got shape \(3,\)"),
    ("arrows", ([1, 2], [1, 2]), {}, r"others must .*got shape \(2,\)"),
    ("arrows", ([0, 0],), {}, "zero vector"),
    ("arrows", ([1, np.nan],), {}, "finite"),
    ("transpose_and_reshape", (KEYS[0],), {}, r"k must .*got shape \(5,\)"),
    ("transpose_and_reshape", (np.ones((8, 2)),), {}, "at most 7"),
    ("spreads", ({4: np.ones((2, 2))},), {}, r"dots must .*got shape \(2, 2\)"),
    ("spreads", ({},), {}, "dots must"),
    ("score_exp_share", ([1.0, 2.0],), {}, r"keys must .*Lk is 2"),
    ("score_exp_share", ([[1.0, 2.0]],), {}, "scores must"),
    ("mixture", ([0.5, 0.5],), {}, "shares must"),
    ("mixture", ([0.5, 0.3, 0.3],), {}, "add up to 1"),
    ("mixture", ([1.5, -0.5, 0],), {}, "negative"),
    ("mixture", ([1, 0, 0], CORNERS[:2]), {}, r"values must .*got shape \(2, 2\)"),
    ("mixture", ([1, 0, 0], [[10, 0], [0, 10], [5, 5]]), {}, "on one line"),
    ("mixture", ([1, 0, 0], CORNERS, "xy"), {}, "labels must"),
    ("mixture", (), {"others": np.ones((2, 3))}, "others must"),
    ("line_up", ((11, 11), (2, 1, 11), AXES[2:]), {}, "mask_shape"),
    ("line_up", ((2, 3, 11, 11), (11,), AXES[1:]), {}, "names"),
    ("cut_and_swap", (STAMPED, 4), {}, r"stamped \(4, 6\).*got 4"),
    ("cut_and_swap", (STAMPED, 0), {}, "got 0"),
    ("cut_and_swap", (STAMPED[0],), {}, "stamped must"),
    ("block_of_rows", (8, 8, 9), {}, "block must"),
    ("block_of_rows", (8, 0, 4), {}, "n_keys"),
    ("word_to_qkv", (WORD[None],), {}, "x must"),
    ("word_to_qkv", (WORD, Q[8], K[8, :5]), {}, "k must .*d_k is 32"),
    ("way_back", (np.ones((12, 31)),), {}, "added must .*got shape .384,."),
    ("way_back", (CAT["context"][1, :, 8], ADDED, WORD[:32]), {}, "x must .*got shape .32,."),
    ("way_back", (WORD,), {}, "contexts must"),
]


@pytest.mark.parametrize("name, args, options, message", BAD)
def test_a_shape_that_does_not_fit_is_named(name, args, options, message, shown):
    with pytest.raises(ValueError, match=message):
        draw(name, *args, **options)
    assert not shown.bundles
