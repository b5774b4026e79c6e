"""What common errors of Python and NumPy say in plain words, and what to ask then; what a first line tells."""

import dis
import os.path
import re
import sysconfig
import traceback
from functools import cache

import attention_lib
import lesson
from lesson.check.verdict import one_line

PYTORCH = (
    r"^TypeError: view\(\)|keyword argument '(dim|keepdim)'|"
    r"'numpy\.\w+' object has no attribute "
    r"'(view|unsqueeze|permute|contiguous|masked_fill\w*|softmax|size|float|bool|exp)'"
)
OF_AN_ARRAY = "T|mT|all|any|argmax|astype|copy|dot|dtype|flatten|max|mean|min|ndim|ravel|reshape|shape|size|squeeze|sum|swapaxes|transpose"
OF_OUR_CALL = (
    "The check calls your function with the arguments of the stub, in their order, and leaves out what has a default there.",
    "How many arguments does your first line take? Do they have the defaults of the stub?",
)
# {a regular expression for the error's text: (its cause in words, a question)}. The first that fits counts.
HINTS = {
    r"truth value": (
        "A whole array was asked whether it is true: `if`, `not`, `and`, `or`, `max` do so, and functions that want one number.",
        "Is the question whether there is an array at all? Which comparison with None asks that? If not, can it be put to every entry at once, without `if`?",
    ),
    r"for \^|ufunc 'bitwise_xor'": (
        "`^` is not a power in Python, and takes no fractions. A power is written `**`.",
        "What should that `^` do? If a power or a root is meant, how is it written?",
    ),
    PYTORCH: (
        "This is spelled as in PyTorch, but NumPy spells it differently.",
        "What is its name in NumPy? view is reshape there, and dim is axis.",
    ),
    r"^(Value|Type)Error: (the leading axes of )?\w+( and \w+)* must (be|have|broadcast|agree|lie|hold|come)\b": (
        "The error itself says what is needed there.",
        "Which of the arguments in that line is meant, and which of your lines makes it?",
    ),
    r"positional argument|required argument|keyword argument|takes (exactly|at most|no) |"
    r"output array is not acceptable|return arrays must be|Cannot interpret .* as a data type|data type .* not understood": (
        "A function that your line calls takes different arguments from those it was given, or took one of them for its dtype or for `out`.",
        "Which arguments does that function take, and in which order? Does it want a shape as one tuple?",
    ),
    r"object is not callable": (
        "Round brackets call a function, but what comes before them is not one.",
        "Should they be square brackets, or none? Or did a line, perhaps in another cell, give a function's name a different value?",
    ),
    r"'str' object|must be str|<U\d": (
        "There is a text where a number or an array was meant.",
        "Which name there holds a text, or what is in quotes? Does a loop run over names, as one over a dict does?",
    ),
    r"inhomogeneous|'tuple' object": (
        "Several things stand where one array was meant: a tuple, or entries of different shapes.",
        "Does a function in your lines return two things? Or are rows of different lengths put together?",
    ),
    rf"list indices must be .* not tuple|'list' object has no attribute '({OF_AN_ARRAY})'": (
        "A list was used as an array, but a list has no axes and none of an array's functions.",
        "What does np.asarray make of a list, and what of an array?",
    ),
    r"UnboundLocalError": (
        "A name that a function assigns in any of its lines is its own in all of them, and this one was read before.",
        "Which line gives it a value, and has that line run? Or is it also the name of something outside of your function?",
    ),
    r"NameError": (
        "A name is used that has no value there.",
        "Is it spelled as in the line that makes or imports it? Does that line run before?",
    ),
    r"concatenation axis must match|arrays must have (the )?same (shape|number of dimensions)": (
        "Arrays were to be joined whose shapes do not fit together.",
        "Along which axis do you join, and how long are all the others?",
    ),
    r"mismatch in its core dimension|not aligned": (
        "Two arrays were multiplied whose inner sizes differ: for @, the last axis of the left one must be as long as the last but one of the right one, or the only one of a vector.",
        "Write both shapes side by side. Which two numbers should be equal?",
    ),
    r"could not be broadcast|operands could not": (
        "Two shapes met that do not fit, lined up from the right.",
        "Write both shapes below each other, from the right. Where do they differ, and neither is 1?",
    ),
    r"array is 0-dimensional|of dimension 0\b|does not have enough dimensions \(has 0": (
        "What was indexed, summed or multiplied by @ there has no axes: it is one number, or one object.",
        "What did that array come from? Print its shape.",
    ),
    r"negative integer powers": (
        "A whole number was raised to a negative whole power, but NumPy returns no fraction for that.",
        "Which of the two should be a fraction? `/` makes one, and `//` does not.",
    ),
    r"axis .* out of bounds|AxisError|too many indices|axes don't match|dimensions than subscripts|too many subscripts|"
    r"values to unpack": (
        "Your line names an axis that is not there, or a fixed number of axes, sizes or values, and there are more or fewer.",
        "Counted from the end, -1 is the last axis of any array. How can your line leave open how many axes are in front?",
    ),
    r"cannot reshape": (
        "A reshape must keep the number of entries, and this one does not.",
        "Multiply the sizes before and after. Which one is wrong?",
    ),
    r"boolean index did not match|boolean array index": (
        "True and False, such as a mask, were used as an index, and that needs the array's own shape.",
        "Which shape has each? How can a smaller mask choose between two values, without being an index?",
    ),
    r"Cannot cast ufunc|in-place modification": (
        "An array cannot take in place what does not fit it: one of whole numbers takes no fractions, and one whose axes were swapped takes few shapes.",
        "Where could you make a new array instead of changing one?",
    ),
    r"NoneType|not None as shape": (
        "Something was None where something different was meant, such as a mask or a past that was not given, or the result of a function without `return`.",
        "Which of your names can be None?",
    ),
    r"cannot be interpreted as an integer|slice indices must be|single integer, got|only integers, slices|slices, not float": (
        "A size or an index is not a whole number. A fraction is not one, and a division with one slash makes a fraction.",
        "Where does that size or index come from? Which division keeps whole numbers whole?",
    ),
    r"KeyError|IndexError.* out of (bounds|range)": (
        "There is nothing under that key or index: it is none of a dict's, or points outside of the array, list or text.",
        "Which keys does the dict have, or how long is the axis?",
    ),
    r"has no attribute": (
        "What comes before the dot has nothing of that name.",
        "What is its type? Is the name after the dot spelled right?",
    ),
    r"has no len|not subscriptable|did not contain a loop|not supported for|unsupported operand|can't multiply|object is not": (
        "Something in that line has a type that does not fit there.",
        "What is the type of each name in your line, and is each in the right position?",
    ),
    r"OverflowError": (
        "A number became too large, or its dtype cannot hold it.",
        "Where does it come from: exp, a power, or an array of a small dtype?",
    ),
}


