"""Mistakes in what runs a language model: attention with a past, the nucleus of a distribution, and induction."""

import numpy as np

from lesson.check.mistakes.mistake import mistake
from lesson.check.steps import at, attend_to_all, join, join_past, softmax, swap


def rotated(change_q=lambda positions: positions, change_k=lambda positions: positions, **base):
    """New queries and keys, rotated by other positions or with another base."""
    return lambda q, k, positions: (
        at(change_q(positions), q, **base),
        at(change_k(positions), k, **base),
    )


def from_zero(positions):
    return positions - positions[0]


def one_more(positions):
    return positions + 1


def at_places(keys):
    """All keys, rotated by their places."""
    return at(np.arange(keys.shape[1]), keys)


def joined_and_rotated(past, k, v, positions):
    keys, values = join_past(past, k, v, positions)
    return at_places(keys), values


def joined_and_rotated_as_new(past, k, v, positions):
    """All keys, rotated by the positions of the new ones: that works for one new token."""
    keys, values = join_past(past, k, v, positions)
    return at(positions, keys), values


def joined_otherwise(join_keys, join_values):
    return lambda past, k, v, positions: (
        (k, v) if past is None else (join_keys(past[0], k), join_values(past[1], v))
    )


def new_in_front(past, new):
    return join(new, past)


def along_heads(past, new):
    return np.concatenate([past, new], axis=0)


def attend_to_new_in_front(q, keys, values, mask):
    """With the mask's columns as they belong to new keys in front of the others."""
    return attend_to_all(q, keys, values, np.roll(mask, len(mask), axis=1))


def attend_to_new(q, keys, values, mask):
    length = q.shape[1]
    return attend_to_all(q, keys[:, -length:], values[:, -length:], mask[:, -length:])


def attend_to_old(q, keys, values, mask):
    n = keys.shape[1] - q.shape[1]
    if n == 0:
        return attend_to_all(q, keys, values, mask)
    return attend_to_all(q, keys[:, :n], values[:, :n], mask[:, :n])


def attend_scaled_by(divisor):
    def attend(q, keys, values, mask):
        scores = np.where(mask, q @ swap(keys) / divisor(q), -np.inf)
        return softmax(scores) @ values

    return attend


QUERIES_ALONE = {"rotate_new": lambda q, k, positions: (at(positions, q), k)}

