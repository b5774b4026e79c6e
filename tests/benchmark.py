"""How fast and how large: this library against what else one might write or call.

    .venv/bin/python tests/benchmark.py            everything, about two minutes
    .venv/bin/python tests/benchmark.py --quick    fewer rounds, no long sequences

All figures are ratios from one run on one thread, the contestants taking turns, so that a slow
moment of the machine hits all of them. No test asserts a time. SciPy and PyTorch take part where
they are installed.
"""

import os

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", MKL_NUM_THREADS="1")

import argparse
import math
import platform
import statistics
import subprocess
import sys
import time
import tracemalloc

import numpy as np

import attention_lib as al
from attention_lib import model, plain_python

try:
    import scipy
    import scipy.special
except ImportError:
    scipy = None
try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None


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


def with_scipy(q, k, v, mask=None):
    """SciPy's softmax between the two products."""
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = scipy.special.softmax(scores, axis=-1)
    return weights @ v, weights


def with_torch(q, k, v, **options):
    """PyTorch's own kernel; it returns no weights."""
    q, k, v = (torch.from_numpy(x) for x in (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, **options).numpy()


def floor(q, k, v, block_size=128):
    """What cannot be saved: the two products and one pass of exp, block by block."""
    output = np.empty_like(q)
    for start in range(0, q.shape[-2], block_size):
        rows = slice(start, start + block_size)
        scores = q[..., rows, :] @ k.mT
        np.exp(scores, out=scores)
        output[..., rows, :] = scores @ v
    return output


def in_turns(contestants, rounds):
    """Seconds by name, one list of `rounds` each, after one round that does not count."""
    seconds = {name: [] for name in contestants}
    for lap in range(rounds + 1):
        for name, call in contestants.items():
            start = time.perf_counter()
            call()
            if lap:
                seconds[name].append(time.perf_counter() - start)
    return seconds


def table(title, contestants, base, rounds):
    """Prints each contestant's time over that of `base`, lap by lap: median and minimum."""
    seconds = in_turns(contestants, rounds)
    print(f"\n{title}\n\n| | / {base}, median | minimum | median ms |\n| --- | --- | --- | --- |")
    for name, laps in seconds.items():
        ratios = [lap / other for lap, other in zip(laps, seconds[base], strict=True)]
        median = statistics.median(laps) * 1000
        print(f"| {name} | {statistics.median(ratios):.2f} | {min(ratios):.2f} | {median:.3g} |")


def random(*shape):
    return np.random.default_rng(0).standard_normal((3, *shape), dtype=np.float32)


def peak_mib(call):
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def speed_with_weights(rounds):
    q, k, v = random(1, 8, 1024, 64)
    masks = {
        "no mask": None,
        "causal": al.causal_mask(1024),
        "padding": al.padding_mask([700], 1024)[:, None],
    }
    for name, mask in masks.items():
        contestants = {
            "textbook": lambda mask=mask: textbook(q, k, v, mask),
            "scaled_dot_product_attention": lambda mask=mask: al.scaled_dot_product_attention(q, k, v, mask),
        }
        if scipy:
            contestants["with SciPy's softmax"] = lambda mask=mask: with_scipy(q, k, v, mask)
        table(f"Weights and output, (1, 8, 1024, 64), {name}", contestants, "textbook", rounds)


def small_calls(rounds):
    for shape, repeat in [((1, 1, 8, 64), 200), ((1, 12, 128, 32), 5)]:
        q, k, v = random(*shape)

        def many(function, q=q, k=k, v=v, repeat=repeat):
            for _ in range(repeat):
                function(q, k, v)

        contestants = {
            "textbook": lambda many=many: many(textbook),
            "scaled_dot_product_attention": lambda many=many: many(al.scaled_dot_product_attention),
        }
        if shape[2] == 8:
            lists = [x[0, 0].tolist() for x in (q, k, v)]
            contestants["plain Python"] = lambda lists=lists, repeat=repeat: [
                plain_python.attention(*lists) for _ in range(repeat)
            ]
        table(f"{repeat} small calls, {shape}", contestants, "textbook", rounds)


def speed_without_weights(rounds):
    for shape in [(1, 8, 1024, 64), (1, 1, 4096, 64)]:
        q, k, v = random(*shape)
        contestants = {
            "floor": lambda q=q, k=k, v=v: floor(q, k, v),
            "attention_in_blocks": lambda q=q, k=k, v=v: al.attention_in_blocks(q, k, v),
        }
        if torch:
            contestants["PyTorch"] = lambda q=q, k=k, v=v: with_torch(q, k, v)
        table(f"Output alone, {shape}", contestants, "floor", rounds)
        mask = al.causal_mask(shape[2])
        contestants = {
            "textbook": lambda q=q, k=k, v=v, mask=mask: textbook(q, k, v, mask),
            "attention_in_blocks": lambda q=q, k=k, v=v: al.attention_in_blocks(q, k, v, is_causal=True),
        }
        if torch:
            contestants["PyTorch"] = lambda q=q, k=k, v=v: with_torch(q, k, v, is_causal=True)
        table(f"Output alone, {shape}, causal", contestants, "textbook", rounds)


def torch_forward():
    """The model's forward pass with torch.nn.functional, on the same float32 numbers: ids and mask to vectors."""
    F, loaded = torch.nn.functional, model._load()
    names = ("words", "positions", "segment", "input_scale", "input_shift")
    words, positions, segment, *norm = (torch.from_numpy(loaded[n].astype(np.float32)) for n in names)
    # Tables as torch keeps them, (out, in).
    layers = [
        {name: torch.from_numpy(np.ascontiguousarray(array.T)) for name, array in layer.items()}
        for layer in loaded["layers"]
    ]

    @torch.inference_mode()
    def forward(ids, mask):
        x = F.layer_norm(F.embedding(ids, words) + positions[: ids.shape[1]] + segment, (384,), *norm, 1e-12)
        for p in layers:
            q, k, v = (
                F.linear(x, p[f"w_{n}"], p[f"b_{n}"]).unflatten(-1, (12, 32)).transpose(1, 2) for n in "qkv"
            )
            context = F.scaled_dot_product_attention(q, k, v, mask).transpose(1, 2).flatten(-2)
            x = F.layer_norm(
                x + F.linear(context, p["w_o"], p["b_o"]), (384,), p["norm_scale"], p["norm_shift"], 1e-12
            )
            wide = F.gelu(F.linear(x, p["w_up"], p["b_up"]))
            x = F.layer_norm(
                x + F.linear(wide, p["w_down"], p["b_down"]), (384,), p["last_scale"], p["last_shift"], 1e-12
            )
        return x

    return forward


def ids_and_mask(sentences):
    tokens = [model.tokenize(sentence) for sentence in sentences]
    is_token = np.arange(max(map(len, tokens))) < np.array([[len(t)] for t in tokens])
    ids = np.zeros(is_token.shape, np.int64)
    ids[is_token] = [model._load()["ids"][token] for t in tokens for token in t]
    return torch.from_numpy(ids), torch.from_numpy(is_token)[:, None, None]


def whole_model(rounds):
    """`read` and `embed`, tokens and all, against PyTorch's forward pass from ids that are there already."""
    who = (
        "A cat",
        "My old neighbour",
        "The boy next door",
        "She",
        "Nobody in town",
        "Our teacher",
        "A dog",
        "He",
    )
    what = ("sleeps", "reads the paper every morning", "likes rain", "went to sea again", "cannot swim")
    one = ["The quick brown fox jumps over a lazy dog."]
    forty = [f"{subject} {verb}." for subject in who for verb in what]
    for sentences, ours in ((one, lambda: model.read(one[0])), (forty, lambda: model.embed(forty))):
        contestants = {"attention_lib.model": ours}
        if torch:
            forward, arguments = torch_forward(), ids_and_mask(sentences)
            contestants = {"PyTorch": lambda f=forward, a=arguments: f(*a)} | contestants
        longest = max(len(model.tokenize(sentence)) for sentence in sentences)
        title = f"The whole model, {len(sentences)} sentences, the longest of {longest} tokens"
        table(title, contestants, next(iter(contestants)), rounds)


def model_in_a_fresh_process(rounds):
    program = (
        "import time; from attention_lib import model; t, c = time.perf_counter(), time.process_time(); "
        "model._load(); print(time.perf_counter() - t, time.process_time() - c); model.read('Time flies.'); "
        # Not getrusage, whose peak a child takes over from its parent.
        "status = open('/proc/self/status').read(); print(status.split('VmHWM:')[1].split()[0])"
    )
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        for _ in range(rounds)
    ]
    wall, processor, kib = zip(*(map(float, run.stdout.split()) for run in runs), strict=True)
    seconds = f"{statistics.median(wall):.2f} s, of the processor {statistics.median(processor):.2f} s"
    peak = f"peak of a process that has read a sentence {max(kib) / 1024:.0f} MiB"
    print(f"\nThe model loads in {seconds} (medians); {peak}")


