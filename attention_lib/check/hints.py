"""What common errors of Python and NumPy say in plain words, and what to ask then."""

import re

from attention_lib.check.evidence import error_text

PYTORCH = (
    r"^TypeError: view\(\)|keyword argument '(dim|keepdim)'|"
    r"no attribute '(view|unsqueeze|permute|contiguous|masked_fill\w*|softmax|size|float|bool|exp)'"
)
OF_OUR_CALL = (
    "The check calls your function with the arguments of the stub, in their order, and leaves out what has a default there.",
    "How many arguments does your first line take? Do they have the defaults of the stub?",
)
NEGATES_A_MASK = r"(?<!if )(?<!while )\bnot\s+\(?mask\b(?!\s*[.\[(])"
ASKS_THE_MASK = (
    r"\b(if|elif|while|and|or)\s+(not\s+)?\(?mask\b(?!\s*[.\[(])|\bmask\s+(and|or)\b|\bmask\s*[!=]=\s*None"
)
# (a regular expression for the error's text, and behind a \n for the learner's line; its cause in words; a question).
# The first that fits counts.
HINTS = [
    (
        rf"truth value.*\n.*({NEGATES_A_MASK})",
        "`not` asks whether the whole array is true, and gives one answer.",
        "Which sign turns True and False around, entry by entry?",
    ),
    (
        rf"truth value.*\n.*({ASKS_THE_MASK})",
        "That line asks whether the whole array is true, and not whether there is a mask.",
        "Which comparison with None asks whether a mask was given?",
    ),
    (
        r"module '[\w.]+' has no attribute",
        "The module before the dot has nothing of that name.",
        "Look at the spelling, and at capital letters. Or is it a function of another module?",
    ),
    (
        r"for \^|bitwise_xor",
        "`^` is not a power in Python. A power is written `**`.",
        "Where does your line take a power, or a root?",
    ),
    (
        r"'tuple' object cannot be interpreted",
        "A tuple stands where one size was meant. A `*` before it unpacks it.",
        "Which of the sizes in your line are several, such as a part of a shape?",
    ),
    (
        r"unhashable type: '(numpy\.)?(ndarray|list|dict)'",
        "An array, a list or a dict cannot be looked up in a dict, a set or a cache.",
        "What remembers or looks up an array: a line of yours, or a line such as `@cache` above your function?",
    ),
    (
        PYTORCH,
        "This is spelled as in PyTorch, and the array is one of NumPy.",
        "What is its name in NumPy? view is reshape there, and dim is axis.",
    ),
    (
        r"^(Value|Type)Error: \w+( and \w+)? must (be|have|broadcast|agree|lie|hold|come)\b",
        "A function that your line calls says itself what it needs, and what it got.",
        "Which of its arguments is meant, and which of your lines makes it?",
    ),
    (
        r"positional argument|required argument|unexpected keyword argument",
        "A function that your line calls takes other arguments than it was given.",
        "Which arguments does that function take, and in which order?",
    ),
    (
        r"not callable",
        "Round brackets call a function, and what stands before them is none.",
        "Should they be square brackets? Or did a line, perhaps in another cell, give a function's name another value?",
    ),
    (
        r"'str' object|must be str|<U\d",
        "A text stands where a number or an array was meant.",
        "What stands in quotes there? Or does a loop run through the names of a dict?",
    ),
    (
        r"'tuple' object does not support item assignment",
        "A tuple cannot be changed, and a shape is a tuple.",
        "Which of your names holds a tuple? What do you want to change?",
    ),
    (
        r"inhomogeneous|'tuple' object|tuple indices",
        "A tuple or a list stands where one array was meant.",
        "Does a function in your lines give back two things? Or do the entries have different shapes?",
    ),
    (
        r"setting an array element with a sequence",
        "A row or a list was written into the place of one number.",
        "Which shape has the place on the left of your `=`, and which has what you write into it?",
    ),
    (
        r"list indices must be .* not tuple|'list' object has no",
        "A list was used as an array, and a list has no axes and none of an array's functions.",
        "What does np.asarray make of a list, and what of an array?",
    ),
    (
        r"output array is not acceptable|return arrays must be",
        "Where a function takes `out`, an array of yours was given: there it writes its result.",
        "Which argument of that call is one too many?",
    ),
    (
        r"UnboundLocalError",
        "A name that a function assigns in any of its lines is its own in all of them, and this one was read before.",
        "Which of your names is also the name of something outside of your function?",
    ),
    (
        r"NameError",
        "A name is used that has no value there.",
        "Is it spelled as in the line that makes it? Does that line run before?",
    ),
    (
        r"does not have enough dimensions",
        "A factor of @ has no axes: it is one number, or no array.",
        "What stands on either side of that @, and which shape has it?",
    ),
    (
        r"concatenation axis must match|arrays must have the same shape",
        "Arrays were to be joined whose other axes differ.",
        "Along which axis do you join, and how long are all the others?",
    ),
    (
        r"matmul|not aligned|inner.*dim",
        (
            "Two tables were multiplied whose inner sizes differ: the last axis of the left one "
            "must be as long as the last but one of the right one."
        ),
        "Write both shapes side by side. Which two numbers should be equal?",
    ),
    (
        r"could not be broadcast|operands could not",
        "Two shapes met that do not fit, lined up from the right.",
        "Write both shapes below each other, from the right. Where do they differ, and neither is 1?",
    ),
    (
        r"truth value",
        "`if`, `not`, `and`, `or` or `max` asked a whole array whether it is true.",
        "Can the question be put to every entry at once, without `if`?",
    ),
    (
        r"boolean (negative|subtract)|numpy boolean",
        "True and False cannot be subtracted or made negative.",
        "Which sign turns True and False around, entry by entry?",
    ),
    (
        r"array is 0-dimensional|dimension 0\b",
        "What was indexed or summed there has no axes: it is one number, or one object.",
        "What did that array come from? Print its shape.",
    ),
    (
        r"negative integer powers",
        "A whole number was raised to a negative whole power, and NumPy gives no fraction for that.",
        "Which of the two should be a fraction, and does a division with `/` or with `//` make it?",
    ),
    (
        r"axis .* out of bounds|AxisError|too many indices",
        "An axis was counted that this input does not have.",
        "Counted from the end, -1 is the last axis of any input. Which do you mean?",
    ),
    (
        r"axes don't match|einstein sum|subscripts",
        "Your line names a fixed number of axes, and this input has another number of them.",
        "How can your line leave open how many axes stand in front?",
    ),
    (
        r"cannot reshape",
        "A reshape must keep the number of entries, and this one does not.",
        "Multiply the sizes before and after. Which one is wrong?",
    ),
    (
        r"values to unpack",
        "Your line expects a fixed number of sizes or values, and gets another number of them.",
        "Can you take each size from the end, as in x.shape[-1]?",
    ),
    (
        r"boolean index did not match|boolean array index",
        "A mask was used as an index, and that needs the table's own shape.",
        "How can a smaller mask choose between two values, without being an index?",
    ),
    (
        r"Cannot cast|cannot convert float infinity",
        "An array of whole numbers cannot take fractions or infinity in place.",
        "Where could you make a new array instead of changing one?",
    ),
    (
        r"cannot be interpreted as an integer|slice indices must be|single integer, got|slices, not float",
        "A size or an index is a fraction: a division with one slash makes one.",
        "Which division keeps whole numbers whole?",
    ),
    (
        r"KeyError",
        "A dict has no entry under that key.",
        "Which keys does the dict have?",
    ),
    (
        r"'dict' object has no attribute",
        "The entries of a dict stand in square brackets, not behind a dot.",
        "How do you read one entry of tables by its name?",
    ),
    (
        r"only integers, slices",
        "An index is neither a whole number nor a slice.",
        "What does your loop run through: positions, or the numbers themselves?",
    ),
    (
        r"invalid index to scalar",
        "Square brackets stand behind a single number, which has no entries.",
        "What is the shape of what stands before those brackets?",
    ),
    (
        r"IndexError",
        "An index points outside of what it looks into.",
        "How long is the axis, and which index is asked of it?",
    ),
    (
        r"NoneType",
        (
            "Something was None where an array was meant: a mask that was not given, or the "
            "result of a function without `return`."
        ),
        "Which of your names may be None?",
    ),
    (
        r"RecursionError",
        "Your function calls itself, again and again.",
        "Which input should end that, or which other function was meant?",
    ),
    (
        r"has no attribute",
        "What stands before the dot has nothing of that name.",
        "What is its type? Is the name behind the dot spelled right?",
    ),
    (
        r"has no len|not subscriptable|did not contain a loop|not supported for|unsupported operand|can't multiply|only .*scalar|object is not",
        "A name holds something of another kind than your line needs.",
        "What is the type of each name in your line?",
    ),
    (
        r"ZeroDivisionError",
        "Something was divided by 0.",
        "Which sum or count can be 0 here?",
    ),
    (
        r"OverflowError",
        "A number became too large.",
        "Where does it grow: in exp, in a power, or in a dtype that cannot hold it?",
    ),
]


def error_hint(error, line):
    """(cause, question) for an error and the learner's line that raised it; no cause if the error is uncommon."""
    text = error_text(error)
    in_first_line = error.__traceback__.tb_next is None
    if "positional argument" in text and in_first_line:
        return OF_OUR_CALL
    for pattern, cause, ask in HINTS:
        if re.search(pattern, f"{text}\n{line}" if r"\n" in pattern else text):
            return cause, ask
    return "", "Which name or value does the error message speak of?"
