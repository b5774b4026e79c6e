"""The pictures that one notebook needs once, each drawn from the numbers it is given.

Every function shows its picture with a description computed from the numbers, and returns None. `name`
is the picture's name in the page. A shape that does not fit raises ValueError. The hues are those of
Okabe and Ito; a sign, a hatch or a number says the same without colour.
"""

from itertools import groupby

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.attention import masked_softmax
from attention_lib.show.canvas import (
    BLUE,
    COLOURS,
    INK,
    QUIET,
    RIGHT,
    TINTS,
    WRONG,
    arrow,
    as_vector,
    box,
    canvas,
    cells,
    lattice,
    say,
    short,
    span,
    table,
    two_sided,
)
from attention_lib.show.figures import show_picture

STEPS = ("scores", "scale", "mask", "softmax", "values")


def attention_map(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, tokens=None, *, step, mask=None, name=None
) -> None:
    """Shows attention whole, table by table, with one or several of its five `STEPS`, or "all", marked.

    Shapes: q (Lq, d_k), k (Lk, d_k), v (Lk, d_v); tokens, one a query; mask (Lq, Lk), boolean.
    """
    q, k, v = _arrays(q=(q, "Lq d_k"), k=(k, "Lk d_k"), v=(v, "Lk d_v"))
    marked = STEPS if step == "all" else (step,) if isinstance(step, str) else tuple(step)
    if not marked or not set(marked) <= set(STEPS):
        raise ValueError(f"step must be 'all' or of {', '.join(STEPS)}, got {step!r}")
    tokens = [""] * len(q) if tokens is None else tokens
    allowed = np.ones((len(q), len(k)), bool) if mask is None else np.asarray(mask)
    _arrays(tokens=(range(len(tokens)), f"{len(q)}"), mask=(allowed, f"{len(q)} {len(k)}"))
    if allowed.dtype != bool:
        raise ValueError(f"mask must be boolean, True where a query may attend, got {allowed.dtype}")
    scores, scaled = q @ k.T, q @ k.T / q.shape[1] ** 0.5
    weights = masked_softmax(scaled, allowed)
    output, reach = weights @ v, abs(scores).max()
    hidden = f"{(~allowed).sum()} of {allowed.size}\nhidden" if not allowed.all() else "none hidden"

    def draw(figure):
        import matplotlib
        from matplotlib.patches import FancyBboxPatch

        axes = canvas(figure)
        on = [name in marked for name in STEPS]
        color, weight = [INK if i else QUIET for i in on], ["bold" if i else "normal" for i in on]
        edges = (0.06, 2.71, 4.27, 5.83, 7.52, 9.04)
        for framed, run in groupby(range(5), key=on.__getitem__):
            first, *_, last = [*run] * 2
            place = (edges[first], 0.06), edges[last + 1] - edges[first], 3.28
            round_ = {"boxstyle": "round,pad=0,rounding_size=0.1", "facecolor": "#fff8e6", "lw": 2}
            axes.add_patch(FancyBboxPatch(*place, zorder=-1, visible=framed, **round_))
        titles = ("1  scores", "2  scale", "3  mask", "4  softmax", "5  times V")
        notes = ("", f"÷ √{q.shape[1]}", hidden, "each row\nadds up to 1", "")
        for i, x in enumerate((1.4, 3.65, 5.21, 6.9, 8.48)):
            say(axes, x, 0.26, titles[i], 12, color=color[i], weight=weight[i])
            say(axes, x, 1.35, notes[i], color=color[i])
        for i, x, y, width, height, title, values, colours in [
            (0, 0.62, 1.68, 0.72, 1.1, "Q", q, two_sided(q)),
            (0, 1.54, 0.78, 1.1, 0.64, "Kᵀ", k.T, two_sided(k.T)),
            (0, 1.54, 1.68, 1.1, 1.1, "scores", scores, two_sided(scores)),
            (1, 3.10, 1.68, 1.1, 1.1, "scaled", scaled, two_sided(scaled, reach)),
            (2, 4.66, 1.68, 1.1, 1.1, "masked", scaled, two_sided(scaled, reach)),
            (3, 6.35, 1.68, 1.1, 1.1, "weights", weights, matplotlib.colormaps["Blues"](weights)),
            (4, 8.12, 0.78, 0.72, 0.64, "V", v, two_sided(v)),
            (4, 8.12, 1.68, 0.72, 1.1, "output", output, two_sided(output)),
        ]:
            table(axes, x, y, width, height, colours)
            middle = x + width / 2
            if title in ("Kᵀ", "V"):
                say(axes, middle, y - 0.12, f"{title}  {values.shape}", 9, color=color[i])
                arrow(axes, (middle, 1.45), (middle, 1.65), color=color[i])
                continue
            say(axes, middle, 2.95, title, weight=weight[i], color=color[i])
            say(axes, middle, 3.13, values.shape, 9, color=color[i])
            if title != "Q":
                arrow(axes, (max(1.37, edges[i] - 0.04), 2.23), (x - 0.03, 2.23), color=color[i])
            wide, high = width / len(k), height / len(q)
            for row, column in np.argwhere(~allowed) if title in ("masked", "weights") else ():
                grey = {"facecolor": "#e6e6e6", "edgecolor": "#777777", "hatch": "/////", "lw": 0}
                box(axes, x + column * wide, y + row * high, wide, high, **grey)
        say(axes, 0.1, 1.1, COLOURS, 9, color=QUIET, ha="left")
        for row in (0, len(q) - 1):
            say(axes, 0.58, 1.68 + 1.1 * (row + 0.5) / len(q), tokens[row], 9, ha="right", color=color[0])

    row, column = np.unravel_index(weights.argmax(), weights.shape)
    alt = (
        f"Map of attention. 1: Q {q.shape} times Kᵀ {k.T.shape} is scores {scores.shape} {span(scores)}. "
        f"2: divided by √{q.shape[1]}, {span(scaled)}. 3: mask, {hidden}. 4: softmax, weights, the largest "
        f"{weights.max():.2f} from query {row} {tokens[row]} to key {column}. 5: times V {v.shape} is output "
        f"{output.shape}. Marked: {', '.join(name for name in STEPS if name in marked)}."
    )
    show_picture(draw, (9.1, 3.4), alt.replace("\n", " "), name)


