"""The explorer: a table of attention weights, and the script that changes it.

The table is plain HTML and stands alone where scripts are taken out. The page also holds the raw
scores, from which explorer.js makes the weights again whenever a control moves. No kernel is asked.
"""

import base64
import html
import json
import math
from collections.abc import Iterable, Sequence
from importlib.resources import files

import numpy as np
from numpy.typing import ArrayLike

from attention_lib.arguments import count, flag, list_of_names, real_array
from attention_lib.attention import attention_scores, causal_mask, masked_softmax
from attention_lib.show import curves, figures
from attention_lib.show.checks import check_texts
from attention_lib.show.descriptions import told_apart

CONTROLS = ["view", "layer", "head", "query", "scale", "temperature"]
CONTROLS += ["causal", "length", "hide", "show", "maps"]
VIEWS = ("table", "curves")
MAX_TOKENS = 40  # beyond which a page that holds 72 heads would weigh more than 0.6 MB


def explorer(
    q: ArrayLike,
    k: ArrayLike,
    tokens: Iterable[object],
    *,
    controls: Sequence[str] = ("layer", "head", "query", "scale"),
    layer: int = 0,
    head: int = 0,
    query: int = 0,
    causal: bool = False,
    view: str = "table",
    name: str | None = None,
) -> None:
    """Shows the weights of q and k as a table to play with, which needs no kernel once it is there.

    Shapes: q and k (layers, heads, L, d_k), (heads, L, d_k) or (L, d_k), and L tokens. `controls`
    are some of view (a table, or curves from the picked word to those it looks at), layer, head, query
    (the picked row, which a tap on a row or a word changes too), scale, temperature, causal, length
    (how many tokens are real), hide (one key), show (weights or scores) and maps (all heads, small, to
    choose one); layer or head is left out if there is only one. `view`, `layer`, `head`, `query` and
    `causal` say how it starts. Beyond 40 tokens it holds one layer, and says so. Without a control for layer
    or head it holds that one. `name` is its name in the page and in figures/.

    Raises ValueError if q, k and tokens do not fit, scores are not finite, a control or the view is unknown, a
    control is named twice, `layer`, `head` or `query` is not among those given, or `name` is no string or
    empty; TypeError if q or k does not hold real numbers, `tokens` or `controls` is not a list, `layer`, `head`
    or `query` is not an integer, or `causal` is not a bool.

    Source: the weights are those of Vaswani et al. 2017, equation 1; temperature divides the scores once more,
    as in Hinton et al. 2015, arXiv:1503.02531, section 2.
    """
    check_texts(name=name)
    page = Explorer(q, k, tokens, controls, layer, head, query, causal, view)
    text = page.sentence()
    figures.display(lambda: {"text/html": page.page(name), "text/plain": text}, text)


