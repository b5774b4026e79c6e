"""Numbers of a real trained transformer; PROVENANCE.md beside this file says where they come from."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

NAMES = (
    "cat_sentence",
    "pronoun_sentences",
    "padded_batch",
    "word_vectors",
    "layer_one",
    "test_sentences",
    "model",
)


def load(name: str) -> dict[str, NDArray[Any]]:
    """The arrays of one data file by name, read-only.

    `name` is one of `NAMES`; PROVENANCE.md lists each file's arrays and their shapes.

    Raises
    ------
    ValueError
        If there is no file of that name.

    References
    ----------
    sentence-transformers/all-MiniLM-L6-v2, Apache-2.0; see PROVENANCE.md.
    """
    if not isinstance(name, str) or name not in NAMES:
        raise ValueError(f"name must be one of {', '.join(NAMES)}, got {name!r}")
    path = Path(__file__).parent / f"{name}.npz"
    if sys.platform == "emscripten" and not path.exists():
        _fetch(path)
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    for array in arrays.values():
        array.setflags(write=False)
    return arrays


def _fetch(path):
    """Fetches, in a browser, a data file that the package was installed without, and keeps it for the next load.

    publish/live.py puts it beside the packages. A kernel runs in a worker, which may wait for an answer.
    """
    from js import XMLHttpRequest  # type: ignore[import-not-found]
    from pyodide.ffi import JsException  # type: ignore[import-not-found]
    from pyodide_js import lockfileBaseUrl  # type: ignore[import-not-found]

    print(f"Loading {path.name}, 47 MB, from this site ...", flush=True)
    request = XMLHttpRequest.new()
    request.open("GET", f"{lockfileBaseUrl.rstrip('/')}/{path.name}", False)
    request.responseType = "arraybuffer"
    try:
        request.send()
    except JsException as error:  # no server answers
        raise OSError(f"{path.name} could not be loaded: is the site still being served?") from error
    if request.status != 200:
        raise OSError(f"{path.name} could not be loaded: the site answers {request.status}")
    path.write_bytes(request.response.to_bytes())
