"""All mistakes that the checks can name.

To add one, write it into the list where it belongs. Of mistakes that fit alike, `supersedes` says which one is told;
where it does not, the first in this order.
"""

from lesson.check.mistakes.applying_masks import APPLYING
from lesson.check.mistakes.applying_masks import SHOWN_BY_EXTREMES as MASKS_SHOWN_BY_EXTREMES
from lesson.check.mistakes.attention import ATTENTION
from lesson.check.mistakes.building_masks import BUILDING
from lesson.check.mistakes.dot_product import DOT_PRODUCT
from lesson.check.mistakes.gradients import GRADIENTS
from lesson.check.mistakes.heads import HEADS
from lesson.check.mistakes.layers import LAYERS
from lesson.check.mistakes.llama import ATTEND, INDUCTION, NUCLEUS
from lesson.check.mistakes.mistake import Mistake, mistake
from lesson.check.mistakes.scores import SCALES, SCORES
from lesson.check.mistakes.softmax import LOWERED, NORMALISED, POWERS
from lesson.check.mistakes.softmax import SHOWN_BY_EXTREMES as SOFTMAX_SHOWN_BY_EXTREMES
from lesson.check.mistakes.today import MERGING, ROTARY
from lesson.check.mistakes.writing import NEXT_TOKEN

MISTAKES = [
    *(LAYERS + DOT_PRODUCT + SCORES + SCALES),
    *(NORMALISED + POWERS + SOFTMAX_SHOWN_BY_EXTREMES),
    *(APPLYING + MASKS_SHOWN_BY_EXTREMES + BUILDING),
    *(ATTENTION + HEADS + LOWERED),
    *(ROTARY + MERGING + GRADIENTS),
    *(NEXT_TOKEN + ATTEND + INDUCTION + NUCLEUS),
]

__all__ = ["MISTAKES", "Mistake", "mistake"]
