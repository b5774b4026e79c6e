"""Makes the series into a website on which the notebooks run, in the reader's browser, without an installation.

    .venv/bin/pip install -r publish/requirements.txt
    .venv/bin/python -m publish.live OUT                      Pyodide from its official address
    .venv/bin/python -m publish.live OUT --pyodide SOURCE     from a folder, or from another address
    .venv/bin/python -m publish.live OUT --without-solutions  for a class
    .venv/bin/python -m http.server --directory OUT           then open http://localhost:8000

The site is JupyterLite: JupyterLab and Notebook 7 as static files, and Pyodide, which is Python with NumPy,
pandas and matplotlib for the browser. It makes no request to another machine. SOURCE holds the files of
Pyodide's release. The site's lock names the wheels that are needed alone, and the library's, which travels without
its model: attention_lib.data fetches that when a sentence first needs it. lab/ holds what the site adds to
JupyterLite's pages.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
import zipfile
from pathlib import Path

import nbformat
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from publish import handouts, notebooks, sheet, wheel
from publish.execute import command_line
from publish.notebooks import ROOT

PYODIDE = "314.0.3"  # the version that is published and tested
OFFICIAL = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
LOCK = "pyodide-lock.json"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
KERNEL = ["micropip", "ipython", "jedi"]  # what the kernel needs of Pyodide's packages
EXTRA = ["comm", "ipython-pygments-lexers"]  # what it needs besides, pinned in publish/requirements.txt
KERNEL_EXTENSION = "@jupyterlite/pyodide-kernel-extension"
LAB = Path(__file__).resolve().parent / "lab"
KEY = "published"  # in a notebook's metadata, the version of its text; lab.js compares it
HOW_ELSE = "Without the internet: `python -m tests.live.source` puts them together from package registries"
SETTINGS = tomllib.loads((LAB / "settings.toml").read_text(encoding="utf-8"))
APPS = SETTINGS["build"]["apps"]
# Loaded while Python starts, side by side.
LOADED = {"packages": [*KERNEL, *EXTRA, "attention-lib"]}
SETTINGS["site"]["litePluginSettings"][f"{KERNEL_EXTENSION}:kernel"]["loadPyodideOptions"] = LOADED


# Pyodide and the wheels


def read(source, name):
    """The bytes of the file `name` in a folder or at an address."""
    try:
        if not re.match(r"https?://", source):
            return (Path(source) / name).read_bytes()
        with urllib.request.urlopen(f"{source.rstrip('/')}/{name}", timeout=60) as answer:
            return answer.read()
    except OSError as error:
        raise SystemExit(f"{source} must hold Pyodide {PYODIDE}, but {name}: {error}. {HOW_ELSE}") from error


def needed(packages, names):
    """Of a lock's `packages`, those that `names` need, by name, themselves among them."""
    by_key = {canonicalize_name(name): package for name, package in packages.items()}
    found, left = {}, [*names]
    while left:
        name = canonicalize_name(left.pop())
        if name not in found:
            found[name] = by_key[name]
            left += by_key[name]["depends"]
    return dict(sorted(found.items()))


def dependencies():
    """The names of the packages that the library needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(wanted).name for wanted in project["dependencies"]]


def copy_pyodide(source, folder, names):
    """Copies the runtime and the wheels that `names` need into `folder`, and returns the lock, reduced to them."""
    files = {name: read(source, name) for name in (LOCK, *RUNTIME)}
    if f'"{PYODIDE}"' not in files["pyodide.mjs"].decode():
        raise SystemExit(f"{source} must hold Pyodide {PYODIDE}, and pyodide.mjs is of another version")
    lock = json.loads(files.pop(LOCK))
    lock["packages"] = needed(lock["packages"], names)
    wheels = {package["file_name"]: package["sha256"] for package in lock["packages"].values()}
    files |= {name: read(source, name) for name in wheels}
    for name, content in files.items():
        if name in wheels and hashlib.sha256(content).hexdigest() != wheels[name]:
            raise SystemExit(f"{name} in {source} is not the file that {LOCK} names: its checksum is another")
        (folder / name).write_bytes(content)
    return lock


def download_extra(folder):
    """Downloads the wheels into `folder` that the kernel needs and Pyodide does not have."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    pinned = (ROOT / "publish" / "requirements.txt").read_text(encoding="utf-8").split()
    wanted = [pin for pin in pinned if pin.partition("==")[0] in EXTRA]
    subprocess.run([*pip, "--dest", folder, *wanted], check=True)


def entry(path, depends):
    """The lock's entry of the wheel at `path`."""
    name, version, *_ = path.name.split("-")
    with zipfile.ZipFile(path) as file:
        tops = {inside.partition("/")[0] for inside in file.namelist()}
    return {
        "name": canonicalize_name(name),
        "version": version,
        "file_name": path.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(top for top in tops if not top.endswith((".dist-info", ".data"))),
        "depends": depends,
        "unvendored_tests": False,
    }


def add_library(folder, lock, depends):
    """Builds the library's wheel, without the model, into `folder`, and writes the lock there, with it."""
    library = entry(folder / wheel.build(folder, with_model=False), depends)
    lock["packages"][library["name"]] = library
    (folder / LOCK).write_text(json.dumps(lock, indent=1) + "\n", encoding="utf-8", newline="\n")


