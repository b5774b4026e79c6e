"""Runs attention and softmax of PyTorch and ONNX on small inputs, and records their results.

    python tests/oracles/make_records.py

writes the .npz files beside this script. README.md here says what is in them.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent

# name: (B, H, Lq, Lk, d_k, d_v), all different where the libraries allow it
SIZES = {
    "wide": (2, 1, 3, 5, 4, 6),
    "tall": (2, 1, 5, 3, 4, 6),
    "square": (2, 1, 4, 4, 5, 3),
    "one query": (2, 1, 1, 5, 4, 6),
    "no keys": (2, 1, 3, 0, 4, 6),
    "heads": (2, 3, 4, 5, 6, 7),
}
DTYPES = ("float32", "float64")
LAYERS = ("embedding", "w_q", "w_k", "w_v", "w_o", "unembedding")


# Questions -------------------------------------------------------------------------------------


def make_inputs():
    """{"SIZES/q": array, ..., "CASE/mask": array} and {CASE: options}. RandomState's stream is frozen by NumPy."""
    draw = np.random.RandomState(20170612)
    arrays, cases = {}, {}
    for name, (b, h, n_queries, n_keys, d_k, d_v) in SIZES.items():
        arrays[f"{name}/q"] = draw.standard_normal((b, h, n_queries, d_k))
        arrays[f"{name}/k"] = draw.standard_normal((b, h, n_keys, d_k))
        arrays[f"{name}/v"] = draw.standard_normal((b, h, n_keys, d_v))
    for letter in "qkv":
        arrays[f"large scores/{letter}"] = arrays[f"wide/{letter}"] * (1 if letter == "v" else 12)
        arrays[f"NaN behind the mask/{letter}"] = arrays[f"wide/{letter}"].copy()
    arrays["NaN behind the mask/v"][:, :, 2, 0] = np.nan

    some = np.array([[1, 0, 1, 1, 0], [0, 1, 1, 0, 1], [1, 1, 0, 0, 0]], bool)
    a_row_is_empty = some & np.array([[True], [False], [True]])
    every = draw.random_sample((2, 3, 4, 5)) < 0.6
    every[..., 0] = True  # no empty row
    lengths = np.arange(5) < np.array([3, 5])[:, None, None, None]
    bias = draw.standard_normal((3, 5))

    def ask(name, sizes="wide", mask=None, **options):
        cases[name] = {"sizes": sizes, **options}
        if mask is not None:
            arrays[f"{name}/mask"] = np.asarray(mask)

    ask("plain")
    ask("plain, tall", "tall")
    ask("plain, several heads", "heads")
    ask("large scores", "large scores")
    ask("scale given", scale=0.0625)  # ONNX takes its square root in float32: this one is exact
    ask("scale zero", scale=0.0)
    ask("scale negative", scale=-0.75)
    ask("boolean mask", mask=some)
    ask("boolean mask of each head", "heads", every)
    ask("padding mask", mask=lengths)
    ask("float mask", mask=bias)
    ask("float mask with -inf", mask=np.where(some, bias, -np.inf))
    ask("float64 mask, float32 scores", mask=bias, mask_dtype="float64")
    ask("integer mask", mask=some.astype(np.int64))
    ask("causal, square", "square", is_causal=True)
    ask("causal, wide", is_causal=True)
    ask("causal, tall", "tall", is_causal=True)
    ask("causal, one query", "one query", is_causal=True)
    ask("causal and scale", "tall", is_causal=True, scale=0.5625)
    ask("causal and boolean mask", mask=some | (np.arange(5) == 0), is_causal=True)
    ask("causal and float mask", mask=bias, is_causal=True)
    ask("row without keys, boolean mask", mask=a_row_is_empty)
    ask("row without keys, -inf mask", mask=np.where(a_row_is_empty, 0.0, -np.inf))
    ask("NaN behind the mask", "NaN behind the mask", np.arange(5)[None] * np.ones((3, 1)) != 2)
    ask("no keys", "no keys")
    return arrays, cases


def make_softmax_inputs():
    draw = np.random.RandomState(20180508)
    table = draw.standard_normal((4, 5))
    table_with_hidden = np.where(draw.random_sample((4, 5)) < 0.4, -np.inf, table)
    table_with_hidden[:, 1] = 0.5
    return {
        "table": table,
        "three axes": draw.standard_normal((2, 3, 4)),
        "scores of thousands": table * 5000,
        "shifted by -200000": table - 2e5,
        "-inf in places": table_with_hidden,
        "row of only -inf": np.array([[0.0, 1.0, 2.0], [-np.inf] * 3]),
        "NaN": np.array([[0.0, np.nan, 2.0], [0.0, 1.0, 2.0]]),
        "+inf": np.array([[0.0, np.inf, 2.0], [0.0, 1.0, 2.0]]),
    }