ATTEND = [
    mistake(
        "positions-restart",
        "The positions begin at 0 in each call. The first new token has position n, the number of keys in the past.",
        "Three tokens are in the past. Which position has the first new one?",
        positions=[lambda n, length: np.arange(length)],
    ),
    mistake(
        "past-miscounted",
        "The tokens of the past were counted on another axis. They are on axis 1 of its keys.",
        "The keys of the past are (K, n, d). Which position has the first new token, and what does len give?",
        count_past=[
            lambda past: 0 if past is None else len(past[0]),
            lambda past: 0 if past is None else len(past),
        ],
    ),
    mistake(
        "positions-lost",
        "Neither the queries nor the new keys were rotated.",
        "Which line of yours uses the position of a token?",
        rotate_new=[lambda q, k, positions: (q, k)],
    ),
    mistake(
        "query-position-lost",
        "The keys were rotated and the queries were not, so that the scores depend on the positions of the keys alone.",
        "By which positions does your code rotate q?",
        rotate_new=[lambda q, k, positions: (q, at(positions, k))],
    ),
    mistake(
        "key-positions-lost",
        "The queries were rotated and the new keys were not.",
        "By which positions does your code rotate k?",
        rotate_new=[QUERIES_ALONE["rotate_new"]],
        supersedes="past-not-rotated",
    ),
    mistake(
        "another-rotary-base",
        "Queries, keys or both were rotated with another base than 100,000. `today.rotate` takes 10,000 if it is given none.",
        "Which base do your calls of `today.rotate` have?",
        rotate_new=[
            rotated(base=10_000.0),
            lambda q, k, positions: (at(positions, q, base=10_000.0), at(positions, k)),
            lambda q, k, positions: (at(positions, q), at(positions, k, base=10_000.0)),
        ],
    ),
    mistake(
        "old-keys-rotated-again",
        "Keys of the past were rotated a second time. They were rotated when they were the newest.",
        "How often is the key of token 0 rotated until token 3 has come?",
        rotate_joined=[at_places],
        join_past=[joined_and_rotated],
        together=[
            {**QUERIES_ALONE, "join_past": joined_and_rotated},
            {**QUERIES_ALONE, "join_past": joined_and_rotated_as_new},
        ],
    ),
    mistake(
        "past-not-rotated",
        "The new keys were returned as they were before the rotation. The past holds rotated keys.",
        "Which keys does your function return, those before the rotation or those after it?",
        keep=[lambda keys, values, past, k, v, times: (k if past is None else join(past[0], k), values)],
        together=[{**QUERIES_ALONE, "rotate_joined": at_places}],
    ),
    mistake(
        "rotated-backwards",
        "Queries and keys were rotated in the wrong direction.",
        "Should the angle grow or shrink with the position?",
        positions=[lambda n, length: -np.arange(n, n + length)],
    ),
    mistake(
        "query-and-key-apart",
        "The query and the key of a token were rotated by different positions.",
        "By which positions is q rotated, and by which is k?",
        rotate_new=[
            rotated(change_q=from_zero),
            rotated(change_k=from_zero),
            rotated(change_k=one_more),
        ],
    ),
    mistake(
        "value-rotated",
        "The values were rotated too. Only queries and keys carry positions.",
        "Where do positions matter: in the scores, or in what is averaged?",
        rotate_values=[lambda v, positions: at(positions, v)],
    ),
    mistake(
        "heads-tiled",
        "The heads of keys and values were repeated as a whole, 0 1 0 1. Query heads that share one are side by side: 0 0 1 1.",
        "With four heads of queries and two of keys, whose keys does query head 1 see?",
        repeat_heads=[lambda x, n: np.tile(x, (n, 1, 1))],
    ),
    mistake(
        "repeated-heads-kept",
        "The keys and values were returned after they were repeated. The past holds each head once.",
        "How many heads have the keys that you were given, and how many those that you return?",
        keep=[
            lambda keys, values, past, k, v, times: tuple(np.repeat(x, times, axis=0) for x in (keys, values))
        ],
    ),
    mistake(
        "mask-at-the-upper-left",
        "The mask is aligned at the upper left: query i sees keys 0 to i. With n keys in the past it sees keys 0 to n + i.",
        "Three tokens are in the past. Which keys should the first new query see?",
        mask_future=[lambda n, length: np.tri(length, n + length, dtype=bool)],
    ),
    mistake(
        "no-mask",
        "No key is hidden: each query also sees the keys of all tokens after it.",
        "Which keys does the first of six tokens see?",
        mask_future=[lambda n, length: np.ones((length, n + length), bool)],
    ),
    mistake(
        "mask-one-ahead",
        "Each query sees one key too many, that of the token right after it.",
        "Which is the last key that the first of six tokens may see?",
        mask_future=[lambda n, length: np.tri(length, n + length, n + 1, dtype=bool)],
    ),
    mistake(
        "own-key-hidden",
        "The mask hides the key of the query's own token.",
        "Which is the last key that a token may see?",
        mask_future=[lambda n, length: np.tri(length, n + length, n - 1, dtype=bool)],
    ),
    mistake(
        "past-lost",
        "The past was lost: its keys and values were not used, or were not returned.",
        "How many keys does a new token see after three others, and how many does your function return?",
        join_past=[lambda past, k, v, positions: (k, v)],
        attend_to_all=[attend_to_new],
        keep=[lambda keys, values, past, k, v, times: tuple(x[:, -k.shape[1] :] for x in (keys, values))],
    ),
    mistake(
        "newest-left-out",
        "The new tokens attend to the past alone: their own keys and values come too late.",
        "Which keys should token 1 attend to?",
        attend_to_all=[attend_to_old],
    ),
    mistake(
        "joined-along-heads",
        "Past and newest were joined along the axis of the heads. The tokens are on the axis after it.",
        "What is the shape of your keys after three tokens?",
        join_past=[joined_otherwise(along_heads, along_heads)],
    ),
    mistake(
        "newest-in-front",
        "The new keys and values were put in front of those of the past. They belong behind them.",
        "In which order do your keys lie, and which of them does row 0 of the mask show?",
        join_past=[joined_otherwise(new_in_front, new_in_front)],
        together=[
            {
                "join_past": joined_otherwise(new_in_front, new_in_front),
                "attend_to_all": attend_to_new_in_front,
            }
        ],
    ),
    mistake(
        "keys-for-values",
        "Keys and values of the past were exchanged.",
        "In which order does your function return the past, and in which does it take it apart?",
        join_past=[
            lambda past, k, v, positions: (k, v) if past is None else (join(past[1], k), join(past[0], v))
        ],
        keep=[lambda keys, values, past, k, v, times: (values, keys)],
    ),
    mistake(
        "keys-and-values-out-of-order",
        "Keys and values have different orders, so a key's weight goes to the value of a different token.",
        "At which place is the newest key, and at which the newest value?",
        join_past=[joined_otherwise(new_in_front, join), joined_otherwise(join, new_in_front)],
    ),
    mistake(
        "scores-of-newest-unscaled",
        "The scores were not divided by the square root of d.",
        "Which step lies between the dot products and softmax?",
        attend_to_all=[attend_scaled_by(lambda q: 1)],
    ),
    mistake(
        "scores-divided-by-d",
        "The scores were divided by d, and not by its square root. `al.scaled_dot_product_attention` divides by the root.",
        "How often do your lines divide by the root of d, and how often does the function that they call?",
        attend_to_all=[attend_scaled_by(lambda q: q.shape[-1])],
    ),
]


