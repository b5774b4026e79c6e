"""Looks up cause and question for a mistake's id, for programs that read verdicts; the texts are in mistakes/."""

from attention_lib import check
from attention_lib.check.head_puzzle import NAMED

# The checker makes these texts for each answer, from what was seen. These hold for any answer.
GENERAL = {
    "not-started": (
        "The `...` still stands where the lines should be.",
        "Which line of the statement can you write first?",
    ),
    "nothing-returned": (
        "The lines ran, and `return` is missing or stands before nothing.",
        "What does the caller get from a function that prints?",
    ),
    "raises": (
        "The function stopped with an error on an input of the check.",
        "Which name or value in that line does the error speak of?",
    ),
    "wrong-type": (
        "Something of another kind came back than the exercise asks for.",
        "What is the type of your result, and its dtype?",
    ),
    "wrong-shape": (
        "The result has the wrong shape: an axis was lost, added or exchanged on the way.",
        "What is the shape after each of your lines?",
    ),
    "not-finite": (
        "The result holds NaN or infinity.",
        "Which of your lines makes the first NaN or infinity?",
    ),
    "different": (
        "The numbers are wrong, in a way that the check has no name for.",
        "Compute one entry by hand. Where does your code leave that way?",
    ),
    "input-changed": (
        "The function changes the array that it was given.",
        "Which line writes into an argument?",
    ),
    "library-used": (
        "Every number is right, and a function of the library did the work.",
        "Which lines would you write without it?",
    ),
}
PUZZLE_ASKS = "For which of the 72 heads is the selectivity the largest?"


def all_ids():
    """The ids of all mistakes but not-started, in the checker's order."""
    ids = [m.id for m in check.MISTAKES] + [id for id, _ in NAMED.values()] + list(GENERAL)
    return list(dict.fromkeys(id for id in ids if id != "not-started"))


def cause_and_question(id, exercise=None):
    """(cause, question) for a mistake; of several causes, one that the exercise can have.

    An unknown id, from another version of the library, gets a text that says so.
    """
    if id in GENERAL:
        return GENERAL[id]
    for name, cause in NAMED.values():
        if name == id:
            return cause, PUZZLE_ASKS
    entries = [m for m in check.MISTAKES if m.id == id]
    if not entries:
        return "A check of another version found this.", "What does its message ask?"
    possible = check.EXERCISES[exercise].mistakes if exercise in check.EXERCISES else []
    on_edges = [m for m in entries if not m.variants]  # holds whichever step went wrong
    chosen = (on_edges or [m for m in entries if m in possible] or entries)[0]
    return chosen.cause, chosen.ask
