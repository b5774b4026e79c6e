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
}
# These ids have several causes in one exercise, and a verdict's data does not say which: a text that holds of all.
OF_SEVERAL_CAUSES = {
    "not-summed": (
        "The products, pair by pair, were not added up, each of them once.",
        "How many numbers should come back for two vectors, and which products are in them?",
    ),
    "not-multiplied": (
        "The numbers were not multiplied with each other, pair by pair.",
        "Take [1, 2, 3] and [4, 0, -1] on paper. What happens to the first pair?",
    ),
    "cosine": (
        "The length of a vector was divided out.",
        "What should happen to the dot product when one vector is doubled?",
    ),
    "rounded": (
        "Something was rounded on the way.",
        "Which of your lines rounds, or cuts digits off?",
    ),
    "divided-by-d_k": (
        "The divisor is d_k itself, half of it or twice, and should be its square root.",
        "By how much do dot products of d_k random numbers spread?",
    ),
    "scaled-by-size": (
        "The divisor is made of another size than d_k.",
        "How long are the two vectors whose dot product is a score?",
    ),
    "not-normalised": (
        "The shares of a row do not add up to 1.",
        "What should a row of shares add up to? Which divisor makes it so?",
    ),
    "axes-not-swapped": (
        "Heads and tokens did not change places, so rows hold numbers of the wrong tokens.",
        "Write the name of each axis above your shapes. Where do H and L change places?",
    ),
    "axis-misplaced": (
        "An axis of the mask has the wrong place or the wrong length, or is one too many.",
        "Write (B, Lq, Lk) above your shape, from the right. Which of them is the 1?",
    ),
    "fill-too-small": (
        "A hidden score did not become low enough.",
        "Which number stays below every score, whatever it is added to?",
    ),
    "sizes-exchanged": (
        "Two of the last axes have changed places.",
        "The result is (..., H, L, d). Which of your axes is H, which is L, and which is d?",
    ),
    "merged-wrong-axes": (
        "Other axes than heads and tokens were exchanged or put together.",
        "Numbers read 100 t + f. Which token should all numbers of a row come from?",
    ),
    "heads-mixed": (
        "The heads do not lie side by side: they were mixed, or some are missing.",
        "How many numbers does a token have when 3 heads hold 2 each?",
    ),
    "hidden-without-a-mask": (
        "Keys were hidden that no mask hides.",
        "What does your function do when mask is None, and which line hides keys that the mask allows?",
    ),
}
PUZZLE_ASKS = "For which of the 72 heads is the selectivity the largest?"


def cause_and_question(id, exercise=None):
    """(cause, question) for a mistake; of several causes that the exercise can have, what holds of all.

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
    if exercise in check.EXERCISES:
        entries = [m for m in check.EXERCISES[exercise].mistakes if m.id == id] or entries
    if len(entries) > 1 and id in OF_SEVERAL_CAUSES:
        return OF_SEVERAL_CAUSES[id]
    on_edges = [m for m in entries if not m.variants]  # holds whichever step went wrong
    chosen = (on_edges or entries)[0]
    return chosen.cause, chosen.ask
