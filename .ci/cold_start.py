"""A fresh clone, an empty HOME, no uv, another PostgreSQL on 5432: `up` must serve the login page.

Prints the seconds of the cold and of the warm start; fails above the promised limits.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COLD, WARM = 180.0, 20.0  # seconds
PORT = 8765


def main() -> int:
    home = Path(tempfile.mkdtemp(prefix="opspilot-cold-"))
    (home / "empty").mkdir()
    try:
        clone = home / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        with stranger(home):
            cold = start(clone, home, "cold")
            warm = start(clone, home, "warm")
    finally:
        shutil.rmtree(home, ignore_errors=True)
    print(f"cold start {cold:.1f} s (limit {COLD:.0f}), warm start {warm:.1f} s (limit {WARM:.0f})")
    return 0 if cold <= COLD and warm <= WARM else 1


def start(clone: Path, home: Path, name: str) -> float:
    """Run `up` until the login page answers, then stop it like Ctrl-C; returns the seconds."""
    log = home / f"{name}.log"
    # Only what a bare machine has; the installer's own settings (an index, a certificate) stay.
    environ = {"HOME": str(home / "empty"), "PATH": "/usr/bin:/bin"} | {
        key: value for key, value in os.environ.items() if key.startswith(("PIP_", "SSL_CERT"))
    }
    started = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(
            [python(), "manage.py", "up", "--port", str(PORT)],
            cwd=clone,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # A shell starts background jobs with Ctrl-C ignored; a newcomer's terminal does not.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        try:
            wait_for_login(process, log, started)
            seconds = time.monotonic() - started
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)
    print(log.read_text(errors="replace"))
    return seconds


def python() -> str:
    """The interpreter below any virtual environment: what a newcomer's python3 is."""
    return getattr(sys, "_base_executable", None) or sys.executable


def wait_for_login(process: subprocess.Popen[bytes], log: Path, started: float) -> None:
    url = f"http://127.0.0.1:{PORT}/conta/entrar/"
    while time.monotonic() - started < COLD + 60:
        if process.poll() is not None:
            raise SystemExit(f"`up` ended early:\n{log.read_text(errors='replace')}")
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise SystemExit(f"no login page in time:\n{log.read_text(errors='replace')}")


@contextmanager
def stranger(home: Path) -> Iterator[None]:
    """A PostgreSQL that is not ours on the standard port, from the same binaries."""
    sys.path.insert(0, str(ROOT))
    from opspilot.bootstrap import postgres

    data = home / "stranger"
    data.mkdir()
    server = postgres.start(data)
    forward = subprocess.Popen(
        [sys.executable, "-c", FORWARD, str(server.port)], stdin=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        forward.kill()
        forward.wait()
        postgres.remove(data)


# Answers on 5432 by passing the bytes on, so that the server itself keeps its free port.
FORWARD = """
import socket, sys, threading
def copy(a, b):
    while data := a.recv(65536):
        b.sendall(data)
door = socket.create_server(("127.0.0.1", 5432), reuse_port=False)
while True:
    one, _ = door.accept()
    two = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    for pair in ((one, two), (two, one)):
        threading.Thread(target=copy, args=pair, daemon=True).start()
"""

if __name__ == "__main__":
    sys.exit(main())
