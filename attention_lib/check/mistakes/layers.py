"""Mistakes in a layer: the tables and biases before the heads, and W_O behind them."""

import numpy as np

from attention_lib.check.evidence import wrong_entry, wrong_shape
from attention_lib.check.mistakes.heads import (
    DEALT_IN_TURNS,
    interleaved,
    merged_interleaved,
    merged_not_swapped,
    merged_token_by_token,
    not_swapped,
    tokens_first,
)
from attention_lib.check.mistakes.mistake import mistake
from attention_lib.check.steps import RIGHT, swap

merge, split = RIGHT["merge_outputs"], RIGHT["split_projection"]


def transposed(names):
    """These tables were transposed, and the others were not."""
    return lambda x, table, name: x @ (table.T if name in names else table)


def one_for_another(name, other):
    """The table of `other` in the place of this one; the bias is its own."""
    return lambda used: other if used == name else used


def without_tables(names):
    """These tables were left out, and the others were not."""
    return lambda x, table, name: x if name in names else x @ table


def left_out(names):
    """These biases were left out, and the others were not."""
    return lambda product, bias, name, x: product if name in names else product + bias


def subtracted(names):
    """These biases were subtracted, and the others were added."""
    return lambda product, bias, name, x: product + (-bias if name in names else bias)


def without_bias(product, bias, n):
    return product


def unmerged(output):
    return output


def product_of_each_head(output, table):
    """Each head's output times the rows of W_O that are its own: (..., H, L, d_model)."""
    return output @ table.reshape(output.shape[-3], -1, table.shape[-1])


def product_by_block(output, table, n):
    """Each head times a block of W_O, with a part of the rows and of the columns."""
    rows, columns = table.shape[0] // n, table.shape[1] // n
    blocks = [table[rows * h :, columns * h :][:rows, :columns] for h in range(n)]
    return merge(output @ np.stack(blocks))


def layer_norm(x):
    return (x - x.mean(-1, keepdims=True)) / x.std(-1, keepdims=True)


