"""teaching/hub: the chart's values and its README agree."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
HUB = ROOT / "teaching" / "hub"

VALUES = yaml.safe_load((HUB / "values.yaml").read_text(encoding="utf-8"))
README = (HUB / "README.md").read_text(encoding="utf-8")
UNITS = {"M": 1, "G": 1024}


def mebibytes(text):
    return int(text[:-1]) * UNITS[text[-1]]


def test_guarantees_are_below_limits():
    memory, cpu = VALUES["singleuser"]["memory"], VALUES["singleuser"]["cpu"]
    assert mebibytes(memory["guarantee"]) < mebibytes(memory["limit"])
    assert cpu["guarantee"] < cpu["limit"]


def test_handouts_are_copied_from_where_readme_puts_them():
    command = VALUES["singleuser"]["lifecycleHooks"]["postStart"]["exec"]["command"][-1]
    source, target = command.split()[4:6]
    assert f"--target-repo-dir {Path(source).parent}" in README
    assert f"../attention-image/{Path(source).name}" in README
    first = min(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    assert VALUES["singleuser"]["defaultUrl"] == f"/lab/tree/{Path(target).name}/{first}"


@pytest.mark.parametrize("seats", [30, 300])
def test_readme_has_the_sums_of_the_values(seats):
    single = VALUES["singleuser"]
    (row,) = [line for line in README.splitlines() if line.startswith(f"| {seats} |")]
    guaranteed, limit, cores, *_ = [text.strip() for text in row.split("|")[2:-1]]
    assert guaranteed == f"{seats * mebibytes(single['memory']['guarantee']) / 1024:.0f} GiB"
    assert limit == f"{seats * mebibytes(single['memory']['limit']) / 1024:.0f} GiB"
    assert cores == f"{seats * single['cpu']['guarantee']:.0f}"


def test_limits_hold_what_was_measured():
    memory = VALUES["singleuser"]["memory"]
    server = int(re.search(r"server \| (\d+)", README)[1])
    kernels = [
        int(x) for row in re.findall(r"notebooks? [\d, ]+ \| ([\d, ]+) \|", README) for x in row.split(", ")
    ]
    assert len(kernels) == 7 and f"| all of it | {server + sum(kernels)} |" in README
    assert server + sum(sorted(kernels)[-2:]) <= mebibytes(memory["guarantee"])
    assert 1.3 * (server + sum(kernels)) <= mebibytes(memory["limit"])