def write_pyodide(source, folder):
    """Writes Pyodide, the wheels, their lock and the model into `folder`; returns how many bytes a start loads."""
    folder.mkdir()
    lock = copy_pyodide(source, folder, [*dependencies(), *KERNEL])
    with tempfile.TemporaryDirectory() as temporary:
        download_extra(temporary)
        for path in sorted(Path(temporary).glob("*.whl")):
            shutil.copy(path, folder)
            added = entry(path, [])
            lock["packages"][added["name"]] = added
    add_library(folder, lock, dependencies())
    # Modules are left out: a worker is not told when they have been loaded.
    size = sum(path.stat().st_size for path in folder.iterdir() if path.suffix != ".mjs")
    for name in ("start.mjs", "startup.py"):
        shutil.copy(LAB / name, folder)
    shutil.copy(ROOT / "attention_lib" / "data" / "model.npz", folder)
    return size


# Notebooks and texts


def lab_notebook(path, with_solutions):
    """A notebook as the site shows it."""
    names = {path.name: path.name for path in (*notebooks.PATHS.values(), *notebooks.TEXTS)}
    notebook = handouts.read(path, with_solutions, names)
    if not with_solutions:  # for a class
        handouts.ask_whose(notebook)
    if path in notebooks.TOO_LARGE:
        notebook.cells = [nbformat.v4.new_markdown_cell(SETTINGS["too_large"]["text"], id="too-large")]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata["trusted"] = True  # or its tables with controls would not move before it has run
    notebook.metadata = nbformat.from_dict(SETTINGS["metadata"])
    notebook.metadata[KEY] = hashlib.sha256(json.dumps(notebook).encode()).hexdigest()[:12]
    return notebook


def write_contents(folder, with_solutions=True):
    """Writes notebooks with their outputs into `folder`. Returns their versions."""
    folder.mkdir()
    versions = {}
    for path in notebooks.PATHS.values():
        notebook = lab_notebook(path, with_solutions)
        versions[path.name] = notebook.metadata[KEY]
        # Each text in one piece: JupyterLite shows one that is a list of lines with a comma before each line. And
        # nbformat would take "trusted" out.
        text = json.dumps(notebook, indent=1, ensure_ascii=False)
        (folder / path.name).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    return versions


def write_texts(out):
    """Writes questions and glossary as pages; JupyterLite would open them in an editor."""
    names = {path.name: f"notebooks/index.html?path={path.name}" for path in notebooks.PATHS.values()}
    names |= {path.name: f"{path.stem}.html" for path in notebooks.TEXTS}
    for path in notebooks.TEXTS:
        text = handouts.rewrite_links(notebooks.read_text(path), names, path.name)
        (out / f"{path.stem}.html").write_text(sheet.as_page(text), encoding="utf-8", newline="\n")


# JupyterLite


def write_site(out, size, with_solutions):
    """Builds JupyterLite into `out`: JupyterLab, Notebook 7, its list of files, and the kernel alone of what
    extensions are installed. `size` is how many bytes a start of Python loads."""
    extension = Path(sys.prefix) / "share" / "jupyter" / "labextensions" / KERNEL_EXTENSION
    if not extension.is_dir():
        raise SystemExit("the kernel is not installed: pip install -r publish/requirements.txt")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        versions = write_contents(folder / "contents", with_solutions)
        build = SETTINGS["build"] | {
            "output_dir": str(out.resolve()),
            "federated_extensions": [str(extension)],
        }
        site = {"jupyter-lite-schema-version": 0, "jupyter-config-data": SETTINGS["site"]}
        (folder / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": build}))
        (folder / "jupyter-lite.json").write_text(json.dumps(site))
        command = [sys.executable, "-m", "jupyterlite_core", "build"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"JupyterLite could not be built:\n{done.stdout}{done.stderr}")
    for pattern in SETTINGS["unused"]["files"]:
        for path in out.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    (out / "versions.json").write_text(json.dumps(versions), encoding="utf-8")
    add_to_pages(out, size)


def add_to_pages(out, size):
    """Adds lab.js and lab.css to the pages of JupyterLite, and the page that starts fresh."""
    for name in ("lab.js", "lab.css", "fresh.html"):
        shutil.copy(LAB / name, out)
    for app in ("", *APPS):
        path = out / app / "index.html"
        up = "../" if app else ""
        added = (
            f'<link rel="stylesheet" href="{up}lab.css">\n'
            f'<script src="{up}lab.js" data-app="{app}" data-total="{size}"></script>\n'
        )
        page = path.read_text(encoding="utf-8")
        path.write_text(page.replace("<head>", f"<head>\n{added}", 1), encoding="utf-8", newline="\n")


def build(out, source, with_solutions=True):
    """Writes the website to the folder `out`, with Pyodide from `source`, a folder or an address."""
    if out.exists() and any(out.iterdir()):
        raise SystemExit(f"{out} holds files: choose another folder, or delete them")
    with tempfile.TemporaryDirectory() as temporary:  # nothing is left in `out` if a file is missing
        size = write_pyodide(source, Path(temporary) / "pyodide")
        write_site(out, size, with_solutions)
        shutil.copytree(Path(temporary) / "pyodide", out / "pyodide")
    write_texts(out)


def main():
    parser = command_line(__doc__)
    parser.add_argument("out", type=Path, metavar="OUT", help="the folder to write to")
    parser.add_argument("--pyodide", default=OFFICIAL, metavar="SOURCE", help=f"by default {OFFICIAL}")
    parser.add_argument("--without-solutions", action="store_true", help="leave out the folded solutions")
    options = parser.parse_args()
    build(options.out, options.pyodide, not options.without_solutions)
    print(f"{options.out}: serve this folder, then open notebooks/index.html?path=01_dot_product.ipynb")


if __name__ == "__main__":
    main()
