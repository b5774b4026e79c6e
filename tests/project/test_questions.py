"""docs/questions.md: its links lead to sections of the notebooks, and its numbers are true."""

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import attention_lib as al
from attention_lib import data, model, today

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
PARTS = re.split(r"^### (.+)\n", TEXT, flags=re.MULTILINE)[1:]
ANSWERS = {question: answer.split("\n## ")[0] for question, answer in zip(PARTS[::2], PARTS[1::2])}
LINK = re.compile(r"\[notebook (\d), ([^\]]+)\]\(\.\./notebooks/([^)]+)\)")
LINKS = sorted({(*link, q) for q, answer in ANSWERS.items() for link in LINK.findall(answer)})

RECORDED = data.load("cat_sentence")
TOKENS = RECORDED["tokens"]
LAYER = data.load("layer_one")
X = LAYER["x"]
Q, K, V = (RECORDED[name][1] for name in "qkv")  # layer 1: (12, 11, 32) each
HER, CAT = 8, 4


# Links ------------------------------------------------------------------------------------------


@cache
def markdown_of(name):
    cells = json.loads((ROOT / "notebooks" / name).read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def names_of_sections(notebook):
    """Headings without their number, and the bold words that open a paragraph."""
    found = re.findall(r"^#+ (?:\d+\. )?(.+)$|^\*\*(.+?)[.:]?\*\*", markdown_of(notebook), re.MULTILINE)
    return {re.sub("[`$]", "", heading or bold) for heading, bold in found}


@pytest.mark.parametrize("number, section, notebook, question", LINKS)
def test_link_leads_to_a_section(number, section, notebook, question):
    assert notebook.startswith(f"0{number}_")
    assert section in names_of_sections(notebook), question


def test_every_link_to_a_notebook_is_tested():
    assert TEXT.count("](../notebooks/") == sum(len(LINK.findall(answer)) for answer in ANSWERS.values())


def test_contents_name_the_groups():
    groups = re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
    listed = re.findall(r"^- \[(.+)\]\(#(.+)\)$", TEXT, re.MULTILINE)
    assert listed == [(group, group.lower().replace(",", "").replace(" ", "-")) for group in groups]


# Numbers that no cell shows: each function returns them as the answer writes them -----------------

NUMBERS = {}


def numbers_of(question):
    return lambda function: NUMBERS.setdefault(question, function)


def by_distance(q, k):
    """Minus the squared distance of every query and key."""
    return -((q[..., :, None, :] - k[..., None, :, :]) ** 2).sum(axis=-1)


def causal(q, k, v, mask=None):
    return al.scaled_dot_product_attention(q, k, v, mask, is_causal=True)


def largest(difference, axis=None):
    return abs(difference).max(axis=axis)


@numbers_of("Does a higher dot product mean that two vectors are closer? Why not use the distance?")
def nearest_keys():
    q, k = RECORDED["q"], RECORDED["k"]
    same = by_distance(q, k).argmax(axis=-1) == al.attention_scores(q, k).argmax(axis=-1)
    return "72 heads", f"{same.mean():.0%}".replace("%", " %")


@numbers_of("Why not one table in place of W_Q and W_K?")
def joint_table():
    w_q, w_k, b_q = LAYER["w_q"][:, 96:128], LAYER["w_k"][:, 96:128], LAYER["b_q"][96:128]
    joint = w_q @ w_k.T
    weights = al.softmax((X @ joint + b_q @ w_k.T) @ X.T / 32**0.5)
    assert largest(weights - RECORDED["weights"][1, 3]) < 1e-5
    return (
        f"{joint.size:,} numbers",
        f"two have {w_q.size + w_k.size:,}",
        f"rank is {np.linalg.matrix_rank(joint)}",
    )


@numbers_of("Is one joint projection for q, k and v the same as three?")
def joint_projection():
    table = np.hstack([LAYER[f"w_{name}"] for name in "qkv"])
    bias = np.hstack([LAYER[f"b_{name}"] for name in "qkv"])
    for part, recorded in zip(np.split(X @ table + bias, 3, axis=-1), (Q, K, V)):
        assert largest(al.split_heads(part, 12) - recorded) < 1e-5
    return str(table.shape), "1e-5"


@numbers_of("d_model or d_k under the root?")
def wrong_root():
    wide = al.scaled_dot_product_attention(Q[3], K[3], V[3], scale=384**-0.5).weights
    right = RECORDED["weights"][1, 3]
    return f"{(384 / 32) ** 0.5:.2f} times", f"*cat* {wide[HER, CAT]:.2f}", f"gave {right[HER, CAT]:.2f}"


@numbers_of("How can softmax be computed without seeing the whole row (online softmax, flash attention)?")
def two_parts():
    scores = al.scaled_scores(RECORDED["q"], RECORDED["k"])
    parts = []
    for keys in (slice(6), slice(6, None)):
        parts.append(al.softmax(scores[..., keys]) @ RECORDED["v"][..., keys, :])
        parts.append(np.log(np.exp(scores[..., keys]).sum(axis=-1)))
    assert largest(today.merge(*parts)[0] - RECORDED["context"]) < 1e-5
    return "1e-5", f"{largest((parts[0] + parts[2]) / 2 - RECORDED['context']):.2f}"


@numbers_of("Does a decoder need a padding mask if the padding is at the right?")
def padding_at_the_right():
    with_mask, without = causal(Q, K, V, np.arange(11) < 9), causal(Q, K, V)
    assert (with_mask.output[:, :9] == without.output[:, :9]).all()
    return ["exactly the same"]


@numbers_of("And if the padding is at the left?")
def padding_at_the_left():
    alone = causal(Q[3, 2:], K[3, 2:], V[3, 2:]).output
    without, masked = causal(Q[3], K[3], V[3]), causal(Q[3], K[3], V[3], np.arange(11) >= 2)
    assert largest(masked.output[2:] - alone) < 1e-5 and not masked.weights[:2].any()
    return ["two padded tokens in front of nine", f"{largest(without.output[2:] - alone):.2f}"]


@numbers_of("Why many heads and not one large one?")
def one_large_head():
    q, k, v = (al.merge_heads(a) for a in (Q, K, V))
    assert np.allclose(q @ k.T, (Q @ K.mT).sum(axis=0), atol=1e-3)
    one = al.scaled_dot_product_attention(q, k, v).weights
    assert q.shape == (11, 384) and (one.argmax(axis=-1) == 0).all() and TOKENS[0] == "[CLS]"
    places = set(TOKENS[RECORDED["weights"][1, :, HER].argmax(axis=-1)])
    assert len(places) == 5
    return f"*cat* {one[HER, CAT]:.0e}".replace("e-0", "e-"), "five different places"


@numbers_of("Grouped queries (GQA): in which order do the heads repeat?")
def order_of_repeated_heads():
    k, v = K[:3], V[:3]
    in_a_row = al.scaled_dot_product_attention(Q, today.repeat_heads(k, 4), today.repeat_heads(v, 4))
    in_turn = al.scaled_dot_product_attention(Q, np.tile(k, (4, 1, 1)), np.tile(v, (4, 1, 1)))
    off = largest(in_a_row.output - in_turn.output, axis=(1, 2))
    assert (off == 0).sum() == 6
    order = " ".join(str(i) for i in np.repeat([0, 1, 2], 4))
    return order, "six of twelve", f"{off.max():.2f}"


def layer_one(x, attention):
    q, k, v = (al.split_heads(x @ LAYER[f"w_{n}"] + LAYER[f"b_{n}"], 12) for n in "qkv")
    return al.merge_heads(attention(q, k, v).output) @ LAYER["w_o"] + LAYER["b_o"]


ORDER = np.random.default_rng(0).permutation(11)


@numbers_of("Does attention know the order of the words?")
def permuted_tokens():
    before, after = (layer_one(x, al.scaled_dot_product_attention) for x in (X, X[ORDER]))
    assert largest(after - before[ORDER]) < 1e-5 and largest(after.mean(axis=0) - before.mean(axis=0)) < 1e-5
    dog, man = model.embed(["The dog bit the man.", "The man bit the dog."])
    return "1e-5", f"{dog @ man:.3f}"


@numbers_of("Does a causal model need positions?")
def permuted_tokens_of_a_causal_model():
    after = causal(Q[:, ORDER], K[:, ORDER], V[:, ORDER]).output
    return [f"{largest(after - causal(Q, K, V).output[:, ORDER]):.2f}"]


@numbers_of("Why are positions added and not concatenated?")
def concatenated_positions():
    arrays = data.load("model")
    ids = [arrays["vocabulary"].tolist().index(token) for token in TOKENS]
    word, place = arrays["words"][ids].astype(float), arrays["positions"][:11].astype(float)
    twice = np.vstack([LAYER["w_q"], LAYER["w_q"]])
    assert np.allclose((word + place) @ LAYER["w_q"], np.hstack([word, place]) @ twice, atol=1e-9)
    return ["(word + place) W = word W + place W"]


@numbers_of("Rotary positions: halves or neighbours?")
def mixed_layouts():
    q, k = (np.tile(a.astype(float), (11, 1)) for a in (Q[3, HER], K[3, CAT]))

    def spread(**pairs):
        table = today.rotate(q) @ today.rotate(k, **pairs).T
        return max(np.ptp(table.diagonal(i)) for i in range(-10, 11))

    assert spread() < 1e-12
    return [f"{spread(pairs='neighbours'):.1f}"]


@numbers_of("Are values rotated too?")
def rotation_keeps_lengths():
    assert np.allclose(np.linalg.norm(today.rotate(K), axis=-1), np.linalg.norm(K, axis=-1), atol=1e-5)
    later = np.arange(11) + 100
    shifted = today.rotate(Q, later) @ today.rotate(K, later).mT
    assert np.allclose(shifted, today.rotate(Q) @ today.rotate(K).mT, atol=1e-3)
    return ["depends on their distance alone"]


@numbers_of("Why are K and V cached and Q not?")
def one_token_at_a_time():
    whole = causal(Q, K, V).output
    for t in range(11):
        one = al.scaled_dot_product_attention(Q[:, [t]], K[:, : t + 1], V[:, : t + 1]).output
        assert largest(one[:, 0] - whole[:, t]) < 1e-5
    n = np.arange(1, 1001)
    return "1e-5", f"{n.sum():,} dot products", f"{(n * (n + 1) // 2).sum():,}"


@numbers_of("Can I cache K and V in an encoder such as BERT?")
def keys_of_a_longer_sentence():
    def change(attention):
        short, long = (model.read(s, attention)["k"] for s in ("I have a cat", str(RECORDED["sentence"])))
        return largest(short[:, :, :5] - long[:, :, :5], axis=(1, 2, 3))

    def both_masks(q, k, v, mask):
        return causal(q, k, v, mask)

    free, with_mask = change(al.scaled_dot_product_attention), change(both_masks)
    assert free[0] < 1e-5 and free.argmax() == 4 and (with_mask < 1e-5).all()
    return f"{free[1]:.2f}", f"{free[4]:.2f}", "1e-5"


@numbers_of("How large is a KV cache?")
def size_of_a_cache():
    gib = {heads: 2 * 32 * heads * 128 * 2 * 131_072 / 2**30 for heads in (8, 32)}
    return (
        f"8 key heads of 128 numbers, 2 bytes and {131_072:,} tokens that is {gib[8]:.0f} GiB",
        f"{gib[32]:.0f} GiB",
    )


@numbers_of("Dropout on attention weights: why do the rows no longer add up to 1?")
def dropped_weights():
    p = 0.1
    kept = np.random.default_rng(0).random((100_000, 11)) >= p
    sums = (RECORDED["weights"][1, 3, HER] * kept / (1 - p)).sum(axis=1)
    return f"p = {p}", *(f"{row_sum:.2f}" for row_sum in sums[:5]), f"{sums.mean():.3f}"


def words(text):
    """The text with single spaces, without the targets of its links."""
    return " ".join(re.sub(r"\]\([^)]*\)|arXiv:[\d.]+", "]", text).split())


@pytest.mark.parametrize("question", NUMBERS)
def test_number_in_the_answer_is_true(question):
    for number in NUMBERS[question]():
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?!\d|\.\d)", words(ANSWERS[question])), number


@pytest.mark.parametrize("question", ANSWERS)
def test_answer_has_a_link_or_a_tested_number(question):
    assert question in NUMBERS or "](" in ANSWERS[question]


@pytest.mark.parametrize("question", ANSWERS)
def test_decimals_come_from_a_linked_notebook_or_a_test(question):
    sources = [
        (ROOT / "notebooks" / name).read_text("utf-8") for _, _, name in LINK.findall(ANSWERS[question])
    ]
    sources += NUMBERS[question]() if question in NUMBERS else []
    for number in re.findall(r"\d+\.\d+", words(ANSWERS[question])):
        assert number in "\n".join(sources)
