"""Reads a GGUF file, the format of llama.cpp, with tensors of the types F32, Q4_1 and Q8_0.

Source: docs/gguf.md of github.com/ggml-org/ggml.
"""

import math
import struct

import numpy as np

NUMBERS = dict(enumerate("BbHhIif?")) | {10: "Q", 11: "q", 12: "d"}  # a setting's type, as a code of struct
TEXT, ARRAY = 8, 9
F32, Q4_1, Q8_0 = 0, 3, 8
BLOCKS = {F32: (1, 4), Q4_1: (32, 20), Q8_0: (32, 34)}  # how many numbers a block has, and in how many bytes


class Reader:
    """Reads one thing after the other from the bytes of a file."""

    def __init__(self, data):
        self.data, self.place = data, 8  # after the word GGUF, and the version

    def number(self, code):
        (value,) = struct.unpack_from(f"<{code}", self.data, self.place)
        self.place += struct.calcsize(f"<{code}")
        return value

    def text(self):
        n = self.number("Q")
        self.place += n
        return self.data[self.place - n : self.place].decode()

    def value(self, kind):
        if kind == TEXT:
            return self.text()
        if kind == ARRAY:
            kind, n = self.number("I"), self.number("Q")
            return [self.value(kind) for _ in range(n)]
        return self.number(NUMBERS[kind])

    def shape(self):
        """A tensor's shape, which has its last axis first in the file."""
        return [self.number("Q") for _ in range(self.number("I"))][::-1]


def read(data):
    """The settings of a file, given as bytes, and its tensors, {name: (shape, type, place)}."""
    reader = Reader(data)
    n_tensors, n_settings = reader.number("Q"), reader.number("Q")
    settings = {reader.text(): reader.value(reader.number("I")) for _ in range(n_settings)}
    tensors = {
        reader.text(): (reader.shape(), reader.number("I"), reader.number("Q")) for _ in range(n_tensors)
    }
    start = math.ceil(reader.place / 32) * 32
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