def memory():
    q, k, v = random(1, 8, 1024, 64)
    weights = 8 * 1024 * 1024 * 4 / 2**20
    print("\nPeak memory, (1, 8, 1024, 64), in tables of weights (32 MiB)\n\n| | tables |\n| --- | --- |")
    for call in (textbook, al.scaled_dot_product_attention, al.attention_in_blocks):
        print(f"| {call.__name__} | {peak_mib(lambda call=call: call(q, k, v)) / weights:.2f} |")


def long_sequences():
    print("\nattention_in_blocks on long sequences, one head, d 64\n")
    print("| L | time / L = 1024 | (L / 1024)² | MiB above inputs and output | weights would take MiB |")
    print("| --- | --- | --- | --- | --- |")
    base = None
    for length in (1024, 2048, 4096, 8192, 16384, 32768):
        q, k, v = random(1, 1, length, 64)
        laps = in_turns(
            {"": lambda q=q, k=k, v=v: al.attention_in_blocks(q, k, v)}, 3 if length < 10_000 else 1
        )
        seconds = statistics.median(laps[""])
        base = base or seconds
        extra = peak_mib(lambda q=q, k=k, v=v: al.attention_in_blocks(q, k, v)) - q.nbytes / 2**20
        square = (length // 1024) ** 2
        print(f"| {length} | {seconds / base:.0f} | {square} | {extra:.1f} | {length**2 * 4 / 2**20:.0f} |")


def imports(rounds):
    program = (
        "import time, tracemalloc, numpy; tracemalloc.start(); t = time.perf_counter(); import attention_lib; "
        "print(time.perf_counter() - t, tracemalloc.get_traced_memory()[1])"
    )
    runs = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        for _ in range(rounds)
    ]
    milliseconds, mib = zip(*(map(float, run.stdout.split()) for run in runs), strict=True)
    print(
        f"\n`import attention_lib` above `import numpy`, traced: median {statistics.median(milliseconds) * 1e3:.1f} ms, "
        f"{max(mib) / 2**20:.2f} MiB"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer rounds, no long sequences")
    quick = parser.parse_args().quick
    rounds = 5 if quick else 15
    versions = [f"NumPy {np.__version__}"]
    versions += [f"{m.__name__} {m.__version__}" for m in (scipy, torch) if m]
    print(
        f"Python {platform.python_version()}, {', '.join(versions)}; {platform.machine()}, one thread, float32;"
    )
    print(f"{rounds} rounds, the contestants in turns; a ratio is taken within a round.")
    speed_with_weights(rounds)
    small_calls(rounds)
    speed_without_weights(rounds)
    whole_model(rounds)
    if sys.platform == "linux":
        model_in_a_fresh_process(rounds)
    memory()
    if not quick:
        long_sequences()
    imports(rounds)


if __name__ == "__main__":
    main()
