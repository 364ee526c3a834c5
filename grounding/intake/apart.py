"""Runs a program of ours in a process of its own: watched, bounded, and killed with all its kin."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from grounding.formats import confinement

WALL_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Ended:
    """How the process ended: its exit code (negative: the signal that killed it), what it wrote, and
    whether it was stopped because its time was up."""

    code: int
    written: bytes
    late: bool = False


@contextmanager
def folder() -> Iterator[Path]:
    """An empty folder that such a process may write in; it goes afterwards with all that is in it."""
    with tempfile.TemporaryDirectory(prefix="opspilot-read-") as name:
        if os.geteuid() == 0:
            os.chown(name, *confinement.nobody())
        yield Path(name)


def read_by(program: Path, arguments: Sequence[str], given: bytes, *, most: int) -> Ended:
    """The same as `run`, in a folder that nobody looks into afterwards."""
    with folder() as place:
        return run(program, arguments, given, most=most, folder=place)


def run(
    program: Path,
    arguments: Sequence[str],
    given: bytes,
    *,
    most: int,
    folder: Path,
) -> Ended:
    """Without environment, network or rights; `most` bytes of what it writes are read."""
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout:
        stdin.write(given)
        stdin.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-I", str(program), *arguments],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={"TMPDIR": str(folder), "LC_ALL": "C.UTF-8"},
            start_new_session=True,
        )
        late = _wait(process)
        stdout.seek(0)
        return Ended(process.returncode, stdout.read(most + 1), late)


def _wait(process: subprocess.Popen[bytes]) -> bool:
    """Until it ends, or its time is up; nothing of it is left. True when it was late."""
    try:
        process.wait(WALL_SECONDS)
    except subprocess.TimeoutExpired:
        return True
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return False
