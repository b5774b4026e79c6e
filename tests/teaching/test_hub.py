"""A hall of students: the chart's values hold together, and the measuring leaves nothing behind."""

import argparse
import importlib.util
import shutil
from pathlib import Path

import pytest
import yaml

from publish import handouts as handout
from teaching.hub import measure

ROOT = Path(__file__).resolve().parents[2]
HUB = ROOT / "teaching" / "hub"

VALUES = yaml.safe_load((HUB / "values.yaml").read_text(encoding="utf-8"))
README = (HUB / "README.md").read_text(encoding="utf-8")
MIB = {"M": 1, "G": 1024}
# What the chart's schema (jupyterhub/values.schema.yaml) calls what we set, and of what kind it is.
KINDS = {
    "singleuser.image.name": str,
    "singleuser.image.tag": str,
    "singleuser.memory.guarantee": str,
    "singleuser.memory.limit": str,
    "singleuser.cpu.guarantee": float,
    "singleuser.cpu.limit": int,
    "singleuser.storage.capacity": str,
    "singleuser.defaultUrl": str,
    "singleuser.startTimeout": int,
    "singleuser.lifecycleHooks.postStart": dict,
    "singleuser.extraFiles.forgotten-kernels": dict,
    "cull.enabled": bool,
    "cull.timeout": int,
    "cull.every": int,
    "prePuller.hook.enabled": bool,
    "prePuller.continuous.enabled": bool,
    "scheduling.userScheduler.enabled": bool,
    "scheduling.podPriority.enabled": bool,
    "scheduling.userPlaceholder.enabled": bool,
    "scheduling.userPlaceholder.replicas": int,
}


def leaves(tree, name=""):
    """{dotted name: value}, down to the names of KINDS."""
    if name in KINDS or not isinstance(tree, dict):
        return {name: tree}
    return {
        leaf: value
        for key, inner in tree.items()
        for leaf, value in leaves(inner, f"{name}.{key}".lstrip(".")).items()
    }


def mebibytes(text):
    return int(text[:-1]) * MIB[text[-1]]


def test_values_are_of_the_kinds_that_the_chart_takes():
    found = leaves(VALUES)
    assert found.keys() == KINDS.keys()
    assert {name: type(value) for name, value in found.items()} == KINDS


def test_values_fit_each_other():
    memory, cpu = VALUES["singleuser"]["memory"], VALUES["singleuser"]["cpu"]
    assert mebibytes(memory["guarantee"]) < mebibytes(memory["limit"])
    assert cpu["guarantee"] < cpu["limit"]
    (command,) = VALUES["singleuser"]["lifecycleHooks"].values()
    *_, line = command["exec"]["command"]
    source, target = line.split()[4:6]
    # README.md builds the image so that the hand-outs lie there.
    assert f"--target-repo-dir {Path(source).parent}" in README
    assert f"../attention-image/{Path(source).name}" in README
    first = min(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
    assert VALUES["singleuser"]["defaultUrl"] == f"/lab/tree/{Path(target).name}/{first}"
    kernels = VALUES["singleuser"]["extraFiles"]["forgotten-kernels"]
    assert kernels["mountPath"].endswith(".json")
    assert kernels["data"]["MappingKernelManager"]["cull_connected"] is False


@pytest.mark.parametrize("seats", [30, 200])
def test_readme_does_the_arithmetic_of_the_values(seats):
    single = VALUES["singleuser"]
    (row,) = [line for line in README.splitlines() if line.startswith(f"| {seats} |")]
    guaranteed, limit, cores, *_ = [text.strip() for text in row.split("|")[2:-1]]
    assert guaranteed == f"{seats * mebibytes(single['memory']['guarantee']) / 1024:.0f} GiB"
    assert limit == f"{seats * mebibytes(single['memory']['limit']) / 1024:.0f} GiB"
    assert cores == f"{seats * single['cpu']['guarantee']:.0f}"


def test_hub_requirements_are_exact():
    lines = (HUB / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert [line.split("==")[0] for line in lines if not line.startswith("#")] == ["jupyterhub"]
    assert any("configurable-http-proxy@" in line for line in lines)


@pytest.mark.parametrize("text", ["0", "21", "-1"])
def test_at_most_twenty_students(text):
    with pytest.raises(argparse.ArgumentTypeError):
        measure.number(text)
    assert measure.number("20") == 20


def test_report_tells_the_median_and_the_worst():
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


def test_machine_that_is_too_small_is_left_alone(monkeypatch):
    monkeypatch.setattr(measure, "A_STUDENT", 10**9)
    monkeypatch.setattr(measure.shutil, "which", lambda _: "/nowhere/configurable-http-proxy")
    with pytest.raises(SystemExit, match="fewer are free"):
        measure.measure(1)


def test_students_run_what_is_handed_out(tmp_path):
    names = handout.write(tmp_path)
    cells = [code for name in names for code in measure.code_of(tmp_path / name)]
    assert len(names) == 6 and len(cells) > 100 and all(code.strip() for code in cells)


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("configurable-http-proxy") and importlib.util.find_spec("jupyterhub")),
    reason="needs teaching/hub/requirements.txt and its proxy",
)
def test_real_hub_serves_a_student_and_leaves_no_process():
    import psutil

    before = set(psutil.pids())
    (student,) = measure.measure(1)
    assert 0 < student.first_cell < student.all_cells
    assert 0 < student.server < student.memory[0] < student.memory[-1] and len(student.memory) == 6
    own = psutil.Process().children(recursive=True)
    assert [process for process in own if process.pid not in before] == []
