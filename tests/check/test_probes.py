"""The arguments that answers are called with. tests/mutants/check.toml leaves some of them out."""

import pytest

from lesson import check
from lesson.check import EXERCISES


def test_unequal_sizes_are_all_different():
    for probe in EXERCISES["scaled_dot_product_attention"].probes:
        if probe.name in {"unequal sizes", "sentences and heads"}:
            q, k, v = probe.args
            sizes = [*q.shape, k.shape[-2], v.shape[-1]]
            assert len(set(sizes)) == len(sizes) and min(sizes) > 1


@pytest.mark.parametrize("name", EXERCISES)
def test_probes_of_an_exercise_have_different_names(name):
    names = [probe.name for probe in EXERCISES[name].probes]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", EXERCISES)
def test_each_id_of_an_edge_case_has_one_mistake_without_variants(name):
    listed = [m.id for m in check.MISTAKES if not m.variants]
    for edge_case in filter(None, (probe.edge_case for probe in EXERCISES[name].probes)):
        ids = {*edge_case.rows.values(), *edge_case.errors.values(), edge_case.leak} - {None}
        assert all(listed.count(id) == 1 for id in ids), f"{name} has an edge case with {ids}"
