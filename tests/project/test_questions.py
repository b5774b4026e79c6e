"""docs/questions.md: its links lead to sections of the notebooks, and its numbers are true. The rows of docs/glossary.md."""

import re
from functools import cache

import numpy as np
import pytest

import attention_lib as al
from attention_lib import data, learning, model, today
from lesson import language
from tests.notebooks.minutes import sections
from tests.notebooks.stored import ROOT, code_cells, joined, load, markdown_cells, printed
from tests.notebooks.test_prose import cosines_with_the_model

TEXT = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
PARTS = re.split(r"^### (.+)\n", TEXT, flags=re.MULTILINE)[1:]
ANSWERS = {question: answer.split("\n## ")[0] for question, answer in zip(PARTS[::2], PARTS[1::2])}
LINK = re.compile(r"\[notebook (\d+)(?:, ([^\]]+))?\]\(\.\./notebooks/([^)]+)\.ipynb\)")
# Decimals, and whole numbers with a comma.
NUMBER = re.compile(r"\d+\.\d+|\d+(?:,\d{3})+")

RECORDED = data.load("cat_sentence")
LAYER = data.load("layer_one")
Q, K, V = (RECORDED[name][1] for name in "qkv")  # layer 1: (12, 11, 32) each
HER, CAT = 8, 4


# Links ------------------------------------------------------------------------------------------


@cache
def places(name):
    """{heading, or bold words that open a paragraph: the text of the `##` section that has them} of a notebook."""
    found = {}
    for cells in sections(load(name)["cells"]).values():
        shown = "\n".join(joined(cell["source"]) for cell in cells) + "".join(map(printed, code_cells(cells)))
        for cell in markdown_cells(cells):
            pattern = r"^#+ (?:\d+\. )?(.+)$|^\*\*(.+?)[.:]?\*\*"
            for heading, bold in re.findall(pattern, joined(cell["source"]), re.MULTILINE):
                found[re.sub("[`$]", "", heading or bold)] = shown
    return found


def test_links_lead_to_sections():
    for number, section, notebook in LINK.findall(TEXT):
        assert notebook.startswith(f"{int(number):02}_"), f"{notebook} is not number {number}"
        assert section in places(notebook), f"no {section!r} in notebook {number}, but {[*places(notebook)]}"
    others = re.findall(r".*\]\(\.\./notebooks/.*", LINK.sub("", TEXT))
    assert not others, "a link has the form [notebook 1, its section](../notebooks/01_dot_product.ipynb)"


def test_contents_name_the_groups():
    groups = re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
    listed = re.findall(r"^- \[(.+)\]\(#(.+)\)$", TEXT, re.MULTILINE)
    assert listed == [(group, group.lower().replace(",", "").replace(" ", "-")) for group in groups]


# Numbers that no cell shows: each function returns them as the answer writes them -----------------

NUMBERS = {}
TRAINS = "What keeps heads from learning the same?"  # takes as long as all others


def numbers_of(question):
    return lambda function: NUMBERS.setdefault(question, function)


def causal(q, k, v, mask=None):
    return al.scaled_dot_product_attention(q, k, v, mask, is_causal=True)


def largest(difference, axis=None):
    return abs(difference).max(axis=axis)


@numbers_of("Does a higher dot product mean that two vectors are closer? Why not use the distance?")
def nearest_keys():
    q, k = RECORDED["q"], RECORDED["k"]
    distances = ((q[..., :, None, :] - k[..., None, :, :]) ** 2).sum(axis=-1)
    same = distances.argmin(axis=-1) == al.attention_scores(q, k).argmax(axis=-1)
    return "72 heads", f"{same.mean():.0%}".replace("%", " %")


@numbers_of("Why does attention need V? Why not average the keys?")
def reversed_values():
    def attention(q, k, v, mask):
        return al.scaled_dot_product_attention(q, k, v[..., ::-1], mask)

    return [f"{cosines_with_the_model(attention).mean():.2f}"]


@numbers_of("Why not one matrix instead of W_Q and W_K?")
def joint_table():
    w_q, w_k = LAYER["w_q"][:, 96:128], LAYER["w_k"][:, 96:128]
    return f"{(w_q @ w_k.T).size:,} numbers", f"two have {w_q.size + w_k.size:,}"


@numbers_of("d_model or d_k under the square root?")
def wrong_root():
    wide = al.scaled_dot_product_attention(Q[3], K[3], V[3], scale=384**-0.5).weights
    right = RECORDED["weights"][1, 3]
    return (
        f"{(384 / 32) ** 0.5:.2f} times",
        f"*cat* {wide[HER, CAT]:.2f}",
        f"instead of {right[HER, CAT]:.2f}",
    )


@numbers_of("How can softmax be computed without seeing the whole row (online softmax, flash attention)?")
def two_parts():
    scores = al.scaled_scores(RECORDED["q"], RECORDED["k"])
    halves = slice(6), slice(6, None)
    first, last = (al.softmax(scores[..., keys]) @ RECORDED["v"][..., keys, :] for keys in halves)
    return [f"{largest((first + last) / 2 - RECORDED['context']):.2f}"]


