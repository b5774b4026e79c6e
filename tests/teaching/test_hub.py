"""teaching/hub: the chart's values and its README agree, and measure.py refuses to start where it cannot end well."""

import argparse
import importlib.util
import shutil
from pathlib import Path

import psutil
import pytest
import yaml

from teaching.hub import measure

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


@pytest.mark.parametrize("seats", [30, 200])
def test_readme_has_the_sums_of_the_values(seats):
    single = VALUES["singleuser"]
    (row,) = [line for line in README.splitlines() if line.startswith(f"| {seats} |")]
    guaranteed, limit, cores, *_ = [text.strip() for text in row.split("|")[2:-1]]
    assert guaranteed == f"{seats * mebibytes(single['memory']['guarantee']) / 1024:.0f} GiB"
    assert limit == f"{seats * mebibytes(single['memory']['limit']) / 1024:.0f} GiB"
    assert cores == f"{seats * single['cpu']['guarantee']:.0f}"


@pytest.mark.parametrize("text", ["0", "21", "-1"])
def test_at_most_twenty_students(text):
    with pytest.raises(argparse.ArgumentTypeError):
        measure.number_of_students(text)
    assert measure.number_of_students("20") == 20


def test_report_has_the_median_and_the_worst():
    students = [
        measure.Student("a", 1.0, 10.0, 100.0, [200.0, 300.0, 250.0], 150.0, 1.0, 20.0),
        measure.Student("b", 3.0, 30.0, 110.0, [220.0, 330.0], 170.0, 1.5, 22.0),
        measure.Student("c", 2.0, 20.0, 105.0, [210.0, 310.0], 160.0, 1.2, 21.0),
    ]
    assert [value for _, value in measure.report(students)] == [
        *("3", "2 (3)", "20 (30)", "105 (110)", "210 (220)", "310 (330)"),
        *("160 (170)", "1.2 (1.5)", "21 (22)"),
    ]


def test_without_the_proxy_nothing_starts(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match="configurable-http-proxy"):
        measure.measure(1)


def test_without_enough_memory_nothing_starts(monkeypatch):
    monkeypatch.setattr(measure, "MIB_A_STUDENT", 10**9)
    monkeypatch.setattr(measure.shutil, "which", lambda _: "/nowhere/configurable-http-proxy")
    with pytest.raises(SystemExit, match="fewer are free"):
        measure.measure(1)


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("configurable-http-proxy") and importlib.util.find_spec("jupyterhub")),
    reason="needs teaching/hub/requirements.txt and its proxy",
)
def test_real_hub_serves_a_student_and_leaves_no_process():
    before = set(psutil.pids())
    (student,) = measure.measure(1)
    assert 0 < student.first_cell < student.all_cells
    assert 0 < student.server < student.memory[0] < student.memory[-1] and len(student.memory) == 6
    own = psutil.Process().children(recursive=True)
    assert [process for process in own if process.pid not in before] == []
