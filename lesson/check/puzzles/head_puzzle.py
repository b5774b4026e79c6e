"""The one task whose answer is two numbers and not a function."""

import numbers

import numpy as np

from attention_lib import data
from lesson.check.verdict import Verdict, show

WINNER = (1, 1)
NAMED = {
    (2, 4): (
        "largest-weight",
        (
            "This head gives the link the largest weight. But other tokens look at the first i there "
            "too. Count only the words and the full stop, without positions 1 and 6."
        ),
    ),
    (2, 2): ("counted-from-one", "This is the best head counted from 1. Count from 0."),
    (0, 9): (
        "link-reversed",
        "This is the head that links the first i to the second. Query 6 looks at key 1, and not 1 at 6.",
    ),
    (1, 3): (
        "another-link",
        "This is the head that links her to cat. Here query 6 and key 1 are asked for.",
    ),
}
OTHERS = [2, 3, 4, 5, 7, 8, 9]  # the words without the two "i", and the full stop
SECOND, FIRST = 6, 1


def linking_head(layer: int, head: int) -> Verdict:
    """Judges which head links the cat sentence's second "i" to the first; returns the `Verdict`."""
    if layer is None or layer is ... or head is None or head is ...:
        text = "Replace `...` with a layer and a head, both counted from 0."
        return verdict("not-started", ("Next", text))
    whole = all(isinstance(x, numbers.Integral) and not isinstance(x, bool) for x in (layer, head))
    if not whole or not (0 <= layer < 6 and 0 <= head < 12):
        cause = "A layer is a whole number from 0 to 5, a head one from 0 to 11."
        if isinstance(layer, str) or isinstance(head, str):
            cause += " What is in quotes is a text."
        return verdict("wrong-type", ("Perhaps", cause))
    place = int(layer), int(head)
    weights = data.load("cat_sentence")["weights"]
    link, rest = weights[:, :, SECOND, FIRST], weights[:, :, OTHERS, FIRST].mean(-1)  # (6, 12) each
    selectivity = link - rest
    seen = (
        f"In layer {layer}, head {head}, the second i gives the first {link[place]:.3f}, and the "
        f"others give it {rest[place]:.3f} on average. The selectivity is {selectivity[place]:.3f}."
    )
    if place == WINNER:
        second = f"The next head has {np.sort(selectivity, axis=None)[-2]:.3f}."
        return verdict(None, ("Seen", f"{seen} {second}"), ("Next", "Say in one sentence what it does."))
    id, cause = NAMED.get(place, ("different", "Another head is more selective."))
    ask = "For which of the 72 heads is that difference the largest?"
    return verdict(id, ("Seen", seen), ("Perhaps", cause), ("Ask yourself", ask))


def verdict(mistake, *lines):
    return show(Verdict("linking_head", mistake is None, mistake, (), lines))
