"""Which process a pid is. A pid alone is reused after a reboot, or sooner."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


def identity(pid: int) -> str | None:
    """When the process was born, in this boot; None for one that is dead, also when not yet reaped."""
    return _from_proc(pid) if sys.platform == "linux" else _from_ps(pid)


def command_line(pid: int) -> list[str]:
    if sys.platform != "linux":
        return _ps(pid, "command").split()
    with suppress(OSError):
        raw = (PROC / str(pid) / "cmdline").read_bytes()
        return [os.fsdecode(part) for part in raw.rstrip(b"\0").split(b"\0")]
    return []


def working_directory(pid: int) -> Path | None:
    with suppress(OSError):
        return (PROC / str(pid) / "cwd").readlink()
    return None


def session_members(session: int, marker: str) -> list[int]:
    """Living processes of a session whose leader is gone, if they carry `marker` in their environment."""
    if sys.platform != "linux":
        return []
    pids = [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]
    return [pid for pid in pids if _session(pid) == session and _carries(pid, marker)]


def _fields(pid: int) -> list[str]:
    """The fields of /proc/<pid>/stat from the state on; the name before may hold spaces and brackets."""
    with suppress(OSError):
        return (PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    return []


def _from_proc(pid: int) -> str | None:
    fields = _fields(pid)
    if not fields or fields[0] in "ZX":
        return None
    boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
    return f"{boot}:{fields[19]}"


def _session(pid: int) -> int | None:
    fields = _fields(pid)
    return int(fields[3]) if fields and fields[0] not in "ZX" else None


def _carries(pid: int, marker: str) -> bool:
    with suppress(OSError):
        return os.fsencode(marker) in (PROC / str(pid) / "environ").read_bytes().split(b"\0")
    return False


def _from_ps(pid: int) -> str | None:
    state = _ps(pid, "stat")
    return _ps(pid, "lstart") or None if state and not state.startswith("Z") else None


def _ps(pid: int, field: str) -> str:
    command = ["/bin/ps", "-o", f"{field}=", "-p", str(pid)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip()
