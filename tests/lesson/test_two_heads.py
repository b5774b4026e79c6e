"""The recorded tables of notebook 9 are what its own cells give, with the seed 0 and with other seeds."""

import re

import numpy as np
import pytest

from tests.notebooks.stored import sources

CELLS = {id.removeprefix("nb09-"): source for id, source in sources("09_two_heads_write").items()}
TRAINING = ["setup", "read", "write", "loop", "loss", "knock-answer", "count"]
START = "rng = np.random.default_rng({})"


def rows(cell):
    """The rows of the table in a cell, by their first number."""
    return dict(re.findall(r"^\| (\d+) \| (.+) \|$", CELLS[cell], re.MULTILINE))


def trained(seed):
    """The names that the cells define when the model is trained with a seed."""
    names = {}
    for source in map(CELLS.get, TRAINING):
        exec(source.replace(START.format(0), START.format(seed)), names)
    return names


def weight_after_same_letter(weights, tokens):
    """The mean weight on positions that follow an earlier copy of the position's own letter, in the second half."""
    length = tokens.shape[-1]
    same = tokens[..., :, None] == tokens[..., None, :-1]  # position, earlier position
    after = np.zeros(weights.shape, bool)
    after[..., 1:] = same & np.tri(length, length - 1, -1, dtype=bool)
    return float((weights * after).sum(axis=-1)[..., length // 2 :].mean())


def row(names, losses, matrices, *words):
    """Losses, and where the heads look: in layer 0 at the letter before, in layer 1 after the same letter."""
    tokens = names["tokens"]
    _, (first, second) = names["read"](matrices, tokens)
    letter_before = np.diagonal(first, offset=-1, axis1=-2, axis2=-1).mean()
    weights = letter_before, weight_after_same_letter(second, tokens)
    return " | ".join([*(f"{number:.2f}" for number in (*losses, *weights)), *words])


@pytest.mark.slow
@pytest.mark.release
def test_table_of_other_seeds():
    assert CELLS["loop"].count(START.format(0)) == 1 and len(rows("seeds")) == 5
    for seed, recorded in rows("seeds").items():
        names = trained(seed)
        word, *_ = names["carried_on"](no_letter_twice=True).split()
        losses = map(names["loss_of"], names["models"].values())
        assert row(names, losses, names["matrices"], word) == recorded


@pytest.mark.slow
def test_table_of_three_moments():
    names = trained(0)
    kept = {step: names["kept"][int(step)] for step in ("200", "400", "600")}
    assert rows("moments") == {step: row(names, [names["loss_of"](m)], m) for step, m in kept.items()}
