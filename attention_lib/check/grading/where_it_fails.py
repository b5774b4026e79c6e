"""Where an answer goes wrong, if it is right everywhere else: often that is the cause."""

import numpy as np

from attention_lib.check.grading.error_hints import in_words


def axes(seen):
    return max(np.ndim(a) for a in seen.args)


def longest(seen):
    """The longest axis of what goes in or should come back."""
    return max((n for a in (*seen.args, *seen.right) for n in np.shape(a)), default=0)


def mask_is_stretched(s):
    return s.mask is not None and np.shape(s.mask) != s.right[-1].shape


def a_table_is_not_square(s):
    tables = s.named_args.get("tables", {}).values()
    return any(len(set(np.shape(table))) == 2 for table in tables)


FEATURES = [
    (
        "where mask=None is given",
        "How does your function notice that there is no mask?",
        lambda s: "mask" in s.named_args and s.mask is None,
    ),
    (
        "without a mask",
        "What does your function do when no mask is given?",
        lambda s: "mask" in s.exercise.arguments.split() and s.mask is None,
    ),
    (
        "with a mask that is smaller than the table",
        "The mask lines up with the table from the right. Which line of yours needs both alike?",
        mask_is_stretched,
    ),
    (
        "with a mask",
        "Follow the mask through your lines. Where does it meet the table?",
        lambda s: s.mask is not None,
    ),
    (
        "with whole numbers",
        "Can the array that you write into hold a fraction? Which dtype has it?",
        lambda s: (
            s.exercise.make_probes
            and any(np.asarray(a).dtype.kind == "i" and np.ndim(a) for a in s.args)
            and not s.exercise.booleans
        ),
    ),
    (
        "where tables are not square",
        "Which lengths do your lines take from which table?",
        a_table_is_not_square,
    ),
    (
        "where an axis has length 1",
        "Which of your lines takes away an axis of length 1, or treats it in another way?",
        lambda s: any(1 in part.shape for part in (*map(np.asarray, s.args), *s.right)),
    ),
]


def contrast(runs):
    """(where it goes wrong, a question), if it is right everywhere else; or None."""
    runs = [s for s in runs if s.probe.ordinary]
    right, wrong = [s for s in runs if s.ok], [s for s in runs if not s.ok]
    if not right or not wrong:
        return None
    most = max(map(axes, right))
    if min(map(axes, wrong)) > most:
        where = f"with more than {in_words(most, 'axis', 'axes')}"
        return (
            where,
            "Which of your lines counts axes from the front? -1 is the last of any number.",
        )
    most = max(map(longest, right))
    if most > 1 and min(map(longest, wrong)) > most:
        length = in_words(most, "number or token", "numbers or tokens")
        where = f"where something is longer than {length}"
        return where, "Does a number in your lines stand for a length?"
    for where, ask, has in FEATURES:
        if all(map(has, wrong)) and not any(map(has, right)):
            return where, ask
    for where, ask, has in FEATURES:
        if all(map(has, wrong)) and not all(map(has, right)):
            return f"{where}, though not in every such case", ask
    if len(wrong) == 1:
        return f"with {wrong[0].probe.what}", "What is different about that input?"
    return None