def arrows(a: ArrayLike, others: ArrayLike, *, name=None) -> None:
    """Shows a vector (2,) with each of its partners (n, 2): their angle, and their dot product."""
    a, others = _arrays(a=(a, "2"), others=(others, "n 2"))
    if not a.any() or not others.any(axis=1).all():
        raise ValueError("a and others must not hold a zero vector: it has no direction")
    dots = others @ a
    turns = np.arctan2(a[0] * others[:, 1] - a[1] * others[:, 0], dots)
    signs = [("zero", "positive", "negative")[int(sign)] for sign in np.sign(dots)]
    ends = np.vstack([others, a, [0, 0]])
    reach = np.ptp(ends, axis=0).max()
    (left, low), (right, high) = ends.min(axis=0) - 0.2 * reach, ends.max(axis=0) + 0.2 * reach
    height = 2.2 * (high - low) / (right - left) + 0.8

    def draw(figure):
        panels = figure.subplots(1, len(dots), squeeze=False)[0]
        for axes, b, dot, turn, sign in zip(panels, others, dots, turns, signs):
            axes.set(xlim=(left, right), ylim=(low, high), aspect="equal", xticks=[], yticks=[])
            axes.spines[:].set_visible(False)
            axes.axhline(0, color="#c8c8c8", lw=0.8)
            axes.axvline(0, color="#c8c8c8", lw=0.8)
            for vector, color, letter, dash in [(b, WRONG, "b", "--"), (a, BLUE, "a", "-")]:
                arrow(axes, (0, 0), vector, color=color, lw=2.2, linestyle=dash)
                x, y = vector * (1 + 0.1 * reach / np.linalg.norm(vector))
                say(axes, x, y, letter, 12, weight="bold", color=color)
            arc = np.arctan2(a[1], a[0]) + np.linspace(0, turn, 61)
            axes.plot(0.17 * reach * np.cos(arc), 0.17 * reach * np.sin(arc), color=INK, lw=1.2)
            x, y = 0.29 * reach * np.cos(arc[30]), 0.25 * reach * np.sin(arc[30])
            say(axes, x, y, f"{np.degrees(abs(turn)):.0f}°")
            sums = " + ".join(
                f"{short(x)}·{short(y)}" if y >= 0 else f"{short(x)}·({short(y)})" for x, y in zip(a, b)
            )
            axes.set_title(f"a = {as_vector(a)},  b = {as_vector(b)}", fontsize=10)
            axes.set_xlabel(f"{sums} = {short(dot)}\n{sign}", fontsize=11, weight="bold")

    parts = [
        f"b = {as_vector(b)}, {np.degrees(abs(turn)):.0f} degrees, dot product {short(dot)}, {sign}"
        for b, turn, dot, sign in zip(others, turns, dots, signs)
    ]
    show_picture(
        draw, (2.4 * len(dots), height), f"Arrows: a = {as_vector(a)} with {'; '.join(parts)}.", name
    )


