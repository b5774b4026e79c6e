"""Ids of what is wrong without a wrong step."""

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
