"""All mistakes that the checks can name.

To add one, write it into the list where it belongs. Of mistakes that fit alike the first is told first.
"""

from attention_lib.check.mistakes.applying_masks import APPLYING
from attention_lib.check.mistakes.applying_masks import SHOWN_BY_EDGES as MASKS_SHOWN_BY_EDGES
from attention_lib.check.mistakes.attention import ATTENTION
from attention_lib.check.mistakes.building_masks import BUILDING
from attention_lib.check.mistakes.dot_product import DOT_PRODUCT
from attention_lib.check.mistakes.gradients import GRADIENTS
from attention_lib.check.mistakes.heads import HEADS
from attention_lib.check.mistakes.layers import LAYERS
from attention_lib.check.mistakes.mistake import Mistake, mistake
from attention_lib.check.mistakes.scores import SCALES, SCORES
from attention_lib.check.mistakes.softmax import LOWERED, NORMALISED, POWERS
from attention_lib.check.mistakes.softmax import SHOWN_BY_EDGES as SOFTMAX_SHOWN_BY_EDGES
from attention_lib.check.mistakes.today import MERGING, ROTARY

MISTAKES = [
    *(LAYERS + DOT_PRODUCT + SCORES + SCALES),
    *(NORMALISED + POWERS + SOFTMAX_SHOWN_BY_EDGES),
    *(APPLYING + MASKS_SHOWN_BY_EDGES + BUILDING),
    *(ATTENTION + HEADS + LOWERED),
    *(ROTARY + MERGING + GRADIENTS),
]

__all__ = ["MISTAKES", "Mistake", "mistake"]
