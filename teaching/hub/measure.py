"""Measures what a class needs: a real JupyterHub on this machine, and students who come in the same second.

    .venv/bin/python -m teaching.hub.measure 10     ten students, at most 20; prints a table

Each student gets a server, opens the six hand-outs and runs every cell, one notebook after the other.
The kernels stay open, as students leave them. No student pauses between cells, so the load is heavier
than a class's. All ports are on the loopback interface. It ends after DEADLINE seconds at the latest, and
leaves no process and no file behind.

It needs teaching/hub/requirements.txt and configurable-http-proxy on PATH.
"""

import argparse
import asyncio
import json
import os
import secrets
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

ROOT = Path(__file__).resolve().parents[2]
MAX_STUDENTS = 20
MIB_A_STUDENT = 1100  # with all kernels open; measuring starts only if so much is free
DEADLINE = 900  # seconds
MIB = 2**20

CONFIG = """
c.JupyterHub.bind_url = "http://127.0.0.1:{port}/"
c.JupyterHub.hub_bind_url = "http://127.0.0.1:{hub_port}"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{proxy_port}"
c.ConfigurableHTTPProxy.command = [{proxy!r}]
c.JupyterHub.db_url = "sqlite:///:memory:"
c.JupyterHub.cookie_secret_file = {secret!r}
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = {password!r}  # unused: the requests carry the token
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r}
c.Spawner.ip = "127.0.0.1"
c.Spawner.cmd = [{python!r}, "-m", "jupyterhub.singleuser"]
c.Spawner.args = {arguments!r}
c.Spawner.start_timeout = c.Spawner.http_timeout = 300
c.JupyterHub.concurrent_spawn_limit = 0
c.JupyterHub.services = [{{"name": "measure", "api_token": {token!r}}}]
scopes = ["admin:users", "admin:servers", "admin:server_state", "access:servers"]
c.JupyterHub.load_roles = [{{"name": "measure", "scopes": scopes, "services": ["measure"]}}]
"""


@dataclass
class Student:
    """What was measured of one student: seconds, MiB of memory, processor seconds."""

    name: str
    first_cell: float = 0.0
    all_cells: float = 0.0
    server: float = 0.0
    memory: list[float] = field(default_factory=list)  # after each notebook, all kernels open
    proportional: float = 0.0  # the last of these, with shared memory counted once
    work_first_cell: float = 0.0
    work: float = 0.0


