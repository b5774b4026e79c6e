"""teaching/hub: the chart's values and its README agree."""

import re
from pathlib import Path

import yaml

from publish import notebooks

HUB = notebooks.ROOT / "teaching" / "hub"

README = (HUB / "README.md").read_text(encoding="utf-8")
SERVER = yaml.safe_load((HUB / "values.yaml").read_text(encoding="utf-8"))["singleuser"]
# In MiB: the chart's "614M" is 614 of them.
GUARANTEE, LIMIT = (int(SERVER["memory"][name].removesuffix("M")) for name in ("guarantee", "limit"))
CPU = SERVER["cpu"]


def test_handouts_are_copied_from_where_readme_puts_them():
    command = SERVER["lifecycleHooks"]["postStart"]["exec"]["command"][-1]
    source, target = map(Path, command.split()[4:6])
    assert f"--target-repo-dir {source.parent}" in README
    assert f"../attention-image/{source.name}" in README
    assert SERVER["defaultUrl"] == f"/lab/tree/{target.name}/{notebooks.PATHS['01'].name}"


def test_readme_has_the_sums_of_the_values():
    for seats in (30, 300):
        memory = f"{seats * GUARANTEE / 1024:.0f} GiB | {seats * LIMIT / 1024:.0f} GiB"
        assert f"\n| {seats} | {memory} | {seats * CPU['guarantee']:.0f} |" in README


def test_limits_hold_what_was_measured():
    server = int(re.search(r"server \| (\d+)", README)[1])
    rows = re.findall(r"notebooks? [\d, ]+ \| ([\d, ]+) \|", README)
    kernels = sorted(int(number) for row in rows for number in row.split(", "))
    assert len(kernels) == 8 and f"| all of it | {server + sum(kernels)} |" in README
    assert server + sum(kernels[-2:]) <= GUARANTEE and 1.2 * (server + sum(kernels)) <= LIMIT
    assert GUARANTEE < LIMIT and CPU["guarantee"] < CPU["limit"]
