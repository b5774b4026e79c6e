"""Reads a sentence with the model, for the front page; python_worker.js loads this file and calls `run`."""

import numpy as np

from attention_lib import model
from attention_lib.show.explorer_page import MAX_TOKENS, Explorer

CONTROLS = "layer", "head", "query", "view", "maps"
LAYER, HEAD = 1, 3  # those of the explorer above


def run(sentence, show):
    """`show` gets the "html" of an explorer of all heads and a "text" about it, or a text alone."""
    n_words = len(model.tokenize(sentence)) - 2  # without [CLS] and [SEP]
    most = MAX_TOKENS - 2
    if not 1 <= n_words <= most:
        cut = f"The model cuts this into {n_words} tokens."
        show("text", f"{cut} The table takes 1 to {most}: write another sentence.")
        return
    read = model.read(sentence)
    query = row_to_start_with(read["weights"][LAYER, HEAD], read["tokens"])
    explorer = Explorer(
        read["q"], read["k"], read["tokens"], CONTROLS, LAYER, HEAD, query, causal=False, view="curves"
    )
    show("html", explorer.page("explore_own"))
    show("text", "Read. Tap another word below, or choose another of the 72 heads.")


def row_to_start_with(weights, tokens):
    """The row of the word that looks most at another word; row 0 if there is none."""
    is_word = np.array([token.strip("#").isalnum() for token in tokens])
    of_others = weights * np.outer(is_word, is_word) * (1 - np.eye(len(tokens)))
    return int(of_others.max(axis=-1).argmax())
