"""All mistakes that the checks can name.

To add one, write it into the list where it belongs; everything else follows.
"""

from attention_lib.check.mistakes.answers import ATTENTION, HEADS
from attention_lib.check.mistakes.dots import DOTS
from attention_lib.check.mistakes.hiding import EDGES as HIDING_EDGES
from attention_lib.check.mistakes.hiding import HIDING
from attention_lib.check.mistakes.layers import LAYERS
from attention_lib.check.mistakes.masks import BUILT
from attention_lib.check.mistakes.mistake import Mistake, mistake
from attention_lib.check.mistakes.scores import SCALES, SCORES
from attention_lib.check.mistakes.shares import EDGES as SHARE_EDGES
from attention_lib.check.mistakes.shares import NORMALISED, POWERS

MISTAKES = [
    *(DOTS + SCORES + SCALES),
    *(NORMALISED + POWERS + SHARE_EDGES),
    *(HIDING + HIDING_EDGES + BUILT),
    *(ATTENTION + HEADS + LAYERS),
]

__all__ = ["MISTAKES", "Mistake", "mistake"]