def error_hint(error):
    """(cause, question) for an error, by its text."""
    text = error_text(error)
    if "positional argument" in text and is_of_our_call(error):
        return OF_OUR_CALL
    for pattern, cause_and_question in HINTS.items():
        if re.search(pattern, text):
            return cause_and_question
    return "Python stopped there.", "Print what goes into that line. Is it what the line needs?"


@cache
def plain(path):
    """A path in one spelling: some of Python's own begin with two slashes."""
    return os.path.realpath(path.replace("//", "/"))


NOT_THE_LEARNERS = (
    *(plain(os.path.dirname(package.__file__)) for package in (attention_lib, lesson)),
    *(plain(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")),
)


def is_of_our_call(error):
    """Whether it was raised by the check's call of the function, and not by a line in it."""
    *_, last = traceback.extract_tb(error.__traceback__)
    return plain(last.filename).startswith(plain(os.path.dirname(__file__)))


def learners_line(error):
    """The last line of the learner's own code on the way to the error, or ""."""
    line = ""
    for frame in traceback.extract_tb(error.__traceback__):
        is_own = not plain(frame.filename).startswith(NOT_THE_LEARNERS)
        # An endless call may stop before the first line, at `def`.
        if is_own and frame.line and ("return" in frame.line or not frame.line.startswith("def ")):
            line = frame.line
    return line


def argument_names(function):
    """The arguments in the learner's first line."""
    code = getattr(function, "__code__", None)
    return list(code.co_varnames[: code.co_argcount]) if code else []


def order_hint(function, stub):
    """(cause, question) if the first line has the arguments of the stub in another order."""
    names = argument_names(function)
    if names == stub or sorted(names) != sorted(stub):
        return None
    order = f"Your first line takes ({', '.join(names)}), but the check calls it with ({', '.join(stub)})."
    return f"The arguments are in a different order. {order}", "In which order does the stub take them?"


def unused_hint(function):
    """(cause, question) if no line reads an argument."""
    read = set()
    for instruction in dis.get_instructions(function) if argument_names(function) else []:
        if re.search("LOAD|CELL", instruction.opname):  # a cell is read by a function inside
            read.update(re.findall(r"\w+", instruction.argrepr))
    unused = [name for name in argument_names(function) if name not in read]
    if not unused:
        return None
    cause = f"No line of your function reads its argument {unused[0]}."
    return cause, "What does the statement say of it? Which line of yours needs it?"


def error_text(error):
    try:
        return one_line(f"{type(error).__name__}: {error}".rstrip(":. "))
    except Exception:  # an error of the learner's whose text cannot be made
        return type(error).__name__


def in_line(error):
    """`, in your line ...`, if the line that raised the error is known."""
    line = learners_line(error)
    return f", in your line `{one_line(line, 100).rstrip(':')}`" if line else ""
