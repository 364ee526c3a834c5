"""`manage.py smoke`: a whole instance of its own, used as five people use it. Exit 0 = every step."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import psycopg
from django.core.management.base import BaseCommand, CommandParser

from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.instance import instance
from opspilot.smoke import report
from opspilot.smoke.cast import assembled
from opspilot.smoke.database import versions
from opspilot.smoke.throwaway import stopping_cleanly, throwaway_folder

# Short, so that a lost answer is looked up soon; the lease outlives the whole request.
SETTINGS = {
    "OPSPILOT_GITLAB_TIMEOUT": "2",
    "OPSPILOT_LEASE_SECONDS": "10",
    "OPSPILOT_CHECK_SECONDS": "0",  # a check must not meet the fault that a step has ordered
}


class Command(BaseCommand):
    help = "Start a throw-away instance and drive the product over HTTP, step by step."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="end with one JSON object")
        parser.add_argument("--keep", action="store_true", help="keep the instance's folder")

    def handle(self, *args: Any, **options: Any) -> None:
        found = report.Report()
        try:
            with stopping_cleanly(), throwaway_folder("smoke", keep=options["keep"]) as folder:
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