def arguments(arrays, case, name, dtype):
    """q, k, v and mask of one case, of that dtype; masks that are not floating stay as they are."""
    q, k, v = (arrays[f"{case['sizes']}/{letter}"].astype(dtype) for letter in "qkv")
    mask = arrays.get(f"{name}/mask")
    if mask is not None and mask.dtype.kind == "f":
        mask = mask.astype(case.get("mask_dtype", dtype))
    return q, k, v, mask, case.get("is_causal", False), case.get("scale")


def ask_attention(answer):
    """{"CASE/DTYPE/output": ..., "CASE/float64/weights": ..., or "CASE/DTYPE/refused": the error's name}."""
    arrays, cases = make_inputs()
    records = {}
    for name, case in cases.items():
        for dtype in DTYPES:
            try:
                output, weights = answer(*arguments(arrays, case, name, dtype))
            except (RuntimeError, ValueError) as error:
                records[f"{name}/{dtype}/refused"] = np.array(type(error).__name__)
            else:
                records[f"{name}/{dtype}/output"] = output
                if dtype == "float64":
                    records[f"{name}/{dtype}/weights"] = weights
    return records


def ask_softmax(answer):
    """{"softmax/INPUT/DTYPE/axis N": ...}"""
    with np.errstate(all="ignore"):
        return {
            f"softmax/{name}/{dtype}/axis {axis}": np.asarray(answer(x.astype(dtype), axis))
            for name, x in make_softmax_inputs().items()
            for dtype in DTYPES
            for axis in (range(-1, x.ndim - 1) if dtype == "float64" else [-1])
        }


# Answers ---------------------------------------------------------------------------------------


def pytorch():
    import torch

    def attention(q, k, v, mask, is_causal, scale):
        def call(values):
            tensors = [torch.from_numpy(a) for a in (q, k, values)]
            tensor = None if mask is None else torch.from_numpy(mask)
            return torch.nn.functional.scaled_dot_product_attention(
                *tensors, tensor, is_causal=is_causal, scale=scale
            ).numpy()

        identity = np.eye(k.shape[-2], dtype=k.dtype)  # as values: the output is then the weights
        return call(v), call(np.broadcast_to(identity, (*k.shape[:-1], k.shape[-2])).copy())

    records = ask_attention(attention)
    records |= ask_softmax(lambda x, axis: torch.softmax(torch.from_numpy(x), axis).numpy())

    # In MultiheadAttention True hides. Its projections are set to the identity.
    arrays, _ = make_inputs()
    x, mask = arrays["wide/k"][:1, 0], np.tri(5, dtype=bool)
    module = torch.nn.MultiheadAttention(x.shape[-1], 1, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.eye(x.shape[-1], dtype=torch.float64).repeat(3, 1))
        module.out_proj.weight.copy_(torch.eye(x.shape[-1], dtype=torch.float64))
        tensor = torch.from_numpy(x)
        output, weights = module(tensor, tensor, tensor, attn_mask=torch.from_numpy(mask))
    records |= {"module/x": x, "module/mask": mask}
    return records | {"module/output": output.numpy(), "module/weights": weights.numpy()}


def ask_onnx(operator, inputs, output_names, **attributes):
    """What the reference evaluator, which defines the operators, gives for the outputs that have a name."""
    from onnx import helper
    from onnx.reference import ReferenceEvaluator

    def info(name, dtype, shape=None):
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), shape)

    node = helper.make_node(operator, list(inputs), output_names, **attributes)
    first, *_ = inputs.values()
    outputs = [info(name, first.dtype) for name in output_names if name]
    given = [info(name, array.dtype, array.shape) for name, array in inputs.items()]
    graph = helper.make_graph([node], operator, given, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=11)
    return ReferenceEvaluator(model).run(None, inputs)


def onnx():
    def attention(q, k, v, mask, is_causal, scale):
        inputs = {"Q": q, "K": k, "V": v} | ({} if mask is None else {"attn_mask": mask})
        attributes = {"is_causal": int(is_causal), "qk_matmul_output_mode": 3}  # 3: the weights
        if scale is not None:
            attributes["scale"] = scale
        return ask_onnx("Attention", inputs, ["Y", "", "", "weights"], **attributes)

    def softmax(x, axis):
        return ask_onnx("Softmax", {"x": x}, ["y"], axis=axis)[0]

    return ask_attention(attention) | ask_softmax(softmax)


