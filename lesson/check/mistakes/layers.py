"""Mistakes in a layer: the weight matrices and biases before the heads, and W_O after them."""

import numpy as np

from lesson.check.mistakes.heads import (
    DEALT_IN_TURNS,
    MERGED_WRONG_AXES,
    OTHER_AXES_SWAPPED,
    interleaved,
    merged_interleaved,
    merged_not_swapped,
    merged_token_by_token,
    not_swapped,
    tokens_first,
)
from lesson.check.mistakes.mistake import mistake
from lesson.check.mistakes.scores import divided_by
from lesson.check.steps import RIGHT, swap

merge, split = RIGHT["merge_outputs"], RIGHT["split_projection"]


def transposed(names):
    """These matrices were transposed, and the others were not."""
    return lambda x, matrix, bias, name: x @ (matrix.T if name in names else matrix)


def one_for_another(name, other):
    """The matrix or bias of `other` in the place of this one."""
    return lambda used: other if used == name else used


def one_for_all(name):
    """The matrix or bias of this name for all three, as a function made in a loop takes the last."""
    return lambda used: name


def add(bias_times, names="qkv"):
    """The biases of these names taken so many times, and the others once."""
    return lambda product, bias, name: product + (bias_times if name in names else 1) * bias


def add_to_output(bias_times):
    return lambda product, bias, n: product + bias_times * bias


def add_to_matrix(x, matrix, bias, *_):
    """The product with matrix and bias together, without the bias that the next step adds."""
    return x @ (matrix + bias) - bias


def output_transposed(merged, matrix, bias, n):
    return merged @ matrix.T


def merged_alone(merged, matrix, bias, n):
    return merged


def unmerged(output):
    return output


def product_by_block(output, matrix, bias, n):
    """Each head times a block of W_O, with a part of the rows and of the columns."""
    rows, columns = matrix.shape[0] // n, matrix.shape[1] // n
    blocks = [matrix[rows * h :, columns * h :][:rows, :columns] for h in range(n)]
    return merge(output @ np.stack(blocks))


LAYER_NORMS = [
    lambda x, epsilon=epsilon: (x - x.mean(-1, keepdims=True)) / (x.var(-1, keepdims=True) + epsilon) ** 0.5
    for epsilon in (0, 1e-5)
]

