"""The model of this series in NumPy: from a sentence to what all 72 heads do with it.

It runs on any attention function: the library's, or one's own. Its parameters are in `data/model.npz`,
rounded to float16, so attention weights are within 0.002 of the original's. The file is loaded when a
sentence first needs it.

Sources: "Devlin" is Devlin et al. 2018, BERT, arXiv:1810.04805; data/PROVENANCE.md for the numbers.
"""

import math
import re
import string
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attention_lib import arguments, data
from attention_lib.attention import merge_heads, scaled_dot_product_attention, split_heads

N_LAYERS, N_HEADS = 6, 12
LONGEST_WORD = 100  # characters; a longer word is [UNK]
LONGEST = 512  # tokens: the model has this many position vectors
GELU_ROWS = 32  # rows at a time, so that all steps of GELU stay in the processor's cache
MARKERS = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")
# The Unicode blocks in which the model's tokenizer makes each character a word.
CHINESE = re.compile(
    "([\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b73f"
    "\U0002b740-\U0002b81f\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f])"
)


def tokenize(sentence: str) -> list[str]:
    """The model's own tokens of a sentence, with [CLS] before and [SEP] after them.

    Words are lower-cased and lose their accents; punctuation and Chinese characters stand alone. A word is
    cut into the longest pieces that the vocabulary has, from the left; `##` marks a piece that goes on. A
    marker typed as such, "[MASK]", stays one token.

    Raises TypeError if sentence is not a string.

    Source: WordPiece: Devlin, section 3; the cutting is Wu et al. 2016, arXiv:1609.08144, section 4.1.
    Characters that Unicode has gained since 2015 may be classed otherwise here than by the model's original
    tokenizer.
    """
    arguments.string("sentence", sentence)
    tokens = ["[CLS]"]
    for part in MARKERS.split(sentence):
        if MARKERS.fullmatch(part):
            tokens.append(part)
        else:
            tokens += [piece for word in _words(part) for piece in _pieces(word)]
    return [*tokens, "[SEP]"]


def read(
    sentence: str, attention: Callable[..., Any] = scaled_dot_product_attention
) -> dict[str, NDArray[Any]]:
    """What every head computes for one sentence, with the names of `data.load("cat_sentence")`.

    Shapes: with L tokens, `q`, `k`, `v` and `context` (6, 12, L, 32), `weights` (6, 12, L, L), `tokens` (L,).
    `attention` is called once a layer, as attention(q, k, v, mask) with q, k, v (1, 12, L, 32) and a
    boolean mask (1, 1, 1, L), True where a token is real. It returns output and weights.

    Raises TypeError if sentence is not a string, or attention is not a function or does not return two arrays;
    ValueError if sentence has more than 512 tokens, or attention returns other shapes.

    Source: Devlin, section 3.
    """
    tokens = tokenize(sentence)
    layers: list[tuple[NDArray[np.float32], ...]] = []
    _run([tokens], attention, layers.append)
    arrays = {"sentence": np.array(sentence), "tokens": np.array(tokens)}
    for name, parts in zip(("q", "k", "v", "weights", "context"), zip(*layers, strict=True), strict=True):
        arrays[name] = np.concatenate(parts)  # parts are (1, ...): joined, a layer each
    return arrays | {"about": _load()["about"]}


def embed(
    sentences: Iterable[str], attention: Callable[..., Any] = scaled_dot_product_attention
) -> NDArray[np.float32]:
    """One vector of length 1 a sentence: the mean over its tokens, from one padded batch.

    Shapes: n sentences -> (n, 384). `attention` is called as in `read`, with q, k, v (n, 12, L, 32) and a
    mask (n, 1, 1, L), L being the longest sentence's number of tokens. The dot product of two vectors says
    how alike their sentences are.

    Raises TypeError or ValueError as `read`, and if sentences is one string instead of a list.

    Source: Reimers and Gurevych 2019, Sentence-BERT, arXiv:1908.10084, section 3: the mean over the tokens.
    """
    if isinstance(sentences, str):
        raise TypeError("sentences must be a list of strings, got one string: write [sentence]")
    each = arguments.list_of_names("sentences", sentences, "strings")
    batch = [tokenize(arguments.string("each of sentences", sentence)) for sentence in each]
    if not batch:
        return np.empty((0, _load()["words"].shape[-1]), np.float32)
    x, is_token = _run(batch, attention)
    means = x.mean(axis=1, where=is_token[..., None])
    return means / np.linalg.norm(means, axis=-1, keepdims=True)


# The tokenizer's steps -------------------------------------------------------------------------


def _words(text):
    """Lower case, no accents, no control characters; punctuation and Chinese characters are words."""
    text = re.sub(r"[\t\n\r]", " ", text.replace("\ufffd", ""))
    text = "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs"))
    text = unicodedata.normalize("NFD", CHINESE.sub(r" \1 ", text))
    text = "".join(c for c in text if unicodedata.category(c) != "Mn")  # NFD has split accents off
    # One letter at a time: str.lower on a word treats a final Greek sigma differently.
    alone = {c for c in text if c in string.punctuation or unicodedata.category(c).startswith("P")}
    return "".join(f" {c} " if c in alone else c.lower() for c in text).split()


