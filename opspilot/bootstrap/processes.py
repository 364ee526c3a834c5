"""Children in sessions of their own, each with a log and a pid file that outlive us."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from opspilot.bootstrap.datadir import PROJECT, DataDir, shown
from opspilot.bootstrap.errors import BootstrapError, StopRequestedError
from opspilot.bootstrap.files import read_json, size, tail, write_atomically
from opspilot.bootstrap.identity import identity, session_members
from opspilot.bootstrap.tools import interpreter

MARKER = "OPSPILOT_CHILD_OF"
BOUND = Path(__file__).with_name("bound.py")


@dataclass
class Child:
    """One process of an instance, in a session of its own."""

    name: str
    data: DataDir
    command: list[str]
    env: Mapping[str, str] = field(repr=False)
    port: int | None = None
    grace: float = 10.0
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    log_offset: int = 0
    started_at: float = 0.0

    @property
    def pid(self) -> int:
        """0 when it is not running."""
        return self.process.pid if self.process and not self.ended() else 0

    @property
    def log(self) -> Path:
        return self.data.log(self.name)

    def start(self) -> None:
        self.log_offset, self.started_at = size(self.log), time.monotonic()
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                _bound(self.command),
                cwd=PROJECT,
                env={**self.env, MARKER: str(self.data.root)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        note = {"pid": self.process.pid, "born": identity(self.process.pid), "port": self.port}
        write_atomically(self.data.pid_file(self.name), json.dumps(note) + "\n", mode=0o600)

    def age(self) -> float:
        """Seconds since it was last started."""
        return time.monotonic() - self.started_at

    def ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def stop(self) -> None:
        """Asks, waits for its grace, then kills it and whatever it has started."""
        if self.process is None:
            return
        if not self.ended():
            _signal_group(self.process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(self.grace)
        self._sweep()
        self.process.wait()
        self.data.pid_file(self.name).unlink(missing_ok=True)

    def said(self, words: str) -> bool:
        return any(words in line for line in tail(self.log, offset=self.log_offset, lines=400))

    def _sweep(self) -> None:
        """The rest of its group. While one member lives, the kernel gives the number to nobody else."""
        if self.process is None:
            return
        if self.process.poll() is None:
            _signal_group(self.process.pid, signal.SIGKILL)
        end_pids(session_members(self.process.pid, f"{MARKER}={self.data.root}"), signal.SIGKILL)


def end_leftover(data: DataDir, name: str, *, grace: float = 10.0) -> bool:
    """Ends what an `up` that was killed has left. A process that merely got the old pid is not touched."""
    note = read_json(data.pid_file(name))
    pids = _leftover_pids(data, note)
    if pids:
        end_pids(pids, signal.SIGTERM)
        if not _wait_gone(pids, grace):
            end_pids(_leftover_pids(data, note), signal.SIGKILL)
            _wait_gone(pids, 2.0)
    data.pid_file(name).unlink(missing_ok=True)
    return bool(pids)


def leftover_port(data: DataDir, name: str) -> int | None:
    """The port held by a living leftover of ours."""
    note = read_json(data.pid_file(name))
    return note.get("port") if _leftover_pids(data, note) else None


def run_to_end(
    name: str,
    data: DataDir,
    command: list[str],
    env: Mapping[str, str],
    *,
    stopping: Callable[[], bool] = lambda: False,
) -> str:
    """Its standard output, when it exits 0. Otherwise an error with the last lines of its log."""
    child = Child(name, data, command, env, grace=5.0)
    child.start()
    try:
        while not child.ended():
            if stopping():
                raise StopRequestedError
            time.sleep(0.03)
    finally:
        child.stop()
    if child.process is None or child.process.returncode != 0:
        raise failed(child, f"`{Path(command[1]).name} {' '.join(command[2:])}` failed")
    return "\n".join(tail(child.log, offset=child.log_offset, lines=2000))


def failed(child: Child, sentence: str) -> BootstrapError:
    lines = tail(child.log, offset=child.log_offset)
    return BootstrapError(f"{sentence}; the whole log is {shown(child.log)}.", details=lines)


def end_pids(pids: list[int], order: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, order)


def _leftover_pids(data: DataDir, note: Mapping[str, object]) -> list[int]:
    pid, born = note.get("pid"), note.get("born")
    if not isinstance(pid, int) or not isinstance(born, str):
        return []
    leader = [pid] if identity(pid) == born else []
    members = session_members(pid, f"{MARKER}={data.root}")
    return leader + [member for member in members if member != pid]


def _wait_gone(pids: list[int], patience: float) -> bool:
    deadline = time.monotonic() + patience
    while any(identity(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _signal_group(pid: int, order: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, order)


def _bound(command: list[str]) -> list[str]:
    """On Linux the kernel tells the child when the *thread* that started it ends, so only from the main one."""
    if sys.platform != "linux" or threading.current_thread() is not threading.main_thread():
        return command
    return [interpreter(), "-I", "-S", str(BOUND), str(os.getpid()), *command]
