"""Measures time and memory of the library against a textbook version.

    .venv/bin/python tests/benchmark.py

Prints the numbers of CONTRIBUTING.md, on one thread. No test asserts a time.
"""

import os

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")

import statistics
import time
import tracemalloc

import numpy as np

import attention_lib as al
from attention_lib import plain_python


def textbook(q, k, v, mask=None):
    """One fresh array a step, as the formula is mostly written."""
    scores = q @ k.mT
    scores = scores / np.sqrt(np.float32(q.shape[-1]))
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    scores = scores - scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(scores)
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ v, weights


def with_lists(q, k, v, mask):
    return plain_python.attention(*(x[0, 0].tolist() for x in (q, k, v)))


def seconds(function, arguments):
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def compare(title, functions, shape, mask=None, rounds=15):
    """Print the median of each function's time over the textbook's; the two take turns."""
    arguments = (*np.random.default_rng(0).standard_normal((3, *shape), dtype=np.float32), mask)
    for function in functions:
        ratios = [seconds(function, arguments) / seconds(textbook, arguments) for _ in range(rounds + 1)]
        print(f"| {shape}{title} | `{function.__name__}` | {statistics.median(ratios[1:]):.2f} |")


def print_peak(function):
    """Print the peak of memory in multiples of the weights' size."""
    q, k, v = np.zeros((3, 1, 8, 1024, 64), np.float32)
    tracemalloc.start()
    function(q, k, v)
    print(f"{function.__name__} {tracemalloc.get_traced_memory()[1] / (8 * 1024 * 1024 * 4):.2f}")
    tracemalloc.stop()


if __name__ == "__main__":
    fast = (al.scaled_dot_product_attention, al.attention_in_blocks)
    compare(", no mask", fast, (1, 8, 1024, 64))
    compare(", causal mask", fast, (1, 8, 1024, 64), al.causal_mask(1024))
    compare("", (al.scaled_dot_product_attention, with_lists), (1, 1, 8, 64), rounds=1000)
    for function in (textbook, *fast):
        print_peak(function)
