"""The library against the recorded answers of PyTorch, JAX, ONNX and SciPy in tests/oracles/."""

import importlib.util
import itertools
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attention_lib as al

HERE = Path(__file__).parents[1] / "oracles"
RECORDS = (
    "inputs",
    "pytorch",
    "pytorch_today",
    "jax",
    "onnx",
    "onnx_node_cases",
    "onnx_today",
    "scipy",
)
ATTENTION = ("pytorch", "jax", "onnx")
SOFTMAX = ("pytorch", "jax", "onnx", "scipy")


@cache
def read(name):
    with np.load(HERE / f"{name}.npz", allow_pickle=False) as file:
        return dict(file)


CASES = json.loads(str(read("inputs")["cases"]))
NODE_CASES = json.loads(str(read("onnx_node_cases")["options"]))


def arguments(name, dtype):
    """q, k, v, mask and options of a case."""
    case, arrays = CASES[name], read("inputs")
    q, k, v = (arrays[f"{case['sizes']}/{letter}"].astype(dtype) for letter in "qkv")
    mask = arrays.get(f"{name}/mask")
    if mask is not None and mask.dtype.kind == "f":
        mask = mask.astype(case.get("mask_dtype", dtype))
    return (q, k, v, mask), {key: case[key] for key in ("is_causal", "scale") if key in case}


@cache
def ours():
    """This library's answers in the form of the records."""
    answers = {}
    for name in CASES:
        for dtype in ("float32", "float64"):
            arrays, options = arguments(name, dtype)
            try:
                output, weights = al.scaled_dot_product_attention(*arrays, **options)
            except TypeError as error:
                answers[f"{name}/{dtype}/refused"] = np.array(type(error).__name__)
            else:
                answers[f"{name}/{dtype}/output"], answers[f"{name}/{dtype}/weights"] = output, weights
    return answers


# Where libraries differ ---------------------------------------------------------------------------------
#
# The functions below read each cell off the records; the last column is this library, read off its own answers in
# the same way. Not recorded, from their documentation: flash-attention 2.1 aligns a causal mask at the bottom right and gives zeros for a row without keys;
# Keras says True may attend, top left; the TensorFlow tutorial's 1 hides; "Annotated Transformer" code fills with
# -1e9, so that a row without keys is uniform.

DIFFERENCES = [
    # question                                case                              PyTorch     JAX         ONNX     here
    ("what does True in a mask mean?",        "boolean mask",                  "attend",   "attend",   "attend", "attend"),
    ("a floating mask",                       "float mask",                    "added",    "added",    "added",  "added"),
    ("a mask of 0 and 1",                     "integer mask",                  "refused",  "refused",  "added",  "refused"),
    ("a float64 mask for float32 scores",     "float64 mask, float32 scores",  "refused",  "float32",  "float32", "float32"),
    ("causal, more keys than queries",        "causal, wide",                  "top left", "top left", "top left", "top left"),
    ("causal, more queries than keys",        "causal, tall",                  "top left", "top left", "top left", "top left"),
    ("causal, one query",                     "causal, one query",             "top left", "top left", "top left", "top left"),
    ("causal and a boolean mask",             "causal and boolean mask",       "refused",  "both",     "both",   "both"),
    ("causal and a floating mask",            "causal and float mask",         "refused",  "both",     "both",   "both"),
    ("a row without keys, boolean mask",      "row without keys, boolean mask", "zeros",   "uniform",  "zeros",  "zeros"),
    ("a row without keys, -inf mask",         "row without keys, -inf mask",   "zeros",    "NaN",      "zeros",  "zeros"),
    ("NaN in the value of a hidden key",      "NaN behind the mask",           "shows",    "shows",    "shows",  "shows"),
    ("a negative scale",                      "scale negative",                "scales",   "scales",   "NaN",    "scales"),
    ("softmax of float64 scores is done in",  "plain",                         "float64",  "float32",  "float64", "float64"),
    ("no keys at all",                        "no keys",                       "zeros",    "zeros",    "refused", "zeros"),
]  # fmt: skip

# softmax of a row of only -inf is NaN in all four, and zeros here: for a query without keys, the attention functions
# of PyTorch and ONNX return 0 too.
SOFTMAX_OF_AN_EMPTY_ROW = {"pytorch": "NaN", "jax": "NaN", "onnx": "NaN", "scipy": "NaN", "here": "zeros"}


def kind_of(row):
    """What a row of weights or outputs contains, in a word."""
    if np.isnan(row).all():
        return "NaN"
    if (row == 0).all():
        return "zeros"
    return "uniform" if np.allclose(row, 1 / row.shape[-1], rtol=1e-6) else "something else"