def transpose_and_reshape(k: ArrayLike, *, name=None) -> None:
    """Shows up to 7 keys, k (Lk, d_k), their transpose, which keeps them whole, and their reshape."""
    (k,) = _arrays(k=(k, "Lk d_k"))
    (n, d_k), letters = k.shape, "ABCDEFG"
    if n > len(letters):
        raise ValueError(f"k must hold at most {len(letters)} keys, each has a letter: got shape {k.shape}")
    owners = np.repeat(np.arange(n)[:, None], d_k, axis=1)
    reshaped, torn = k.reshape(d_k, n), owners.reshape(d_k, n)

    def draw(figure):
        axes = canvas(figure)
        for x, title, note, color, values, whose in [
            (0.1, "k", "one key a row", INK, k, owners),
            (0.5 + 0.46 * d_k, "k.T", "✓ one key a column", RIGHT, k.T, owners.T),
            (0.9 + 0.46 * (d_k + n), f"k.reshape({d_k}, {n})", "✗ keys are torn", WRONG, reshaped, torn),
        ]:
            middle = x + 0.23 * values.shape[1]
            say(axes, middle, 0.2, f"{title}  {values.shape}", 11, weight="bold")
            say(axes, middle, 0.45, note, color=color)
            cells(axes, x, 0.68, 0.46, 0.38, values, whose, letters)

    alt = (
        f"Keys {k.shape}, their transpose and their reshape, both {k.T.shape}. Column 0 of the transpose is "
        f"{as_vector(k[0])}, key A. Column 0 of the reshape is {as_vector(reshaped[:, 0])}, from the keys "
        f"{', '.join(letters[i] for i in torn[:, 0])}."
    )
    show_picture(draw, (0.46 * (d_k + 2 * n) + 1, 0.38 * max(n, d_k) + 0.8), alt, name)


