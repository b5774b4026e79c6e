"""The mutants of tests/mutants can be made: what they replace stands in the code, and their tests are there."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = sorted((ROOT / "tests" / "mutants").glob("*.toml"))


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.stem)
def test_mutants_can_be_made(part):
    for mutant in tomllib.loads(part.read_text(encoding="utf-8"))["mutants"]:
        source = (ROOT / mutant["file"]).read_text(encoding="utf-8")
        assert source.count(mutant["old"]) == 1, f"{mutant['file']} does not hold {mutant['old']!r} once"
        paths = [name for name in mutant["tests"].split() if name.startswith(("tests/", "notebooks/"))]
        missing = [path for path in paths if not (ROOT / path.partition("::")[0]).exists()]
        assert not missing, f"there is no {missing}"