def free_ports(n):
    """Ports that are not in use."""
    sockets = [socket.socket() for _ in range(n)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def process_tree(pid):
    """A process and all that it started."""
    try:
        parent = psutil.Process(pid)
        return [parent, *parent.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def resources(pid):
    """(MiB of resident memory, processor seconds) of a process and all that it started."""
    memory = work = 0.0
    for process in process_tree(pid):
        try:
            times = process.cpu_times()
            memory += process.memory_info().rss / MIB
            work += times.user + times.system
        except psutil.NoSuchProcess:
            continue
    return memory, work


def proportional_memory(pid):
    """MiB of a process and all that it started; memory that n processes share counts 1/n in each."""
    total = 0.0
    for process in process_tree(pid):
        try:
            memory = process.memory_full_info()
            total += getattr(memory, "pss", memory.uss) / MIB
        except psutil.NoSuchProcess:
            continue
    return total


class Hub:
    """A client of the JupyterHub's API."""

    def __init__(self, port, token):
        self.root = f"127.0.0.1:{port}"
        self.headers = {"Authorization": f"token {token}"}
        self.client = AsyncHTTPClient(max_clients=10 * MAX_STUDENTS)

    async def request(self, method, path, body=None):
        body = None if body is None else json.dumps(body)
        request = HTTPRequest(
            f"http://{self.root}{path}",
            method=method,
            headers=self.headers,
            body=body,
            allow_nonstandard_methods=True,
            request_timeout=300,
        )
        answer = await self.client.fetch(request)
        return json.loads(answer.body) if answer.body else None

    async def wait_until_up(self):
        while True:
            try:
                return await self.request("GET", "/hub/api/")
            except (OSError, HTTPClientError):
                await asyncio.sleep(0.2)

    async def start_server(self, name):
        """Starts a student's server, waits until it is ready, and returns its process id."""
        await self.request("POST", f"/hub/api/users/{name}/server", {})
        while True:
            user = await self.request("GET", f"/hub/api/users/{name}")
            server = user["servers"].get("")
            if server and server["ready"]:
                return server["state"]["pid"]
            await asyncio.sleep(0.2)

    async def run(self, name, notebook, cells):
        """Opens a notebook with its own kernel and runs its cells; yields after each."""
        body = {
            "path": notebook,
            "name": notebook,
            "type": "notebook",
            "kernel": {"name": "python3"},
        }
        session = await self.request("POST", f"/user/{name}/api/sessions", body)
        path = f"/user/{name}/api/kernels/{session['kernel']['id']}/channels"
        request = HTTPRequest(f"ws://{self.root}{path}", headers=self.headers)
        channels = await websocket_connect(request, max_message_size=100 * MIB)
        for code in cells:
            await execute(channels, code)
            yield
        channels.close()


async def execute(channels, code):
    """Runs a cell, and waits until the kernel is idle again."""
    id = uuid.uuid4().hex
    header = {"msg_id": id, "msg_type": "execute_request", "session": id, "username": ""}
    content = {"code": code, "silent": False, "allow_stdin": False, "stop_on_error": True}
    message = {
        "header": header | {"version": "5.3", "date": ""},
        "parent_header": {},
        "metadata": {},
        "content": content | {"store_history": True, "user_expressions": {}},
        "channel": "shell",
    }
    await channels.write_message(json.dumps(message))
    replied = idle = False
    while not (replied and idle):
        text = await channels.read_message()
        if text is None:
            raise RuntimeError("a kernel was lost")
        answer = json.loads(text)
        if answer["parent_header"].get("msg_id") != id:
            continue
        if answer["msg_type"] == "execute_reply":
            replied = True
            if answer["content"]["status"] != "ok":
                raise RuntimeError(f"a cell failed with {answer['content'].get('ename')}:\n{code}")
        idle |= answer["content"].get("execution_state") == "idle"


async def run_student(hub, name, notebooks):
    """Runs all notebooks as one student, and returns the Student."""
    student, start = Student(name), time.perf_counter()
    pid = await hub.start_server(name)
    student.server, _ = resources(pid)
    for notebook, cells in notebooks.items():
        async for _ in hub.run(name, notebook, cells):
            if not student.first_cell:
                student.first_cell = time.perf_counter() - start
                _, student.work_first_cell = resources(pid)
        memory, student.work = resources(pid)
        student.memory.append(memory)
    student.all_cells = time.perf_counter() - start
    student.proportional = proportional_memory(pid)
    return student


async def run_class(n, port, token, notebooks):
    """Runs n students at the same time."""
    hub = Hub(port, token)
    await hub.wait_until_up()
    names = [f"student-{i:02}" for i in range(n)]
    await hub.request("POST", "/hub/api/users", {"usernames": names})
    return await asyncio.gather(*(run_student(hub, name, notebooks) for name in names))


def measure(n):
    """Starts a hub, runs n students, and stops the hub."""
    proxy = shutil.which("configurable-http-proxy")
    if proxy is None:
        raise SystemExit("configurable-http-proxy is not on PATH: see hub/requirements.txt")
    if psutil.virtual_memory().available < n * MIB_A_STUDENT * MIB:
        raise SystemExit(f"{n} students may need {n * MIB_A_STUDENT} MiB, and fewer are free")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        handouts = folder / "handouts"
        subprocess.run(
            [sys.executable, "-m", "publish.handouts", handouts],
            cwd=ROOT,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        notebooks = {path.name: code_of(path) for path in sorted(handouts.glob("*.ipynb"))}
        for i in range(n):
            home = folder / "homes" / f"student-{i:02}"
            shutil.copytree(handouts, home, ignore=shutil.ignore_patterns("*.whl"))
        port, token = write_config(folder, proxy)
        return run_hub(folder, run_class(n, port, token, notebooks))


def write_config(folder, proxy):
    """Writes the hub's settings to config.py in `folder`; returns its port and the token for its API."""
    port, hub_port, proxy_port = free_ports(3)
    token = secrets.token_hex(16)
    config = CONFIG.format(
        port=port,
        hub_port=hub_port,
        proxy_port=proxy_port,
        proxy=proxy,
        secret=str(folder / "cookie_secret"),
        password=secrets.token_hex(16),
        homes=str(folder / "homes" / "{username}"),
        python=sys.executable,
        arguments=["--allow-root"] if os.getuid() == 0 else [],
        token=token,
    )
    (folder / "config.py").write_text(config, encoding="utf-8")
    return port, token


def run_hub(folder, students):
    """Runs a hub with config.py in `folder` until the coroutine `students` ends; returns its result."""
    command = [sys.executable, "-m", "jupyterhub", "--config", str(folder / "config.py")]
    # Without the Jupyter settings of whoever runs this.
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "IPYTHON"))}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=clean, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            return asyncio.run(wait_for_students(process, asyncio.wait_for(students, DEADLINE)))
        except BaseException:
            text = (folder / "log").read_text(encoding="utf-8", errors="replace")
            sys.stderr.write(text[-4000:])
            raise
        finally:
            stop(process)


