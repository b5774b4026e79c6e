"""The exercises, each declared in one place, TASKS: what it asks for, what it is tried on, what is right.

The tests' list and the checks follow from this file, and the notebooks are compared with it. `recipe` is the right
answer as a sequence of steps; a wrong answer is the same recipe with a variant.

To add an exercise, write it into TASKS, a new step into steps.py, its arguments into probes.py and wrong forms of
the step into mistakes/: CONTRIBUTING.md has the command to begin with, and what the tests need. A mistake applies
wherever its steps are used, unless `does_not_apply` has its id.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from attention_lib import attention as formula
from attention_lib import data, learning, plain_python, today
from lesson import language
from lesson.check import probes, steps
from lesson.check.compare import precision_of, same
from lesson.check.mistakes import MISTAKES


def public_functions(**modules):
    """{(file, name): what a notebook calls it} of all functions of these modules."""
    functions = {}
    for called, module in modules.items():
        for name, function in vars(module).items():
            own = inspect.isfunction(function) and function.__module__ == module.__name__
            if own and not name.startswith("_"):
                functions[module.__file__, name] = f"{called}.{name}"
    return functions


LIBRARY = public_functions(
    al=formula, plain_python=plain_python, today=today, learning=learning, language=language
)
# Not imported: what it imports needs more than NumPy.
LLAMA_HEADS = str(Path(language.__file__).with_name("llama_heads.py"))
LIBRARY |= {(LLAMA_HEADS, name): f"llama_heads.{name}" for name in ("induction_score", "nucleus")}


def unpacked(returned):
    """Output, keys and values, where an output and a pair were returned; anything else in a tuple of one."""
    if isinstance(returned, np.ndarray) or not is_pair(returned) or not is_pair(returned[1]):
        return (returned,)
    return (returned[0], *returned[1])


def is_pair(value):
    if isinstance(value, np.ndarray):
        return value.shape[:1] == (2,)
    return isinstance(value, (tuple, list)) and len(value) == 2


@dataclass(frozen=True)
class Task:
    """Anything in a notebook that ends in a call of this package."""

    name: str
    notebook: str


@dataclass(frozen=True)
class Exercise(Task):
    """A task whose answer is a function. The fields without a default are what every exercise needs."""

    recipe: Callable  # steps and arguments, named as in the stub -> the right answer
    make_probes: Callable  # -> list of Probes
    wanted: str = "an array of numbers"  # finishes the sentence "The exercise asks for ..."
    parts: tuple[str, ...] = ("",)  # the arrays that come back, as they are called in a message
    booleans: bool = False  # whether the answer is a mask
    index: bool = False  # whether the answer is an index, which is a whole number
    weights: bool = False  # whether the answer, or the last part of it, is a matrix of weights
    exact_zeros: bool = False  # whether hidden keys are to get 0, and nothing small instead
    float32_inside: bool = False  # whether a right answer may lose digits on the way, and give back float64
    may_call: str = ""  # functions of the library that the statement allows; a call of others gets a remark
    forbids: str = ""  # functions of the library that would leave nothing to write, beside its own name
    gives_a_past: bool = False  # whether it returns an output and a pair, which are three parts
    example: str = ""  # a call whose result a slide shows
    does_not_apply: str = ""  # ids of mistakes in its steps that are none here, or that no probe shows
    real: Callable | None = None  # -> what the real model recorded, in words, its arguments, its answer

    @cached_property
    def arguments(self):
        """The names of its arguments, separated by spaces."""
        _, *names = inspect.signature(self.recipe).parameters
        return " ".join(names)

    @cached_property
    def probes(self):
        return self.make_probes()

    @cached_property
    def steps(self):
        """The names of the steps that its recipe is made of."""
        used = set()

        class Recorder:
            def __getattr__(self, name):
                used.add(name)
                return steps.RIGHT[name]

        for probe in self.probes:
            self.recipe(Recorder(), *probe.args)
        return frozenset(used)

    @cached_property
    def variants(self):
        """[(mistake, variant)]: all wrong forms of its steps."""
        possible = [m for m in MISTAKES if m.id not in self.does_not_apply.split()]
        return [(m, v) for m in possible for v in m.variants if v.keys() <= self.steps]

    @cached_property
    def extreme_variants(self):
        """The variants that no ordinary probe shows."""
        return [(m, v) for m, v in self.variants if self.not_shown_by_ordinary_probes(v)]

    @cached_property
    def ordinary_variants(self):
        """The variants that an ordinary probe shows."""
        return [one for one in self.variants if one not in self.extreme_variants]

    def not_shown_by_ordinary_probes(self, variant):
        for args in [probe.args for probe in self.probes if probe.ordinary]:
            result = self.result_with(variant, args)
            with np.errstate(all="ignore"):
                if not result or not same(result, self.right_answer(args), precision_of(args)):
                    return False
        return True

    def unpacked(self, returned):
        """What was returned; of an output and a pair, all three in one tuple."""
        return unpacked(returned) if self.gives_a_past else returned

    def right_answer(self, args):
        """What the recipe gives, as float arrays."""
        return self.result_with({}, args)

    def result_with(self, variant, args):
        """What the recipe gives with this variant; None if it does not work on these arguments."""
        try:
            with np.errstate(all="ignore"):
                result = self.unpacked(self.recipe(steps.steps_with(variant), *args))
                parts = result if isinstance(result, tuple) else (result,)
                return tuple(np.asarray(part, float) for part in parts)
        except (ValueError, IndexError):  # shapes that do not fit, an axis that is not there
            return None


def real_averages():
    """The outputs of all 72 heads of the model for one sentence."""
    cat = data.load("cat_sentence")
    return "the outputs of all 72 heads", (cat["weights"], cat["v"]), (cat["context"],)


def real_heads():
    """All 72 heads of the model for one sentence."""
    cat = data.load("cat_sentence")
    recorded = cat["context"], cat["weights"]
    return "the weights and outputs of all 72 heads", (cat["q"], cat["k"], cat["v"]), recorded


def real_layer():
    """What layer 1 of the model adds to each token of the sentence."""
    layer = data.load("layer_one")
    parameters = {f"{kind}_{name}": layer[f"{kind}_{name}"] for name in "qkvo" for kind in "wb"}
    return "what attention adds in layer 1", (layer["x"], parameters, 12), (layer["added"],)


BOOLEANS = "an array of True and False"
CONTAIN_SOFTMAX = "softmax masked_softmax scaled_dot_product_attention attention_in_blocks"
OF_EARLIER_NOTEBOOKS = (
    f"attention_scores scaled_scores causal_mask padding_mask {CONTAIN_SOFTMAX} split_heads merge_heads"
)

TASKS = [
    Exercise(
        "dot_product",
        "01_dot_product",
        recipe=lambda s, a, b: s.dot(*s.choose_vectors(a, b)),
        make_probes=probes.pairs_of_vectors,
        wanted="one number",
        example="dot_product([1, 2, 3], [4, 0, -1])",
        forbids="dot",
    ),
    Exercise(
        "attention_scores",
        "01_dot_product",
        recipe=lambda s, q, k: s.adjust_scores(s.score(q, k), q, k),
        make_probes=probes.queries_and_keys,
        example="attention_scores([[1, 2], [0, 1]], [[3, 0], [1, 1], [0, 2]])",
        forbids="scaled_scores scores",
    ),
    Exercise(
        "scaled_scores",
        "02_scaling",
        recipe=lambda s, q, k: s.scale(s.score(q, k), q, k),
        make_probes=probes.queries_and_keys,
        may_call="attention_scores",
        example="scaled_scores([[1, 0, 0, 2]], [[4, 0, 0, 1], [0, 1, 0, 1]])",
    ),
    Exercise(
        "softmax",
        "03_softmax",
        recipe=lambda s, scores: s.softmax(scores),
        make_probes=probes.matrices_of_scores,
        does_not_apply="empty-row zeros-if-any-nan",
        weights=True,
        example="softmax([1000, 1000, 999])",
        forbids=CONTAIN_SOFTMAX,
    ),
    Exercise(
        "weighted_average",
        "03_softmax",
        recipe=lambda s, weights, values: s.weigh_values(weights, values),
        make_probes=probes.weights_and_values,
        real=real_averages,
        example="weighted_average([[0.5, 0.3, 0.2]], [[10, 0], [0, 10], [2, 1]])",
    ),
    Exercise(
        "causal_mask",
        "04_masking",
        recipe=lambda s, n: s.set_polarity(s.orient_mask(s.compare_positions(n))),
        make_probes=probes.numbers_of_tokens,
        wanted=BOOLEANS,
        booleans=True,
        example="causal_mask(3)",
    ),
    Exercise(
        "padding_mask",
        "04_masking",
        recipe=lambda s, lengths, max_length: s.add_query_axis(
            s.set_polarity(s.compare_with_lengths(np.asarray(lengths), max_length))
        ),
        make_probes=probes.lengths_of_sentences,
        wanted=BOOLEANS,
        booleans=True,
        example="padding_mask([3, 1], 4)",
    ),
    Exercise(
        "masked_softmax",
        "04_masking",
        recipe=lambda s, scores, mask: s.mask_weights(s.softmax(s.apply_mask(scores, mask)), mask),
        make_probes=probes.scores_and_masks,
        weights=True,
        exact_zeros=True,
        forbids=CONTAIN_SOFTMAX,
        example="masked_softmax([2, 1, 9], [True, True, False])",
    ),
    Exercise(
        "split_heads",
        "05_batched_attention",
        recipe=lambda s, x, n_heads: s.order_axes(s.split_heads(x, n_heads)),
        make_probes=probes.matrices_to_split,
        example="split_heads([[0.0, 1, 2, 3], [100, 101, 102, 103]], 2)",
    ),
    Exercise(
        "scaled_dot_product_attention",
        "05_batched_attention",
        recipe=steps.attention,
        make_probes=probes.attention_arguments,
        wanted="two arrays of numbers, the output and the weights",
        parts=("output", "weights"),
        weights=True,
        may_call="attention_scores scaled_scores softmax masked_softmax",
        real=real_heads,
        example="scaled_dot_product_attention([[0, 1]], [[1, 0], [0, 1], [1, 2]], [[10], [20], [40]])",
    ),
    Task("linking_head", "05_batched_attention"),
    Exercise(
        "merge_heads",
        "05_batched_attention",
        recipe=lambda s, x: s.merge_heads(x),
        make_probes=probes.heads_to_merge,
        example="merge_heads([[[0.0, 1], [100, 101]], [[2, 3], [102, 103]]])",
    ),
    Exercise(
        "multi_head",
        "06_inside_the_model",
        recipe=steps.multi_head,
        make_probes=probes.vectors_and_parameters,
        does_not_apply="scaled-by-d_v heads-counted-from-the-front lowered-otherwise lost-beside-epsilon overflows "
        "one-maximum-for-all underflows empty-row zeros-if-any-nan",
        wanted="one array of numbers, what attention adds to each token",
        may_call=OF_EARLIER_NOTEBOOKS,
        real=real_layer,
    ),
    Exercise(
        "project",
        "06_inside_the_model",
        recipe=lambda s, x, w, b, n_heads: steps.project(s, x, w, b, n_heads, "q"),
        make_probes=probes.vectors_and_a_matrix,
        may_call="split_heads",
        example="project([[1.0, 2]], [[1, 0, 0, 1], [0, 1, 1, 0]], [0, 0, 0, 10], 2)",
    ),
    Exercise(
        "rotate",
        "07_attention_today",
        recipe=steps.rotate,
        make_probes=probes.vectors_and_positions,
        float32_inside=True,  # a well-known library has its frequencies in float32, whatever the vectors are
        example="rotate([[1, 0], [1, 0]], [0, 1])",
    ),
    Exercise(
        "merge",
        "07_attention_today",
        recipe=steps.merge,
        make_probes=probes.parts_of_a_row,
        wanted="two arrays of numbers, the output and the log sum",
        parts=("output", "log sum"),
        may_call="softmax",
        example="merge([[8.0]], [np.log(1)], [[4.0]], [np.log(3)])",
    ),
    Exercise(
        "softmax_gradient",
        "08_a_head_learns",
        recipe=lambda s, weights, upstream: s.softmax_backwards(weights, upstream),
        make_probes=probes.weights_and_their_gradient,
        example="softmax_gradient([[0.5, 0.25, 0.25]], [[4, 0, 0]])",
    ),
    Exercise(
        "descend",
        "08_a_head_learns",
        recipe=lambda s, matrix, gradient, rate: s.descend(matrix, gradient, rate),
        make_probes=probes.matrices_and_gradients,
        wanted="a new matrix",
        example="descend(np.array([[1.0, 2.0]]), np.array([[10.0, -10.0]]), 0.1)",
    ),
    Exercise(
        "attention_gradients",
        "08_a_head_learns",
        recipe=steps.attention_gradients,
        make_probes=probes.attention_and_its_gradient,
        wanted="three arrays of numbers, the gradients of q, of k and of v",
        parts=("gradient of q", "gradient of k", "gradient of v"),
        may_call="softmax_gradient",
    ),
    Exercise(
        "next_token",
        "09_two_heads_write",
        recipe=steps.next_token,
        make_probes=probes.scores_and_draws,
        wanted="the index of one score",
        index=True,
        may_call="softmax",
        example="next_token(np.log([0.5, 0.25, 0.25]), 1, 0.6)",
    ),
    Exercise(
        "attend",
        "10_a_language_model",
        recipe=steps.attend,
        make_probes=probes.tokens_behind_a_past,
        wanted="two things, the output and the new past, a pair of keys and values",
        parts=("output", "keys", "values"),
        gives_a_past=True,
        may_call=f"{OF_EARLIER_NOTEBOOKS} rotate repeat_heads",
    ),
    Exercise(
        "induction_score",
        "10_a_language_model",
        recipe=steps.induction_score,
        make_probes=probes.weights_of_a_text_twice,
        wanted="one number for each matrix of weights",
        example="induction_score(np.tri(4) / [[1], [2], [3], [4]])",
    ),
    Exercise(
        "nucleus",
        "10_a_language_model",
        recipe=steps.nucleus,
        make_probes=probes.logits_and_shares,
        wanted="an array of logits, some of them -inf",
        may_call="softmax",
        example="nucleus(np.log([0.1, 0.6, 0.3]), 0.8)",
    ),
]

EXERCISES = {task.name: task for task in TASKS if isinstance(task, Exercise)}
