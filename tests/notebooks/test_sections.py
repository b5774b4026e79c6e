"""Every section of a notebook runs by itself, and again after everything else, with the stored result.

A section is the code cells under a `##` heading below "What this notebook is for". The cells above the first
section are the setup, which every section may use; it may use no other section.
"""

import asyncio
import copy
import difflib
import functools
import os
import re
import zlib

import nbformat
import pytest
from nbclient import NotebookClient

from conftest import COMPARE_PICTURES
from notebooks import execute
from tests.notebooks.stored import NOTEBOOKS, code_cells, report, sections

pytestmark = pytest.mark.slow

PURPOSE = "What this notebook is for"
SETUP, AGAIN = "the setup", "again"


def read(path):
    return nbformat.read(path, as_version=4)


def code_of_sections(notebook):
    """The indices of the code cells of each section, {heading: [...]}, the setup first."""
    index = {cell.id: i for i, cell in enumerate(notebook.cells)}
    found = {
        title: [index[cell.id] for cell in code_cells(cells)]
        for title, cells in sections(notebook.cells).items()
    }
    setup = found.pop("") + found.pop(PURPOSE)
    return {SETUP: setup} | {title: cells for title, cells in found.items() if cells}


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
    """The outputs of a cell that are compared: without the sentence of a folded answer."""
    if "nbval-ignore-output" in cell.metadata.get("tags", []):
        return []
    fold = execute.FOLD["metadata"]
    return [compared(output) for output in cell.outputs if output.get("metadata") != fold]


def lines(shown):
    """Outputs as lines of text; a long line, such as a picture, as its beginning and a checksum."""
    for output in shown:
        for form, text in output.items():
            for line in f"{form}: {text}".split("\n"):
                yield (line if len(line) < 300 else f"{line[:200]} ... ({zlib.crc32(line.encode()):x})")


async def run_in_a_kernel(path, steps):
    """What differs when `steps`, as (heading, cells, when), run one after the other in a fresh kernel.

    A section ends at its first cell that differs: the cells below would differ for the same reason.
    """
    notebook = read(path)
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
                    head = f"{path.stem}, {title}, cell {cell.id}, {when}:"
                    texts = [*lines(stored)], [*lines(now)]
                    difference = difflib.unified_diff(*texts, "stored", "now", n=99, lineterm="")
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

    Each runs in a kernel of its own, as many at once as there are processors, the longest first.
    """
    found = code_of_sections(read(path))
    steps = {AGAIN: steps_again(found)}
    steps |= {title: steps_alone(found, title) for title in reversed(found) if title != SETUP}

    async def run_all():
        free = asyncio.Semaphore(os.cpu_count() or 1)

        async def run_one(title):
            async with free:
                return await run_in_a_kernel(path, steps[title])

        return await asyncio.gather(*map(run_one, steps))

    return dict(zip(steps, asyncio.run(run_all()), strict=True))


PATHS = execute.stored(NOTEBOOKS)
SECTIONS = [(path, title) for path in PATHS for title in code_of_sections(read(path)) if title != SETUP]


@pytest.mark.parametrize(("path", "title"), SECTIONS, ids=lambda value: getattr(value, "stem", value))
def test_section_runs_by_itself(path, title):
    report(differences(path)[title])


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_sections_run_again_after_everything_else(path):
    report(differences(path)[AGAIN])


SMALL = [
    "# How many?",
    ["count = 3\ncount"],
    f"## {PURPOSE}",
    "## Needs nothing",
    ["2 + 2"],
    "## Defines",
    ["given = count + 1\ngiven"],
    "## Needs another section",
    ["print(given)"],
    "## Changes the setup",
    ["count += 1\ncount"],
]


def test_section_that_needs_or_changes_another_fails(tmp_path):
    new = nbformat.v4
    path = tmp_path / "notebooks" / "01_small.ipynb"
    path.parent.mkdir()
    cells = [
        new.new_markdown_cell(source) if isinstance(source, str) else new.new_code_cell(*source)
        for source in SMALL
    ]
    nbformat.write(new.new_notebook(cells=cells), path)
    execute.execute([path], tmp_path / "figures")
    found = differences(path)
    assert found["Needs nothing"] == found["Defines"] == []
    (difference,) = found["Needs another section"]
    assert "\n-text: 4\n" in difference and "\n+text: name 'given' is not defined" in difference
    again = [difference.split(",")[1].strip() for difference in found[AGAIN]]
    in_order = ["Defines", "Needs another section", "Changes the setup"]
    assert again == [*in_order, *in_order[::-1]]
    assert "\n-text/plain: 4\n+text/plain: 5" in found[AGAIN][0]
