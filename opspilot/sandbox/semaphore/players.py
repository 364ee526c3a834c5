"""Who runs a task: `ansible-playbook` where there is one, else a player of the same play.

Each host that is touched leaves a file in the task's folder: the witness of where it ran.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from opspilot.sandbox.semaphore import played
from opspilot.sandbox.semaphore.orders import ANSIBLE, Order

PLAYBOOKS = Path(__file__).resolve().parent.parent / "ansible"
PROGRAM = "ansible-playbook"
Line = Callable[[str], None]
Started = Callable[["subprocess.Popen[str]"], None]


def find_program() -> str | None:
    """The one beside our interpreter, else the PATH's."""
    beside = Path(sys.executable).parent / PROGRAM
    return str(beside) if beside.exists() else shutil.which(PROGRAM)


class Players:
    def __init__(self, home: Path) -> None:
        self._home = home.resolve()
        self.program = find_program()

    def run(self, order: Order, player: str, line: Line, started: Started) -> int:
        """The exit code. `line` gets each line of output, `started` the process, if there is one."""
        witness = self.witness(order.task_id)
        witness.mkdir(parents=True, exist_ok=True)
        if order.app != ANSIBLE:
            return _other_app(order, witness, line)
        if player == "played" or self.program is None:
            return played.run(order, witness, line)
        return self._ansible(self.program, order, line, started)

    def witness(self, task_id: int) -> Path:
        return self._home / "touched" / str(task_id)

    def touched(self, task_id: int) -> dict[str, str]:
        """Each host with the address it was reached by."""
        folder = self.witness(task_id)
        files = sorted(folder.iterdir()) if folder.exists() else []
        return {path.name: path.read_text(encoding="utf-8").strip() for path in files}

    def forget(self) -> None:
        shutil.rmtree(self._home / "touched", ignore_errors=True)

    def _ansible(self, program: str, order: Order, line: Line, started: Started) -> int:
        work = self._home / "runs" / str(order.task_id)
        work.mkdir(parents=True, exist_ok=True)
        try:
            inventory = _inventory_file(order, work)
            command = order.command(program, str(inventory))
            process = subprocess.Popen(  # noqa: S603 -- no shell; what runs is the sandbox's point
                command,
                cwd=PLAYBOOKS,
                env=self._environment(work, order),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                process_group=0,
            )
            started(process)
            for text in _lines(process):
                line(text)
            return process.wait()
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def _environment(self, work: Path, order: Order) -> dict[str, str]:
        """Nothing of ours but a PATH; colours, as the remote asks for them."""
        return {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.defpath]),
            "HOME": str(work),
            "ANSIBLE_HOME": str(work),
            "ANSIBLE_LOCAL_TEMP": str(work / "tmp"),
            "ANSIBLE_REMOTE_TEMP": str(work / "tmp"),
            "ANSIBLE_PYTHON_INTERPRETER": sys.executable,
            "ANSIBLE_FORCE_COLOR": "1",
            "ANSIBLE_DEVEL_WARNING": "0",
            "LC_ALL": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",
            "SANDBOX_WITNESS": str(self.witness(order.task_id)),
        }


def _inventory_file(order: Order, work: Path) -> Path:
    ending = {"static-yaml": ".yml", "static": ".ini"}.get(order.inventory_type)
    if ending is None:
        return work / "missing"  # a path in a repository that the sandbox does not have
    path = work / f"inventory{ending}"
    path.touch(mode=0o600)
    path.write_text(order.inventory, encoding="utf-8")
    return path


def _lines(process: subprocess.Popen[str]) -> Iterator[str]:
    if process.stdout is not None:
        with process.stdout as output:
            for line in output:
                yield line.rstrip("\n")


def _other_app(order: Order, witness: Path, line: Line) -> int:
    """A script runs on the server itself; a limit has no meaning for it."""
    (witness / "servidor-do-semaphore").write_text("localhost", encoding="utf-8")
    line(f"{order.app}: {order.playbook}")
    return 0
