"""Answers that every exercise gets, made from its declaration in lesson/check/exercises.py."""

from collections.abc import Mapping

import numpy as np

from lesson.check.compare import flat
from tests.check.answers.derived import answer_with


def mapped(right, change):
    """The right answer, with every array that comes back changed."""
    return lambda *args: changed(right(*args), change)


def changed(result, change):
    if not isinstance(result, tuple):
        return change(result)
    return tuple(changed(part, change) for part in result)


def stops_with(error):
    def stops(*args):
        raise error

    return stops


def always(value):
    return lambda *args: value


def nothing(*args):
    pass


def never_returned(*args):
    result = [np.sum(a) for a in args]
    result.append(1)


def prints(right):
    def printed_only(*args):
        print(right(*args))

    return printed_only


def with_one(value):
    def change(x):
        x = np.array(x, float)
        x.flat[-1] = value
        return x

    return change


def flip_every_third(mask):
    return mask ^ (np.arange(mask.size).reshape(mask.shape) % 3 == 2)


def arrays_in(args):
    return [x for x in flat(args) if isinstance(x, np.ndarray)]


def takes_arrays(exercise):
    return any(arrays_in(probe.args) for probe in exercise.probes)


def gives_arrays(exercise):
    """Whether its right answer has an axis, or is one number alone."""
    return any(part.ndim for part in exercise.right_answer(exercise.probes[0].args))


def changes_argument(right, which):
    """The right answer, after which this one of the arrays that went in holds other numbers."""

    def answer(*args):
        result = mapped(right, np.copy)(*args)
        array = arrays_in(args)[which]
        array += array.dtype.type(1)
        return result

    return answer


# {id: what is made of each array that comes back}
CHANGES = {
    "wrong-type": [always("text"), always([[1.0], [2.0, 3.0]]), lambda x: np.ma.array(x, mask=True)],
    "wrong-shape": [lambda x: np.asarray(x)[None, None], lambda x: np.tile(np.ravel(x), 3)],
    "not-finite": [with_one(np.nan)],
}


def wrong_answers(exercise):
    """{id: answers} of the mistakes that are possible in every exercise."""
    right = answer_with(exercise.name)
    found = {id: [mapped(right, change) for change in changes] for id, changes in CHANGES.items()}
    found["not-started"] = [nothing, always(...)]
    found["nothing-returned"] = [prints(right), never_returned]
    found["raises"] = [stops_with(ValueError("no")), lambda: 1]
    if exercise.booleans:
        found["different"] = [mapped(right, flip_every_third)]
    else:
        found["different"] = [mapped(right, lambda x: x + 0.25)]
        found["not-finite"].append(mapped(right, with_one(np.inf)))
    if takes_arrays(exercise):
        found["input-changed"] = [changes_argument(right, 0), changes_argument(right, -1)]
    return found


def cast(x, dtype):
    """Floating numbers in this dtype; everything else as it is."""
    if isinstance(x, Mapping):
        return {key: cast(value, dtype) for key, value in x.items()}
    if isinstance(x, tuple):
        return tuple(cast(part, dtype) for part in x)
    return dtype(x) if np.asarray(x).dtype.kind == "f" else x


def computed_in_float32(right):
    return lambda *args: cast(right(*cast(args, np.float32)), np.float32)


def zeros_where(condition, right):
    """The right answer, but zeros for arguments of which the condition is true."""
    return lambda *args: mapped(right, np.zeros_like if condition(*args) else np.asarray)(*args)


def has_float32(*args):
    return any(array.dtype == np.float32 for array in arrays_in(args))


def first_64(x):
    x = np.array(x)
    x[..., 64:] = 0
    if x.ndim > 1:
        x[..., 64:, :] = 0
    return x


def almost_right_answers(exercise):
    """{what it does: an answer that is wrong on few inputs}, as every exercise gets them."""
    right, found = answer_with(exercise.name), {}
    if not exercise.booleans:
        found["zeros_for_float32"] = zeros_where(has_float32, right)
    if gives_arrays(exercise):
        found["of_the_first_64"] = mapped(right, first_64)
    return found
