"""Run the notebooks from top to bottom and save them, and their pictures in figures/.

    .venv/bin/python publish/execute.py         run all, after every change
    .venv/bin/python publish/execute.py 02 04   run these two alone

Two runs with one version of Python write the same bytes, so `git diff` shows what a change did to the
outputs and nothing else. Files are written after every cell has run: an error leaves them as they were.
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

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS, FIGURES = ROOT / "notebooks", ROOT / "figures"

KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
# What is kept of a cell's metadata: front ends add when it ran, and how it was scrolled or folded.
KEPT = {"slide", "slideshow", "tags"}
# JupyterLab shows the first line of a folded cell's first output beside three dots. A prediction's cell gets
# this sentence as its first output, and draws the empty LaTeX in its place where the fold is open; running the cell
# replaces it. conftest.py leaves outputs with this metadata out of the comparison.
FOLD = {
    "output_type": "display_data",
    "data": {"text/plain": "Predict first, then run this cell (Shift-Enter).", "text/latex": " "},
    "metadata": {"fold": True},
}
FOLDED_BY = {"outputs_hidden": "answer", "source_hidden": "hide-input"}  # tags of cells


class OwnKernel(AsyncKernelManager):
    """The kernel of the Python that runs this file, whatever kernels a user has registered."""

    @default("kernel_spec_manager")
    def _no_kernel_folders(self):
        return KernelSpecManager(kernel_dirs=[])


def tidy(notebook):
    """Remove what a front end has left, and fold the answers of predictions, in place.

    `language_info` stays as the kernel sent it: JupyterLab marks a notebook as changed on opening unless all
    of it, the version of Python included, is what its own kernel sends.
    """
    language = notebook.metadata.get("language_info", {})
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": language})
    for cell in notebook.cells:
        for key in cell.metadata.keys() - KEPT:
            del cell.metadata[key]
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("metadata") != FOLD["metadata"]]
        tags = cell.metadata.get("tags", [])
        folds = {key: True for key, tag in FOLDED_BY.items() if tag in tags}
        if folds:
            cell.metadata["jupyter"] = nbformat.from_dict(folds)
        if "answer" in tags:
            cell.outputs.insert(0, nbformat.from_dict(FOLD))


def client_of(notebook, folder, **options):
    """A client that runs the cells of a notebook in `folder`."""
    return NotebookClient(
        notebook,
        kernel_manager_class=OwnKernel,
        kernel_name=KERNELSPEC["name"],
        extra_arguments=["--log-level=ERROR"],
        timeout=600,
        coalesce_streams=True,  # or prints would be cut at random
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
        **options,
    )


def run(path):
    """The notebook at `path` with fresh outputs."""
    notebook = nbformat.read(path, as_version=4)
    client_of(notebook, path.parent).execute()
    tidy(notebook)
    return notebook


def pictures(notebook):
    """The pictures of a notebook: (its cell, its data)."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                yield cell, data


def picture_files(path, notebook):
    """The pictures of the notebook at `path` as {file name in figures/: bytes}; the <figure> has the name as its id."""
    found = {}
    for cell, data in pictures(notebook):
        figure = re.search(r'<figure[^>]*\bid="([^"]+)"', data.get("text/html", ""))
        file = f"{path.name[:2]}_{figure[1]}.png" if figure else None
        if file is None or file in found:
            sys.exit(
                f"Nothing was saved. Give the figure a name of its own, name=..., in the cell\n{cell.source}"
            )
        found[file] = base64.b64decode(data["image/png"])
    return found


def as_text(notebook):
    """A notebook as it is stored."""
    return nbformat.writes(notebook) + "\n"


def execute(paths, figures=FIGURES):
    """Run the notebooks, then save them and their pictures in place of those that were there."""
    done, made = {}, {}
    for path in paths:
        print(f"running {path.name}", flush=True)
        done[path] = run(path)
        made |= picture_files(path, done[path])
    figures.mkdir(exist_ok=True)
    for path, notebook in done.items():
        path.write_text(as_text(notebook), encoding="utf-8", newline="\n")
        for old in figures.glob(f"{path.name[:2]}_*.png"):
            old.unlink()
    for name, png in made.items():
        (figures / name).write_bytes(png)


def stored(folder):
    """The notebooks of the series in `folder`, in order."""
    return sorted(folder.glob("[0-9][0-9]_*.ipynb"))


def command_line(description):
    """A parser of arguments that shows a module's docstring as it stands."""
    return argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def main():
    parser = command_line(__doc__)
    parser.add_argument("numbers", nargs="*", metavar="NN", help="notebooks by number; all by default")
    options = parser.parse_args()
    paths = [path for path in stored(NOTEBOOKS) if not options.numbers or path.name[:2] in options.numbers]
    if not paths or not set(options.numbers) <= {path.name[:2] for path in paths}:
        parser.error(f"no such notebook: there are {', '.join(p.name for p in stored(NOTEBOOKS)) or 'none'}")
    try:
        execute(paths)
    except CellExecutionError as error:
        sys.exit(f"{error}\nNothing was saved.")


if __name__ == "__main__":
    main()