@numbers_of("And if the padding is at the left?")
def padding_at_the_left():
    batch = data.load("padded_batch")
    q, k, v = (batch[name][1] for name in "qkv")  # three heads
    alone = causal(*(x[:, :6] for x in (q, k, v))).output
    padded = [x[:, [6, 7, *range(6)]] for x in (q, k, v)]
    without, masked = causal(*padded), causal(*padded, np.arange(8) >= 2)
    assert largest(masked.output[:, 2:] - alone) < 1e-5 and not masked.weights[:, :2].any()
    off = [f"{number:.2f}" for number in largest(without.output[:, 2:] - alone, axis=(1, 2))]

    def hide_padding(q, k, v, mask):
        mask[..., :2] = False
        return al.scaled_dot_product_attention(q, k, v, mask)

    words = "machine learning is fun"
    moved = model.read(f"[PAD][CLS] {words}", hide_padding)["context"][0]  # the first [CLS] is hidden, too
    change = largest(moved[:, 2:] - model.read(words)["context"][0])
    said = f"{off[0]}, {off[1]} and {off[2]}", f"layer 0 change by up to {change:.2f}"
    return "two [PAD] in front of the six tokens", *said


@numbers_of("Grouped queries (GQA): in which order do the heads repeat?")
def order_of_repeated_heads():
    k, v = K[:3], V[:3]
    in_a_row = al.scaled_dot_product_attention(Q, today.repeat_heads(k, 4), today.repeat_heads(v, 4))
    in_turn = al.scaled_dot_product_attention(Q, np.tile(k, (4, 1, 1)), np.tile(v, (4, 1, 1)))
    off = largest(in_a_row.output - in_turn.output, axis=(1, 2))
    assert (off == 0).sum() == 6
    return "six of twelve", f"{off.max():.2f}"


@numbers_of("Does attention know the order of the words?")
def order_of_words():
    dog, man = model.embed(["The dog bit the man.", "The man bit the dog."])
    return [f"{dog @ man:.3f}"]


@numbers_of("Does a causal model need positions?")
def permuted_tokens():
    order = np.random.default_rng(0).permutation(11)
    after = causal(Q[:, order], K[:, order], V[:, order]).output
    return [f"{largest(after - causal(Q, K, V).output[:, order]):.2f}"]


@numbers_of("Dropout on attention weights: why do the rows no longer add up to 1?")
def dropped_weights():
    p = 0.1
    kept = np.random.default_rng(0).random((100_000, 11)) >= p
    sums = (RECORDED["weights"][1, 3, HER] * kept / (1 - p)).sum(axis=1)
    return f"p = {p}", *(f"{row_sum:.2f}" for row_sum in sums[:5]), f"{sums.mean():.3f}"


def words(text):
    """The text with single spaces, without the targets of its links, and without PyTorch's versions."""
    return " ".join(re.sub(r"\]\([^)]*\)|arXiv:[\d.]+|PyTorch since [\d.]+", "]", text).split())


def says(text, number):
    return re.search(rf"(?<![\d.]){re.escape(number)}(?!\d|\.\d)", text)


@numbers_of("Can I scale the queries instead of the scores?")
def order_of_scaling():
    q = k = np.full((1, 64), 60, np.float16)
    return f"ends at {np.finfo(np.float16).max:,.0f}", f"# {((q / 8) @ k.T).item()}"


def difference_of_heads(steps, nudge=None):
    """That of two random heads, or of a head and its copy, in which one number is larger by `nudge`, when trained."""
    rng = np.random.default_rng(0)
    matrices = learning.start_layers(27, 8, 1, rng)
    parts = [matrices[name][0].reshape(8, 2, 4) for name in ("w_q", "w_k", "w_v")]  # views, cut by head
    if nudge is not None:
        for part in parts:
            part[:, 1] = part[:, 0]
        matrices["w_o"][0, 4:] = matrices["w_o"][0, :4]
        parts[0][0, 1, 0] += nudge
    for _ in range(steps):
        rows = language.make_rows(8, rng)
        step = learning.layers_step(matrices, rows[:, :-1], rows[:, 1:], n_heads=2)
        for name in matrices:
            matrices[name] -= step.gradients[name]
    return max(largest(part[:, 1] - part[:, 0]) for part in parts)


@numbers_of(TRAINS)
def copied_heads():
    copied, nudged, random = (difference_of_heads(300, nudge) for nudge in (0, 0.01, None))
    return (
        f"after 300 steps their largest difference is {copied:.1f}",
        f"larger by 0.01 at the start, it is {nudged:.2f}",
        f"From random starts it is {random:.2f}, and was {difference_of_heads(0):.2f} before",
    )


