"""Wrong arguments of show's functions that could be shown all the same: an error that names the argument.

tests/project/test_wrong_inputs.py tries what cannot be shown, except in an explorer.
"""

import numpy as np
import pandas as pd
import pytest

from attention_lib import show

EYE = np.eye(2)
TABLE = pd.DataFrame({"a": [1.0, 2], "b": [3.0, 4]}, index=["x", "y"])
WEIGHTS = np.full((1, 2, 3, 3), 0.25)
GOOD = {
    "table": {"values": EYE, "queries": "xy", "keys": "ab"},
    "rounded": {"frame": TABLE},
    "heatmap": {"values": EYE, "queries": "xy", "keys": "ab"},
    "lines": {"table": TABLE},
    "bars": {"table": TABLE},
    "heads": {"weights": WEIGHTS},
    "explorer": {"q": EYE, "k": EYE, "tokens": "ab"},
}
BAD = [
    ("table", {"values": EYE * 1j}, "values must hold real numbers"),
    ("rounded", {"frame": [[1]]}, "frame must be a pandas DataFrame, got list"),
    ("heatmap", {"axes": "ab"}, "axes must be two names"),
    ("heatmap", {"allowed": [1, 0]}, "allowed must be boolean, .* got int64"),
    ("heatmap", {"outline": (-1, 0)}, r"\(row, column\)"),
    ("heatmap", {"vmin": 1}, "vmin must be below vmax, .* they are 1 and 1"),
    ("heatmap", {"values": [[1e308, -1e308]] * 2}, "values, below 1e300"),
    ("heatmap", {"alt": 1}, "alt must be a string"),
    ("lines", {"table": TABLE.astype(str)}, "its column 'a' holds"),
    ("bars", {"table": TABLE[:0]}, "at least one row .* it has shape .0, 2."),
    ("bars", {"decimals": 16}, "decimals must be from 0 to 15, got 16"),
    ("bars", {"vmax": (1, np.nan)}, "vmax must be one finite number, or one for each of 2 panels"),
    ("bars", {"table": pd.DataFrame([[-5, 1]]), "vmax": (1, 0)}, "above 0, where the bars begin"),
    ("bars", {"mark": "z"}, "mark must be a label of the index, x, y"),
    ("heads", {"weights": WEIGHTS[:0]}, "weights must not be empty"),
    ("heads", {"weights": WEIGHTS * 8}, "weights must be from 0 to 1, .* from 2 to 2"),
    ("explorer", {"tokens": "abc"}, r"q has shape \(2, 2\), k has shape \(2, 2\), with 3 tokens"),
    ("explorer", {"q": EYE * 1e30, "k": EYE * 1e30}, "finite scores"),
    ("explorer", {"view": "rows"}, "view must be table or curves, got 'rows'"),
    ("explorer", {"layer": 1}, "layer must be from 0 to 0, got 1"),
    ("explorer", {"controls": "scale, head"}, "controls must be some of view, .* got scale, head"),
    ("explorer", {"controls": ["scale", "scale"]}, "each once"),
]


@pytest.mark.parametrize("function, changes, message", BAD)
def test_wrong_argument_is_named(shown, function, changes, message):
    with pytest.raises((ValueError, TypeError), match=message):
        getattr(show, function)(**GOOD[function] | changes)
    assert not shown
