"""Features that only some probes have: if an answer goes wrong on those alone, the feature points to the cause."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attention_lib.check.weights import mask


@dataclass(frozen=True)
class Trait:
    where: str  # finishes the sentence "Of the inputs tried, your function is wrong only ..."
    ask: str
    holds: Callable  # of a run


def may_have_a_mask(run):
    return "mask" in run.exercise.arguments.split()


def has_whole_numbers(run):
    whole = any(np.asarray(a).dtype.kind == "i" and np.ndim(a) for a in run.args)
    return whole and not run.exercise.booleans


def has_an_axis_of_length_1(run):
    return any(1 in part.shape for part in (*map(np.asarray, run.args), *run.right))


PROBE_TRAITS = [
    Trait(
        "without a mask",
        "What does your function do when no mask is given?",
        lambda run: may_have_a_mask(run) and mask(run) is None,
    ),
    Trait(
        "with a mask that is smaller than the table",
        "The mask lines up with the table from the right. Which line of yours needs both alike?",
        lambda run: mask(run) is not None and np.shape(mask(run)) != run.right[-1].shape,
    ),
    Trait(
        "with a mask",
        "Follow the mask through your lines. Where does it meet the table?",
        lambda run: mask(run) is not None,
    ),
    Trait(
        "with more than one head",
        "Which numbers belong to the second head, and where do your lines take them from?",
        lambda run: run.named_args.get("n_heads", 1) > 1,
    ),
    Trait(
        "with whole numbers",
        "Can the array that you write into hold a fraction? Which dtype does it have?",
        has_whole_numbers,
    ),
    Trait(
        "where an axis has length 1",
        "Which of your lines takes away an axis of length 1, or treats it in another way?",
        has_an_axis_of_length_1,
    ),
]
