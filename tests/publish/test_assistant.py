"""The assistant's page: every exercise, with mistakes that the checker names there."""

from lesson import check
from publish import assistant, teaching_data


def test_every_exercise_has_its_stub_its_solution_and_mistakes_that_are_possible_there():
    found = assistant.exercises()
    assert [assistant.STUB.search(x["stub"])[1] for x in found] == list(check.EXERCISES)
    assert teaching_data.read("likely.toml").keys() <= check.EXERCISES.keys()
    for x in found:
        name = assistant.STUB.search(x["stub"])[1]
        assert f"def {name}(" in x["solution"] and f"`{name}`" in x["title"]
        ids = {id for id, _, _ in x["likely"]}
        possible = {mistake.id for mistake, _ in check.EXERCISES[name].variants}
        assert len(ids) in (0, 5) and ids <= possible | assistant.GENERAL.keys(), name  # a new one has none
