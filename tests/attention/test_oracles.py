"""The library against the recorded answers of PyTorch and ONNX in tests/oracles/."""

import json
import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_lib as al
from attention_lib import data, learning, today
from tests.notebooks.stored import sources
from tests.oracles import make_records

HERE = Path(make_records.__file__).parent
NEEDS = "needs pip install -r tests/oracles/requirements.txt"
LIBRARIES = ("pytorch", "onnx")
ARRAYS, CASES = make_records.make_inputs()
TOLERANCE = {"float32": 2e-6, "float64": 1e-13}

# What these libraries do otherwise than this one. Not recorded, from their documentation: JAX and Keras say True may
# attend, and align a causal mask at the top left; flash-attention 2.1 aligns it at the bottom right and gives zeros
# for a row without keys; the TensorFlow tutorial's 1 hides; "Annotated Transformer" code fills with -1e9, so that a
# row without keys is uniform.
DIFFERENT = {
    ("pytorch", "integer mask"): "refused",  # here too
    ("pytorch", "float64 mask, float32 scores"): "refused",
    ("pytorch", "causal and boolean mask"): "refused",
    ("pytorch", "causal and float mask"): "refused",
    ("onnx", "no keys"): "refused",
    ("onnx", "integer mask"): "added",
    ("onnx", "scale negative"): "NaN",
}


@cache
def read(name):
    with np.load(HERE / f"{name}.npz", allow_pickle=False) as file:
        return dict(file)


def arguments(name, dtype):
    """q, k, v, mask and options of a case."""
    *arrays, is_causal, scale = make_records.arguments(ARRAYS, CASES[name], name, dtype)
    return arrays, {"is_causal": is_causal, "scale": scale}


def test_cases_that_are_not_compared_are_answered_otherwise():
    refused = {
        (library, n) for library in LIBRARIES for n in CASES if f"{n}/float32/refused" in read(library)
    }
    assert refused == {case for case, answer in DIFFERENT.items() if answer == "refused"}
    (q, k, v, mask), _ = arguments("integer mask", "float64")
    assert set(mask.flat) == {0, 1}  # refused here as floats too
    added = al.softmax(al.scaled_scores(q, k) + mask) @ v
    assert_allclose(read("onnx")["integer mask/float64/output"], added, rtol=0, atol=1e-13)
    assert np.isnan(read("onnx")["scale negative/float64/output"]).all()


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize(
    "library, name", [(library, n) for library in LIBRARIES for n in CASES if (library, n) not in DIFFERENT]
)
def test_attention_equals_the_other_libraries(library, name, dtype):
    arrays, options = arguments(name, dtype)
    output, weights = al.scaled_dot_product_attention(*arrays, **options)
    atol = TOLERANCE[dtype] * (20 if name == "large scores" else 1)  # scores near 100 are rounded more
    recorded = read(library)[f"{name}/{dtype}/output"]
    assert output.dtype == recorded.dtype
    assert_allclose(output, recorded, rtol=0, atol=atol)
    assert_allclose(al.attention_in_blocks(*arrays, **options, block_size=2), recorded, rtol=0, atol=atol)
    if dtype == "float64":
        assert_allclose(weights, read(library)[f"{name}/{dtype}/weights"], rtol=0, atol=atol)


def test_multihead_attention_of_pytorch_hides_where_its_mask_is_true():
    """With the inverse of its mask, this library gives the module's numbers."""
    module = read("pytorch")
    x, mask = module["module/x"], module["module/mask"]
    rows = ~mask.all(axis=-1)  # a row without keys is NaN in the module
    output, weights = al.scaled_dot_product_attention(x, x, x, ~mask)
    assert_allclose(weights[:, rows], module["module/weights"][:, rows], atol=1e-14)
    assert_allclose(output[:, rows], module["module/output"][:, rows], atol=1e-14)


@pytest.mark.parametrize("library", LIBRARIES)
def test_softmax_equals_the_other_libraries(library):
    tables = make_records.make_softmax_inputs()
    answers = {key: recorded for key, recorded in read(library).items() if key.startswith("softmax/")}
    assert len(answers) == 25
    for key, recorded in answers.items():
        _, name, dtype, axis = key.split("/")
        shares = al.softmax(tables[name].astype(dtype), int(axis.removeprefix("axis ")))
        if (name, axis) == ("row of only -inf", "axis -1"):
            assert np.isnan(recorded[1]).all()  # zeros here, as both libraries give for a query without keys
            shares, recorded = shares[:1], recorded[:1]
        assert shares.dtype == recorded.dtype == dtype
        assert_allclose(shares, recorded, rtol=0, atol=1e-6 if dtype == "float32" else 1e-15, err_msg=key)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("case", ["no mask", "a mask"])
