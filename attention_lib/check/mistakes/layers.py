"""Mistakes in a layer: the tables and biases before the heads, and W_O behind them."""

import numpy as np

from attention_lib.check.grading.format_evidence import entry, shape
from attention_lib.check.mistakes.mistake import mistake
from attention_lib.check.steps import RIGHT, swap

together_again, cut = RIGHT["join"], RIGHT["deal"]


def turned(names):
    """These tables were transposed, and the others were not."""
    return lambda x, table, name: x @ (table.T if name in names else table)


def dropped(names):
    """These biases were left out, and the others were not."""
    return lambda x, bias, name: x if name in names else x + bias


def unfinished(sent, bias, n):
    return sent


def untouched(output):
    return output


def sent_unmerged(output, table):
    """Each head's output times the rows of W_O that are its own: (..., H, L, d_model)."""
    return output @ table.reshape(output.shape[-3], -1, table.shape[-1])


def sent_by_block(output, table, n):
    """Each head times a block of W_O, with a part of the rows and of the columns."""
    rows, columns = table.shape[0] // n, table.shape[1] // n
    blocks = [table[rows * h :, columns * h :][:rows, :columns] for h in range(n)]
    return together_again(output @ np.stack(blocks))


def interleaved(x, n):
    return np.moveaxis(x.reshape(*x.shape[:-1], -1, n), -1, -3)


def interleaved_again(x):
    return np.moveaxis(x, -3, -1).reshape(*x.shape[:-3], x.shape[-2], -1)


def not_swapped(x, n):
    return x.reshape(*x.shape[:-2], n, x.shape[-2], -1)


def not_swapped_again(x):
    return x.reshape(*x.shape[:-3], x.shape[-2], -1)


LAYERS = [
    mistake(
        "table-transposed",
        "A table was turned over. It is stored (in, out), so it stands as it is behind the @.",
        entry,
        "In x @ w, the last axis of x meets which axis of w? Which axis of w is in?",
        times=[turned("qkv"), *map(turned, "qkv")],
        send=[lambda merged, table, n: merged @ table.T],
        together=[{"times": turned("qkv"), "send": lambda merged, table, n: merged @ table.T}],
    ),
    mistake(
        "bias-forgotten",
        "A bias is missing: the product with a table is not the whole projection.",
        entry,
        "How many biases went in, and which of your lines adds each of them?",
        shift=[dropped("qkv"), dropped("q"), dropped("v")],
        finish=[unfinished],
        together=[{"shift": dropped(names), "finish": unfinished} for names in ("qkv", "q", "v")],
    ),
    mistake(
        "bias-per-head",
        "The bias of W_O was added once for each head. It belongs to their sum.",
        entry,
        "How often should b_o be added for one token, however many heads there are?",
        finish=[lambda sent, bias, n: sent + n * bias],
    ),
    mistake(
        "axes-not-swapped",
        "Heads and tokens did not change places: a head holds numbers of the wrong tokens.",
        shape,
        "A reshape gives (..., L, H, d). Which two axes still have to change places?",
        deal=[not_swapped, lambda x, n: x.reshape(*x.shape[:-1], n, -1)],
        join=[not_swapped_again],
        together=[
            {"deal": not_swapped, "join": not_swapped_again},
            {
                "deal": lambda x, n: x.reshape(*x.shape[:-1], n, -1),
                "join": lambda x: x.reshape(*x.shape[:-2], -1),
            },
        ],
    ),
    mistake(
        "interleaved",
        "The features were dealt to the heads in turns. A head's features should lie side by side.",
        entry,
        "With 6 features and 3 heads, which two features belong to head 0?",
        deal=[interleaved],
        join=[interleaved_again],
        together=[{"deal": interleaved, "join": interleaved_again}],
    ),
    mistake(
        "heads-in-front",
        "The heads stand in front of the sentences, and should stand right before the tokens.",
        shape,
        "The result is (..., H, L, d). What do the dots stand for?",
        deal=[lambda x, n: np.moveaxis(cut(x, n), -3, 0)],
        over="axes-not-swapped",
    ),
    mistake(
        "heads-not-cut",
        "Nothing was cut into heads: there is one head, as wide as all of them together.",
        shape,
        "Where in your lines does n_heads occur, and which axis does it divide?",
        deal=[lambda x, n: x, lambda x, n: x[..., None, :, :]],
    ),
    mistake(
        "sizes-exchanged",
        "The number of heads and the size of a head have changed places.",
        shape,
        "A product has 8 numbers for 2 heads. How many numbers does each head get?",
        deal=[lambda x, n: cut(x, x.shape[-1] // n), lambda x, n: swap(cut(x, n))],
    ),
    mistake(
        "scaled-by-size",
        "The scores were divided by the root of all heads' numbers. d_k is the size of one head.",
        entry,
        "How long are the two vectors of which a score is the product?",
        scale=[lambda scores, q, k: scores / (q.shape[-3] * q.shape[-1]) ** 0.5],
    ),
    mistake(
        "different",
        "Later tokens were hidden, as with a causal mask. Here every token sees all the others.",
        entry,
        "Which of your lines hides something, and who asked for it?",
        see=[lambda scores: np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)],
    ),
    mistake(
        "return-order",
        "The weights went on to W_O. Attention gives back the output first, then the weights.",
        entry,
        "Which of the two has one vector for each token, as long as a value?",
        take=[lambda output, weights: weights],
    ),
    mistake(
        "output-table-missing",
        "W_O is missing: the heads' outputs were merged, and came back as they are.",
        shape,
        "Which of the eight entries of tables occur nowhere in your lines?",
        send=[lambda merged, table, n: merged],
        together=[{"send": lambda merged, table, n: merged, "finish": unfinished}],
    ),
    mistake(
        "output-per-head",
        "Each head went through a part of W_O by itself, and the results were not added up.",
        shape,
        "A head's rows of W_O give a whole vector, (d_model,). How do all heads' become one?",
        together=[
            {
                "join": untouched,
                "send": lambda output, table, n: sent_unmerged(output, table),
            },
            {
                "join": untouched,
                "send": lambda output, table, n: together_again(sent_unmerged(output, table)),
                "finish": unfinished,
            },
            {
                "join": untouched,
                "send": lambda output, table, n: together_again(sent_unmerged(output, table)),
                "finish": lambda sent, bias, n: sent + np.tile(bias, n),
            },
            {"join": untouched, "send": sent_by_block},
        ],
    ),
    mistake(
        "residual-added",
        "The vectors x are in the result. What attention adds was asked for, without them.",
        entry,
        "Which of your lines adds x itself?",
        rest=[lambda added, x: added + x],
    ),
]
