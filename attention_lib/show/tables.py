"""Tables of numbers as pandas DataFrames."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.arguments import MOST_DECIMALS, count, list_of_names
from attention_lib.show import checks

if TYPE_CHECKING:
    import pandas as pd


def table(
    values: ArrayLike, queries: Iterable[object], keys: Iterable[object], decimals: int = 2
) -> "pd.DataFrame":
    """A pandas DataFrame of `values` with a row a query and a column a key.

    Shapes: values (Lq, Lk), Lq queries, Lk keys. A token that occurs twice keeps both its rows.
    The values are rounded, and print as `rounded` prints them.

    Raises ValueError if the names do not fit the shape of values, or decimals is not from 0 to 15; TypeError if
    values are not real numbers, queries or keys is not a list, or decimals is not an integer.

    Source: the layout of rows and columns is that of Vaswani et al. 2017, equation 1: QKᵀ.
    """
    import pandas as pd

    queries, keys = list_of_names("queries", queries), list_of_names("keys", keys)
    decimals = count("decimals", decimals, most=MOST_DECIMALS)
    frame = pd.DataFrame(
        np.round(checks.matrix(values, queries, keys), decimals) + 0.0,  # -0.0 + 0.0 is 0.0
        index=pd.Index(queries, name="query", tupleize_cols=False),
        columns=pd.Index(keys, name="key", tupleize_cols=False),
    )
    return rounded(frame, decimals)


def rounded(frame: "pd.DataFrame", decimals: int = 2) -> "pd.DataFrame":
    """The DataFrame `frame`, printed with the same number of decimals everywhere.

    Its values stay as they are, and so does what is not a fraction: integers, strings, the index.
    Up to 20 columns stand side by side, however narrow the page. A part of it prints the same way.

    Raises ValueError if decimals is not from 0 to 15; TypeError if frame is not a DataFrame, or decimals not an
    integer.

    Source: pandas, "Extending pandas": a subclass of DataFrame with `_constructor` and `_metadata`.
    """
    from attention_lib.show.rounded_frame import RoundedFrame

    decimals = count("decimals", decimals, most=MOST_DECIMALS)
    frame = RoundedFrame(checks.frame("frame", frame))
    frame._decimals = decimals
    return frame