LAYERS = [
    mistake(
        "table-transposed",
        "A weight matrix was transposed. It is stored (in, out), so x @ w needs no transpose.",
        "In x @ w, which axis of w does the last axis of x meet?",
        apply_matrix=[transposed("qkv"), *map(transposed, "qkv")],
        apply_output_matrix=[output_transposed],
        together=[{"apply_matrix": transposed("qkv"), "apply_output_matrix": output_transposed}],
    ),
    mistake(
        "table-used-twice",
        "One weight matrix is used where a different one should be: queries, keys and values each have their own.",
        "From which entry of parameters is each of the three computed? Which of the eight is used more than once, and which never?",
        choose_matrix=[one_for_another(*pair) for pair in ("vk", "vq", "qk", "qv", "kv")],
        together=[{"choose_matrix": one_for_all(name), "choose_bias": one_for_all(name)} for name in "voqk"],
        supersedes="roles-exchanged",
    ),
    mistake(
        "projection-missing",
        "Vectors were cut into heads as they came in: a weight matrix and its bias were left out.",
        "Which three products of x does a layer compute before it cuts anything into heads?",
        together=[
            {
                "apply_matrix": lambda x, matrix, bias, name, names=names: x if name in names else x @ matrix,
                "add_bias": add(0, names),
            }
            for names in ("qkv", "v", "q")
        ],
    ),
    mistake(
        "bias-forgotten",
        "A bias is missing: the product with a weight matrix is not the whole projection.",
        "Which biases are there, and which of your lines adds each of them?",
        add_bias=[add(0), add(0, "q"), add(0, "v")],
        add_output_bias=[add_to_output(0)],
        together=[{"add_bias": add(0), "add_output_bias": add_to_output(0)}],
    ),
    mistake(
        "bias-added-to-table",
        "A bias was added to the weight matrix, and then multiplied by x with it.",
        "In x @ w + b, what is done first? Which brackets are in your line?",
        apply_matrix=[add_to_matrix],
        together=[{"apply_matrix": add_to_matrix, "apply_output_matrix": add_to_matrix}],
    ),
    mistake(
        "bias-before-the-table",
        "A bias was added before the product with the weight matrix, but should be added to that product.",
        "In x @ w + b, what is done first? Which brackets are in your line?",
        apply_matrix=[lambda x, matrix, bias, name: (x + bias) @ matrix - bias],
        apply_output_matrix=[lambda merged, matrix, bias, n: (merged + bias) @ matrix - bias],
    ),
    mistake(
        "bias-of-another",
        "One bias is used where a different one should be: queries, keys and values each have their own.",
        "From which entry of parameters is each of the three computed? Which of the eight is used more than once, and which never?",
        choose_bias=[one_for_another(*pair) for pair in ("qk", "qv", "vq", "vk")],
    ),
    mistake(
        "bias-subtracted",
        "A bias was subtracted, but should be added.",
        "Which sign is before your bias?",
        add_bias=[add(-1), add(-1, "q"), add(-1, "v")],
        add_output_bias=[add_to_output(-1)],
        together=[{"add_bias": add(-1), "add_output_bias": add_to_output(-1)}],
    ),
    mistake(
        "bias-multiplied",
        "A product was multiplied by the bias, which should be added to it.",
        "Which sign is before your bias?",
        add_bias=[lambda product, bias, name: product * bias],
    ),
    mistake(
        "bias-twice",
        "A bias was added twice. Each belongs to its product, once.",
        "In which of your lines is the bias added? Does a function add it already?",
        add_bias=[add(2)],
        add_output_bias=[add_to_output(2)],
    ),
    mistake(
        "bias-per-head",
        "The bias of W_O was added once for each head. It belongs to their sum, once.",
        "How often should b_o be added for one token, however many heads there are?",
        add_output_bias=[lambda product, bias, n: product + n * bias],
    ),
    mistake(
        "projection-not-swapped",
        "The axes of heads and tokens were not exchanged: a head holds numbers of the wrong tokens.",
        "A reshape gives (..., L, H, d). Which two axes still have to be exchanged?",
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
        "The outputs are (..., H, L, d). Which two axes are exchanged before the reshape?",
        merge_outputs=[merged_not_swapped],
    ),
    mistake(
        "outputs-merged-wrong-axes",
        OTHER_AXES_SWAPPED,
        "The outputs are (..., H, L, d). Which two axes are exchanged before the reshape?",
        merge_outputs=MERGED_WRONG_AXES,
    ),
    mistake(
        "outputs-not-merged",
        "The heads were not merged before W_O: they still have an axis of their own.",
        "W_O needs all heads of a token side by side. Which function of notebook 5 puts them there?",
        merge_outputs=[unmerged, tokens_first],
        supersedes="batches-paired output-per-head",
    ),
    mistake(
        "projection-in-turns",
        DEALT_IN_TURNS,
        "With 6 features and 3 heads, which two features belong to head 0?",
        split_projection=[interleaved],
        merge_outputs=[merged_interleaved],
        together=[{"split_projection": interleaved, "merge_outputs": merged_interleaved}],
    ),
    mistake(
        "heads-not-cut",
        "Nothing was cut into heads: what was passed on is one head, as wide as all of them together.",
        "Where in your lines does n_heads occur, and which axis does it divide?",
        split_projection=[lambda x, n: x, lambda x, n: x[..., None, :, :]],
    ),
    mistake(
        "projection-sizes-exchanged",
        "Two lengths were exchanged: the number of heads and the head dimension, or the head dimension and the number of tokens.",
        "A product has 8 numbers for 2 heads. How long should each axis of (..., H, L, d) be? How long are yours?",
        split_projection=[lambda x, n: split(x, x.shape[-1] // n), lambda x, n: swap(split(x, n))],
    ),
    mistake(
        "scaled-by-all-heads",
        "The scores were divided by something made of all heads: their dimension together, or their number. d_k is the dimension of one.",
        "What is the dimension of the two vectors whose dot product is a score?",
        scale=[
            divided_by(lambda q, k: (q.shape[-3] * q.shape[-1]) ** 0.5),
            divided_by(lambda q, k: q.shape[-3] ** 0.5),
        ],
    ),
    mistake(
        "later-tokens-hidden",
        "Later tokens were hidden, as with a causal mask. Here every token sees all the others.",
        "Which of your lines hides something? Does the exercise ask for it?",
        hide_unasked=[lambda scores: np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)],
    ),
    mistake(
        "weights-merged",
        "The weights were passed on to W_O. Attention returns the output first, then the weights.",
        "Which of the two has one vector for each token, as long as a value?",
        choose_result=[lambda output, weights: weights],
    ),
    mistake(
        "output-table-missing",
        "W_O is missing: the heads' outputs were merged, but came back without that product.",
        "Which of the eight entries of parameters have no part in your result?",
        apply_output_matrix=[merged_alone],
        together=[{"apply_output_matrix": merged_alone, "add_output_bias": add_to_output(0)}],
    ),
    mistake(
        "output-table-twice",
        "The product with W_O was made twice: its result went through W_O again.",
        "How often does w_o occur in your lines, and what is multiplied by it each time?",
        apply_output_matrix=[lambda merged, matrix, bias, n: (merged @ matrix + bias) @ matrix],
    ),
    mistake(
        "output-per-head",
        "Each head went through a part of W_O by itself, but the results were not added up.",
        "A head's rows of W_O make a whole vector, (d_model,). How do the vectors of all heads become one?",
        together=[
            {
                "merge_outputs": unmerged,
                "apply_output_matrix": lambda output, matrix, bias, n: (
                    output @ matrix.reshape(n, -1, matrix.shape[-1])
                ),
            },
            {"merge_outputs": unmerged, "apply_output_matrix": product_by_block},
        ],
    ),
    mistake(
        "residual-added",
        "The vectors x are in the result. Only what attention adds was asked for.",
        "Which of your lines adds x itself?",
        leave_out_x=[lambda added, x: added + x],
    ),
    mistake(
        "layer-norm",
        "The vectors went through a layer norm. What attention adds was asked for, without a norm.",
        "Which of your lines subtracts a mean, or divides by a standard deviation?",
        normalise_x=LAYER_NORMS,
        leave_out_x=[lambda added, x, norm=norm: norm(added) for norm in LAYER_NORMS],
    ),
]