class Explorer:
    """An explorer; raises ValueError or TypeError if an argument does not fit."""

    def __init__(self, q, k, tokens, controls, layer, head, query, causal, view):
        self.tokens = [str(token) for token in list_of_names("tokens", tokens)]
        self.controls = _checked_controls(controls)
        self.scores = _raw_scores(q, k, len(self.tokens))  # (layers, heads, L, L)
        n_layers, n_heads, n_queries, _ = self.scores.shape
        self.layer = count("layer", layer, most=n_layers - 1)
        self.head = count("head", head, most=n_heads - 1)
        self.query = count("query", query, most=n_queries - 1)
        self.causal = bool(flag("causal", causal))
        if not isinstance(view, str) or view not in VIEWS:
            raise ValueError(f"view must be table or curves, got {view!r}")
        self.view = view
        self.d_k = np.shape(q)[-1]
        self.n_axes = np.ndim(q)  # captions name no layer, or no head, if there is no axis of them

    def page(self, name):
        """The explorer as HTML."""
        weights, allowed = self.weights()
        table, settings = _table(weights, allowed, self.tokens, self.caption()), self.settings()
        drawn = curves.of_row(weights[self.query], allowed[self.query], self.tokens, self.query)
        if self.view == "curves":
            table = drawn + table
        elif "view" in self.controls:
            settings["curves"] = drawn  # where a script is taken out, its words go too
        return _page(table, settings, name)

    def weights(self):
        """The weights at the start, (L, L), and where they are allowed."""
        n = len(self.tokens)
        allowed = causal_mask(n) if self.causal else np.ones((n, n), bool)
        scores = self.scores[self.layer, self.head].astype(float)
        return masked_softmax(scores * (1 / math.sqrt(self.d_k)), allowed), allowed

    def holds_one_layer(self):
        """Whether the layers that a control would reach are too many for one page."""
        return "layer" in self.controls and len(self.scores) > 1 and len(self.tokens) > MAX_TOKENS

    def held(self):
        """The layers and the heads that the page holds: those that its controls can reach."""
        n_layers, n_heads = self.scores.shape[:2]
        all_layers = "layer" in self.controls and not self.holds_one_layer()
        layers = list(range(n_layers)) if all_layers else [self.layer]
        heads = list(range(n_heads)) if "head" in self.controls else [self.head]
        return layers, heads

    def settings(self):
        """What explorer.js is told."""
        layers, heads = self.held()
        n_choices = {"layer": len(layers), "head": len(heads)}
        scores = self.scores[np.ix_(layers, heads)].astype("<f4").tobytes()
        return {
            "names": told_apart(self.tokens),
            "d_k": self.d_k,
            "controls": [c for c in self.controls if n_choices.get(c) != 1 and c != "maps"],
            "maps": "maps" in self.controls,
            "layers": layers,
            "heads": heads,
            "start": {
                "layer": layers.index(self.layer),
                "head": heads.index(self.head),
                "query": self.query,
                "causal": int(self.causal),
                "view": VIEWS.index(self.view),
            },
            "scores": f"data:;base64,{base64.b64encode(scores).decode()}",
        }

    def of_layer_and_head(self, form):
        """For a sentence: " of layer 1, head 3", or nothing if q has no axes for them."""
        named = [form.format("layer", self.layer), form.format("head", self.head)][4 - self.n_axes :]
        return f" of {', '.join(named)}" if named else ""

    def caption(self):
        of = self.of_layer_and_head('{0} <span data-is="{0}">{1}</span>')
        text = (
            f'Attention <span data-is="show">weights</span>{of}: a row for each query, a column for each key.'
        )
        if self.holds_one_layer():
            text += f" With {len(self.tokens)} tokens this page holds layer {self.layer} alone."
        return text

    def sentence(self):
        """The explorer in plain text."""
        weights, _ = self.weights()
        row = weights[self.query]
        names = told_apart(self.tokens)
        return (
            f"Attention weights{self.of_layer_and_head('{} {}')}: "
            f"{names[self.query]} looks most at {names[row.argmax()]}, {row.max():.2f}."
        )


def _raw_scores(q, k, n_tokens):
    """Every dot product, (layers, heads, L, L), in float32."""
    # Computed in double precision: then every processor rounds to the same float32, and a stored page
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
    """`controls` as a list, if there are such controls."""
    named = [controls] if isinstance(controls, str) else list_of_names("controls", controls)
    controls = [str(control) for control in named]
    if not set(controls) <= set(CONTROLS) or len(set(controls)) < len(controls):
        raise ValueError(
            f"controls must be some of {', '.join(CONTROLS)}, each once, got {', '.join(controls)}"
        )
    return controls


def _table(weights, allowed, tokens, caption):
    """The table of weights as HTML."""

    def row(i, token):
        cells = [f"{w:.2f}" if may else "hidden" for w, may in zip(weights[i], allowed[i], strict=True)]
        return f'<tr><th scope="row">{html.escape(token)}</th><td>{"</td><td>".join(cells)}</td></tr>'

    keys = "".join(f'<th scope="col">{html.escape(token)}</th>' for token in tokens)
    rows = "\n".join(row(i, token) for i, token in enumerate(tokens))
    return (
        f"<table><caption>{caption}</caption>\n"
        f"<thead><tr><td>query \\ key</td>{keys}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>"
    )


def _page(table, settings, name):
    """The whole page of the explorer as HTML."""
    package = files("attention_lib.show")
    script, style = (
        package.joinpath(f"explorer.{kind}").read_text(encoding="utf-8") for kind in ("js", "css")
    )
    # "<" must not stand in a script's data: a token like "</script>" would end it.
    settings = json.dumps(settings | {"style": style}, ensure_ascii=False).replace("<", "\\u003c")
    figure_id = f' id="{html.escape(name)}"' if name else ""
    # JupyterLab and Notebook 7 take arrow keys for themselves, unless this attribute stands on the
    # element that the key event names: the one that holds the shadow root.
    return (
        f'<figure{figure_id} style="margin: 0; background: none"><div data-lm-suppress-shortcuts="true">{table}\n'
        "<p>Run this cell, and controls appear above the table.</p></div>\n"
        f'<script>(() => {{\n"use strict";\n{script}\n'
        f'explorer(document.currentScript.parentNode.querySelector("figure > div"), {settings});\n'
        "})();</script></figure>"
    )
