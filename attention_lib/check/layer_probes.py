"""What multi_head and project are called with: vectors, and tables that are square or not.

A table that should have been transposed, or left alone, gives no error where it is square. So some
tables are square, and the others say by their sizes which is which.
"""

import numpy as np

from attention_lib.check.probes import draw, probe


def table(seed, *shape):
    """Numbers so small that a product with it is no longer than the vectors were."""
    return np.round(0.8 * draw(seed, *shape) / shape[0] ** 0.5, 2)


def bias(seed, size):
    return np.round(0.5 * draw(seed, size), 2)


def layer(*leading, length, d_model, heads, d_k, d_v=None):
    """x, the eight tables of a layer, and its number of heads."""
    widths = {"q": heads * d_k, "k": heads * d_k, "v": heads * (d_v or d_k)}
    tables = {}
    for i, (name, width) in enumerate(widths.items(), start=30):
        tables |= {f"w_{name}": table(i, d_model, width), f"b_{name}": bias(10 + i, width)}
    tables |= {"w_o": table(33, widths["v"], d_model), "b_o": bias(43, d_model)}
    return draw(50, *leading, length, d_model), tables, heads


def vectors_and_tables():
    uneven = {"length": 5, "d_model": 6, "heads": 2, "d_k": 4, "d_v": 7}
    square = {"length": 4, "d_model": 6, "heads": 3, "d_k": 2}
    x, *tables_and_heads = layer(**square)
    return [
        probe("unequal sizes", *layer(**uneven)),
        probe("square tables", *layer(**square)),
        probe("square tables and a batch", *layer(2, length=5, d_model=12, heads=4, d_k=3)),
        probe("a batch", *layer(3, **uneven)),
        probe("two axes in front", *layer(2, 3, length=4, d_model=10, heads=2, d_k=3, d_v=5)),
        probe("one head", *layer(length=5, d_model=4, heads=1, d_k=4)),
        probe("as many tokens as numbers in a value", *layer(length=4, d_model=8, heads=2, d_k=4)),
        probe("sizes all equal", *layer(3, length=3, d_model=9, heads=3, d_k=3)),
        probe("one token", *layer(length=1, d_model=6, heads=2, d_k=3)),
        probe("one sentence", *layer(1, **square)),
        probe("longer vectors", *layer(length=9, d_model=24, heads=4, d_k=6)),
        probe("whole numbers", np.sign(x).astype(int), *tables_and_heads),
    ]


def vectors_and_a_table():
    def arguments(*leading, length, d_in, heads, d):
        x = draw(60, *leading, length, d_in)
        return x, table(61, d_in, heads * d), bias(62, heads * d), heads

    square = {"length": 4, "d_in": 6, "heads": 3, "d": 2}
    x, w, b, heads = arguments(**square)
    return [
        probe("unequal sizes", *arguments(length=5, d_in=6, heads=2, d=4)),
        probe("a square table", x, w, b, heads),
        probe("one head", *arguments(length=5, d_in=3, heads=1, d=4)),
        probe("as many heads as tokens", *arguments(length=3, d_in=5, heads=3, d=4)),
        probe("one number a head", *arguments(length=4, d_in=5, heads=6, d=1)),
        probe("one token", *arguments(length=1, d_in=6, heads=2, d=4)),
        probe("a batch", *arguments(3, length=5, d_in=8, heads=4, d=2)),
        probe("one sentence", *arguments(1, **square)),
        probe("two axes in front", *arguments(2, 3, length=5, d_in=6, heads=4, d=2)),
        probe("sizes all equal", *arguments(3, length=3, d_in=9, heads=3, d=3)),
        probe("whole numbers", np.sign(x).astype(int), w, b, heads),
    ]
