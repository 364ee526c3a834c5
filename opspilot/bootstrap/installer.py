"""uv where it is on PATH, else this Python's own venv and pip. Both check every hash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from opspilot.bootstrap.errors import BootstrapError

NO_VENV = (
    "This Python cannot make a virtual environment: it lacks venv or pip"
    " (on Debian and Ubuntu: apt install python3-venv), and uv is not on PATH."
)


def make(venv: Path) -> None:
    uv, base = shutil.which("uv"), _base_python()
    if uv:
        done = _run([uv, "venv", "--quiet", "--allow-existing", "--python", base, str(venv)])
    else:
        done = _run([base, "-m", "venv", str(venv)])
        if done.returncode != 0 and _has_pip(base):
            # Debian's python3 may come without ensurepip, yet with a pip that installs for another.
            done = _run([base, "-m", "venv", "--without-pip", str(venv)])
    if done.returncode != 0:
        raise BootstrapError(NO_VENV, details=_last_lines(done))


def fill(python: Path, lock: Path) -> None:
    """Installs exactly what the lock names, or says why not in the installer's own words."""
    done = _run([*_installer(python), "--require-hashes", "-r", str(lock)])
    if done.returncode != 0:
        raise BootstrapError(_reason(done.stdout + done.stderr), details=_last_lines(done))


def _installer(python: Path) -> list[str]:
    uv, base = shutil.which("uv"), _base_python()
    if uv:
        return [uv, "pip", "install", "--quiet", "--python", str(python)]
    quiet = ["install", "--quiet", "--disable-pip-version-check", "--no-input"]
    if _has_pip(str(python)):
        return [str(python), "-m", "pip", *quiet]
    if _has_pip(base):
        return [base, "-m", "pip", "--python", str(python), *quiet]
    raise BootstrapError(NO_VENV)


def _reason(output: str) -> str:
    text = output.lower()
    if ("hash" in text and "mismatch" in text) or "do not match the hashes" in text:
        return "A package does not have the content its lock promises; nothing was used."
    if "no space left" in text:
        return "There is no room left on the disk for the packages."
    if "permission denied" in text or "read-only file system" in text:
        return "The environment cannot be written; set OPSPILOT_VENV to a folder you may write to."
    network = (
        "connection",
        "resolve host",
        "network",
        "timed out",
        "unreachable",
        "dns",
        "retries",
    )
    if any(word in text for word in (*network, "from versions: none")):
        return "The packages could not be fetched: the package index cannot be reached from here."
    return "The packages of the lock could not be installed."


def _has_pip(python: str) -> bool:
    return _run([python, "-m", "pip", "--version"]).returncode == 0


def _base_python() -> str:
    """The interpreter behind the environment we may be running in."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    foreign = (
        "PYTHONHOME",
        "PYTHONPATH",
        "VIRTUAL_ENV",
        "PIP_REQUIRE_VIRTUALENV",
        "__PYVENV_LAUNCHER__",
    )
    environ = {name: value for name, value in os.environ.items() if name not in foreign}
    environ["UV_PYTHON_DOWNLOADS"] = "never"
    return subprocess.run(
        command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def _last_lines(done: subprocess.CompletedProcess[str]) -> list[str]:
    return (done.stdout + done.stderr).strip().splitlines()[-12:]