def spreads(dots: dict, *, name=None) -> None:
    """Shows how dot products spread, raw and divided by sqrt(d_k). Shapes: dots[d_k] is (n,)."""
    if not dots:
        raise ValueError("dots must hold the dot products of at least one d_k")
    raw = {d_k: _arrays(dots=(values, "n"))[0] for d_k, values in dots.items()}
    scaled = {d_k: values / d_k**0.5 for d_k, values in raw.items()}

    def draw(figure):
        grid = figure.subplots(2, len(raw), squeeze=False)
        for line, arrays, how in zip(grid, (raw, scaled), ("raw", "÷ √d_k")):
            reach = max(abs(values).max() for values in arrays.values())
            line[0].set_ylabel(how, fontsize=12, weight="bold", rotation=0, ha="right", va="center")
            for axes, (d_k, values) in zip(line, arrays.items()):
                counts, *_ = axes.hist(
                    values, np.linspace(-reach, reach, 61), histtype="stepfilled", color="#6aaed6"
                )
                axes.errorbar(values.mean(), 1.15 * counts.max(), xerr=values.std(), color=INK, capsize=4)
                say(axes, 0, 1.33 * counts.max(), f"standard deviation {short(values.std())}")
                axes.set(xlim=(-reach, reach), ylim=(0, 1.5 * counts.max()), yticks=[], title=f"d_k = {d_k}")
                axes.spines[["left", "right", "top"]].set_visible(False)
        figure.supxlabel("dot product. The line reaches one standard deviation to each side", fontsize=10)

    parts = [f"{d_k}: {short(raw[d_k].std())} raw, {short(scaled[d_k].std())} divided" for d_k in raw]
    alt = (
        f"Histograms of dot products, raw and divided by √d_k. Standard deviation at d_k {'; '.join(parts)}."
    )
    show_picture(draw, (3 * len(raw), 4), alt, name)


def score_exp_share(scores: ArrayLike, keys, *, name=None) -> None:
    """Shows a row of scores (Lk,), their exponentials and their shares as bars, one a key."""
    scores, _ = _arrays(scores=(scores, "Lk"), keys=(range(len(keys)), "Lk"))
    powers = np.exp(scores)
    rows = (scores, powers, powers / powers.sum())
    titles = ("score", "exp(score)", f"share = exp(score) / {powers.sum():.2f}")

    def draw(figure):
        for axes, values, title, decimals in zip(figure.subplots(1, 3), rows, titles, (1, 2, 3)):
            colours = np.where(values < 0, TINTS[1], "#6aaed6")
            hatch = np.where(values < 0, "//", "")
            bars = axes.bar(range(len(keys)), values, color=colours, hatch=hatch, edgecolor=INK, width=0.65)
            axes.bar_label(bars, [short(value, decimals) for value in values], padding=3, fontsize=11)
            axes.axhline(0, color=INK, lw=0.8)
            axes.set_title(title, fontsize=12)
            axes.set_xticks(range(len(keys)), keys, fontsize=11)
            axes.set_yticks([])
            axes.tick_params(length=0)
            axes.margins(y=0.2 if values.min() < 0 else 0.12)
            axes.spines[:].set_visible(False)

    parts = [f"{key}: {short(s, 1)}, {p:.2f}, {w:.3f}" for key, s, p, w in zip(keys, *rows)]
    show_picture(draw, (9, 2.9), f"Bars. {'; '.join(titles)}. {'; '.join(parts)}.", name)


