"""`test`: a throw-away database, a browser, then pytest with the arguments given."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from opspilot.bootstrap import postgres, shares
from opspilot.bootstrap.browser import find_browser
from opspilot.bootstrap.datadir import DataDir, create
from opspilot.bootstrap.errors import BootstrapError, StopRequestedError
from opspilot.bootstrap.files import try_lock
from opspilot.bootstrap.instance import Instance, prepare_instance
from opspilot.bootstrap.signals import StopSignal
from opspilot.bootstrap.surroundings import DATABASE_NAMES, embedded_urls, stranger
from opspilot.bootstrap.terminal import say, stage

YOUNG = 60.0  # seconds
MEMORY = Path("/dev/shm")  # noqa: S108 (a name of its own is made below it)
ROOMY = 2 * 1024**3
PREFIX = "opspilot-test-"
TEST_SETTINGS = {"DJANGO_SETTINGS_MODULE": "opspilot.settings.test"}


def run(arguments: list[str]) -> int:
    """pytest's exit code."""
    with StopSignal() as stop:
        try:
            with _throw_away() as data:
                return _run_in(data, arguments, stop)
        except StopRequestedError:
            return 130


def _run_in(data: DataDir, arguments: list[str], stop: StopSignal) -> int:
    with stage("database") as current:
        server = postgres.start(data.root, durable=False)
        postgres.prepare(server)
        current.text = f"PostgreSQL {postgres.version(server)} on port {server.port}"
    console = _console(data, server, stop)
    for name, step in (
        ("migrations", console.migrate),
        ("translations", console.compile_translations),
        ("partitions", console.create_partitions),
    ):
        if stop:
            raise StopRequestedError
        with stage(name):
            step()
    environ = _environment(console, server) | {"OPSPILOT_BROWSER": _browser()}
    return shares.run(shares.of(arguments), environ, stop, data.root)


def _console(data: DataDir, server: postgres.Server, stop: StopSignal) -> Instance:
    console = prepare_instance(
        data,
        port=8000,
        urls=embedded_urls(server),
        environ=stranger(os.environ),
        server=server,
        overrides=TEST_SETTINGS,
    )
    console.stopping = stop.is_requested
    return console


def _environment(console: Instance, server: postgres.Server) -> dict[str, str]:
    environ = console.env_for("app", "reader", "maintenance", "owner")
    return environ | {DATABASE_NAMES["admin"]: postgres.admin_dsn(server)}


def _browser() -> str:
    found = find_browser()
    if found:
        return found
    if os.environ.get("CI", "").lower() == "true":
        raise BootstrapError(
            "No browser could be found or installed, and CI must run the browser tests."
        )
    say("  no browser could be found or installed: the browser tests will be skipped")
    return ""


def scratch() -> Path:
    """In memory where there is plenty: nothing of a test run needs to reach a disk."""
    with suppress(OSError):
        if shutil.disk_usage(MEMORY).free > ROOMY and os.access(MEMORY, os.W_OK | os.X_OK):
            return MEMORY
    return Path(tempfile.gettempdir())


@contextmanager
def _throw_away() -> Iterator[DataDir]:
    _sweep()
    data = DataDir(Path(tempfile.mkdtemp(prefix=PREFIX, dir=scratch())).resolve())
    data.root.chmod(0o711)  # the database's own user passes through
    create(data)
    held = try_lock(data.up_lock)
    try:
        yield data
    finally:
        postgres.remove(data.root)
        if held is not None:
            os.close(held)


def _sweep() -> None:
    """What runs that were killed have left: their lock is free."""
    for folder in scratch().glob(f"{PREFIX}*"):
        lock = folder / "up.lock"
        if folder.stat().st_uid != os.geteuid() or not lock.exists():
            continue
        # A run that has just begun may not hold its lock yet.
        held = try_lock(lock) if time.time() - lock.stat().st_mtime > YOUNG else None
        if held is not None:
            postgres.remove(folder)
            os.close(held)
