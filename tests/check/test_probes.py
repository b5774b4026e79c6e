"""The arguments that answers are called with."""

import pytest

from lesson.check import EXERCISES


def test_unequal_sizes_are_all_different():
    for probe in EXERCISES["scaled_dot_product_attention"].probes:
        if probe.name in {"unequal sizes", "heads of several sentences"}:
            q, k, v, *_ = probe.args
            sizes = [*q.shape, k.shape[-2], v.shape[-1]]
            assert len(set(sizes)) == len(sizes) and min(sizes) > 1


@pytest.mark.parametrize("name", EXERCISES)
def test_probes_of_an_exercise_have_different_names(name):
    names = [probe.name for probe in EXERCISES[name].probes]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", EXERCISES)
def test_names_of_probes_can_stand_in_a_list(name):
    assert not [probe.name for probe in EXERCISES[name].probes if "," in probe.name or " and " in probe.name]
