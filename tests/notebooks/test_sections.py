"""Every section of a notebook runs by itself, and again after everything else, with the stored result.

A section is a `##` heading after "What this notebook is for", and the code cells below it. What it may lean
on is the setup: every code cell above the first section. So whoever comes back to one section need not run
the others, and whoever runs it a second time sees no other numbers than before.
"""

import asyncio
import copy
import difflib
import functools
import os
import re
import zlib
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.notebooks.test_notebooks import COMPARE_PICTURES, execute_module

pytestmark = pytest.mark.slow

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
PURPOSE = "What this notebook is for"
SETUP, AGAIN = "the setup", "again"
execute = execute_module()


def headings(cell):
    """The `##` headings in a Markdown cell."""
    if cell.cell_type != "markdown":
        return []
    text = re.sub(r"^```.*?^```", "", cell.source, flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"^## +(.+?) *$", text, re.MULTILINE)


def sections(notebook):
    """The numbers of the code cells under each heading, {heading: [...]}, the setup first."""
    found, title = {SETUP: []}, SETUP
    purpose_seen = False
    for i, cell in enumerate(notebook.cells):
        for heading in headings(cell):
            if heading == PURPOSE and not purpose_seen:
                found, title = {SETUP: [i for cells in found.values() for i in cells]}, SETUP
                purpose_seen = True
            else:
                title = heading
                assert title not in found, f"two sections are called {title}"
                found[title] = []
        if cell.cell_type == "code":
            found[title].append(i)
    return {title: cells for title, cells in found.items() if cells or title == SETUP}


def compared(output):
    """What of an output must be the same: its kind, and its text or every form of it."""
    if output.output_type == "stream":
        return {"stream": output.name, "text": output.text}
    if output.output_type == "error":
        return {"error": output.ename, "text": output.evalue}
    data = dict(output.data)
    if not COMPARE_PICTURES:
        data.pop("image/png", None)
        if "text/html" in data:
            data["text/html"] = re.sub(r'base64,[^"]*', "base64,", data["text/html"])
    return {"output": output.output_type, **data}


def outputs(cell):
    """The outputs of a cell that are compared: without the sentence that stands in a folded answer."""
    if "nbval-ignore-output" in cell.metadata.get("tags", []):
        return []
    fold = execute.FOLD["metadata"]
    return [compared(output) for output in cell.outputs if output.get("metadata") != fold]


def lines(shown):
    """Outputs as lines to be read. Of a long one, a picture's above all, its start and a checksum."""
    for output in shown:
        for form, text in output.items():
            for line in f"{form}: {text}".split("\n"):
                yield (line if len(line) < 300 else f"{line[:200]} ... ({zlib.crc32(line.encode()):x})")


async def in_a_kernel(path, steps):
    """What differs when `steps`, as (heading, cells, when), run one after the other in a fresh kernel.

    A section ends at its first cell that differs: what comes below would differ for the same reason.
    """
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        copy.deepcopy(notebook),
        kernel_manager_class=execute.OwnKernel,
        extra_arguments=["--log-level=ERROR"],
        timeout=120,
        allow_errors=True,  # an error is a difference like any other
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    differences = []
    async with client.async_setup_kernel():
        for title, cells, when in steps:
            for i in cells:
                cell = copy.deepcopy(notebook.cells[i])
                cell.outputs = []
                await client.async_execute_cell(cell, i)
                stored, now = outputs(notebook.cells[i]), outputs(cell)
                if now != stored:
                    head = f"{path.stem}, {title}, cell {i} ({cell.id}), {when}:"
                    both = [*lines(stored)], [*lines(now)], "stored", "now"
                    difference = difflib.unified_diff(*both, n=99, lineterm="")
                    differences.append("\n".join([head, cell.source, *difference]))
                    break
    return differences


def steps_alone(found, title):
    """The setup, then one section and nothing else."""
    return [(name, found[name], "by itself") for name in (SETUP, title)]


