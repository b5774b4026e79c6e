"""A Llama with the sizes of SmolLM2's layers, but two of them and 300 tokens, its numbers random."""

from functools import cache

import numpy as np

from lesson.smollm import Layer, Model

N_LAYERS, N_TOKENS = 2, 300
SHAPES = {
    "input_layernorm": (576,),
    "q_proj": (576, 576),
    "k_proj": (576, 192),
    "v_proj": (576, 192),
    "o_proj": (576, 576),
    "post_attention_layernorm": (576,),
    "gate_proj": (576, 1536),
    "up_proj": (576, 1536),
    "down_proj": (1536, 576),
}


@cache
def model():
    rng = np.random.default_rng(0)

    def random(shape):
        array = rng.uniform(0.5, 1.5, shape) if len(shape) == 1 else rng.normal(0, shape[0] ** -0.5, shape)
        return array.astype(np.float32)

    layers = [Layer(**{name: random(shape) for name, shape in SHAPES.items()}) for _ in range(N_LAYERS)]
    lm_head = random((576, N_TOKENS))
    return Model(lm_head.T, layers, random((576,)), lm_head, eos_token_id=2)
