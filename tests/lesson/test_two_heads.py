"""The recorded tables of notebook 9 are what its own cells give, with the seed 0 and with other seeds."""

import re

import numpy as np
import pytest

from tests.notebooks.stored import joined, load

NOTEBOOK = "09_two_heads_write"
CELLS = ["setup", "read", "write", "loop", "loss", "knock-answer", "count"]
ROW = re.compile(r"^\| (\d) \| (.+) \|$", re.MULTILINE)
MOMENT = re.compile(r"^\| (\d00) \| (.+) \|$", re.MULTILINE)


def sources():
    return {cell["id"].removeprefix("nb09-"): joined(cell["source"]) for cell in load(NOTEBOOK)["cells"]}


def trained(seed):
    """The names that the cells define when the model is trained with a seed."""
    names, cells = {}, sources()
    start = "rng = np.random.default_rng(0)"
    assert start in cells["loop"]
    cells["loop"] = cells["loop"].replace(start, f"rng = np.random.default_rng({seed})")
    for name in CELLS:
        exec(cells[name], names)
    return names


def weight_on_letter_before(weights):
    """The mean weight that a position gives the one before it; weights (..., L, L)."""
    return float(np.diagonal(weights, offset=-1, axis1=-2, axis2=-1).mean())


def weight_after_same_letter(weights, tokens):
    """The mean weight on positions that follow an earlier copy of the position's own letter, in the second half.

    weights are (..., L, L) and tokens (..., L), with the same leading axes.
    """
    length = tokens.shape[-1]
    same = tokens[..., :, None] == tokens[..., None, :-1]  # position, earlier position
    after = np.zeros(weights.shape, bool)
    after[..., 1:] = same & np.tri(length, length - 1, -1, dtype=bool)
    return float((weights * after).sum(axis=-1)[..., length // 2 :].mean())


def weights_of_heads(names, matrices):
    """Where the heads look: that of layer 0 at the letter before, that of layer 1 after the same letter."""
    tokens = names["tokens"]
    _, (layer_0, layer_1) = names["read"](matrices, tokens)
    return weight_on_letter_before(layer_0), weight_after_same_letter(layer_1, tokens)


def row(numbers, *words):
    return " | ".join([*(f"{number:.2f}" for number in numbers), *words])


def row_of_seed(seed):
    names = trained(seed)
    losses = map(names["loss_of"], names["models"].values())
    words, *_ = names["carried_on"](no_letter_twice=True).split()
    return row([*losses, *weights_of_heads(names, names["matrices"])], words)


@pytest.mark.slow
@pytest.mark.release
def test_table_of_other_seeds():
    stored = dict(ROW.findall(sources()["seeds"]))
    assert len(stored) == 5
    assert stored == {seed: row_of_seed(int(seed)) for seed in stored}


@pytest.mark.slow
def test_table_of_three_moments():
    stored = dict(MOMENT.findall(sources()["moments"]))
    names = trained(0)
    at = {step: names["kept"][int(step)] for step in ("200", "400", "600")}
    assert stored == {
        step: row([names["loss_of"](matrices), *weights_of_heads(names, matrices)])
        for step, matrices in at.items()
    }
