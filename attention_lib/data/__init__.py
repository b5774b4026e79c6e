"""Numbers of a real trained transformer; PROVENANCE.md beside this file says where they come from."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

NAMES = ["cat_sentence", "pronoun_sentences", "padded_batch", "word_vectors", "layer_one"]
NAMES += ["test_sentences", "model"]


def load(name: str) -> dict[str, NDArray[Any]]:
    """The arrays of one data file by name, read-only.

    `name` is one of `NAMES`; PROVENANCE.md lists each file's arrays and their shapes.

    Raises ValueError if there is no file of that name.

    Source: sentence-transformers/all-MiniLM-L6-v2, Apache-2.0; see PROVENANCE.md.
    """
    if not isinstance(name, str) or name not in NAMES:
        raise ValueError(f"name must be one of {', '.join(NAMES)}, got {name!r}")
    path = Path(__file__).parent / f"{name}.npz"
    if sys.platform == "emscripten" and not path.exists():
        import attention_lib.data._in_a_browser as browser

        browser.fetch(path)
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    for array in arrays.values():
        array.setflags(write=False)
    return arrays
