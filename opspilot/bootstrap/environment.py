"""The project's own virtual environment, made from a hashed lock before anything else runs.

Its stamp is written last, so an interrupted installation has none and is done again from nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from opspilot.bootstrap.datadir import PROJECT, shown
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.files import is_locked, locked, read_json, write_atomically
from opspilot.bootstrap.installer import fill, make
from opspilot.bootstrap.terminal import say

Kind = Literal["run", "dev"]
LOCKS: dict[Kind, Path] = {
    "run": PROJECT / "requirements.lock",
    "dev": PROJECT / ".ci" / "requirements-dev.lock",
}


@dataclass(frozen=True)
class Readiness:
    python: Path
    text: str
    seconds: float


def folder() -> Path:
    named = os.environ.get("OPSPILOT_VENV")
    return Path(named).expanduser().absolute() if named else PROJECT / ".venv"


def ensure(kind: Kind) -> Readiness:
    """Leaves an environment that satisfies the lock of this kind; a `dev` one also serves `run`."""
    started, venv = time.monotonic(), folder()
    if not _is_ready(venv, kind):
        _install_once(venv, kind)
    version = read_json(_stamp(venv)).get("python", "")
    seconds = time.monotonic() - started
    return Readiness(_python(venv), f"Python {version} in {shown(venv)}", seconds)


def is_current() -> bool:
    """Whether this very process runs in the project's environment."""
    return Path(sys.prefix).resolve() == folder().resolve()


def _install_once(venv: Path, kind: Kind) -> None:
    """One command installs; others that come meanwhile wait and find it done."""
    _refuse_foreign(venv)
    try:
        venv.mkdir(parents=True, exist_ok=True)
        lock = venv / ".opspilot.lock"
        if is_locked(lock):
            say("  another command is installing the environment; waiting for it")
        with locked(lock):
            if not _is_ready(venv, kind):
                _install(venv, kind)
    except OSError as error:
        raise BootstrapError(
            f"The environment in {shown(venv)} cannot be written ({error.strerror});"
            " set OPSPILOT_VENV to a folder you may write to."
        ) from error


def _install(venv: Path, kind: Kind) -> None:
    unfinished = venv / "opspilot-unfinished"
    if unfinished.exists() or not _works(venv):
        _empty(venv)
    say(
        f"  installing the packages of {shown(LOCKS[kind])}; the first time takes about half a minute"
    )
    _stamp(venv).unlink(missing_ok=True)
    unfinished.touch()
    if not _works(venv):
        make(venv)
    fill(_python(venv), LOCKS[kind])
    content = {"kind": kind, "lock": _digest(kind), "python": _version_of(venv)}
    write_atomically(_stamp(venv), json.dumps(content) + "\n")
    unfinished.unlink()


def _is_ready(venv: Path, kind: Kind) -> bool:
    stamp = read_json(_stamp(venv))
    accepted: tuple[Kind, ...] = ("dev",) if kind == "dev" else ("run", "dev")
    fits = any(
        stamp.get("kind") == each and stamp.get("lock") == _digest(each) for each in accepted
    )
    return fits and stamp.get("python") == _version_of(venv)


def _version_of(venv: Path) -> str:
    """Asked of the interpreter itself: the one a link leads to can change under it."""
    if is_current():
        return sys.version.split()[0]
    command = [str(_python(venv)), "-I", "-S", "-c", "import sys; print(sys.version.split()[0])"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _works(venv: Path) -> bool:
    """An interpreter that answers, for which the packages that are there were installed."""
    version = _version_of(venv)
    if not version or not (venv / "pyvenv.cfg").exists():
        return False
    return (venv / "lib" / f"python{'.'.join(version.split('.')[:2])}").is_dir()


def _empty(venv: Path) -> None:
    for entry in venv.iterdir():
        if entry.name == ".opspilot.lock":
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _refuse_foreign(venv: Path) -> None:
    """Emptying is for what is ours: an environment, or one that was begun."""
    if not venv.is_dir() or not any(venv.iterdir()):
        return
    if not any((venv / name).exists() for name in ("pyvenv.cfg", ".opspilot.lock")):
        raise BootstrapError(
            f"{shown(venv)} exists and is not a virtual environment; name another folder."
        )


def _digest(kind: Kind) -> str:
    return hashlib.sha256(LOCKS[kind].read_bytes()).hexdigest()


def _python(venv: Path) -> Path:
    return venv / "bin" / "python"


def _stamp(venv: Path) -> Path:
    return venv / "opspilot-stamp.json"
