"""A sandbox as a child process: started, asked to stop, or killed."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

_PATIENCE = 10.0
_GITLAB = "opspilot.sandbox.gitlab"
_SEMAPHORE = "opspilot.sandbox.semaphore"


class SandboxStartError(Exception):
    """The process ended before it said it was ready."""


@dataclass(frozen=True)
class SandboxProcess:
    base_url: str
    token: str
    child: subprocess.Popen[str]

    def stop(self) -> int:
        """Asks it to end, waits, and gives its exit status."""
        self.child.terminate()
        return self._ended()

    def kill(self) -> int:
        """Ends it as a crash would."""
        self.child.kill()
        return self._ended()

    def _ended(self) -> int:
        status = self.child.wait(_PATIENCE)
        if self.child.stdout is not None:
            self.child.stdout.close()
        return status


def start_gitlab(
    *, data: Path, token: str, port: int = 0, seed: Path | None = None
) -> SandboxProcess:
    """Returns once it listens on 127.0.0.1; port 0 lets it choose one."""
    further = [] if seed is None else ["--seed", str(seed)]
    return _start([_GITLAB, "--port", str(port), "--data", str(data), *further], token)


def start_semaphore(
    *,
    data: Path,
    token: str,
    port: int = 0,
    version: str = "2.18.0",
    player: Literal["ansible", "played"] = "ansible",
) -> SandboxProcess:
    """As `start_gitlab`. Version and player hold for a new data folder."""
    options = ["--port", str(port), "--data", str(data), "--version", version, "--player", player]
    return _start([_SEMAPHORE, *options], token)


def _start(module: list[str], token: str) -> SandboxProcess:
    # By environment, so that the token is not in the process list.
    environment = os.environ | {"OPSPILOT_SANDBOX_TOKEN": token}
    child = subprocess.Popen(  # noqa: S603 -- our own module, no shell
        [sys.executable, "-m", *module], env=environment, stdout=subprocess.PIPE, text=True
    )
    line = child.stdout.readline() if child.stdout else ""
    _, ready, address = line.strip().partition("ready on ")
    if not ready:
        SandboxProcess("", token, child).kill()
        raise SandboxStartError(line)
    return SandboxProcess(f"http://{address}", token, child)
