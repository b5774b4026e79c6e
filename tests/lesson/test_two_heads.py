"""The table of other seeds in notebook 9 is what its own cells give with these seeds."""

import re

import pytest

from lesson import language
from tests.notebooks.stored import joined, load

NOTEBOOK = "09_two_heads_write"
CELLS = ["setup", "read", "write", "loop", "loss", "knock-answer", "count"]
ROW = re.compile(r"^\| (\d) \| (.+) \|$", re.MULTILINE)


def sources():
    return {cell["id"].removeprefix("nb09-"): joined(cell["source"]) for cell in load(NOTEBOOK)["cells"]}


def trained(seed):
    """A row of the table: the losses, where the heads look, and how many words are carried on."""
    names, cells = {}, sources()
    start = "rng = np.random.default_rng(0)"
    assert start in cells["loop"]
    cells["loop"] = cells["loop"].replace(start, f"rng = np.random.default_rng({seed})")
    for name in CELLS:
        exec(cells[name], names)
    _, (layer_0, layer_1) = names["read"](names["matrices"], names["tokens"])
    numbers = [
        *map(names["loss_of"], names["models"].values()),
        language.weight_on_letter_before(layer_0),
        language.weight_after_same_letter(layer_1, names["tokens"]),
    ]
    words, *_ = names["carried_on"](no_letter_twice=True).split()
    return " | ".join([*(f"{number:.2f}" for number in numbers), words])


@pytest.mark.slow
def test_table_of_other_seeds():
    stored = dict(ROW.findall(sources()["seeds"]))
    assert len(stored) == 5
    assert stored == {seed: trained(int(seed)) for seed in stored}
