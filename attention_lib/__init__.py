"""Scaled dot-product attention in NumPy, small enough to read in ten minutes."""

from attention_lib.attention import (
    Attention,
    attention_in_blocks,
    attention_scores,
    causal_mask,
    masked_softmax,
    merge_heads,
    padding_mask,
    scaled_dot_product_attention,
    scaled_scores,
    softmax,
    split_heads,
)

__all__ = [
    "Attention",
    "attention_in_blocks",
    "attention_scores",
    "causal_mask",
    "masked_softmax",
    "merge_heads",
    "padding_mask",
    "scaled_dot_product_attention",
    "scaled_scores",
    "softmax",
    "split_heads",
]