async def wait_for_students(process, students):
    """The result of the coroutine `students`; fails as soon as the hub's process ends."""
    task = asyncio.ensure_future(students)
    while not task.done():
        if process.poll() is not None:
            task.cancel()
            raise RuntimeError("JupyterHub stopped")
        await asyncio.wait([task], timeout=1)
    return task.result()


def stop(process):
    """Stops the hub and all processes that it started."""
    started = process_tree(process.pid)
    process.terminate()  # it stops its proxy and the students' servers, and those their kernels
    _, left = psutil.wait_procs(started, timeout=20)
    for each in left:
        each.kill()
    psutil.wait_procs(left, timeout=10)
    process.wait(timeout=10)


def code_of(path):
    """The code cells of a notebook."""
    cells = nbformat.read(path, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == "code" and cell.source.strip()]


def report(students):
    """Rows of the table: (what, the median over the students and in brackets the worst)."""

    def median_and_worst(values, digits=0):
        values = list(values)
        return f"{statistics.median(values):.{digits}f} ({max(values):.{digits}f})"

    return [
        ("students at once", str(len(students))),
        ("seconds to the first picture", median_and_worst(s.first_cell for s in students)),
        ("seconds to the last cell of six notebooks", median_and_worst(s.all_cells for s in students)),
        ("MiB: the server alone", median_and_worst(s.server for s in students)),
        ("MiB: with one kernel", median_and_worst(s.memory[0] for s in students)),
        ("MiB: with all six", median_and_worst(max(s.memory) for s in students)),
        ("the same, shared memory counted once", median_and_worst(s.proportional for s in students)),
        (
            "processor seconds to the first picture",
            median_and_worst((s.work_first_cell for s in students), 1),
        ),
        ("processor seconds, all six", median_and_worst(s.work for s in students)),
    ]


def number_of_students(text):
    n = int(text)
    if not 1 <= n <= MAX_STUDENTS:
        raise argparse.ArgumentTypeError(f"from 1 to {MAX_STUDENTS}")
    return n


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "students", type=number_of_students, nargs="?", default=4, help=f"at most {MAX_STUDENTS}"
    )
    for line in report(measure(parser.parse_args().students)):
        print(f"| {' | '.join(line)} |")


if __name__ == "__main__":
    main()
