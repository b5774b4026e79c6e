"""The drawings for the notebooks: the functions of attention_lib/show/drawings/, under one name.

It is not in attention_lib/show/drawings/__init__.py, so that a notebook takes all that it needs from one
place: `from attention_lib import data, drawings, show`.
"""

from attention_lib.show.drawings.dot_products import arrows, spreads, transpose_and_reshape
from attention_lib.show.drawings.heads import cut_and_swap, way_back, word_to_qkv
from attention_lib.show.drawings.masks_and_blocks import block_of_rows, line_up
from attention_lib.show.drawings.overview import STEPS, attention_map
from attention_lib.show.drawings.rotary import turning_pair
from attention_lib.show.drawings.weighted_average import mixture, score_exp_share
from attention_lib.show.drawings.worked_examples import five_steps, row_through_steps, row_times_column

__all__ = [
    "STEPS",
    "arrows",
    "attention_map",
    "block_of_rows",
    "cut_and_swap",
    "five_steps",
    "line_up",
    "mixture",
    "row_through_steps",
    "row_times_column",
    "score_exp_share",
    "spreads",
    "transpose_and_reshape",
    "turning_pair",
    "way_back",
    "word_to_qkv",
]
