"""Numbers as text, for tables, pictures and descriptions."""

import numpy as np


def to_decimals(values, decimals):
    """Rounded to this many decimals, without a minus in front of a zero."""
    with np.errstate(over="ignore"):
        rounded = np.round(values, decimals) + 0.0  # -0.0 + 0.0 is 0.0
    return np.where(
        np.isfinite(rounded), rounded, values
    )  # the largest numbers overflow, and have no decimals


def fixed(value, decimals):
    """`value` with this many decimals."""
    return f"{to_decimals(value, decimals):.{decimals}f}"


def typeset(value, decimals):
    """As `fixed`, with a minus sign instead of a hyphen: for pictures."""
    return fixed(value, decimals).replace("-", "−")


def significant(value):
    """`value` with three significant digits, or with all the digits of its integer part: for pictures."""
    text = f"{value:.0f}" if abs(value) >= 100 else f"{value + 0.0:.3g}"
    return text.replace("-", "−")