def mixture(shares: ArrayLike, values: ArrayLike, labels, *, others=None, name=None) -> None:
    """Shows three values (3, 2) as corners and, inside, the output that `shares` (3,) makes of them.

    Shapes: labels 3 names; others (n, 2), further outputs, are dots.
    """
    others = np.empty((0, 2)) if others is None else _arrays(others=(others, "n 2"))[0]
    shares, values, _ = _arrays(
        shares=(shares, "3"), values=(values, "3 2"), labels=(range(len(labels)), "3")
    )
    if (shares < 0).any() or not np.isclose(shares.sum(), 1):
        raise ValueError(f"shares must not be negative and must add up to 1, got {as_vector(shares)}")
    if np.linalg.matrix_rank(values[1:] - values[0]) < 2:
        raise ValueError(
            f"values must be corners of a triangle, and these lie on one line: {values.tolist()}"
        )
    output, reach = shares @ values, np.ptp(values, axis=0).max()

    def draw(figure):
        from matplotlib.patheffects import withStroke

        axes = figure.add_subplot(aspect="equal")
        axes.fill(*values.T, facecolor="#eef3f8", edgecolor="#8fa3b5")
        axes.plot(*others.T, ".", color="#7f8c99", ms=3, alpha=0.5)
        for share, value, label, marker in zip(shares, values, labels, "os^"):
            axes.plot(*np.transpose([value, output]), color=BLUE, lw=1 + 9 * share, alpha=0.6)
            axes.plot(*value, marker, color=INK, ms=9)
            away = value - values.mean(axis=0)
            x, y = value + 0.08 * reach * away / np.linalg.norm(away)
            sides = {"ha": "left" if away[0] > 0 else "right", "va": "bottom" if away[1] > 0 else "top"}
            say(axes, x, y, f"{label}\nvalue {as_vector(value)}\nweight {share:.2f}", 11, **sides)
        axes.plot(*output, "*", color="#e69f00", ms=20, markeredgecolor=INK)
        x, y = output + 0.06 * reach
        edge = [withStroke(linewidth=4, foreground="white")]
        say(axes, x, y, f"output  {as_vector(output)}", 11, ha="left", weight="bold", path_effects=edge)
        axes.margins(0.4, 0.25)
        axes.axis("off")

    parts = [
        f"{share:.2f} of {label} {as_vector(value)}" for share, label, value in zip(shares, labels, values)
    ]
    alt = f"A triangle of three values. Inside it the output {as_vector(output)}: {', '.join(parts)}. "
    show_picture(draw, (6.4, 4.4), alt + f"Further outputs as dots: {len(others)}.", name)


def line_up(scores_shape, mask_shape, names, *, name=None) -> None:
    """Shows whether a mask's shape fits the scores', lined up from the right; names, one an axis."""
    lacking = len(scores_shape) - len(mask_shape)
    if lacking < 0 or len(names) != len(scores_shape):
        raise ValueError(
            f"names {names} and mask_shape {mask_shape} must fit the axes of scores {scores_shape}"
        )
    meets = ["counts as 1"] * lacking + list(mask_shape)
    fits = [
        "fits" if m == s else "repeats" if m in (1, "counts as 1") else "does not fit"
        for s, m in zip(scores_shape, meets)
    ]
    columns = list(zip(names, scores_shape, meets, fits))

    def draw(figure):
        axes = canvas(figure)
        say(axes, 0.85, 0.77, "scores", 11, weight="bold", ha="right")
        say(axes, 0.85, 1.52, "mask", 11, weight="bold", ha="right")
        for i, (axis, size, other, verdict) in enumerate(columns):
            x, sign, tint = (
                1.05 + 1.6 * i,
                *{"f": ("✓", "#ccece3"), "r": ("↻", "#cce3f0"), "d": ("✗", "#f7dfcc")}[verdict[0]],
            )
            box(axes, x, 0.5, 1.4, 0.54, facecolor="#f4f4f4")
            box(
                axes,
                x,
                1.25,
                1.4,
                0.54,
                facecolor="white" if i < lacking else tint,
                linestyle="--" if i < lacking else "-",
            )
            say(axes, x + 0.7, 0.24, axis, 11)
            say(axes, x + 0.7, 0.77, size, 15)
            say(axes, x + 0.7, 1.52, other, 11 if i < lacking else 15)
            say(axes, x + 0.7, 2.07, f"{sign} {verdict}", 12, weight="bold" if sign == "✗" else "normal")

    parts = [f"{axis}: {size} meets {other}, {verdict}" for axis, size, other, verdict in columns]
    alt = f"The axes of scores and mask lined up from the right. {'; '.join(parts)}."
    show_picture(
        draw,
        (1.1 + 1.6 * len(columns), 2.35),
        alt.replace("meets counts", "meets nothing, which counts"),
        name,
    )