@numbers_of("Does a head see only a slice of the token's vector?")
def what_a_head_reads():
    x, w_q, w_k = LAYER["x"], LAYER["w_q"], LAYER["w_k"]
    of_first, of_last = largest(w_q[0, 352:]), largest(w_q[383, :32])  # what 1 more there changes
    own = slice(96, 128)  # of head 3: its columns
    q, k = (x[:, own] @ w[own, own] + LAYER[b][own] for w, b in ((w_q, "b_q"), (w_k, "b_k")))
    of_slice = al.softmax(al.scaled_scores(q, k))[HER, CAT]
    right = RECORDED["weights"][1, 3, HER, CAT]
    return f"{of_first:.2f}", f"{of_last:.2f}", f"*cat* {of_slice:.2f} instead of {right:.2f}"


@numbers_of("Why is there a W_O?")
def where_a_head_writes():
    own = slice(96, 128)
    added = RECORDED["context"][1, 3, HER] @ LAYER["w_o"][own]  # (32,) @ (32, 384)
    return f"only {(added[own] ** 2).sum() / (added**2).sum():.2f}", f"even share is {32 / 384:.2f}"


@numbers_of("Are values rotated too?")
def rotated_values():
    def outputs(first, values):
        places = np.arange(first, first + 11)
        q, k = today.rotate(Q, places), today.rotate(K, places)
        return al.scaled_dot_product_attention(q, k, today.rotate(V, places) if values else V).output

    assert largest(outputs(2, False) - outputs(0, False)) < 1e-5
    return [f"{largest(outputs(2, True) - outputs(0, True)):.2f}"]


@numbers_of("Is training parallel over the tokens, if generation is not?")
def one_call_or_many():
    matrices = learning.start_layers(27, 32, 2, np.random.default_rng(0))
    row = language.make_rows(1, np.random.default_rng(99))[0, :48]

    def logits(tokens, causal):
        x = matrices["embedding"][tokens]
        for q, k, v, o in zip(*(matrices[name] for name in ("w_q", "w_k", "w_v", "w_o"))):
            q, k, v = today.rotate(x @ q), today.rotate(x @ k), x @ v
            x = x + al.scaled_dot_product_attention(q, k, v, is_causal=causal).output @ o
        return x @ matrices["unembedding"]

    many = {causal: [logits(row[: i + 1], causal)[-1] for i in range(48)] for causal in (True, False)}
    assert largest(logits(row, True) - many[True]) < 1e-12
    return "48 letters", f"{largest(logits(row, False) - many[False]):.2f}"


@numbers_of("Where does the layer norm stand, and why?")
def lengths_of_her():
    norm = model._add_and_norm

    def lengths(is_normed):
        seen = []

        def record(x, *others):
            x = norm(x, *others) if is_normed or not seen else x + others[0]
            seen.append(np.linalg.norm(x[0, HER]))
            return x

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(model, "_add_and_norm", record)
            model.read("I have a cat and i love her.")
        return seen

    first, *twelve = lengths(True)
    assert len(twelve) == 12
    grown = round(lengths(False)[-1], -3)
    return f"{min(twelve):.1f} to {max(twelve):.1f}", f"from {first:.1f} to about {grown:,.0f}"


@pytest.mark.parametrize(
    "question", [pytest.param(q, marks=pytest.mark.slow if q == TRAINS else ()) for q in ANSWERS]
)
def test_numbers_of_an_answer_are_shown_by_its_links_or_computed(question):
    answer = words(ANSWERS[question])
    computed = NUMBERS[question]() if question in NUMBERS else ()
    wrong = [number for number in computed if not says(answer, number)]
    assert not wrong, f"{NUMBERS[question].__name__} gives {wrong}, which the answer does not say"
    linked = [places(name).get(section, "") for _, section, name in LINK.findall(ANSWERS[question])]
    shown = "\n".join([*linked, *computed])
    missing = [number for number in NUMBER.findall(answer) if not says(shown, number)]
    assert not missing, f"no section that is linked shows {missing}: compute them below @numbers_of"


# The glossary

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = [line.strip("| ").split(" | ") for line in GLOSSARY.splitlines() if line.startswith("| ")][2:]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_term_is_bold_where_its_row_says(row):
    ((number, place, name),) = LINK.findall(row[-1])
    place = place or next(iter(places(name)))  # the notebook's title
    assert name.startswith(f"{int(number):02}_") and place in places(name)
    bold = rf"\*\*[^*\n]*\b{re.escape(row[0])}\b[^*\n]*\*\*"
    assert re.search(bold, places(name)[place], re.IGNORECASE), f"{row[0]} is not bold in {name}, {place}"


def test_rows_are_full_and_in_the_order_of_the_alphabet():
    terms = [row[0].casefold() for row in ROWS]
    assert terms == sorted(terms) and len(set(terms)) == len(terms)
    assert {len(line.split("|")) for line in GLOSSARY.splitlines() if line.startswith("| ")} == {7}
