"""Every other command: Django's, with the instance's own environment when the caller has none."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from opspilot.bootstrap import postgres
from opspilot.bootstrap.datadir import DataDir, chosen, remembered, secret
from opspilot.bootstrap.surroundings import (
    LOCAL_SETTINGS,
    embedded_urls,
    given,
    placeholders,
    settings_for,
    with_urls,
)

WITHOUT_DATABASE = {
    "check",
    "compile_translations",
    "eval_agent",
    "eval_retrieval",
    "extract_translations",
    "live_smoke",
    "makemigrations",
    "smoke",
    "verify_export",
}
HELP = {"help", "--help", "-h", "--version", "version"}


def run_django(arguments: list[str]) -> int:
    """Runs the command in this process. Its own exit codes arrive as SystemExit."""
    if given(os.environ, "DATABASE_URL"):
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", LOCAL_SETTINGS)
        return _execute(arguments)
    data = chosen(None)
    if not _uses_database(arguments):
        server = postgres.running(data.root)
        _adopt(_surroundings(data, server, arguments) if server else placeholders(data, os.environ))
        return _execute(arguments)
    known = postgres.running(data.root)
    with _ending_on_signals(), postgres.in_use(data.root) as server:
        if known is None:
            postgres.prepare(server)
        _adopt(_surroundings(data, server, arguments))
        return _execute(arguments)


def _uses_database(arguments: list[str]) -> bool:
    if not arguments:
        return False
    command = arguments[0]
    return command not in WITHOUT_DATABASE and not HELP.intersection([command, *arguments[1:]])


def _surroundings(data: DataDir, server: postgres.Server, arguments: list[str]) -> dict[str, str]:
    """The owner's URL only for `migrate`, the demo password only for `seed_demo`."""
    roles = ["app", "reader", "maintenance"] + (["owner"] if arguments[0] == "migrate" else [])
    settings = settings_for(
        data,
        os.environ,
        port=remembered(data, "web_port") or 8000,
        sandbox_port=remembered(data, "sandbox_port") or 1,
        semaphore_port=remembered(data, "semaphore_port") or 1,
    )
    found = with_urls(settings, embedded_urls(server), *roles)
    if arguments[0] == "seed_demo":
        found.setdefault("OPSPILOT_DEMO_PASSWORD", secret(data, "demo_password"))
    return found


def _adopt(environ: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environ)


def _execute(arguments: list[str]) -> int:
    # Not at the top: what is above this line must also run where Django is not installed yet.
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", *arguments])
    return 0


@contextmanager
def _ending_on_signals() -> Iterator[None]:
    """So that a server started for this command is stopped also when the command is."""
    orders = (signal.SIGTERM, signal.SIGHUP)
    before = {order: signal.getsignal(order) for order in orders}
    for order in orders:
        if before[order] is not signal.SIG_IGN:
            signal.signal(order, _end)
    try:
        yield
    finally:
        for order, handler in before.items():
            signal.signal(order, handler)


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)
