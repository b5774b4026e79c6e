"""Ids of what is wrong without a wrong step, and ids of earlier versions."""

# {id: (cause, question)}. Of most, a check makes its own texts from what it saw; these hold for any answer.
GENERAL = {
    "not-started": (
        "The `...` still stands where the lines should be.",
        "Which line of the statement can you write first?",
    ),
    "nothing-returned": (
        "The lines ran, and `return` is missing, was not reached or stands before nothing.",
        "What does the caller get from a function that prints?",
    ),
    "raises": (
        "The function stopped with an error on an input of the check.",
        "What goes into the line that stopped? Is it what the line needs?",
    ),
    "wrong-type": (
        "Something of another kind came back than the exercise asks for.",
        "What is the type of your result, and its dtype?",
    ),
    "wrong-shape": (
        "The result has the wrong shape: an axis is missing, too many, in another place or of another length.",
        "What is the shape after each of your lines?",
    ),
    "not-finite": (
        "The result holds NaN or infinity where a number belongs.",
        "After which of your lines do you see the first NaN or infinity?",
    ),
    "different": (
        "The result is wrong, in a way that the check has no name for.",
        "Work out one entry by hand. Where do your lines get something else?",
    ),
    "input-changed": (
        "The function changes the array that it was given.",
        "Which line writes into an argument?",
    ),
    "library-used": (
        "Every number is right, and a function of the library did the work.",
        "Which lines would you write without it?",
    ),
    "float16": (
        "Your numbers have no more than the 3 digits of float16. The input has more.",
        "Which of your lines asks for a dtype, or cuts digits off?",
    ),
    "other-angles": (
        "The pairs keep their lengths, and turn by other angles, all of them or some.",
        "By which angle should pair 0 turn at position 1, and by which pair 1? By which do yours?",
    ),
    "hidden-not-zero": (
        "Hidden keys get a very small weight. So they do where a hidden score is low, and exp of it still more than 0.",
        "Of which number is exp exactly 0, whatever the other scores are?",
    ),
}
# {id: those that some of its causes have now}. An earlier version had several causes under one id.
RENAMED = {
    "not-summed": "products-averaged products-multiplied products-counted-once products-side-by-side",
    "not-multiplied": "lengths-multiplied distance",
    "cosine": "one-length-divided-out",
    "one-vector-twice": "queries-with-queries",
    "sign-lost": "sign-of-scores-lost",
    "rounded": "root-rounded float16",
    "axes-counted-from-the-front": "heads-counted-from-the-front",
    "scaled-already": "dot-product-scaled scaled-in-softmax",
    "not-scaled": "root-subtracted",
    "divided-by-d_k": "divided-by-half-d_k divided-by-twice-d_k",
    "scaled-by-length": "scaled-by-axis-one",
    "scaled-by-size": "scaled-by-all-heads",
    "normalised-over-queries": "normalised-over-axis-one",
    "not-normalised": "divided-by-another-sum added-to-the-sum",
    "overflows": "lowered-otherwise log-sums-overflow",
    "fill-too-small": "mask-added-as-numbers fill-above-scores hidden-not-zero",
    "hidden-without-a-mask": "future-hidden-too all-hidden-without-a-mask later-tokens-hidden",
    "empty-row": "both-parts-empty",
    "sentences-confused": "one-length-for-all",
    "axis-misplaced": "row-for-every-query",
    "return-order": "weights-merged",
    "axes-not-swapped": "projection-not-swapped outputs-not-swapped",
    "interleaved": "merged-in-turns projection-in-turns",
    "merged-wrong-axes": "first-axis-taken-for-heads",
    "heads-mixed": "one-head-alone",
    "heads-not-merged": "swapped-not-merged outputs-not-merged",
    "sizes-exchanged": "last-axes-exchanged projection-sizes-exchanged",
    "other-pairs": "pairs-outside-in",
    "other-base": "log-sums-in-another-base",
    "not-transposed": "queries-transposed",
    "larger-log-sum-alone": "one-log-sum-alone",
    "other-speeds": "exponents-cut",
    "polarity-inverted": "mask-upside-down",
}
