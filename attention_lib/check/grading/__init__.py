"""The way from a learner's function to its verdict: grade.py, call.py, explain.py, say.py.

An example: an answer to `scaled_scores` that forgets the division. call.py calls it on every probe and keeps a Run of
each call: the arguments, what came back, what is right, whether both are the same. The recipe of `scaled_scores` takes
two steps, `score` and `scale`, and the mistakes have wrong forms of both. match.py puts one wrong form after the other
in the place of its step, and calls the recipe with the arguments of the runs. With a `scale` that does nothing it
gives what came back, each time. So the mistake with this form is found, `not-scaled`. explain.py makes a Reason of it:
what was seen in one of the wrong runs, the mistake's cause, its question. say.py writes them as Seen, Perhaps and Ask
yourself.

Where no wrong form fits, and no two of them together, describe.py goes through its WAYS: an error, a wrong type or
shape, numbers that are the right ones with something done to them. The last way says that there is no name for it.

Some probes are edge cases: scores of a million, rows in which all is hidden. Many mistakes end in NaN there, so numbers
say little, and the probe's EdgeCase says which mistake loses which row. Mistakes without wrong forms are found in this
way alone.
"""
