"""The types of the public functions. mypy checks this file; it is never run."""

from typing import Any, TypeAlias, assert_type

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import attention_lib as al
from attention_lib import data, learning, model, show, today
from lesson import check

Floats: TypeAlias = NDArray[np.floating]

cat = data.load("cat_sentence")
assert_type(cat, dict[str, NDArray[Any]])
q, k, v = cat["q"], cat["k"], cat["v"]

assert_type(al.softmax([1.0, 2.0]), Floats)  # through the decorator that all functions have
output, weights = al.scaled_dot_product_attention(q, k, v, is_causal=True)
assert_type(output, Floats)
assert_type(today.merge(output, [0.0], output, [0.0]), tuple[Floats, Floats])
matrices = learning.start_layers(27, 32, 2, np.random.default_rng(0))
assert_type(learning.layers_step(matrices, [[0, 1]], [[1, 2]], 1).gradients, dict[str, Floats])
assert_type(model.read("Time flies.", al.scaled_dot_product_attention), dict[str, NDArray[Any]])
assert_type(show.table(weights[0, 0], "ab", "abc"), pd.DataFrame)
assert_type(check.softmax(al.softmax), check.Verdict)
assert_type(check.softmax(al.softmax).mistake, str | None)
