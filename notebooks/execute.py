"""Runs the notebooks from top to bottom and saves them, and their pictures in figures/.

    .venv/bin/python notebooks/execute.py         run and save all, after every change
    .venv/bin/python notebooks/execute.py 02 04   run and save these two alone

Two runs write the same bytes, so `git diff` shows what a change did to the outputs and nothing else.
Nothing is written before every cell has run: after an error the stored files are as they were.
"""

import argparse
import base64
import re
import sys
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from traitlets import default

HERE = Path(__file__).resolve().parent
FIGURES = HERE.parent / "figures"

# The version of Python is left out: it would differ from one machine to the next.
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}
# What front ends leave in a cell: when it ran, and how it was scrolled or opened on somebody's screen.
TRANSIENT = {"ExecuteTime", "collapsed", "execution", "is_executing", "scrolled", "trusted", "vscode"}
# JupyterLab writes the first line of a folded cell's first output beside its three dots. So a prediction's
# cell gets this sentence as its first output: a kind of data that every front end passes over, and a mark
# by which conftest.py knows it. Running the cell replaces it.
FOLD = {
    "output_type": "display_data",
    "data": {"text": "Predict first, then run this cell (Shift-Enter).", "text/latex": " "},
    "metadata": {"fold": True},
}


class OwnKernel(AsyncKernelManager):
    """The kernel of the Python that runs this file, whatever kernels a user has registered."""

    @default("kernel_spec_manager")
    def _no_folder_of_kernels(self):
        return KernelSpecManager(kernel_dirs=[])


def tidy(notebook):
    """Resets what depends on the machine or the front end, in place."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        for key in TRANSIENT & set(cell.metadata):
            del cell.metadata[key]
        if "answer" in cell.metadata.get("tags", []):
            # The output of a prediction's cell stays folded until a reader runs it. JupyterLab unfolds it
            # when the cell is run, and forgets; the tag does not.
            cell.metadata["jupyter"] = {"outputs_hidden": True}
            if "hide-input" in cell.metadata.tags:  # its code tells; its first line, which shows, must not
                cell.metadata["jupyter"]["source_hidden"] = True
            cell.outputs = [nbformat.from_dict(FOLD)] + [
                output for output in cell.outputs if output.get("metadata") != FOLD["metadata"]
            ]


def run(path):
    """The notebook at `path` with fresh outputs."""
    notebook = nbformat.read(path, as_version=4)
    tidy(notebook)
    client = NotebookClient(
        notebook,
        kernel_manager_class=OwnKernel,
        extra_arguments=["--log-level=ERROR"],
        timeout=120,
        record_timing=False,  # times differ from run to run
        coalesce_streams=True,  # where a stream is cut differs too
        store_widget_state=False,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    tidy(notebook)
    return notebook


def pictures(notebook):
    """The pictures of a notebook, as bytes, by the id of the <figure> that shows them."""
    found = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                name = re.search(r'<figure[^>]*\bid="([^"]+)"', data.get("text/html", ""))
                if name is None or name[1] in found:
                    raise ValueError(f"a picture without a <figure> id of its own, made by:\n{cell.source}")
                found[name[1]] = base64.b64decode(data["image/png"])
    return found


def write(notebook, path):
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")


def execute(paths, figures=FIGURES):
    """Runs the notebooks, then saves them and their pictures and removes pictures no longer made."""
    done = {}
    for path in paths:
        print(f"running {path.name}", flush=True)
        done[path] = run(path)
    made = {f"{p.name[:2]}_{name}.png": png for p in paths for name, png in pictures(done[p]).items()}
    numbers = {path.name[:2] for path in paths}
    others = {path.name[:2] for path in stored(paths[0].parent)} - numbers
    figures.mkdir(exist_ok=True)
    for path, notebook in done.items():
        write(notebook, path)
    for name, png in made.items():
        (figures / name).write_bytes(png)
    for old in figures.glob("*.png"):
        if old.name not in made and old.name[:2] not in others:
            old.unlink()


def stored(folder):
    """The notebooks of the series in `folder`, in order."""
    return sorted(folder.glob("[0-9][0-9]_*.ipynb"))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("numbers", nargs="*", metavar="NN", help="notebooks by number; all by default")
    options = parser.parse_args()
    paths = [path for path in stored(HERE) if not options.numbers or path.name[:2] in options.numbers]
    if not paths or not set(options.numbers) <= {path.name[:2] for path in paths}:
        parser.error(f"no such notebook: there are {', '.join(p.name for p in stored(HERE)) or 'none'}")
    try:
        execute(paths)
    except CellExecutionError as error:
        sys.exit(f"{error}\nNothing was saved.")


if __name__ == "__main__":
    main()
