"""Reads the GGUF file of SmolLM2, in the format of llama.cpp, with tensors of the types F32, Q4_1 and Q8_0.

Source: docs/gguf.md of github.com/ggml-org/ggml.
"""

import io
import math
import struct

import numpy as np

NUMBERS = {4: "I", 5: "i", 6: "f", 7: "?"}  # the types of this model's settings, as codes of struct
TEXT, ARRAY = 8, 9
F32, Q4_1, Q8_0 = 0, 3, 8
BLOCKS = {F32: (1, 4), Q4_1: (32, 20), Q8_0: (32, 34)}  # how many numbers a block has, and in how many bytes


def _number(file, code):
    (value,) = struct.unpack(f"<{code}", file.read(struct.calcsize(f"<{code}")))
    return value


def _text(file):
    return file.read(_number(file, "Q")).decode()


def _value(file, kind):
    if kind == TEXT:
        return _text(file)
    if kind == ARRAY:
        kind, n = _number(file, "I"), _number(file, "Q")
        return [_value(file, kind) for _ in range(n)]
    return _number(file, NUMBERS[kind])


def read(data):
    """The settings of a file, given as bytes, and its tensors, {name: (shape, type, place)}."""
    file = io.BytesIO(data)
    file.seek(8)  # after the word GGUF, and the version
    n_tensors, n_settings = _number(file, "Q"), _number(file, "Q")
    settings = {_text(file): _value(file, _number(file, "I")) for _ in range(n_settings)}
    tensors = {}
    for _ in range(n_tensors):
        name, n_axes = _text(file), _number(file, "I")
        shape = [_number(file, "Q") for _ in range(n_axes)][::-1]  # the last axis comes first in the file
        tensors[name] = shape, _number(file, "I"), _number(file, "Q")
    start = math.ceil(file.tell() / 32) * 32
    return settings, {name: (shape, kind, start + n) for name, (shape, kind, n) in tensors.items()}


def unpack(data, shape, kind, place):
    """The numbers of a tensor, (out, in) in float32."""
    numbers, size = BLOCKS[kind]
    n_blocks = math.prod(shape) // numbers
    blocks = np.frombuffer(data, np.uint8, n_blocks * size, place).reshape(n_blocks, size)
    if kind == F32:
        return blocks.view("<f4").reshape(shape)
    if kind == Q8_0:  # a step, and 32 multiples of it in a byte each
        table = blocks[:, :2].view("<f2").astype(np.float32) * blocks[:, 2:].view(np.int8)
    else:  # Q4_1: a step, the least number, and what is above it in 32 multiples of the step, in 4 bits each
        step, least = blocks[:, :4].view("<f2").astype(np.float32).T[..., None]
        multiples = np.concatenate([blocks[:, 4:] & 15, blocks[:, 4:] >> 4], axis=1)
        table = step * multiples + least
    return table.reshape(shape)
