"""A Llama with the sizes of SmolLM2's layers, but two of them and 300 tokens, its numbers random, as a GGUF file."""

import struct
from functools import cache

import numpy as np

from lesson import smollm

N_LAYERS, N_TOKENS = 2, 300
SHAPES = {
    "attn_norm": (576,),
    "attn_q": (576, 576),
    "attn_k": (192, 576),
    "attn_v": (192, 576),
    "attn_output": (576, 576),
    "ffn_norm": (576,),
    "ffn_gate": (1536, 576),
    "ffn_up": (1536, 576),
    "ffn_down": (576, 1536),
}
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
MERGES = ["h e", "Ġ t", "Ġt he", "e r", "he r", "! !"]
# The bytes of letters, signs and blanks, as a vocabulary writes them, and é's two bytes.
LETTERS = [*map(chr, range(ord("!"), ord("~") + 1)), "Ġ", "Ċ", "Ã", "©"]
TEXTS = [*SPECIAL, *LETTERS, *(merge.replace(" ", "") for merge in MERGES)]
TEXTS += [f"word{i}" for i in range(len(TEXTS), N_TOKENS)]
SETTINGS = {
    "general.architecture": "llama",
    "llama.block_count": N_LAYERS,
    "llama.rope.freq_base": 100_000.0,
    "tokenizer.ggml.add_bos_token": False,
    "tokenizer.ggml.tokens": TEXTS,
    "tokenizer.ggml.merges": MERGES,
    "tokenizer.ggml.token_type": [3] * len(SPECIAL) + [1] * (N_TOKENS - len(SPECIAL)),
    "tokenizer.ggml.eos_token_id": 2,
}


@cache
def file():
    """The file's bytes, and its tables {name: (out, in)}."""
    rng = np.random.default_rng(0)
    packed = {"token_embd": q8_0(rng, (N_TOKENS, 576)), "output_norm": f32(rng, (576,))}
    for i in range(N_LAYERS):
        for name, shape in SHAPES.items():
            packed[f"blk.{i}.{name}"] = (f32 if len(shape) == 1 else q4_1)(rng, shape)
    return written(SETTINGS, packed), {name: table for name, (table, *_) in packed.items()}


@cache
def model():
    """The model of this file, and its tokenizer."""
    return smollm.read(file()[0])


# Tables: their numbers, type and bytes ----------------------------------------------------------


def f32(rng, shape):
    table = rng.uniform(0.5, 1.5, shape).astype("<f4")
    return table, 0, table.tobytes()


def q8_0(rng, shape):
    steps = rng.uniform(0, 0.002, (*shape[:-1], shape[-1] // 32)).astype("<f2")
    multiples = rng.integers(-128, 128, (*steps.shape, 32), np.int8)
    blocks = [step.tobytes() + row.tobytes() for step, row in zip(steps.ravel(), multiples.reshape(-1, 32))]
    return (multiples * steps[..., None].astype("<f4")).reshape(shape), 8, b"".join(blocks)


def q4_1(rng, shape):
    """In a byte, the first 16 of 32 numbers have the lower four bits and the last 16 the upper four."""
    steps = rng.uniform(0, 0.4 / shape[-1] ** 0.5, (*shape[:-1], shape[-1] // 32)).astype("<f2")
    least = (-7.5 * steps).astype("<f2")
    multiples = rng.integers(0, 16, (*steps.shape, 32), np.uint8)
    bytes_ = (multiples[..., :16] + 16 * multiples[..., 16:]).reshape(-1, 16)
    blocks = [
        s.tobytes() + m.tobytes() + row.tobytes() for s, m, row in zip(steps.ravel(), least.ravel(), bytes_)
    ]
    table = multiples * steps[..., None].astype("<f4") + least[..., None].astype("<f4")
    return table.reshape(shape), 3, b"".join(blocks)


# The file ---------------------------------------------------------------------------------------


def written(settings, packed):
    """The bytes of a GGUF file of version 3."""
    head = [b"GGUF", struct.pack("<IQQ", 3, len(packed), len(settings))]
    for name, value in settings.items():
        head += [text(name), *typed(value)]
    body = b""
    for name, (table, kind, raw) in packed.items():
        sizes = table.shape[::-1]
        head += [text(f"{name}.weight"), struct.pack(f"<I{len(sizes)}Q", len(sizes), *sizes)]
        head += [struct.pack("<IQ", kind, len(body))]
        body += padded(raw)
    return padded(b"".join(head)) + body


def padded(raw):
    return raw + bytes(-len(raw) % 32)


def text(string):
    return struct.pack("<Q", len(string.encode())) + string.encode()


def typed(value):
    """A setting's type and value."""
    if isinstance(value, list):
        (kind, _), *_ = map(typed, value)
        return struct.pack("<I", 9), kind + struct.pack("<Q", len(value)) + b"".join(
            typed(x)[1] for x in value
        )
    if isinstance(value, str):
        return struct.pack("<I", 8), text(value)
    kind, code = {bool: (7, "?"), int: (4, "I"), float: (6, "f")}[type(value)]
    return struct.pack("<I", kind), struct.pack(f"<{code}", value)