def onnx_node_cases():
    """ONNX's published test cases of Attention and Softmax, those without a cache, soft cap, window or shared heads."""
    from onnx import helper
    from onnx.backend.test.case.node import collect_testcases

    records, options = {}, {}
    for case in collect_testcases(None):
        node = case.model.graph.node[0]
        name = case.name.removeprefix("test_")
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        given = [key for key in node.input if key]
        if (
            node.op_type not in ("Attention", "Softmax")
            or {"softcap", "softmax_precision", "left_window_size", "right_window_size"} & set(attributes)
            or {"past_key", "nonpad_kv_seqlen"} & set(given)
            or any(np.asarray(a).dtype.name == "bfloat16" for a in case.data_sets[0][0])
            or "gqa" in name
            or ("diff_heads" in name and name != "attention_4d_diff_heads_sizes_causal")
            or name in ("attention_4d_attn_mask_3d", "attention_4d_attn_mask_4d", "attention_4d_causal")
            or name.startswith("attention_24_fully")  # enough of each kind
        ):
            continue
        arrays = dict(zip(given, case.data_sets[0][0], strict=True))
        expected = dict(zip([key for key in node.output if key], case.data_sets[0][1], strict=True))
        options[name] = {"operator": node.op_type, "opset": case.model.opset_import[0].version, **attributes}
        records |= {f"{name}/{key}": np.asarray(a) for key, a in (arrays | expected).items()}
    return records | {"options": np.array(json.dumps(options))}


def pytorch_today():
    """Grouped heads of scaled_dot_product_attention, and FlexAttention's log sums, for parts of the keys."""
    import torch
    from torch.nn.attention.flex_attention import AuxRequest, flex_attention

    draw = np.random.RandomState(20230522)
    q, k, v = (draw.standard_normal(shape) for shape in ((6, 2, 4), (3, 5, 4), (3, 5, 6)))
    records = {"q": q, "k": k, "v": v}
    parts = {"first keys": slice(2), "last keys": slice(2, None), "all keys": slice(None)}
    for dtype in DTYPES:
        tensors = [torch.from_numpy(a.astype(dtype))[None] for a in (q, k, v)]
        grouped = torch.nn.functional.scaled_dot_product_attention(*tensors, enable_gqa=True)
        records[f"grouped/{dtype}"] = grouped[0].numpy()
        for part, keys in parts.items():
            queries, *rest = tensors
            output, aux = flex_attention(
                queries[:, :3], *(a[:, :, keys] for a in rest), return_aux=AuxRequest(lse=True)
            )
            records[f"{part}/{dtype}/output"] = output[0].numpy()
            records[f"{part}/{dtype}/log_sum"] = aux.lse[0].numpy()
    return records


def onnx_today():
    """RotaryEmbedding in both layouts, and Attention with the keys and values of earlier tokens."""
    draw = np.random.RandomState(20210420)
    x, positions = draw.standard_normal((2, 3, 2, 6)), np.array([[0, 1], [7, 300]])
    angles = np.array([[p / 10_000 ** (2 * i / 6) for i in range(3)] for p in range(301)])
    q, k, v = (draw.standard_normal((1, *shape)) for shape in ((6, 2, 5), (3, 6, 5), (3, 6, 7)))
    allowed = np.ones((2, 6), bool)  # hides nothing
    records = {"x": x, "positions": positions, "q": q, "k": k, "v": v}
    for dtype in DTYPES:
        inputs = {"x": x, "cos": np.cos(angles), "sin": np.sin(angles)}
        inputs = {name: a.astype(dtype) for name, a in inputs.items()} | {"positions": positions}
        for interleaved, pairs in enumerate(["halves", "neighbours"]):
            (records[f"{pairs}/{dtype}"],) = ask_onnx(
                "RotaryEmbedding", inputs, ["y"], interleaved=interleaved
            )
        new_k, new_v, old_k, old_v = (
            a[:, :, keys].astype(dtype) for keys in (slice(4, None), slice(4)) for a in (k, v)
        )
        inputs = {"Q": q.astype(dtype), "K": new_k, "V": new_v, "mask": allowed}
        inputs |= {"past_key": old_k, "past_value": old_v}
        outputs = ["Y", "present_key", "present_value"]
        records[f"cache/{dtype}"], *_ = ask_onnx("Attention", inputs, outputs, is_causal=1)
    return records


