"""Wrong arguments of show's functions: an error that names the argument, and nothing is shown."""

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
OF_PICTURES = ["heatmap", "lines", "bars", "heads"]
OF_NUMBERS = [
    ("table", "values"),
    ("heatmap", "values"),
    ("heads", "weights"),
    ("explorer", "q"),
    ("explorer", "k"),
]
BAD = [
    *(
        (function, {name: [["1", "2"]] * 2}, f"{name} must hold real numbers")
        for function, name in OF_NUMBERS
    ),
    *((function, {name: EYE * 1j}, f"{name} must hold real numbers") for function, name in OF_NUMBERS),
    *((function, {"values": np.ma.masked_less(EYE, 1)}, "masked array") for function in ("table", "heatmap")),
    # Names
    ("table", {"keys": "a"}, r"values has shape \(2, 2\), with 2 queries and 1 keys"),
    ("table", {"keys": [["a"], ["b"]]}, "keys must be a list of names"),
    ("heatmap", {"queries": "x"}, r"values has shape \(2, 2\), with 1 queries and 2 keys"),
    ("heatmap", {"queries": 2}, "queries must be a list of names, got int"),
    ("heatmap", {"keys": None}, "keys must be a list of names, got NoneType"),
    ("heatmap", {"axes": ("word",)}, "axes must be two names"),
    ("heatmap", {"axes": "ab"}, "axes must be two names"),
    ("heatmap", {"axes": (1, 2)}, "axes must be two names"),
    ("explorer", {"tokens": 2}, "tokens must be a list of names, got int"),
    ("explorer", {"controls": 3}, "controls must be a list of names, got int"),
    # What is hidden, outlined, or beyond the colours
    ("heatmap", {"allowed": [True] * 3}, r"allowed has shape \(3,\), values \(2, 2\)"),
    ("heatmap", {"allowed": [1, 0]}, "allowed must be boolean, .* got int64"),
    *(
        ("heatmap", {"outline": cell}, r"\(row, column\)")
        for cell in [(2, 0), (-1, 0), (1.0, 0.0), (1, 1, 1)]
    ),
    ("heatmap", {"vmin": 1}, "vmin must be below vmax, .* they are 1 and 1"),
    ("heatmap", {"vmin": 2, "vmax": -2}, "vmin must be below vmax, .* they are 2 and -2"),
    ("heatmap", {"vmax": np.nan}, "vmax must be one finite number: it is nan"),
    ("heatmap", {"vmin": -np.inf}, "vmin must be one finite number"),
    ("heatmap", {"vmin": "low"}, "vmin must hold real numbers, got str"),
    ("heatmap", {"vmin": [0, 1]}, "vmin must be one finite number"),
    ("heatmap", {"values": [[1e308, -1e308]] * 2}, "values, below 1e300"),
    # Tables
    *(
        (function, {"table": [1, 2]}, "table must be a pandas DataFrame, got list")
        for function in ("lines", "bars")
    ),
    *(
        (function, {"table": TABLE[:0]}, "at least one row .* it has shape .0, 2.")
        for function in ("lines", "bars")
    ),
    *((function, {"table": TABLE.astype(str)}, "its column 'a' holds") for function in ("lines", "bars")),
    ("rounded", {"frame": [[1]]}, "frame must be a pandas DataFrame, got list"),
    ("rounded", {"decimals": 1.5}, "decimals must be one integer, got float"),
    ("table", {"decimals": -1}, "decimals must be from 0 to 15, got -1"),
    ("bars", {"decimals": 16}, "decimals must be from 0 to 15, got 16"),
    ("bars", {"vmax": (1, 2, 3)}, "vmax must be one finite number, or one for each of 2 panels"),
    ("bars", {"vmax": (1, np.nan)}, "vmax must be one finite number, or"),
    ("bars", {"vmax": 0}, "vmax must be above 0, where the bars begin"),
    ("bars", {"mark": "z"}, "mark must be a label of the index, x, y"),
    # Heads
    ("heads", {"weights": EYE}, r"shape \(layers, heads, Lq, Lk\).*\(2, 2\)"),
    ("heads", {"weights": np.zeros((0, 1, 2, 2))}, "weights must not be empty"),
    ("heads", {"weights": WEIGHTS * 8}, "weights must be from 0 to 1, .* from 2 to 2"),
    ("heads", {"weights": WEIGHTS - 1}, "weights must be from 0 to 1"),
    # Texts
    *(
        (function, {name: 1}, f"{name} must be a string")
        for function in OF_PICTURES
        for name in ("alt", "name")
    ),
    *(
        (function, {name: " "}, f"{name} must be a string that is not empty")
        for function in OF_PICTURES
        for name in ("alt", "name")
    ),
    ("explorer", {"name": ""}, "name must be a string that is not empty"),
]


@pytest.mark.parametrize("function, changes, message", BAD)
def test_wrong_argument_is_named(shown, function, changes, message):
    with pytest.raises((ValueError, TypeError), match=message):
        getattr(show, function)(**GOOD[function] | changes)
    assert not shown


def test_every_function_has_rows():
    assert {function for function, *_ in BAD} == set(GOOD) == set(show.__all__)
