"""The one task whose answer is two numbers and not a function."""

import numbers

import numpy as np

from attention_lib import data
from lesson.check.verdict import Verdict, show

WINNER = (1, 8)
NAMED = {
    (2, 8): (
        "largest-weight",
        "Here the link has the largest weight, but others look at her too. Subtract the mean of their weights.",
    ),
    (2, 9): ("counted-from-one", "This is the best head counted from 1. Count from 0."),
    (0, 2): ("link-reversed", "This head links her to love. Query 7 looks at key 8, and not 8 at 7."),
    (1, 3): ("another-link", "This head links her to cat. Here query 7 and key 8 are asked for."),
}
OTHERS = [1, 2, 3, 4, 5, 6, 9]  # the words without love and her, and the full stop
LOVE, HER = 7, 8


def linking_head(layer: int | None = None, head: int | None = None) -> Verdict:
    """Judges which head links the cat sentence's "love" to "her"; returns the `Verdict`."""
    if layer is None or layer is ... or head is None or head is ...:
        return verdict("not-started", ("Next", "Replace `...` with a layer and a head, both counted from 0."))
    whole = all(isinstance(x, numbers.Integral) and not isinstance(x, bool) for x in (layer, head))
    if not whole or not (0 <= layer < 6 and 0 <= head < 12):
        cause = "A layer is a whole number from 0 to 5, a head one from 0 to 11."
        if isinstance(layer, str) or isinstance(head, str):
            cause += " What is in quotes is a text."
        elif whole and (head, layer) == WINNER:  # an array is neither equal nor different
            cause += " These two are exchanged."
        elif whole and max(layer, head) >= 12:
            cause += " If one number is a position among all 72 heads, n, the layer is n // 12 and the head n % 12."
        return verdict("wrong-type", ("Perhaps", cause))
    place = int(layer), int(head)
    weights = data.load("cat_sentence")["weights"]
    link, rest = weights[:, :, LOVE, HER], weights[:, :, OTHERS, HER].mean(-1)  # (6, 12) each
    selectivity = link - rest
    seen = (
        f"In layer {layer}, head {head}, love gives her {link[place]:.3f}, and the "
        f"others give her {rest[place]:.3f} on average. The selectivity is {selectivity[place]:.3f}."
    )
    if place == WINNER:
        second = f"The next head has {np.sort(selectivity, axis=None)[-2]:.3f}."
        return verdict(None, ("Seen", f"{seen} {second}"), ("Next", "Say in one sentence what it does."))
    id, cause = NAMED.get(place, ("different", "Another head is more selective."))
    question = "For which of the 72 heads is that difference the largest?"
    return verdict(id, ("Seen", seen), ("Perhaps", cause), ("Ask yourself", question))


def verdict(mistake, *lines):
    return show(Verdict("linking_head", mistake is None, mistake, (), lines))