def pytorch_gradients():
    """What autograd gives for scaled_dot_product_attention, with and without a mask, and for softmax."""
    import torch

    draw = np.random.RandomState(20230314)
    shapes = {"q": (2, 3, 4, 5), "k": (2, 3, 6, 5), "v": (2, 3, 6, 7), "upstream": (2, 3, 4, 7)}
    arrays = {name: draw.standard_normal(shape) for name, shape in shapes.items()}
    arrays["softmax_upstream"] = draw.standard_normal((2, 3, 4, 6))
    arrays["mask"] = draw.rand(4, 6) > 0.3
    records = dict(arrays)
    for dtype in DTYPES:
        tensors = {
            name: torch.from_numpy(a if a.dtype == bool else a.astype(dtype)) for name, a in arrays.items()
        }
        for case, mask in {"no mask": None, "a mask": tensors["mask"]}.items():
            q, k, v = (tensors[name].clone().requires_grad_() for name in "qkv")
            torch.nn.functional.scaled_dot_product_attention(q, k, v, mask).backward(tensors["upstream"])
            records |= {
                f"{case}/{dtype}/{name}": x.grad.numpy() for name, x in zip("qkv", (q, k, v), strict=True)
            }
        scores = (tensors["q"] @ tensors["k"].mT).requires_grad_()
        torch.softmax(scores, dim=-1).backward(tensors["softmax_upstream"])
        records[f"softmax/{dtype}"] = scores.grad.numpy()
    return records


def pytorch_layers():
    """The scores of causal layers with rotary positions, their cross-entropy, and what autograd gives for it.

    Pairs of numbers are rotated as complex numbers here.
    """
    import torch

    draw = np.random.RandomState(20211222)
    n_tokens, d_model, n_layers, n_heads, shape = 7, 8, 3, 2, (3, 5)
    matrices = {name: draw.standard_normal((n_layers, d_model, d_model)) / 2 for name in LAYERS[1:5]}
    matrices |= {"embedding": draw.standard_normal((n_tokens, d_model))}
    matrices |= {"unembedding": draw.standard_normal((d_model, n_tokens)) / 2}
    tokens, targets = draw.randint(n_tokens, size=(2, *shape))
    tensors = {name: torch.from_numpy(matrix).requires_grad_() for name, matrix in matrices.items()}
    half = d_model // n_heads // 2
    speeds = 10_000.0 ** (-torch.arange(half, dtype=torch.float64) / half)
    turn = torch.polar(torch.ones(1, dtype=torch.float64), torch.arange(shape[1])[:, None] * speeds)

    def heads(x, name, layer):
        return (x @ tensors[name][layer]).unflatten(-1, (n_heads, -1)).transpose(1, 2)

    def rotated(x):
        turned = torch.complex(x[..., :half], x[..., half:]) * turn
        return torch.cat([turned.real, turned.imag], dim=-1)

    x = torch.nn.functional.embedding(torch.from_numpy(tokens), tensors["embedding"])
    for layer in range(n_layers):
        q, k, v = (heads(x, name, layer) for name in ("w_q", "w_k", "w_v"))
        output = torch.nn.functional.scaled_dot_product_attention(rotated(q), rotated(k), v, is_causal=True)
        x = x + output.transpose(1, 2).flatten(2) @ tensors["w_o"][layer]
    scores = x @ tensors["unembedding"]
    loss = torch.nn.functional.cross_entropy(scores.flatten(0, 1), torch.from_numpy(targets).flatten())
    loss.backward()
    records = {"tokens": tokens, "targets": targets, "n_heads": np.array(n_heads)}
    records |= {"scores": scores.detach().numpy(), "loss": loss.detach().numpy()}
    records |= {f"matrix/{name}": matrix for name, matrix in matrices.items()}
    return records | {f"gradient/{name}": tensor.grad.numpy() for name, tensor in tensors.items()}


FUNCTIONS = pytorch, pytorch_today, pytorch_gradients, pytorch_layers, onnx, onnx_node_cases, onnx_today
MAKERS = {function.__name__: function for function in FUNCTIONS}


def package_of(name):
    """The package that gives a record."""
    return "torch" if name.startswith("pytorch") else "onnx"


def make(name):
    """The arrays of a record, and the versions that gave them."""
    versions = {package: version(package).split("+")[0] for package in ("numpy", package_of(name))}
    return MAKERS[name]() | {"versions": np.array(json.dumps(versions))}


if __name__ == "__main__":
    for name in sys.argv[1:] or MAKERS:
        np.savez_compressed(HERE / f"{name}.npz", **make(name))
        print(f"{name}.npz", (HERE / f"{name}.npz").stat().st_size, "bytes")
