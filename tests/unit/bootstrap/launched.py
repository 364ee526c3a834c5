"""`manage.py` of the stand-in project, run as a person would run it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from opspilot.bootstrap.datadir import DataDir
from opspilot.bootstrap.files import read_json
from opspilot.bootstrap.identity import identity
from opspilot.bootstrap.testing import scratch

READY = "Ctrl-C stops everything."
# The interpreter behind the environment of the tests: `up` has to find its own way in.
PYTHON = getattr(sys, "_base_executable", sys.executable)


@dataclass
class Project:
    folder: Path
    venv: Path

    def environ(self, **extra: str) -> dict[str, str]:
        """As under `env -i`: no PATH, and a home that is not there."""
        return {"HOME": "/empty", "OPSPILOT_VENV": str(self.venv), **extra}

    def run(self, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [PYTHON, "manage.py", *arguments],
            cwd=self.folder,
            env=self.environ(**extra),
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )

    def up(self, data: Path, *arguments: str, port: int, **extra: str) -> Up:
        output = self.folder / f"up-{time.monotonic_ns()}.txt"
        with output.open("wb") as stream:
            process = subprocess.Popen(
                [
                    PYTHON,
                    "manage.py",
                    "up",
                    "--port",
                    str(port),
                    "--data-dir",
                    str(data),
                    *arguments,
                ],
                cwd=self.folder,
                env=self.environ(**extra),
                stdin=subprocess.DEVNULL,
                stdout=stream,
                stderr=subprocess.STDOUT,
                preexec_fn=_as_in_a_terminal,
            )
        return Up(process, DataDir(data), port, output)


def _as_in_a_terminal() -> None:
    """A shell starts its background jobs with Ctrl-C ignored, and `up` keeps to that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@dataclass
class Up:
    process: subprocess.Popen[bytes]
    data: DataDir
    port: int
    output: Path = field(repr=False)

    @property
    def said(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def pid(self, name: str) -> int:
        return int(read_json(self.data.pid_file(name)).get("pid", 0))

    def wait_ready(self) -> Up:
        wait_for(lambda: READY in self.said or self.process.poll() is not None)
        assert READY in self.said, self.said
        return self

    def end(self, order: signal.Signals = signal.SIGINT) -> int:
        if self.process.poll() is None:
            self.process.send_signal(order)
        return self.process.wait(60)


def open_folder() -> Path:
    """Where the database's own user can follow."""
    folder = Path(tempfile.mkdtemp(prefix="opspilot-bootstrap-", dir=scratch())).resolve()
    folder.chmod(0o711)
    return folder


def wait_for(true: Callable[[], bool], *, limit: float = 60.0) -> None:
    deadline = time.monotonic() + limit
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.05)


def lives(pid: int) -> bool:
    return pid > 0 and identity(pid) is not None


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