LAYERS = [
    mistake(
        "table-transposed",
        "A table was turned over. It is stored (in, out), so it needs no transpose after the @.",
        wrong_entry,
        "In x @ w, which axis of w does the last axis of x meet?",
        apply_table=[transposed("qkv"), *map(transposed, "qkv")],
        apply_output_table=[lambda merged, table, n: merged @ table.T],
        together=[
            {
                "apply_table": transposed("qkv"),
                "apply_output_table": lambda merged, table, n: merged @ table.T,
            }
        ],
    ),
    mistake(
        "table-used-twice",
        "One table stands where another should: queries, keys and values each have their own.",
        wrong_entry,
        "Which of the eight entries of tables occurs twice in your lines, and which nowhere?",
        choose_table=[one_for_another(*pair) for pair in ("vk", "vq", "qk", "qv", "kv")],
    ),
    mistake(
        "projection-missing",
        "Vectors were cut into heads as they came in: a table and its bias were left out.",
        wrong_entry,
        "Which three products of x does a layer make before it cuts anything into heads?",
        together=[
            {"apply_table": without_tables(names), "add_bias": left_out(names)} for names in ("qkv", "v")
        ],
    ),
    mistake(
        "bias-forgotten",
        "A bias is missing: the product with a table is not the whole projection.",
        wrong_entry,
        "Which biases are there, and which of your lines adds each of them?",
        add_bias=[left_out("qkv"), left_out("q"), left_out("v")],
        add_output_bias=[without_bias],
        together=[
            {"add_bias": left_out(names), "add_output_bias": without_bias} for names in ("qkv", "q", "v")
        ],
    ),
    mistake(
        "bias-added-to-table",
        "A bias was added to the table, and then multiplied by x with it.",
        wrong_entry,
        "In x @ w + b, what is done first? Which brackets are in your line?",
        add_bias=[lambda product, bias, name, x: product + x.sum(-1, keepdims=True) * bias],
    ),
    mistake(
        "bias-subtracted",
        "A bias was subtracted, and should be added.",
        wrong_entry,
        "Which sign stands before your bias?",
        add_bias=[subtracted("qkv"), subtracted("q"), subtracted("v")],
        add_output_bias=[lambda product, bias, n: product - bias],
        together=[
            {"add_bias": subtracted("qkv"), "add_output_bias": lambda product, bias, n: product - bias}
        ],
    ),
    mistake(
        "bias-per-head",
        "The bias of W_O was added once for each head. It belongs to their sum, once.",
        wrong_entry,
        "How often should b_o be added for one token, however many heads there are?",
        add_output_bias=[lambda product, bias, n: product + n * bias],
    ),
    mistake(
        "projection-not-swapped",
        "Heads and tokens did not change places: a head holds numbers of the wrong tokens.",
        wrong_shape,
        "A reshape gives (..., L, H, d). Which two axes still have to change places?",
        split_projection=[not_swapped, lambda x, n: x.reshape(*x.shape[:-1], n, -1)],
        together=[
            {"split_projection": not_swapped, "merge_outputs": merged_not_swapped},
            {
                "split_projection": lambda x, n: x.reshape(*x.shape[:-1], n, -1),
                "merge_outputs": merged_token_by_token,
            },
        ],
    ),
    mistake(
        "outputs-not-swapped",
        "The heads were merged without a swap: a row of the result holds numbers of the wrong tokens.",
        wrong_entry,
        "The outputs are (..., H, L, d). Which two axes change places before the reshape?",
        merge_outputs=[merged_not_swapped],
    ),
    mistake(
        "outputs-not-merged",
        "The heads were not merged before W_O: they still have an axis of their own.",
        wrong_shape,
        "W_O wants all heads of a token side by side. Which function of notebook 5 lays them so?",
        merge_outputs=[unmerged, tokens_first],
        supersedes="batches-paired output-per-head",
    ),
    mistake(
        "projection-in-turns",
        DEALT_IN_TURNS,
        wrong_entry,
        "With 6 features and 3 heads, which two features belong to head 0?",
        split_projection=[interleaved],
        merge_outputs=[merged_interleaved],
        together=[{"split_projection": interleaved, "merge_outputs": merged_interleaved}],
    ),
    mistake(
        "heads-not-cut",
        "The result is not cut into heads: it is one head, as wide as all of them together.",
        wrong_shape,
        "Where in your lines does n_heads occur, and which axis does it divide?",
        split_projection=[lambda x, n: x, lambda x, n: x[..., None, :, :]],
    ),
    mistake(
        "projection-sizes-exchanged",
        "The number of heads and the size of a head have changed places.",
        wrong_shape,
        "A product has 8 numbers for 2 heads. How many numbers does each head get?",
        split_projection=[lambda x, n: split(x, x.shape[-1] // n), lambda x, n: swap(split(x, n))],
    ),
    mistake(
        "scaled-by-all-heads",
        "The scores were divided by the root of the size of all heads together. d_k is the size of one head.",
        wrong_entry,
        "How long are the two vectors whose dot product is a score?",
        scale=[lambda scores, q, k: scores / (q.shape[-3] * q.shape[-1]) ** 0.5],
    ),
    mistake(
        "later-tokens-hidden",
        "Later tokens were hidden, as with a causal mask. Here every token sees all the others.",
        wrong_entry,
        "Which of your lines hides something, and who asked for it?",
        hide_unasked=[lambda scores: np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)],
    ),
    mistake(
        "weights-merged",
        "The weights went on to W_O. Attention gives back the output first, then the weights.",
        wrong_entry,
        "Which of the two has one vector for each token, as long as a value?",
        choose_result=[lambda output, weights: weights],
    ),
    mistake(
        "output-table-missing",
        "W_O is missing: the heads' outputs were merged, and came back as they are.",
        wrong_shape,
        "Which of the eight entries of tables occur nowhere in your lines?",
        apply_output_table=[lambda merged, table, n: merged],
        together=[{"apply_output_table": lambda merged, table, n: merged, "add_output_bias": without_bias}],
    ),
    mistake(
        "output-per-head",
        "Each head went through a part of W_O by itself, and the results were not added up.",
        wrong_shape,
        "A head's rows of W_O give a whole vector, (d_model,). How do all heads' become one?",
        together=[
            {
                "merge_outputs": unmerged,
                "apply_output_table": lambda output, table, n: product_of_each_head(output, table),
            },
            {
                "merge_outputs": unmerged,
                "apply_output_table": lambda output, table, n: merge(product_of_each_head(output, table)),
                "add_output_bias": without_bias,
            },
            {
                "merge_outputs": unmerged,
                "apply_output_table": lambda output, table, n: merge(product_of_each_head(output, table)),
                "add_output_bias": lambda product, bias, n: product + np.tile(bias, n),
            },
            {"merge_outputs": unmerged, "apply_output_table": product_by_block},
        ],
    ),
    mistake(
        "residual-added",
        "The vectors x are in the result. What attention adds was asked for, without them.",
        wrong_entry,
        "Which of your lines adds x itself?",
        leave_out_x=[lambda added, x: added + x, lambda added, x: layer_norm(added + x)],
    ),
]
