"""The server process of one cluster: found by its pid file, believed only after a second look."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from opspilot.bootstrap.account import Account
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.files import size, tail
from opspilot.bootstrap.identity import command_line, identity, working_directory
from opspilot.bootstrap.network import HOST

# Row values and statements may hold personal data: the log says what failed, not with which values.
SETTINGS = (
    "log_statement=none",
    "log_min_error_statement=panic",
    "log_error_verbosity=terse",
    "timezone=UTC",
    "log_timezone=UTC",
)
THROW_AWAY = ("fsync=off", "full_page_writes=off")
PORT_TAKEN = "could not create any TCP/IP sockets"
NOT_YET_GONE = ("pre-existing shared memory block", "already exists")


@dataclass(frozen=True)
class Postmaster:
    pid: int
    port: int


@dataclass(frozen=True)
class Attempt:
    """One launch; the log from `offset` on is its own."""

    process: subprocess.Popen[bytes]
    log: Path
    offset: int

    def ended(self) -> bool:
        return self.process.poll() is not None

    def said(self, *words: str) -> bool:
        lines = tail(self.log, offset=self.offset, lines=200)
        return any(word in line for line in lines for word in words)


# Kept so that a server that ends is reaped, not left as a zombie that still answers to its pid.
_launched: dict[Path, Attempt] = {}


def alive(cluster: Path) -> Postmaster | None:
    """What the pid file names, if that process is alive and really is this cluster's postmaster."""
    attempt = _launched.get(cluster)
    if attempt:
        attempt.ended()
    try:
        lines = (cluster / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        found = Postmaster(pid=int(lines[0]), port=int(lines[3]))
    except (FileNotFoundError, NotADirectoryError, IndexError, ValueError):
        return None
    return found if _serves(found.pid, cluster) else None


def launch(
    cluster: Path, *, binaries: Path, account: Account, port: int, log: Path, durable: bool
) -> Attempt:
    """In a session of its own, so that neither Ctrl-C nor the end of its starter reaches it."""
    (cluster / "postmaster.pid").unlink(missing_ok=True)  # PostgreSQL would believe a reused pid
    command = [
        str(binaries / "postgres"),
        "-D",
        str(cluster),
        "-p",
        str(port),
        "-h",
        HOST,
        "-k",
        "",
    ]
    for setting in SETTINGS if durable else (*SETTINGS, *THROW_AWAY):
        command += ["-c", setting]
    offset = size(log)
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        process = subprocess.Popen(
            command,
            cwd="/",
            env=server_environment(),
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            start_new_session=True,
            umask=0o077,
            **account.demotion(),
        )
    except OSError as error:
        raise BootstrapError(f"PostgreSQL could not be started: {error.strerror}.") from error
    finally:
        os.close(descriptor)
    _launched[cluster] = Attempt(process, log, offset)
    return _launched[cluster]


def initialise(
    cluster: Path, *, binaries: Path, account: Account, password: str, arguments: Sequence[str]
) -> None:
    """Appears under its name only when whole: a start killed half way leaves nothing to trip over."""
    half, secret = cluster.with_name(f"{cluster.name}.new"), cluster.with_name(".password")
    subprocess.run(["/bin/rm", "-rf", str(half), str(secret)], check=True)
    try:
        half.mkdir(mode=0o700)
        descriptor = os.open(secret, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as stream:
            stream.write(password)
        for path in (half, secret):
            os.chown(path, account.uid, account.gid)
        command = [str(binaries / "initdb"), "-D", str(half), f"--pwfile={secret}", *arguments]
        done = subprocess.run(
            command, cwd="/", env=server_environment(), capture_output=True, text=True, check=False,
            **account.demotion(),
        )  # fmt: skip
    finally:
        secret.unlink(missing_ok=True)
    if done.returncode != 0:
        raise BootstrapError(
            "PostgreSQL could not make its data folder.", details=done.stderr.splitlines()[-12:]
        )
    half.rename(cluster)


def send(cluster: Path, order: signal.Signals) -> bool:
    """False when there is no server to send to."""
    found = alive(cluster)
    if found is None:
        return False
    with suppress(ProcessLookupError):
        os.kill(found.pid, order)
    return True


def wait_gone(cluster: Path, patience: float) -> bool:
    deadline = time.monotonic() + patience
    while alive(cluster):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def server_environment() -> dict[str, str]:
    """Nothing of ours: no URL, no PG* variable, no locale that is not installed."""
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def _serves(pid: int, cluster: Path) -> bool:
    if identity(pid) is None:
        return False
    words = command_line(pid)
    if not words or Path(words[0]).name != "postgres":
        return False
    return str(cluster) in words or working_directory(pid) == cluster