def verdict(answers, name):
    """What a library did in a case, in a word."""
    if f"{name}/float32/refused" in answers:
        return "refused"
    output, weights = answers[f"{name}/float64/output"], answers[f"{name}/float64/weights"]
    (q, k, _, mask), _ = arguments(name, "float64")
    scores = q @ k.mT / np.sqrt(q.shape[-1])
    if name == "boolean mask":
        one_way = (weights[..., ~mask] == 0).all() and (weights[..., mask] > 0).all()
        other_way = (weights[..., mask] == 0).all() and (weights[..., ~mask] > 0).all()
        return {(True, False): "attend", (False, True): "hidden"}[one_way, other_way]
    if name in ("float mask", "integer mask"):
        # log(weights) - scores is the mask, up to a constant for each row
        rest = np.log(weights) - scores - mask
        return "added" if np.allclose(rest, rest[..., :1], rtol=0, atol=1e-6) else "something else"
    if name == "scale negative":
        opposite = al.softmax(scores * (-0.75 * np.sqrt(q.shape[-1])))
        return "scales" if np.allclose(weights, opposite, rtol=0, atol=1e-6) else kind_of(weights)
    if name == "plain":
        return "float32" if (weights == weights.astype(np.float32)).all() else "float64"
    if name == "float64 mask, float32 scores":
        return answers[f"{name}/float32/output"].dtype.name
    if name in ("causal, wide", "causal, tall", "causal, one query"):
        n_queries, n_keys = weights.shape[-2:]
        corners = {"top left": 0, "bottom right": n_keys - n_queries}
        seen = (weights > 0).all(axis=(0, 1))
        return next(
            corner for corner, by in corners.items() if (seen == np.tri(n_queries, n_keys, by, bool)).all()
        )
    if name.startswith("causal and"):
        past = np.tri(*weights.shape[-2:], dtype=bool)
        seen = np.broadcast_to(past & mask if mask.dtype == bool else past, weights.shape)
        return "both" if ((weights > 0) == seen).all() else "something else"
    if name.startswith("row without keys"):
        return kind_of(weights[:, :, 1])
    if name == "NaN behind the mask":
        assert np.isfinite(weights).all()
        return (
            "shows"
            if np.isnan(output[..., 0]).all() and np.isfinite(output[..., 1:]).all()
            else "does not show"
        )
    assert name == "no keys" and weights.shape[-1] == 0
    return kind_of(output)


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: row[0])
def test_libraries_answer_as_the_table_says(row):
    _, name, *expected = row
    answers = [*(read(library) for library in ATTENTION), ours()]
    assert [verdict(a, name) for a in answers] == expected


def test_softmax_of_an_empty_row():
    name = "softmax/row of only -inf"
    verdicts = {library: kind_of(read(library)[f"{name}/float64/axis -1"][1]) for library in SOFTMAX}
    verdicts["here"] = kind_of(al.softmax(read("inputs")[name])[1])
    assert verdicts == SOFTMAX_OF_AN_EMPTY_ROW


def test_multihead_attention_of_pytorch_hides_where_its_mask_is_true():
    """With the inverse of its mask, this library gives the module's numbers."""
    module = read("pytorch")
    x, mask = module["module/x"], module["module/mask"]
    hidden = module["module/weights"][0] == 0
    may_attend = ~mask
    row_without_keys = ~may_attend.any(axis=-1)
    assert_array_equal(hidden[~row_without_keys], mask[~row_without_keys])
    assert np.isnan(module["module/weights"][0][row_without_keys]).all() and row_without_keys.any()
    output, weights = al.scaled_dot_product_attention(x, x, x, may_attend)
    assert_allclose(weights[:, ~row_without_keys], module["module/weights"][:, ~row_without_keys], atol=1e-14)
    assert_allclose(output[:, ~row_without_keys], module["module/output"][:, ~row_without_keys], atol=1e-14)


# Equal numbers ------------------------------------------------------------------------------

# (library, case): here this library differs on purpose, as the table above says.
DIFFERENT = {
    ("jax", "row without keys, boolean mask"),
    ("jax", "row without keys, -inf mask"),
    ("onnx", "integer mask"),
    ("onnx", "scale negative"),
}
TOLERANCE = {"float32": 2e-6, "float64": 1e-13}


def tolerance(library, dtype, name):
    """JAX computes softmax in float32 always; scores near 100 have 20 times the rounding error."""
    atol = TOLERANCE["float32" if library == "jax" else dtype]
    return atol * 20 if name == "large scores" else atol


def refused_or_different(library, dtype, name):
    return f"{name}/{dtype}/refused" in read(library) or (library, name) in DIFFERENT


ALL_CASES = list(itertools.product(ATTENTION, TOLERANCE, CASES))


