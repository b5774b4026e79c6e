"""What `show.explorer` displays: a table of attention weights, and the script that moves it.

The table is plain HTML and stands alone where scripts are taken out. Beside it lie the raw scores;
explorer.js makes the weights from them anew whenever a control moves. No kernel is asked.
"""

import base64
import html
import json
import math
from importlib.resources import files

import numpy as np

from attention_lib.arguments import integer, real_array
from attention_lib.attention import attention_scores, causal_mask, masked_softmax
from attention_lib.show import descriptions as describe

CONTROLS = ("layer", "head", "query", "scale", "temperature", "causal", "length", "hide", "show")
MOST_TOKENS = 32  # beyond which a page that holds every layer would weigh megabytes


def bundle(q, k, tokens, controls, layer, head, query, causal, name):
    """The forms of one explorer as {MIME type: text}; `show.explorer` says what goes in."""
    tokens = [str(token) for token in tokens]
    controls = _checked_controls(controls)
    scores = _raw_scores(q, k, len(tokens))
    layer = _place("layer", layer, len(scores))
    head = _place("head", head, scores.shape[1])
    query = _place("query", query, len(tokens))
    if not isinstance(causal, (bool, np.bool_)):
        raise TypeError(f"causal must be True or False, got {type(causal).__name__}")

    # A page holds what its controls can reach. One thing to choose from is no choice: no control.
    held = {"layer": [layer], "head": [head]}
    one_layer = len(tokens) > MOST_TOKENS and "layer" in controls and len(scores) > 1
    if "layer" in controls and not one_layer:
        held["layer"] = list(range(len(scores)))
    if "head" in controls:
        held["head"] = list(range(scores.shape[1]))
    controls = [control for control in controls if len(held.get(control, "ab")) > 1]

    allowed = causal_mask(len(tokens)) if causal else np.ones((len(tokens), len(tokens)), bool)
    d_k = np.shape(q)[-1]
    weights = masked_softmax(scores[layer, head].astype(float) * (1 / math.sqrt(d_k)), allowed)

    # A head that came without layers or heads beside it has no number to be called by.
    numbered = [("layer", layer), ("head", head)][4 - np.ndim(q) :]
    of = ", ".join(f'{word} <span data-is="{word}">{number}</span>' for word, number in numbered)
    caption = (
        f'Attention <span data-is="show">weights</span>{" of " * bool(of)}{of}: '
        "a row for each query, a column for each key."
    )
    if one_layer:
        caption += f" With {len(tokens)} tokens this page holds layer {layer} alone."
    names = describe.told_apart(tokens)
    given = {
        "names": names,
        "d_k": d_k,
        "controls": controls,
        "layers": held["layer"],
        "heads": held["head"],
        "start": {
            "layer": held["layer"].index(layer),
            "head": held["head"].index(head),
            "query": query,
            "causal": int(causal),
        },
        "scores": _as_text(scores[np.ix_(held["layer"], held["head"])]),
    }
    largest = int(weights[query].argmax())
    return {
        "text/html": _page(_table(weights, allowed, tokens, caption), given, name),
        "image/png": _picture(weights, allowed, tokens),
        "text/plain": (
            f"Attention weights{' of ' * bool(of)}"
            f"{', '.join(f'{word} {number}' for word, number in numbered)}: "
            f"row {names[query]}, largest is {names[largest]} {weights[query, largest]:.2f}."
        ),
    }


def _raw_scores(q, k, n_tokens):
    """Every dot product, (layers, heads, L, L), in float32."""
    # In double precision first: then every processor rounds to the same float32, and a stored page
    # has the same bytes everywhere.
    q, k = real_array("q", q).astype(float), real_array("k", k).astype(float)
    if q.shape != k.shape or q.ndim not in (2, 3, 4) or q.shape[-2] != n_tokens or not q.size:
        raise ValueError(
            "q and k must have one shape, (layers, heads, L, d_k), (heads, L, d_k) or (L, d_k), with "
            f"L tokens: q has shape {q.shape}, k has shape {k.shape}, with {n_tokens} tokens"
        )
    with np.errstate(over="ignore"):
        scores = attention_scores(q, k).astype(np.float32)
    if not np.isfinite(scores).all():
        raise ValueError("q and k must give finite scores in float32, got NaN or infinity")
    return scores.reshape((1,) * (4 - q.ndim) + scores.shape)


def _checked_controls(controls):
    controls = [controls] if isinstance(controls, str) else list(controls)
    if not set(controls) <= set(CONTROLS) or len(set(controls)) < len(controls):
        raise ValueError(
            f"controls must be some of {', '.join(CONTROLS)}, each once, got {', '.join(map(str, controls))}"
        )
    return controls


def _place(name, value, size):
    value = integer(name, value)
    if not 0 <= value < size:
        raise ValueError(f"{name} must be from 0 to {size - 1}, got {value}")
    return value


def _as_text(scores):
    """The bytes of little-endian float32 as a data URI."""
    return "data:;base64," + base64.b64encode(scores.astype("<f4").tobytes()).decode()


def _table(weights, allowed, tokens, caption):
    def row(i, token):
        cells = [f"{w:.2f}" if may else "hidden" for w, may in zip(weights[i], allowed[i], strict=True)]
        return f'<tr><th scope="row">{html.escape(token)}</th><td>{"</td><td>".join(cells)}</td></tr>'

    keys = "".join(f'<th scope="col">{html.escape(token)}</th>' for token in tokens)
    rows = "\n".join(row(i, token) for i, token in enumerate(tokens))
    return (
        f"<table><caption>{caption}</caption>\n"
        f"<thead><tr><td>query \\ key</td>{keys}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>"
    )


def _page(table, given, name):
    package = files("attention_lib.show")
    script, style = (
        package.joinpath(f"explorer.{kind}").read_text(encoding="utf-8") for kind in ("js", "css")
    )
    # "<" must not stand in a script's data: a token like "</script>" would end it.
    given = json.dumps(given | {"style": style}, ensure_ascii=False).replace("<", "\\u003c")
    figure_id = f' id="{html.escape(name)}"' if name else ""
    # JupyterLab and Notebook 7 catch arrow keys before the page does, unless this attribute stands
    # on the very element that the key event names: the one that holds the shadow root.
    return (
        f'<figure{figure_id} style="margin: 0"><div data-lm-suppress-shortcuts="true">{table}\n'
        "<p>Run this cell, and controls appear above the table.</p></div>\n"
        f'<script>(() => {{\n"use strict";\n{script}\n'
        f'explorer(document.currentScript.parentNode.querySelector("figure > div"), {given});\n'
        "})();</script></figure>"
    )


def _picture(weights, allowed, tokens):
    """The start as a PNG in base64, for readers whose viewer takes no HTML."""
    from attention_lib.show import _cells
    from attention_lib.show.figures import png_of

    return png_of(*_cells(weights, tokens, tokens, allowed))[0]
