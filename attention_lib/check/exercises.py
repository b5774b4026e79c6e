"""The exercises, each in one place: what it asks for, what it is tried on, what is right.

The notebooks' list, the tests' list and the checks follow from this file. `recipe` is the right
answer as a sequence of steps; a wrong answer is the same recipe with wrong steps.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attention_lib import attention as al
from attention_lib.check import layer_probes
from attention_lib.check import probes as p
from attention_lib.check.steps import RIGHT, attention, multi_head, project, steps


@dataclass(frozen=True)
class Task:
    """Anything in a notebook that ends in a call of this package."""

    name: str
    notebook: str
    difficulty: str
    minutes: int


@dataclass(frozen=True)
class Exercise(Task):
    """A task whose answer is a function."""

    arguments: str
    recipe: Callable  # steps and arguments -> answer
    make_probes: Callable
    wanted: str  # finishes the sentence "The exercise asks for ..."
    parts: tuple[str, ...] = ("",)  # the arrays that come back, as they are called in a message
    booleans: bool = False
    may_call: str = ""  # functions of the library that the statement allows
    forbids: str = ""  # functions of the library with which the statement would be empty
    shares: bool = False  # whether what comes back, or the last of it, is a table of shares
    exact_zeros: str = ""  # the mistake of a hidden key that gets next to nothing
    # -> what was recorded from the real model, in words, a probe of it, and the answer
    real: Callable | None = None

    @cached_property
    def probes(self):
        return self.make_probes()

    @cached_property
    def steps(self):
        """The names of the steps that its recipe is made of: only mistakes in these can occur."""
        used = set()

        class Recorder:
            def __getattr__(self, name):
                used.add(name)
                return RIGHT[name]

        for probe in self.probes:
            self.recipe(Recorder(), *probe.args)
        return frozenset(used)

    def answer(self, args, wrong=None, taken=None):
        """What the recipe gives with these steps in place of the right ones; None if they fail."""
        with np.errstate(all="ignore"):
            try:
                result = self.recipe(taken or steps(wrong), *args)
                result = result if isinstance(result, tuple) else (result,)
                return tuple(np.asarray(part, float) for part in result)
            except (ValueError, TypeError, IndexError, AttributeError):
                return None


def real_heads():
    """All 72 heads of the model for one sentence."""
    from attention_lib import data

    cat = data.load("cat_sentence")
    probe = p.probe("the real model", *(cat[name] for name in "qkv"))
    return "the weights and outputs of all 72 heads", probe, (cat["context"], cat["weights"])


def real_layer():
    """What layer 1 of the model adds to each token of the sentence."""
    from attention_lib import data

    layer = data.load("layer_one")
    tables = {f"{kind}_{name}": layer[f"{kind}_{name}"] for name in "qkvo" for kind in "wb"}
    probe = p.probe("the real layer", layer["x"], tables, 12)
    return "what attention adds in layer 1", probe, (layer["added"],)


NUMBERS = "an array of numbers"
BOOLEANS = "an array of True and False"
# Each of these holds a softmax.
WHOLE = "softmax masked_softmax scaled_dot_product_attention attention_in_blocks"
EARLIER = f"attention_scores scaled_scores causal_mask padding_mask {WHOLE} split_heads merge_heads"

TASKS = [
    Exercise(
        "dot_product",
        "01_dot_product",
        "easy",
        5,
        arguments="a b",
        recipe=lambda s, a, b: s.dot(*s.vectors(a, b)),
        make_probes=p.pairs_of_vectors,
        wanted="one number",
    ),
    Exercise(
        "attention_scores",
        "01_dot_product",
        "medium",
        9,
        arguments="q k",
        recipe=lambda s, q, k: s.early(s.score(q, k), q, k),
        make_probes=p.queries_and_keys,
        wanted=NUMBERS,
    ),
    Exercise(
        "scaled_scores",
        "02_scaling",
        "easy",
        7,
        arguments="q k",
        recipe=lambda s, q, k: s.scale(s.score(q, k), q, k),
        make_probes=p.queries_and_keys,
        wanted=NUMBERS,
        may_call="attention_scores",
    ),
    Exercise(
        "softmax",
        "03_softmax",
        "medium",
        11,
        arguments="scores",
        recipe=lambda s, scores: s.share(scores),
        make_probes=p.tables_of_scores,
        wanted=NUMBERS,
        shares=True,
    ),
    Exercise(
        "causal_mask",
        "04_masking",
        "easy",
        5,
        arguments="n",
        recipe=lambda s, n: s.flip(s.turn(s.causal(n))),
        make_probes=p.numbers_of_tokens,
        wanted=BOOLEANS,
        booleans=True,
    ),
    Exercise(
        "padding_mask",
        "04_masking",
        "medium",
        7,
        arguments="lengths max_length",
        recipe=lambda s, lengths, n: s.lay(s.flip(s.real(lengths, n))),
        make_probes=p.lengths_of_sentences,
        wanted=BOOLEANS,
        booleans=True,
    ),
    Exercise(
        "masked_softmax",
        "04_masking",
        "hard",
        10,
        arguments="scores mask",
        recipe=lambda s, scores, mask: s.after(s.share(s.hide(scores, mask)), mask),
        make_probes=p.tables_with_masks,
        wanted=NUMBERS,
        shares=True,
        exact_zeros="fill-too-small",
        forbids=WHOLE,
    ),
    Exercise(
        "split_heads",
        "05_batched_attention",
        "medium",
        6,
        arguments="x n_heads",
        recipe=lambda s, x, n: s.place(s.cut(x, n)),
        make_probes=p.tables_to_split,
        wanted=NUMBERS,
    ),
    Exercise(
        "merge_heads",
        "05_batched_attention",
        "easy",
        4,
        arguments="x",
        recipe=lambda s, x: s.glue(x),
        make_probes=lambda: [p.probe(t.what, al.split_heads(*t.args)) for t in p.tables_to_split()],
        wanted=NUMBERS,
    ),
    Exercise(
        "scaled_dot_product_attention",
        "05_batched_attention",
        "hard",
        8,
        arguments="q k v mask",
        recipe=attention,
        make_probes=p.attention_arguments,
        wanted="two arrays of numbers, the output and the weights",
        parts=("output", "weights"),
        shares=True,
        may_call="attention_scores scaled_scores softmax masked_softmax",
        real=real_heads,
    ),
    Task("linking_head", "05_batched_attention", "medium", 8),
    Exercise(
        "multi_head",
        "06_inside_the_model",
        "medium",
        9,
        arguments="x tables n_heads",
        recipe=multi_head,
        make_probes=layer_probes.vectors_and_tables,
        wanted="one array of numbers, what attention adds to each token",
        may_call=EARLIER,
        real=real_layer,
    ),
    Exercise(
        "project",
        "06_inside_the_model",
        "easy",
        6,
        arguments="x w b n_heads",
        recipe=project,
        make_probes=layer_probes.vectors_and_a_table,
        wanted=NUMBERS,
        may_call="split_heads",
    ),
]

EXERCISES = {task.name: task for task in TASKS if isinstance(task, Exercise)}
