"""Measures time and memory of the library against a textbook version, and against PyTorch where it is installed.

    .venv/bin/python tests/benchmark.py

Prints the numbers of CONTRIBUTING.md, in half a minute: ratios from one run on one thread, where the functions
take turns, so that a slow moment of the machine slows all of them. No test asserts a time.
"""

import os

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")

import math
import platform
import statistics
import time
import tracemalloc

import numpy as np

import attention_lib as al
from attention_lib import model, plain_python

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

ROUNDS = 15


def textbook(q, k, v, mask=None):
    """One fresh array a step, as the formula is mostly written."""
    scores = q @ np.swapaxes(k, -1, -2)
    scores = scores / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    scores = scores - scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights @ v, weights


def floor(q, k, v, block_size=128):
    """What no implementation can leave out: the two products and one pass of exp, block by block."""
    output = np.empty_like(q)
    for start in range(0, q.shape[-2], block_size):
        rows = slice(start, start + block_size)
        scores = q[..., rows, :] @ k.mT
        np.exp(scores, out=scores)
        output[..., rows, :] = scores @ v
    return output


def with_torch(q, k, v):
    """PyTorch's own kernel; it returns no weights."""
    q, k, v = (torch.from_numpy(x) for x in (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v).numpy()


def compare(title, base, **functions):
    """Print the median time of each function over that of `base`, taken round by round."""
    seconds = {name: [] for name in functions}
    for _ in range(ROUNDS + 1):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            seconds[name].append(time.perf_counter() - start)
    for name, laps in seconds.items():
        ratios = [lap / other for lap, other in zip(laps[1:], seconds[base][1:], strict=True)]
        if name != base:
            print(f"| {title} | `{name}` | {statistics.median(ratios):.2f} | {base} |")


def random(*shape):
    return np.random.default_rng(0).standard_normal((3, *shape), dtype=np.float32)


def attention_with_weights():
    q, k, v = random(1, 8, 1024, 64)
    for name, mask in {"no mask": None, "causal mask": al.causal_mask(1024)}.items():
        compare(
            f"(1, 8, 1024, 64), {name}",
            "textbook",
            textbook=lambda mask=mask: textbook(q, k, v, mask),
            scaled_dot_product_attention=lambda mask=mask: al.scaled_dot_product_attention(q, k, v, mask),
        )


def small_calls():
    q, k, v = random(1, 1, 8, 64)
    lists = [x[0, 0].tolist() for x in (q, k, v)]
    calls = range(200)
    compare(
        "(1, 1, 8, 64)",
        "textbook",
        textbook=lambda: [textbook(q, k, v) for _ in calls],
        scaled_dot_product_attention=lambda: [al.scaled_dot_product_attention(q, k, v) for _ in calls],
        plain_python=lambda: [plain_python.attention(*lists) for _ in calls],
    )


def attention_in_blocks():
    for shape in [(1, 8, 1024, 64), (1, 1, 4096, 64)]:
        q, k, v = random(*shape)
        functions = {
            "floor": lambda q=q, k=k, v=v: floor(q, k, v),
            "attention_in_blocks": lambda q=q, k=k, v=v: al.attention_in_blocks(q, k, v),
        }
        if torch:
            functions["PyTorch"] = lambda q=q, k=k, v=v: with_torch(q, k, v)
        compare(f"{shape}, output alone", "floor", **functions)


def peak_memory():
    q, k, v = random(1, 8, 1024, 64)
    table = 8 * 1024 * 1024 * 4  # the weights, in bytes
    print("\nPeak memory of (1, 8, 1024, 64), in multiples of the weights' size:")
    for function in (textbook, al.scaled_dot_product_attention, al.attention_in_blocks):
        tracemalloc.start()
        function(q, k, v)
        print(f"{function.__name__} {tracemalloc.get_traced_memory()[1] / table:.2f}")
        tracemalloc.stop()


def whole_model():
    """`read` and `embed`, from the sentence on, against PyTorch's encoder of the same size, without its tokens."""
    layer = torch.nn.TransformerEncoderLayer(384, 12, 1536, 0.0, "gelu", batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 6, enable_nested_tensor=False).eval()
    one = "The quick brown fox jumps over a lazy dog."
    forty = [
        f"My old neighbour reads {what}." for what in ("", "the paper", "the paper in the garden", "it") * 10
    ]
    for name, sentences, function in (
        ("model.read", [one], lambda: model.read(one)),
        ("model.embed", forty, lambda: model.embed(forty)),
    ):
        lengths = torch.tensor([[len(model.tokenize(sentence))] for sentence in sentences])
        is_padding = torch.arange(lengths.max()) >= lengths
        x = torch.randn(*is_padding.shape, 384)
        functions = {
            "torch.nn.TransformerEncoder": lambda x=x, mask=is_padding: encoder(x, src_key_padding_mask=mask),
            name: function,
        }
        with torch.inference_mode():
            compare(f"{len(sentences)} sentences", "torch.nn.TransformerEncoder", **functions)


def main():
    start = time.perf_counter()
    model.tokenize("cat")
    loading = time.perf_counter() - start
    versions = f"NumPy {np.__version__}" + (f", PyTorch {torch.__version__}" if torch else "")
    print(
        f"Python {platform.python_version()}, {versions}, {platform.machine()}; medians of {ROUNDS} rounds\n"
    )
    print("| what | function | time | against |\n| --- | --- | --- | --- |")
    attention_with_weights()
    small_calls()
    attention_in_blocks()
    if torch:
        whole_model()
    peak_memory()
    print(f"\nLoading the model takes {loading:.2f} s.")


if __name__ == "__main__":
    main()