def _pieces(word):
    """The longest pieces in the vocabulary, from the left; [UNK] where none fits."""
    ids, pieces, start = _load()["ids"], [], 0
    while start < len(word) <= LONGEST_WORD:
        for end in range(len(word), start, -1):
            piece = "##" * (start > 0) + word[start:end]
            if piece in ids:
                break
        else:
            return ["[UNK]"]
        pieces.append(piece)
        start = end
    return pieces or ["[UNK]"]


# The model's steps, quiet: a learner's function may return NaN or infinity -----------------------


@cache
def _load():
    """The model, its layers' parameters in float32, and the vocabulary as a dictionary."""
    arrays = data.load("model")
    ids = {token: i for i, token in enumerate(arrays["vocabulary"].tolist())}
    model = {name: arrays[name] for name in ("words", "positions", "segment", "input_scale", "input_shift")}
    # the parameters of all layers: their first axis is the layer
    stacked = {name: a for name, a in arrays.items() if a.shape[:1] == (N_LAYERS,)}
    # In Fortran order a product takes half the time where NumPy has no BLAS, as in a browser.
    layers = [
        {name: np.asfortranarray(a[i], np.float32) for name, a in stacked.items()} for i in range(N_LAYERS)
    ]
    for layer in layers:
        for array in layer.values():
            array.setflags(write=False)  # as those of data.load
    return model | {"ids": ids, "layers": layers, "about": arrays["about"]}


def _run(batch, attention, record_layer=None):
    """The last layer's vectors (B, L, 384) of a padded batch, and where tokens are real (B, L).

    `record_layer` is called with each layer's q, k, v, weights and context.
    """
    arguments.function("attention", attention)
    lengths = np.array([len(tokens) for tokens in batch])
    longest = lengths.max()
    if longest > LONGEST:
        raise ValueError(
            f"a sentence must have at most {LONGEST} tokens, [CLS] and [SEP] included, got {longest}"
        )
    model = _load()
    is_token = np.arange(longest) < lengths[:, None]
    ids = np.full(is_token.shape, model["ids"]["[PAD]"])
    ids[is_token] = [model["ids"][token] for tokens in batch for token in tokens]
    x = model["words"][ids].astype(np.float32) + model["positions"][:longest].astype(np.float32)
    x = _add_and_norm(x, model["segment"], model["input_scale"], model["input_shift"])
    for layer in model["layers"]:
        q, k, v = (split_heads(_linear(x, layer, letter), N_HEADS) for letter in "qkv")
        # attention may change its inputs, the mask too
        before = [part.copy() for part in (q, k, v)] if record_layer else ()
        output, weights = _attend(attention, q, k, v, is_token[:, None, None, :].copy())
        if record_layer:
            record_layer((*before, weights, output))
        added = _linear(merge_heads(output), layer, "o")
        x = _add_and_norm(x, added, layer["norm_scale"], layer["norm_shift"])
        x = _add_and_norm(x, _feed_forward(x, layer), layer["last_scale"], layer["last_shift"])
    return x, is_token


def _attend(attention, q, k, v, mask):
    """Output and weights of the given attention function as float32; an error if their shapes are wrong."""
    output, weights = arguments.parts("attention", attention(q, k, v, mask), "output weights")
    output = arguments.part("attention", "output", output, v.shape)
    weights = arguments.part("attention", "weights", weights, (*q.shape[:-1], k.shape[-2]))
    with np.errstate(all="ignore"):
        return output.astype(np.float32, copy=False), weights.astype(np.float32, copy=False)


@arguments.quiet
def _linear(x, layer, name):
    """x times a matrix, plus its bias."""
    rows = x.reshape(-1, x.shape[-1]) @ layer[f"w_{name}"]  # one matrix product for the whole batch
    rows += layer[f"b_{name}"]
    return rows.reshape(*x.shape[:-1], -1)


@arguments.quiet
def _add_and_norm(x, added, scale, shift):
    """Layer norm of the sum: each vector moved to mean 0 and variance 1, then scaled and shifted."""
    x = x + added
    x -= x.mean(axis=-1, keepdims=True)
    x /= np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-12)
    x *= scale
    x += shift
    return x


def _feed_forward(x, layer):
    """Each token's vector on its own: up to 1536 numbers, GELU, down to 384 again."""
    wide = _linear(x, layer, "up")
    rows = wide.reshape(-1, wide.shape[-1])
    for start in range(0, len(rows), GELU_ROWS):
        part = slice(start, start + GELU_ROWS)
        rows[part] = _gelu(rows[part])
    return _linear(wide, layer, "down")


@arguments.quiet
def _gelu(x):
    """x times the normal distribution's share below x, within 4e-7: NumPy has no erf.

    Abramowitz and Stegun 1964, formula 7.1.26, for the share above |x|.
    """
    size = np.abs(x)
    t = 1 / (1 + (0.3275911 / math.sqrt(2)) * size)
    tail = 1.061405429 * t
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += coefficient
        tail *= t
    tail *= np.exp(-0.5 * x * x)
    return np.maximum(x, 0) - 0.5 * size * tail
