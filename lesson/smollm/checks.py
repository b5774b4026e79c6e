"""Checks of what llama.py and llama_heads.py are given, and of what functions of the caller's return to them."""

from functools import wraps

from attention_lib import arguments
from lesson.smollm import Model

VOCABULARY = 49152
model = arguments.kind(lambda x: isinstance(x, Model), "the model that llama.load() gives")


def cache(name, value):
    """value, if it is a dict such as `read` fills: {layer: past}."""
    for past in arguments.dictionary(name, value).values():
        _past(f"what {name} holds", past)
    return value


def heads(value, n_layers):
    """value as a list of pairs (layer, head)."""
    pairs = arguments.indices("heads", value, arguments.LARGEST_SIZE, "")
    if pairs.size:
        arguments.check_shape("heads", pairs, ["n", "2"], {})
        if (pairs >= (n_layers, 9)).any():
            raise ValueError(
                f"heads must be pairs of a layer below {n_layers} and a head below 9, got {pairs.tolist()}"
            )
    return pairs.reshape(-1, 2).tolist()


def of_attend(attend):
    """`attend`, with its arguments checked: q (9, L, 64), k and v (3, L, 64), past None or two of (3, n, 64)."""

    @wraps(attend)
    def check_and_call(q, k, v, past):
        __tracebackhide__ = True
        arrays = [arguments.real_array(name, x) for name, x in zip("qkv", (q, k, v))]
        arguments.check_axes(*arrays, q="9 L 64", k="3 L 64", v="3 L 64")
        return attend(*arrays, _past("past", past, heads="3"))

    return check_and_call


def returned(answer, q):
    """What an `attend` returned for q: output as an array of the shape of q, and past."""
    output, past = arguments.parts("attend", answer, "output past")
    return arguments.part("attend", "output", output, q.shape), _past("the past returned by attend", past)


def token(answer):
    """The token that `choose` returned."""
    return arguments.count("the token returned by choose", answer, most=VOCABULARY - 1)


def _past(name, value, heads="heads"):
    """value as keys and values (heads, n, 64), if it is not None."""
    if value is None:
        return None
    both = arguments.real_array(name, value)
    arguments.check_shape(name, both, ["2", heads, "n", "64"], {})
    return both[0], both[1]
