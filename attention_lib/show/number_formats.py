"""Numbers as text, for tables, pictures and descriptions."""

import numpy as np


def fixed(value, decimals):
    """`value` with this many decimals, without a minus in front of a zero."""
    return f"{np.round(value, decimals) + 0.0:.{decimals}f}"  # -0.0 + 0.0 is 0.0


def typeset(value, decimals):
    """As `fixed`, with a minus sign instead of a hyphen: for pictures."""
    return fixed(value, decimals).replace("-", "−")


def significant(value):
    """`value` with three significant digits, or with all the digits of its integer part: for pictures."""
    text = f"{value:.0f}" if abs(value) >= 100 else f"{value + 0.0:.3g}"
    return text.replace("-", "−")
