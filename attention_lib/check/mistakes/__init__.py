"""All mistakes that the checks can name.

To add one, write it into the list where it belongs; everything else follows.
"""

from attention_lib.check.mistakes.answers import ATTENTION, HEADS
from attention_lib.check.mistakes.masks import BUILT, HIDING
from attention_lib.check.mistakes.masks import EDGES as MASK_EDGES
from attention_lib.check.mistakes.mistake import Mistake, mistake
from attention_lib.check.mistakes.scores import DOTS, SCALES, SCORES
from attention_lib.check.mistakes.shares import EDGES as SHARE_EDGES
from attention_lib.check.mistakes.shares import NORMALISED, POWERS

MISTAKES = [
    *(DOTS + SCORES + SCALES),
    *(NORMALISED + POWERS + SHARE_EDGES),
    *(HIDING + MASK_EDGES + BUILT),
    *(ATTENTION + HEADS),
]

__all__ = ["MISTAKES", "Mistake", "mistake"]