def kept_or(other):
    """The logits that are kept, and something else in the place of all others."""
    return lambda logits, kept, probabilities: np.where(is_kept(logits, kept), logits, other)


def is_kept(logits, kept):
    return np.isin(np.arange(len(logits)), kept)


def returned_for_logits(change, otherwise):
    """Something made of the kept probabilities, and `otherwise` for all others."""

    def leave_out(logits, kept, probabilities):
        chosen = is_kept(logits, kept)
        changed = np.full(len(logits), float(otherwise))
        changed[chosen] = change(probabilities[chosen])
        return changed

    return leave_out


NUCLEUS = [
    mistake(
        "one-token-too-few",
        "One token too few is kept: together they have less than p.",
        "Probabilities of 0.5, 0.3 and 0.2, and p = 0.6: how many tokens have at least p together?",
        count_kept=[
            lambda ends, p: (ends < p).sum(),
            lambda ends, p: max((ends < p).sum(), 1),
            lambda ends, p: (ends <= p).sum(),
        ],
    ),
    mistake(
        "one-token-too-many",
        "One token more is kept than is needed for p.",
        "Probabilities of 0.5, 0.3 and 0.2, and p = 0.6: how many tokens have at least p together?",
        count_kept=[lambda ends, p: (ends < p).sum() + 2],
    ),
    mistake(
        "no-sum-reaches-p",
        "Rounding can leave the sum of the probabilities a little below 1. With p = 1 no sum reaches p then.",
        "The sums end at 0.9999999999999999, and p is 1. What does your line find, and which tokens are kept?",
        count_kept=[lambda ends, p: (ends >= p).argmax() + 1],
    ),
    mistake(
        "least-probable-first",
        "The tokens were taken in rising order, the least probable one first.",
        "In which order does np.argsort sort?",
        sort_tokens=[lambda probabilities, logits: np.argsort(probabilities)],
    ),
    mistake(
        "not-sorted",
        "The tokens were taken in the order in which they came. The most probable ones come first.",
        "Probabilities of 0.1, 0.2 and 0.7, and p = 0.5: which token is kept?",
        sort_tokens=[lambda probabilities, logits: np.arange(len(logits))],
    ),
    mistake(
        "places-in-the-order-kept",
        "The places in the sorted order were taken for the tokens themselves.",
        "After sorting, how do you find out which token is the first?",
        choose_kept=[lambda kept, probabilities, logits, p: np.arange(len(kept))],
    ),
    mistake(
        "probabilities-returned",
        "Probabilities were returned. The exercise asks for the logits that came.",
        "Which numbers should the kept tokens have, those before softmax or those after it?",
        leave_out=[
            returned_for_logits(change, otherwise)
            for change in (np.array, lambda kept_alone: kept_alone / kept_alone.sum())
            for otherwise in (0, -np.inf)
        ],
    ),
    mistake(
        "p-for-a-single-token",
        "Each probability was compared with p by itself. The kept tokens have p together.",
        "Ten equally probable tokens, and p = 0.9: how many have to be kept?",
        choose_kept=[
            lambda kept, probabilities, logits, p: np.flatnonzero(probabilities >= p),
            lambda kept, probabilities, logits, p: np.flatnonzero(probabilities >= p * probabilities.max()),
        ],
    ),
    mistake(
        "left-out-without-infinity",
        "The tokens that are left out have another logit than -inf, such as 0 or -1e9.",
        "Which logit has a probability of 0, whatever the others are?",
        leave_out=[kept_or(0), kept_or(-1e9), kept_or(np.inf)],
    ),
    mistake(
        "logits-left-sorted",
        "The logits were returned in falling order. Each belongs at the place of its token.",
        "Which logit is that of token 0 in your result?",
        leave_out=[
            lambda logits, kept, probabilities: np.concatenate(
                [logits[kept], np.full(len(logits) - len(kept), -np.inf)]
            )
        ],
    ),
]