def test_gradients_equal_those_of_autograd(case, dtype):
    records = read("pytorch_gradients")
    q, k, v, upstream = (records[name].astype(dtype) for name in ("q", "k", "v", "upstream"))
    weights = al.scaled_dot_product_attention(q, k, v, records["mask"] if case == "a mask" else None).weights
    for name, gradient in learning.attention_gradients(q, k, v, weights, upstream)._asdict().items():
        assert gradient.dtype == dtype
        assert_allclose(gradient, records[f"{case}/{dtype}/{name}"], rtol=0, atol=TOLERANCE[dtype])


def test_layers_and_their_gradients_equal_those_of_autograd():
    records = read("pytorch_layers")
    matrices = {name: records[f"matrix/{name}"] for name in make_records.LAYERS}
    step = learning.layers_step(
        matrices, records["tokens"], records["targets"], n_heads=int(records["n_heads"])
    )
    assert_allclose(step.scores, records["scores"], rtol=0, atol=1e-13)
    assert_allclose(step.loss, records["loss"], rtol=0, atol=1e-13)
    for name, gradient in step.gradients.items():
        assert_allclose(gradient, records[f"gradient/{name}"], rtol=0, atol=1e-13, err_msg=name)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("pairs", ["halves", "neighbours"])
def test_rotation_equals_onnx(pairs, dtype):
    record = read("onnx_today")
    rotated = today.rotate(record["x"].astype(dtype), record["positions"][:, None], pairs=pairs)
    assert rotated.dtype == dtype
    assert_allclose(rotated, record[f"{pairs}/{dtype}"], rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_grouped_heads_equal_pytorch(dtype):
    q, k, v = (read("pytorch_today")[name].astype(dtype) for name in "qkv")
    output = al.scaled_dot_product_attention(q, today.repeat_heads(k, 2), today.repeat_heads(v, 2)).output
    assert_allclose(output, read("pytorch_today")[f"grouped/{dtype}"], rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_new_queries_behind_a_cache_equal_onnx(dtype):
    q, k, v = (read("onnx_today")[name].astype(dtype) for name in "qkv")
    k, v = today.repeat_heads(k, 2), today.repeat_heads(v, 2)
    output = al.scaled_dot_product_attention(q, k, v, al.causal_mask(6)[-2:]).output
    assert_allclose(output, read("onnx_today")[f"cache/{dtype}"], rtol=0, atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_merged_parts_equal_pytorch(dtype):
    first, last, whole = (
        [read("pytorch_today")[f"{part}/{dtype}/{name}"] for name in ("output", "log_sum")]
        for part in ("first keys", "last keys", "all keys")
    )
    for merged, expected in zip(today.merge(*first, *last), whole, strict=True):
        assert merged.dtype == dtype
        assert_allclose(merged, expected, rtol=0, atol=TOLERANCE[dtype])


# ONNX's own test cases -------------------------------------------------------------------------

NODE_TOLERANCE = {"float16": 1e-3, "float32": 1e-6}


def node_cases(operator):
    """Each case of an operator: its options, and its arrays by their names in ONNX's documentation."""
    cases = read("onnx_node_cases")
    for name, options in json.loads(str(cases["options"])).items():
        if options["operator"] == operator:
            arrays = {key.rsplit("/", 1)[1]: cases[key] for key in cases if key.startswith(f"{name}/")}
            yield pytest.param(options, arrays, id=name)


@pytest.mark.parametrize("options, arrays", [*node_cases("Attention")])
def test_onnx_attention_case(options, arrays):
    q, k, v, mask = (arrays.get(key) for key in ("Q", "K", "V", "attn_mask"))
    if q.ndim == 3:  # (B, L, H * d): the operator splits the heads
        q, k, v = (
            al.split_heads(q, options["q_num_heads"]),
            *(al.split_heads(x, options["kv_num_heads"]) for x in (k, v)),
        )
    is_causal, scale = bool(options.get("is_causal", 0)), options.get("scale")
    output, weights = al.scaled_dot_product_attention(q, k, v, mask, is_causal=is_causal, scale=scale)
    blocks = al.attention_in_blocks(q, k, v, mask, is_causal=is_causal, scale=scale, block_size=3)
    if arrays["Y"].ndim == 3:
        output, blocks = al.merge_heads(output), al.merge_heads(blocks)
    atol = NODE_TOLERANCE[q.dtype.name]
    assert output.dtype == arrays["Y"].dtype
    assert_allclose(output, arrays["Y"], rtol=0, atol=atol)
    assert_allclose(blocks, arrays["Y"], rtol=0, atol=atol)
    if "qk_matmul_output" in arrays:
        scores = al.scaled_scores(q, k, scale)
        stage = {0: scores, 2: scores if mask is None or mask.dtype == bool else scores + mask, 3: weights}
        expected = stage[options.get("qk_matmul_output_mode", 0)]
        assert_allclose(arrays["qk_matmul_output"], expected, rtol=0, atol=atol)


@pytest.mark.parametrize("options, arrays", [*node_cases("Softmax")])
def test_onnx_softmax_case(options, arrays):
    assert_allclose(al.softmax(arrays["x"], options.get("axis", -1)), arrays["y"], rtol=0, atol=1e-6)


# The records ------------------------------------------------------------------------


def test_records_have_the_pinned_versions():
    """The versions pinned in oracles/requirements.txt, and no others."""
    lines = (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if "==" in line)
    answered = {}
    for name in make_records.MAKERS:
        answered |= json.loads(str(read(name)["versions"]))
    answered |= json.loads((HERE / "llama.json").read_text(encoding="utf-8"))["versions"]
    assert answered == pins


@pytest.mark.oracles
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", make_records.MAKERS)
def test_other_libraries_give_the_records_again(name):
    pytest.importorskip(make_records.package_of(name), reason=NEEDS)
    fresh, recorded = make_records.make(name), read(name)
    assert fresh.keys() == recorded.keys()
    for key, value in recorded.items():
        new = np.asarray(fresh[key])
        assert (new.dtype.kind, new.shape) == (value.dtype.kind, value.shape), key
        if value.dtype.kind == "f":
            assert new.dtype == value.dtype, key
            atol = {"float16": 1e-3, "float32": 4e-5, "float64": 1e-12}[value.dtype.name]
            assert_allclose(new, value, rtol=0, atol=atol, err_msg=key)
        elif key != "versions":
            assert_array_equal(new, value, err_msg=key)


@pytest.mark.oracles
def test_lines_of_notebook_5_run_in_pytorch_and_give_what_its_table_has():
    pytest.importorskip("torch", reason=NEEDS)
    cells = sources("05_batched_attention")
    code = "\n".join(re.findall(r"```python\n(.*?)```", cells["nb05-64-code"], re.DOTALL))
    (recorded,) = re.findall(r"in_pytorch = \[(.*?)\]", cells["nb05-65"])
    names = {"one_layer": data.load("layer_one")}
    exec(code, names)
    her = [names["a"][0, 8], names["b"][0, 8], names["c"][0, 8], names["d"][0, 0]]
    assert_allclose([x[0].item() for x in her], [float(x) for x in recorded.split(",")], rtol=0, atol=1e-4)


@pytest.mark.oracles
def test_names_in_other_code_are_lines_that_run_in_pytorch():
    torch = pytest.importorskip("torch", reason=NEEDS)
    text = sources("07_attention_today")["nb07-words"]
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    lines = "\n".join(f"    {line}" for line in code.splitlines())
    q, k, v = (torch.randn(2, 5, 24, dtype=torch.float64) for _ in range(3))

    def as_it_is(x, *_):
        return x

    names = {
        "torch": torch, "n_head": 4, "head_dim": 6, "n_rep": 1, "layer": 0, "cos": None, "sin": None,
        "x": torch.cat([q, k, v], dim=-1), "c_attn": as_it_is, "c_proj": as_it_is, "dropout": as_it_is,
        "q_norm": as_it_is, "k_norm": as_it_is, "repeat_kv": as_it_is,
        "past_key_values": SimpleNamespace(update=lambda k, v, layer: (k, v)),
        "apply_rotary_pos_emb": lambda q, k, cos, sin: (q, k), "seen": torch.ones(2, 5, 5).tril().bool(),
    }  # fmt: skip
    exec(f"def attention():\n{lines}\noutput = attention()", names)
    heads = (al.split_heads(y.numpy(), 4) for y in (q, k, v))
    expected = al.merge_heads(al.scaled_dot_product_attention(*heads, al.causal_mask(5)).output)
    assert_allclose(names["output"].numpy(), expected, rtol=0, atol=1e-12)
