"""Causes that are true of a function beside its own, by reading them: a mystery must not offer one as wrong.

{id of the mistake inside: ids of causes that hold too, or that a student could defend}. Where the variants of a
mistake differ, or the exercises, all that one of them makes true is here. Numbers do not show it: one mean for all
rows is no row's own mean either.
"""

OF_SCALES = "not-scaled scaled-by-another-root"  # whatever else was divided by, it was not the root of d_k
OF_SUMS = "not-normalised divided-by-another-sum added-to-the-sum"  # another divisor than the sum of the row

ALSO_TRUE = {
    # scores
    "not-multiplied": "",
    "distance": "not-multiplied sign-lost queries-with-queries",
    "cosine": "one-length-divided-out scaled-already scaled-by-vector-length",
    "one-length-divided-out": "cosine scaled-already scaled-by-vector-length",
    "queries-with-queries": "queries-and-keys-swapped not-transposed reshaped-not-transposed queries-transposed roles-exchanged",
    "sign-lost": "",
    "rounded": "sign-lost root-rounded",
    "queries-and-keys-swapped": "queries-transposed not-transposed reshaped-not-transposed roles-exchanged weights-transposed",
    "batches-paired": "all-axes-reversed products-side-by-side",
    "pairs-only": "not-transposed reshaped-not-transposed products-side-by-side",
    "reshaped-not-transposed": "not-transposed",
    "not-transposed": "reshaped-not-transposed",
    "queries-transposed": "not-transposed reshaped-not-transposed",
    "all-axes-reversed": "axes-counted-from-the-front batches-paired",
    "axes-counted-from-the-front": "all-axes-reversed not-transposed reshaped-not-transposed",
    "scaled-already": "one-length-divided-out cosine standardised",
    "shared-already": "sign-lost scaled-already softmax-twice",
    # scale
    "not-scaled": "scaled-by-a-constant other-base",
    "divided-by-d_k": f"{OF_SCALES} scaled-by-axis-one other-base",
    "divided-by-half-d_k": f"{OF_SCALES} other-base",
    "divided-by-twice-d_k": f"{OF_SCALES} other-base",
    "root-of-scores": OF_SCALES,
    "multiplied-by-sqrt-d_k": f"{OF_SCALES} other-base",
    "scaled-by-length": f"{OF_SCALES} scaled-by-a-constant scaled-by-axis-one scaled-in-softmax other-base",
    "scaled-by-a-constant": f"{OF_SCALES} other-base",
    "scaled-by-another-root": f"{OF_SCALES} divided-by-d_k divided-by-half-d_k divided-by-twice-d_k other-base",
    "root-subtracted": "not-scaled",
    "scaled-by-size": f"{OF_SCALES} scaled-by-a-constant scaled-by-length scaled-by-all-heads other-base",
    "scaled-by-all-heads": f"{OF_SCALES} scaled-by-size scaled-by-length other-base",
    "standardised": OF_SCALES,
    "scaled-by-vector-length": f"{OF_SCALES} cosine one-length-divided-out",
    "root-rounded": f"{OF_SCALES} rounded other-base",
    "scaled-by-d_v": f"{OF_SCALES} scaled-by-a-constant other-base",
    # softmax
    "normalised-over-everything": f"{OF_SUMS} lowered-otherwise maximum-over-queries exp-of-a-part",
    "normalised-over-queries": f"{OF_SUMS} normalised-over-axis-one lowered-otherwise exp-of-a-part",
    "keepdims-missing": f"{OF_SUMS} lowered-otherwise exp-of-a-part",
    "maximum-over-queries": "lowered-otherwise normalised-over-axis-one keepdims-missing exp-of-a-part",
    "not-normalised": "lowered-otherwise sigmoid-not-softmax exp-of-a-part",
    "divided-by-another-sum": "not-normalised exp-of-a-part",
    "added-to-the-sum": "not-normalised divided-by-another-sum sigmoid-not-softmax exp-of-a-part",
    "scaled-in-softmax": "other-base exp-of-a-part scaled-by-length divided-by-d_k",
    "softmax-twice": "exp-of-a-part shared-already fill-too-small mask-ignored filled-with-zero",
    "divided-without-exp": f"{OF_SUMS} softmax-missing normalised-over-everything sign-turned sign-of-scores-lost exp-of-a-part",
    "sigmoid-not-softmax": f"{OF_SUMS} exp-of-a-part",
    "sign-turned": "other-base lowered-otherwise exp-of-a-part",
    "sign-of-scores-lost": "sign-turned exp-of-a-part",
    "other-base": f"{OF_SCALES} exp-of-a-part",
    "winner-takes-all": f"{OF_SUMS} other-base sigmoid-not-softmax exp-of-a-part",
    "logarithm-of-shares": "softmax-missing",
    "scores-ignored": f"{OF_SUMS} other-base sign-of-scores-lost normalised-over-queries exp-of-a-part",
    "exp-of-a-part": f"{OF_SUMS} lowered-otherwise softmax-twice other-base",
    "lowered-otherwise": "maximum-over-queries exp-of-a-part zero-times-infinity",
    # masks
    "zero-times-infinity": "plus-infinity",
    "polarity-inverted": "fill-too-small filled-with-zero masked-after-softmax",
    "plus-infinity": "fill-too-small winner-takes-all",
    "masked-after-softmax": OF_SUMS,
    "mask-ignored": "fill-too-small",
    "mask-added-as-numbers": "fill-too-small polarity-inverted",
    "filled-with-zero": "fill-too-small",
    "fill-too-small": "",
    "one-mask-for-all": "",
    "zero-taken-for-hidden": "",
    "future-hidden-too": "hidden-without-a-mask",
    "hidden-without-a-mask": "future-hidden-too",
    "all-hidden-without-a-mask": "scores-ignored",
    # attention
    "scaled-after-softmax": f"not-scaled averaged-otherwise {OF_SUMS}",
    "keys-as-values": "roles-exchanged averaged-otherwise",
    "weights-transposed": "queries-and-keys-swapped roles-exchanged averaged-otherwise normalised-over-queries",
    "roles-exchanged": "keys-as-values queries-and-keys-swapped averaged-otherwise",
    "averaged-otherwise": "scores-ignored scaled-after-softmax weights-transposed",
    "scores-returned": "softmax-missing",
}
