"""The way from a learner's function to its verdict: grade.py, call.py, explain.py, say.py.

An example: an answer to `scaled_scores` that forgets the division. call.py calls it on every probe and keeps a Run of
each call: the arguments, what came back, what is right, whether both are the same. The recipe of `scaled_scores` takes
two steps, `score` and `scale`, and the mistakes have wrong forms of both. match.py puts one wrong form after the other
in the place of its step, and calls the recipe with the arguments of the runs. With a `scale` that does nothing it
gives what came back, each time. So the mistake with this form is found, `not-scaled`. explain.py makes a Reason of it:
what was seen in one of the wrong runs, the mistake's cause, its question. say.py writes them as Seen, Perhaps and Ask
yourself.

Where no wrong form fits all runs or most of them, and no two together fit all, describe.py goes through its WAYS: an
error, a wrong type or shape, numbers that are the right ones with something done to them. The last way says that
there is no name for it.

Some probes are edge cases: scores of a million, rows in which all is hidden. Many mistakes end in NaN there, so numbers
say little, and the probe's EdgeCase says which mistake loses which row. Mistakes without wrong forms are found in this
way alone.

Where to look, if a verdict is wrong:

    a right answer is refused              read_result (read.py), tolerance (compare.py), the probe (probes.py)
    another mistake is named               fit_of and possible_pairs (match.py), `supersedes`, the order in MISTAKES
    a row of an edge case                  mistakes_in_rows (match.py), edge_cases.py
    a sentence where nothing is named      WAYS (describe.py), relations.py
    where it goes wrong                    where_it_fails (where_it_fails.py), which probes there are
    a hint to an error                     error_hint (hints.py): the first pattern that fits
"""
