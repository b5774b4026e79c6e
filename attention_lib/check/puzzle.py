"""The one task whose answer is two numbers and not a function."""

import numbers

import numpy as np

from attention_lib import data
from attention_lib.check.evidence import show
from attention_lib.check.verdict import Verdict, tell

WINNER = (1, 3)
NAMED = {
    (5, 11): (
        "largest-weight",
        "The largest weight is not the answer: this head looks at cat, almost whoever asks.",
    ),
    (2, 4): (
        "counted-from-one",
        "This is the second best, or the best one counted from 1. Count from 0.",
    ),
    (3, 1): (
        "layer-and-head-swapped",
        "This may be the right pair in the wrong order: the layer comes first.",
    ),
}
OTHERS = [1, 2, 3, 5, 6, 7, 9]  # the words without "cat" and "her", and the full stop
HER, CAT = 8, 4


def linking_head(layer: int, head: int) -> Verdict:
    """Judges which head of the cat sentence links "her" to "cat"; returns the `Verdict`."""
    if layer is None or layer is ... or head is None or head is ...:
        text = "Write a layer and a head in the place of `...`, both counted from 0."
        return verdict("not-started", ("Next", text))
    whole = all(isinstance(x, numbers.Integral) and not isinstance(x, bool) for x in (layer, head))
    if not whole or not (0 <= layer < 6 and 0 <= head < 12):
        cause = "A layer is a whole number from 0 to 5, a head one from 0 to 11."
        return verdict("wrong-type", ("Perhaps", cause))
    place = int(layer), int(head)
    weights = data.load("cat_sentence")["weights"]
    her, rest = weights[:, :, HER, CAT], weights[:, :, OTHERS, CAT].mean(-1)  # (6, 12) each
    selectivity = her - rest
    seen = (
        f"In layer {layer}, head {head}, her gives cat {show(her[place])}, and the other words "
        f"give it {show(rest[place])} on average. The selectivity is {selectivity[place]:.2f}."
    )
    if place == WINNER:
        second = f"The next head has {np.sort(selectivity, axis=None)[-2]:.2f}."
        return verdict(
            None, ("Seen", f"{seen} {second}"), ("Next", "Say in one sentence what it does.")
        )
    id, cause = NAMED.get(place, ("different", "Another head is more selective."))
    ask = "For which of the 72 heads is that difference the largest?"
    return verdict(id, ("Seen", seen), ("Perhaps", cause), ("Ask yourself", ask))


def verdict(mistake, *lines):
    return tell(Verdict("linking_head", mistake is None, mistake, (), lines))