@pytest.mark.parametrize(
    "library, dtype, name", [case for case in ALL_CASES if not refused_or_different(*case)]
)
def test_attention_equals_the_other_libraries(library, dtype, name):
    arrays, options = arguments(name, dtype)
    output, weights = al.scaled_dot_product_attention(*arrays, **options)
    atol = tolerance(library, dtype, name)
    recorded = read(library)[f"{name}/{dtype}/output"]
    assert output.dtype == recorded.dtype
    assert_allclose(output, recorded, rtol=0, atol=atol)
    assert_allclose(al.attention_in_blocks(*arrays, **options, block_size=2), recorded, rtol=0, atol=atol)
    if dtype == "float64":
        assert_allclose(weights, read(library)[f"{name}/{dtype}/weights"], rtol=0, atol=atol)


def test_cases_that_are_not_compared_are_in_the_table():
    left_out = {name for library, dtype, name in ALL_CASES if refused_or_different(library, dtype, name)}
    assert left_out <= {case for _, case, *_ in DIFFERENCES}


@pytest.mark.parametrize("name", ["row without keys, boolean mask", "row without keys, -inf mask"])
def test_other_rows_of_these_cases_equal_jax(name):
    recorded, here = (answers[f"{name}/float64/output"] for answers in (read("jax"), ours()))
    assert_allclose(here[:, :, [0, 2]], recorded[:, :, [0, 2]], rtol=0, atol=TOLERANCE["float32"])


@pytest.mark.parametrize("library", SOFTMAX)
def test_softmax_equals_the_other_libraries(library):
    compared = 0
    for key, recorded in read(library).items():
        if not key.startswith("softmax/"):
            continue
        _, name, dtype, axis = key.split("/")
        shares = al.softmax(read("inputs")[f"softmax/{name}"].astype(dtype), int(axis.removeprefix("axis ")))
        if name == "row of only -inf" and axis == "axis -1":
            shares, recorded = shares[:1], recorded[:1]  # the other row is in DIFFERENCES
        assert shares.dtype == recorded.dtype == dtype
        assert_allclose(shares, recorded, rtol=0, atol=1e-6 if dtype == "float32" else 1e-15, err_msg=key)
        compared += 1
    assert compared == 25


# ONNX's own test cases -------------------------------------------------------------------------

NODE_TOLERANCE = {"float16": 1e-3, "float32": 1e-6}


@pytest.mark.parametrize("name", [n for n, o in NODE_CASES.items() if o["operator"] == "Attention"])
def test_onnx_attention_case(name):
    options = NODE_CASES[name]
    arrays = {
        key.rsplit("/", 1)[1]: a for key, a in read("onnx_node_cases").items() if key.startswith(f"{name}/")
    }
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


@pytest.mark.parametrize("name", [n for n, o in NODE_CASES.items() if o["operator"] == "Softmax"])
def test_onnx_softmax_case(name):
    arrays = {
        key.rsplit("/", 1)[1]: a for key, a in read("onnx_node_cases").items() if key.startswith(f"{name}/")
    }
    shares = al.softmax(arrays["x"], NODE_CASES[name].get("axis", -1))
    assert_allclose(shares, arrays["y"], rtol=0, atol=1e-6)


# The records ------------------------------------------------------------------------


def test_records_have_the_pinned_versions():
    """The versions pinned in oracles/requirements.txt, and no others."""
    lines = (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if "==" in line)
    answered = {}
    for name in set(RECORDS) - {"inputs"}:
        answered |= json.loads(str(read(name)["versions"]))
    assert answered == pins


def test_records_are_complete_and_small():
    assert {path.stem for path in HERE.glob("*.npz")} == set(RECORDS)
    assert sum(path.stat().st_size for path in HERE.glob("*.npz")) < 300_000
    assert len(NODE_CASES) >= 25 and len(CASES) >= 20


def make_records():
    spec = importlib.util.spec_from_file_location("make_records", HERE / "make_records.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def same(fresh, recorded):
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


def test_script_makes_the_stored_inputs():
    same(make_records().inputs(), read("inputs"))


NEEDED = {
    "pytorch": "torch",
    "pytorch_today": "torch",
    "jax": "jax",
    "onnx": "onnx",
    "onnx_node_cases": "onnx",
    "onnx_today": "onnx",
    "scipy": "scipy",
}


@pytest.mark.oracles
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NEEDED)
def test_other_libraries_give_the_records_again(name):
    if importlib.util.find_spec(NEEDED[name]) is None:
        pytest.skip(f"{NEEDED[name]} is not installed: pip install -r tests/oracles/requirements.txt")
    same(make_records().MAKERS[name](), read(name))


def test_readme_of_the_oracles_names_every_record():
    page = (HERE / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(\w+)\.npz`", page)) == set(RECORDS)
