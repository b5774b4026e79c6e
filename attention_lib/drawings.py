"""The drawings that a notebook shows once; they are made in `attention_lib.show.drawings`."""

from attention_lib.show.drawings import (
    STEPS,
    arrows,
    attention_map,
    block_of_rows,
    cut_and_swap,
    line_up,
    mixture,
    score_exp_share,
    spreads,
    transpose_and_reshape,
    way_back,
    word_to_qkv,
)

__all__ = [
    "STEPS",
    "arrows",
    "attention_map",
    "block_of_rows",
    "cut_and_swap",
    "line_up",
    "mixture",
    "score_exp_share",
    "spreads",
    "transpose_and_reshape",
    "way_back",
    "word_to_qkv",
]