def cut_and_swap(stamped: ArrayLike, n_heads: int, *, name=None) -> None:
    """Shows how a table (L, H d) is split into up to 7 heads, and what a bare reshape makes of it."""
    (stamped,) = _arrays(stamped=(stamped, "L features"))
    length, features = stamped.shape
    if not 1 <= n_heads <= len(TINTS) or features % n_heads:
        raise ValueError(
            f"stamped {stamped.shape} must split into n_heads equal pieces, 1 to 7: got {n_heads}"
        )
    d = features // n_heads
    heads = np.tile(np.arange(features) // d, (length, 1))
    cut, wrong = stamped.reshape(length, n_heads, d), stamped.reshape(n_heads, length, d)
    right, torn = cut.swapaxes(0, 1), heads.reshape(wrong.shape)
    wide, piece, tall = 0.34 * features, 0.34 * d, 0.31 * length
    small = 0.31 * n_heads
    height = max(n_heads * (tall + 0.16), length * (small + 0.12)) - 0.16
    middle = 0.66 + height / 2
    starts = np.cumsum([0.72, wide + 1.2, piece + 1.3, piece + 0.95])

    def draw(figure):
        axes = canvas(figure)
        for x, width, title, color, shape in [
            (starts[0], wide, "stamped", INK, stamped.shape),
            (starts[1], piece, "cut", INK, cut.shape),
            (starts[2], piece, "✓ swap", RIGHT, right.shape),
            (starts[3], piece, "✗ reshape", WRONG, wrong.shape),
        ]:
            say(axes, x + width / 2, 0.2, title, 11, weight="bold", color=color)
            say(axes, x + width / 2, 0.43, shape)
        cells(axes, starts[0], middle - tall / 2, 0.34, 0.31, stamped, heads)
        for token in range(length):
            y = middle - tall / 2 + 0.31 * (token + 0.5)
            say(axes, starts[0] - 0.06, y, f"token {token}", 9, ha="right")
            y = middle + (token - length / 2) * (small + 0.12)
            owners = heads[token].reshape(n_heads, d)
            cells(axes, starts[1], y, 0.34, 0.31, cut[token], owners)
            say(axes, starts[1] - 0.06, y + small / 2, f"token {token}", 9, ha="right")
        for head in range(n_heads):
            own, y = np.full((length, d), head), middle + (head - n_heads / 2) * (tall + 0.16) + 0.08
            for x, values, owners in [(starts[2], right, own), (starts[3], wrong, torn[head])]:
                cells(axes, x, y, 0.34, 0.31, values[head], owners)
                say(axes, x - 0.06, y + tall / 2, f"head {head}", 9, ha="right")
        arrow(axes, (starts[1] - 1.1, middle), (starts[1] - 0.72, middle))
        arrow(axes, (starts[2] - 1.1, middle), (starts[2] - 0.72, middle))
        axes.axvline(starts[3] - 0.72, 0.04, 0.96, color=QUIET, linestyle="--", lw=1)

    alt = (
        f"A table {stamped.shape} is cut into {cut.shape} and swapped into {right.shape}. Head 0 then "
        f"holds a row a token: {', '.join(map(as_vector, right[0]))}. Wrong: a bare reshape, whose head 0 "
        f"holds {', '.join(map(as_vector, wrong[0]))}."
    )
    show_picture(draw, (starts[3] + piece + 0.2, height + 0.85), alt, name)


def block_of_rows(n_queries: int, n_keys: int, block: int, *, name=None) -> None:
    """Shows that a block of queries needs its own rows of scores alone, and gives its own rows of output."""
    if not (1 <= block <= n_queries and n_keys >= 1):
        raise ValueError(
            f"block must be 1 to n_queries, n_keys 1 or more: got {block}, {n_queries}, {n_keys}"
        )
    n_blocks = -(-n_queries // block)
    first = n_blocks // 3 * block
    rows = min(block, n_queries - first)
    place = f"rows {first:,}\nto {first + rows - 1:,}"
    part = f"one block: {rows:,} × {n_keys:,} = {rows * n_keys:,} scores at a time"
    whole = f"whole table: {n_queries:,} × {n_keys:,} = {n_queries * n_keys:,} scores, {n_blocks:,} blocks"
    wide = float(np.clip(2.3 * n_keys / n_queries, 1.2, 3.2))

    def draw(figure):
        axes = canvas(figure)
        y, height = 0.7 + 2.3 * first / n_queries, 2.3 * rows / n_queries
        tables = [
            (1.2, 0.5, "queries", "d_k"),
            (3, wide, "scores", f"{n_keys:,}"),
            (wide + 4.3, 0.5, "output", "d_v"),
        ]
        for x, width, title, columns in tables:
            lattice(axes, x, 0.7, width, 2.3, 1, n_queries / block if n_blocks <= 64 else 1)
            box(axes, x, y, width, height, facecolor="#6aaed6", hatch="////")
            say(axes, x + width / 2, 0.22, title, 11, weight="bold")
            say(axes, x + width / 2, 0.46, f"({n_queries:,}, {columns})")
        for x, end, sign in [(1.75, 2.95, "all keys"), (wide + 3.05, wide + 4.25, "softmax, @ V")]:
            arrow(axes, (x, y + height / 2), (end, y + height / 2))
            say(axes, (x + end) / 2, y + height / 2 - 0.15, sign, 9)
        say(axes, 1.12, y + height / 2, place, ha="right")
        say(axes, 3 + wide / 2, 3.22, part, 11, weight="bold")
        say(axes, 3 + wide / 2, 3.47, whole)

    alt = f"The table of scores with {place} marked. The {whole}; {part}.".replace("\n", " ")
    show_picture(draw, (wide + 5.6, 3.65), alt, name)


def word_to_qkv(x: ArrayLike, q: ArrayLike, k: ArrayLike, v: ArrayLike, word: str, *, name=None) -> None:
    """Shows how a word's vector x (d,) becomes q (d_k,), k (d_k,) and v (d_v,) by three learned tables."""
    x, q, k, v = _arrays(x=(x, "d"), q=(q, "d_k"), k=(k, "d_k"), v=(v, "d_v"))
    rows = [(0.66, "query", "Q", q), (1.66, "key", "K", k), (2.66, "value", "V", v)]

    def draw(figure):
        axes = canvas(figure)
        say(axes, 0.12, 1.32, f"the vector of {word}  {x.shape}", weight="bold", ha="left")
        table(axes, 0.12, 1.5, 2.66, 0.3, two_sided(x[None]))
        for y, role, letter, array in rows:
            arrow(axes, (2.84, 1.65), (4.0, y))
            lattice(axes, 4.08, y - 0.34, 0.3, 0.68, 4, 12)
            say(axes, 4.47, y - 0.1, f"W_{letter}", 11, weight="bold", ha="left")
            say(axes, 4.47, y + 0.11, f"{len(x), len(array)}", 9, ha="left")
            say(axes, 5.58, y - 0.14, f"+ b_{letter}", 9)
            arrow(axes, (5.3, y), (5.85, y))
            say(axes, 5.93, y - 0.3, f"{role}  {array.shape}", weight="bold", ha="left")
            table(axes, 5.93, y - 0.15, 2.95, 0.3, two_sided(array[None]))
            below = 5.93 + 2.95 * (np.flatnonzero(array < 0) + 0.5) / len(array)
            axes.plot(below, np.full(len(below), y), "_", color=INK, ms=5)
        say(axes, 0.12, 2.85, COLOURS + "\ndash: below 0", ha="left")

    parts = [f"W_{letter} gives the {role} {array.shape}, {span(array)}" for _, role, letter, array in rows]
    alt = f"The vector of {word} {x.shape}, {span(x)}, goes through three learned tables: {'; '.join(parts)}."
    show_picture(draw, (9, 3.3), alt, name)


def way_back(contexts: ArrayLike, added: ArrayLike, x: ArrayLike, word: str, *, name=None) -> None:
    """Shows the outputs of all heads for a word (H, d_v), and what they add (H d_v,) to its vector x (H d_v,)."""
    size = str(np.size(contexts))
    contexts, added, x = _arrays(contexts=(contexts, "H d_v"), added=(added, size), x=(x, size))
    n, d = len(contexts), len(x)

    def draw(figure):
        axes, left, wide, middle = canvas(figure), 3.5, 5.35, 6.175
        say(axes, 1.5, 0.2, f"outputs of {n} heads for {word}", weight="bold")
        say(axes, 1.5, 0.42, contexts.shape)
        table(axes, 0.45, 0.55, 2.1, 2.1, two_sided(contexts))
        arrow(axes, (2.62, 0.68), (left - 0.07, 0.68))
        for y, title, sign, row in [
            (0.55, "", "", contexts.reshape(1, -1)),
            (2, "what attention adds", "", added[None]),
            (2.75, f"{word} before", "+", x[None]),
            (3.5, f"{word} after", "=", (added + x)[None]),
        ]:
            say(axes, left, y - 0.13, f"{title}  ({d},)" if title else "", weight="bold", ha="left")
            say(axes, left - 0.25, y + 0.12, sign, 18, weight="bold")
            table(axes, left, y, wide, 0.26, two_sided(row, reach if sign or y == 2 else None))
        say(axes, left, 0.2, f"side by side  ({d},)", weight="bold", ha="left")
        for head in range(n):
            say(axes, 0.4, 0.55 + 2.1 * (head + 0.5) / n, head, 9, ha="right")
            say(axes, left + wide * (head + 0.5) / n, 0.45, head, 9)
            box(axes, left + wide * head / n, 0.55, wide / n, 0.26)
        arrow(axes, (middle, 0.86), (middle, 1.06))
        lattice(axes, middle - 0.3, 1.1, 0.6, 0.6, 12, 12)
        say(axes, middle + 0.42, 1.4, f"W_O  ({d}, {d}) and b_O,\nlearned", ha="left")
        arrow(axes, (middle, 1.74), (middle, 1.94))
        say(axes, left, 4.02, "then: layer norm, feed-forward, next layer", color=QUIET, ha="left")
        say(axes, 0.45, 3.2, COLOURS, ha="left")

    reach = max(abs(row).max() for row in (added, x, added + x))  # one scale for what is summed
    longest = np.linalg.norm(contexts, axis=1).argmax()
    alt = (
        f"The outputs of {n} heads for {word} {contexts.shape}, the longest of head {longest}, side by side "
        f"({d},), go through the learned W_O ({d}, {d}). The result, {span(added)}, is added to the vector of "
        f"{word}, {span(x)}. Then: layer norm, feed-forward, next layer."
    )
    show_picture(draw, (9, 4.2), alt, name)


def _arrays(**given):
    """Arrays of numbers in the shapes given: a digit is a size, a word the same size wherever it stands."""
    sizes, arrays = {}, []
    for name, (value, shape) in given.items():
        array, axes = np.asarray(value, dtype=float), shape.split()
        fits = array.ndim == len(axes) and array.size and np.isfinite(array).all()
        for axis, size in zip(axes, array.shape):
            fits = fits and size == sizes.setdefault(axis, int(axis) if axis.isdigit() else size)
        if not fits:
            known = "".join(f"; {axis} is {sizes[axis]}" for axis in axes if axis in sizes)
            raise ValueError(
                f"{name} must be finite numbers ({', '.join(axes)}), got shape {array.shape}{known}"
            )
        arrays.append(array)
    return arrays
