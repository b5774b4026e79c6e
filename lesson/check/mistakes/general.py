"""Texts that belong to no variant: of answers that are none, of what no mistake explains, and remarks."""

import numpy as np

# {id: (cause, question)}. Of some, a check makes its own texts from what it saw; these hold for any answer.
GENERAL = {
    "not-started": (
        "The `...` is still there, where the code should be.",
        "Which line of the statement can you write first?",
    ),
    "nothing-returned": (
        "`return` is missing or was not reached, or what comes after it is None, as the result of print, sort or append is.",
        "Which `return` is reached, and what comes after it? print only displays a number; it returns nothing.",
    ),
    "raises": (
        "The function stopped with an error on an input of the check.",
        "What goes into the line that stopped? Is it what the line needs?",
    ),
    "wrong-type": (
        "The result has the wrong type.",
        "What is the type of your result, and its dtype?",
    ),
    "wrong-shape": (
        "The result has the wrong shape: an axis is missing, too many, in the wrong position or of the wrong length.",
        "What is the shape after each line?",
    ),
    "not-finite": (
        "The result contains NaN or infinity where a number belongs.",
        "After which line do you see the first NaN or infinity?",
    ),
    "different": (
        "The result is wrong, in a way that the check has no name for.",
        "Work out one entry by hand. Where do your lines get a different number?",
    ),
    "input-changed": (
        "The function changes the array that it was given.",
        "Which line writes into an argument?",
    ),
    "library-used": (
        "Every number is right, but a function of the library did the work.",
        "Which lines would you write without it?",
    ),
    "float16": (
        "Your numbers have no more than the 3 digits of float16.",
        "Which of your lines asks for a dtype, or cuts digits off?",
    ),
    "hidden-not-zero": (
        "Hidden keys get a very small weight. That happens where a hidden score is low, but exp of it is still more than 0.",
        "Of which number is exp exactly 0, whatever the other scores are?",
    ),
}
# Causes and questions for special cases of these
NO_NAME = (
    "The result is wrong, in a way that this check has no name for.",
    "Work it out by hand with these inputs. Where do your lines get a different number?",
)
WHICH_DTYPE = "Which line makes the array? Does it take the dtype of an input, as np.zeros_like does?"
WHICH_LINE_CHANGES = "Which line changes something that it was given?"
WHICH_COMPARISON = "Which comparison returns True and False? Which dtype does your array have?"
ONLY_SOME = (
    "A line of yours works for only some of the inputs.",
    "What is different about the inputs that go wrong?",
)
WHAT_COMES_BACK = "What does your function return there, and which of your lines makes it?"
OVERWRITTEN = (
    "A later call changed what this call had returned: both share an array or a list.",
    "Where is the thing made that you return: in the function, or outside of it?",
)
OTHER_PLACES = (
    "All the right numbers are there, but in different positions.",
    "Follow one number from the input to its position in the result.",
)
OTHER_SHAPE = (
    "All the right numbers are there, but in an array of a different shape.",
    "After which line is the shape not what you want? Write down the shapes before it.",
)
SUMS = (
    "The rows of the weights do not add up to 1.",
    "By what do you divide, and does anything change the weights after it?",
)
HIDDEN = (
    "Hidden keys get weight.",
    "Follow the mask through your lines. What becomes of a score that it hides?",
)
OWN_LINES = (
    "This exercise asks for your own lines, so that you know what is inside that function.",
    "Which step comes first? Write that one, and look at its result.",
)
# Of a mask that is not boolean: (whether its numbers and its dtype look so, cause). The first that fits is told.
OTHER_MASKS = [
    (
        lambda numbers, dtype: np.isin(numbers, (-1, -2)).all(),
        "`~` turns 0 and 1 into -1 and -2. It exchanges True and False only in an array of booleans.",
    ),
    (
        lambda numbers, dtype: (numbers < 0).any(),
        "A mask with numbers below 0 is an additive mask. Here a mask holds True and False.",
    ),
    (
        lambda numbers, dtype: dtype.kind == "O",
        "An array of dtype object can hold anything, so other functions refuse it as a mask.",
    ),
    (
        lambda numbers, dtype: True,
        "A mask of numbers means opposite things in different libraries. Here it is True and False.",
    ),
]
A_FLOAT = ("An index is a whole number: a list refuses 2.0.", "Which of your lines makes a float of it?")
# Remarks on a right answer
NO_ARRAY = "your mask is no array, but `~mask` and `mask[:, None]`, which other functions use, need one. `np.array` makes one."
# (scores, mask, what is said if all of the weights are 0 or 1)
MASKED_ROWS = [
    (
        np.array([[-1e12, -1e30, -1e12]]),
        np.array([[True, False, True]]),
        (
            "what is hidden is replaced by a number such as -1e9. Where the allowed scores are lower still, "
            "their weights are lost. -np.inf is lower than every number."
        ),
    ),
    (
        np.array([[np.nan, 1.0, 2.0]]),
        np.array([[True, True, True]]),
        (
            "a NaN among the scores comes out as 0, so nobody notices that something went wrong before. "
            "A guard only for fully masked rows would let it through."
        ),
    ),
]
# What was given is no function
NO_FUNCTION = (
    "The check wants the function itself.",
    "Is it called already, or does its name stand in quotes?",
)
SLOW = (
    "The check has been calling your function for three seconds, and a call may never end. To interrupt it, "
    "press the square (stop) above the notebook, or Ctrl+C in a terminal. Does a loop of yours never stop?"
)
INTERRUPTED = "The check was interrupted before its end, so there is no verdict."
FAULT = (
    "This is a fault of the checker, not necessarily of your function. It cannot say that your answer is right.",
    "Does your function do all that the exercise asks for?",
)