def diagonal(offset):
    """The diagonal of each matrix with this offset, a function of n."""
    return lambda weights, n: np.diagonal(weights, offset(n), -2, -1)


def whole(diagonal):
    return diagonal


INDUCTION = [
    mistake(
        "same-token-instead",
        "The weights are those on the same token before. Asked for is the token that followed it, one position later.",
        "The text is a b c a b c. Which position should the second a look at?",
        together=[{"choose_diagonal": diagonal(lambda n: -n), "leave_out_first": whole}],
    ),
    mistake(
        "one-position-late",
        "The weights are those on the token two positions behind the same one. Asked for is the next one.",
        "The text is a b c a b c. Which position should the second a look at?",
        choose_diagonal=[
            diagonal(lambda n: 2 - n),
            lambda weights, n: np.diagonal(weights, 2 - n, -2, -1)[..., 1:],
        ],
    ),
    mistake(
        "last-of-the-first-half",
        "The last token of the first half was taken along. It has not come before.",
        "At which position does the first token stand that has come before?",
        leave_out_first=[whole, lambda diagonal: diagonal[..., :-1]],
    ),
    mistake(
        "last-token-left-out",
        "The last token was left out. It has come before, too, and is followed by the first of the second half.",
        "How many tokens have come before in a text of three tokens, twice?",
        leave_out_first=[lambda diagonal: diagonal[..., 1:-1]],
    ),
    mistake(
        "queries-for-keys",
        "Queries and keys were exchanged: the weights are those above the diagonal of the matrix.",
        "Row i holds the weights of query i. Which row should the first of the second half be?",
        choose_diagonal=[diagonal(lambda n: n - 1)],
    ),
    mistake(
        "length-not-halved",
        "The number of all tokens was taken for n. The text comes twice, so n is half of it.",
        "weights is (..., 2n, 2n). What is n if its last axis is 80 long?",
        choose_diagonal=[diagonal(lambda n: 1 - 2 * n)],
        nan_suffices=True,
    ),
    mistake(
        "heads-averaged-together",
        "The mean was taken over all heads, or over a wrong axis. Each head has its own.",
        "For weights (30, 9, 80, 80), which shape should the result have?",
        average_diagonal=[
            lambda diagonal, n: diagonal.mean(),
            lambda diagonal, n: diagonal.mean(0),
        ],
    ),
    mistake(
        "diagonal-of-the-first-axes",
        "The diagonal was taken of the first two axes, as np.diagonal does if it is told no others.",
        "Which two axes of (30, 9, 80, 80) hold queries and keys?",
        choose_diagonal=[lambda weights, n: np.diagonal(weights, 1 - n)],
    ),
]
