"""Reads a sentence with the model, for the front page; python_worker.js loads this file and calls `run`."""

from attention_lib import model
from attention_lib.show.explorer_page import Explorer

CONTROLS = "layer", "head", "query"
LAYER, HEAD = 1, 3  # those of the explorer above


def run(sentence, show):
    """`show("html", ...)` gets an explorer of all heads, which starts at the word that looks most at a word."""
    read = model.read(sentence)
    of_words = read["weights"][LAYER, HEAD, 1:-1, 1:-1]  # without [CLS] and [SEP]
    query = 1 + int(of_words.max(axis=-1).argmax())
    explorer = Explorer(read["q"], read["k"], read["tokens"], CONTROLS, LAYER, HEAD, query, causal=False)
    show("html", explorer.page("explore_own"))
