"""`manage.py smoke`: a whole instance of its own, used as five people use it. Exit 0 = every step."""

from __future__ import annotations

import json
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import httpx
import psycopg
from django.core.management.base import BaseCommand, CommandParser

from opspilot.bootstrap import postgres
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.instance import instance
from opspilot.bootstrap.testing import scratch
from opspilot.smoke import report
from opspilot.smoke.cast import assembled
from opspilot.smoke.database import versions

# Short, so that a lost answer is looked up soon; the lease outlives the whole request.
SETTINGS = {"OPSPILOT_GITLAB_TIMEOUT": "2", "OPSPILOT_LEASE_SECONDS": "10"}


class Command(BaseCommand):
    help = "Start a throw-away instance and drive the product over HTTP, step by step."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="end with one JSON object")
        parser.add_argument("--keep", action="store_true", help="keep the instance's folder")

    def handle(self, *args: Any, **options: Any) -> None:
        found = report.Report()
        try:
            with _stopping_cleanly(), _folder(keep=options["keep"]) as folder:
                self._run(folder, found)
        except (BootstrapError, psycopg.Error, httpx.HTTPError, AssertionError) as exc:
            self.stdout.write(f"  FAILED  {' '.join(str(exc).split())}")
        if options["json"]:
            self.stdout.write(json.dumps(found.as_json(), ensure_ascii=False))
        if not found.ok:
            sys.exit(1)

    def _run(self, folder: Path, found: report.Report) -> None:
        self.stdout.write(f"  in      {folder}")
        started = time.monotonic()
        with instance(folder, environ=SETTINGS) as console, assembled(console) as cast:
            found.start_ms = round((time.monotonic() - started) * 1000)
            self.stdout.write(
                f"  ready   {'an instance and five people':<34} {found.start_ms:>6} ms"
            )
            for outcome in report.outcomes(cast):
                self.stdout.write(outcome.line)
                self.stdout.flush()
                found.outcomes.append(outcome)
            found.versions = versions(cast.database)


@contextmanager
def _folder(*, keep: bool) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="opspilot-smoke-", dir=scratch())).resolve()
    folder.chmod(0o711)  # the database's own user passes through
    try:
        yield folder
    finally:
        if not keep:
            postgres.remove(folder)


@contextmanager
def _stopping_cleanly() -> Iterator[None]:
    """A stop by signal ends the children and the server too."""
    before = {order: signal.signal(order, _end) for order in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for order, handler in before.items():
            signal.signal(order, handler)


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)