def steps_again(found):
    """The whole notebook, then every section again in order, then every section in reverse order."""
    everything = list(found.items())
    steps = [(*section, "from the top") for section in everything]
    steps += [(*section, "again after the whole notebook") for section in everything[1:]]
    return steps + [(*section, "again, in reverse order") for section in everything[:0:-1]]


@functools.cache
def differences(path):
    """What differs in each section by itself, {heading: [...]}, and under AGAIN what differs afterwards.

    Each has a kernel of its own, and as many run side by side as there are processors.
    """
    found = sections(nbformat.read(path, as_version=4))
    runs = {title: steps_alone(found, title) for title in found if title != SETUP}
    runs[AGAIN] = steps_again(found)

    async def side_by_side():
        free = asyncio.Semaphore(os.cpu_count() or 1)

        async def one(steps):
            async with free:
                return await in_a_kernel(path, steps)

        # The longest first.
        return await asyncio.gather(*[one(runs[title]) for title in reversed(runs)])

    return dict(zip(reversed(runs), asyncio.run(side_by_side()), strict=True))


SERIES = {path.stem: path for path in execute.stored(NOTEBOOKS)}
SECTIONS = [
    (name, title)
    for name, path in SERIES.items()
    for title in sections(nbformat.read(path, as_version=4))
    if title != SETUP
]


@pytest.mark.parametrize(("name", "title"), SECTIONS)
def test_section_runs_by_itself(name, title):
    found = differences(SERIES[name])[title]
    assert not found, "\n\n".join(found)


@pytest.mark.parametrize("name", SERIES)
def test_sections_run_again_after_everything_else(name):
    found = differences(SERIES[name])[AGAIN]
    assert not found, "\n\n".join(found)


# The tests bite


SMALL = [
    "# How many?",
    ["count = 3\ncount"],
    "## What this notebook is for",
    ["from attention_lib import show"],
    "## Lonely",
    ['show.heatmap([[count / 4]], ["her"], ["cat"], alt="One cell.", name="one")'],
    "## Generous",
    ["given = count + 1\ngiven"],
    "## Leaning",
    ["print(given)"],
    "## Changing",
    ["count += 1\ncount"],
]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A small notebook in which one section leans on another, and one changes what the setup made."""
    new = nbformat.v4
    path = tmp_path_factory.mktemp("small") / "notebooks" / "01_small.ipynb"
    path.parent.mkdir()
    cells = [
        new.new_markdown_cell(source) if isinstance(source, str) else new.new_code_cell(*source)
        for source in SMALL
    ]
    cells[5].metadata.tags = ["answer"]
    new_notebook = new.new_notebook(cells=cells)
    nbformat.write(new_notebook, path)
    execute.execute([path], path.parents[1] / "figures")
    return path


def test_sections_are_what_stands_below_the_purpose(small):
    found = sections(nbformat.read(small, as_version=4))
    assert found == {
        SETUP: [1, 3],
        "Lonely": [5],
        "Generous": [7],
        "Leaning": [9],
        "Changing": [11],
    }


def test_section_that_leans_on_another_is_noticed(small):
    assert differences(small)["Lonely"] == []
    (found,) = differences(small)["Leaning"]
    assert found.startswith("01_small, Leaning, cell 9 (")
    assert "\n-text: 4\n" in found and "\n+text: name 'given' is not defined" in found


def test_section_that_changes_another_is_noticed(small):
    order, reverse = "again after the whole notebook", "again, in reverse order"
    expected = [(title, order) for title in ("Lonely", "Generous", "Leaning", "Changing")]
    expected += [(title, reverse) for title in ("Changing", "Leaning", "Generous", "Lonely")]
    found = differences(small)[AGAIN]
    for difference, (title, when) in zip(found, expected, strict=True):
        assert re.match(rf"01_small, {title}, cell \d+ \([\w-]+\), {when}:\n", difference)
    assert "image/png" in found[0]
    assert "\n-text/plain: 4\n+text/plain: 5" in found[1]
