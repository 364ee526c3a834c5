"""`manage.py bench console`, `approvals`, `execution`, `audit`, `grounding`, `harness`: figures from an instance of its own.

Exit 0 = everything was measured.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandParser

from opspilot.bench import approvals, audit, console, execution, grounding, harness
from opspilot.bench.alone import database_alone
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.instance import Instance, instance
from opspilot.smoke.cast import assembled
from opspilot.smoke.throwaway import stopping_cleanly, throwaway_folder

ROUNDS = 10  # of `harness`


class Command(BaseCommand):
    help = "Start a throw-away instance and measure it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "what", choices=["console", "approvals", "execution", "audit", "grounding", "harness"]
        )
        parser.add_argument("--pending", type=int, default=100_000, help="of `approvals`")
        parser.add_argument("--queued", type=int, default=1_000, help="of `execution`")
        parser.add_argument("--rows", type=int, default=1_000_000, help="of `audit`")
        parser.add_argument("--chunks", type=int, default=50_000, help="of `grounding`")
        parser.add_argument("--tenants", type=int, default=300, help="of `grounding`")
        parser.add_argument("--files", type=int, default=300, help="of `grounding`: runbooks")
        parser.add_argument("--documents", type=Path, default=Path("../shared/data"))
        parser.add_argument("--runs", type=int, default=20, help="of `harness`: in each round")
        parser.add_argument("--requests", type=int, default=40, help="of each page (default 40)")
        parser.add_argument(
            "--peers", action="store_true", help="of `audit`: other histories for Django beside it"
        )
        parser.add_argument("--json", action="store_true", help="end with one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        requests = max(1, options["requests"])
        if options["what"] == "console":
            found = self._console(requests)
        elif options["what"] == "execution":
            found = self._execution(max(100, options["queued"]))
        elif options["what"] == "audit":
            rows = max(audit.LEAST_ROWS, options["rows"])
            found = self._audit(audit.Found(rows, requests, with_peers=options["peers"]))
        elif options["what"] == "harness":
            found = self._harness(harness.Found(ROUNDS, max(5, options["runs"])))
        elif options["what"] == "grounding":
            found = self._grounding(options)
        else:
            found = self._approvals(max(1000, options["pending"]), requests)
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
        if not found["ok"]:
            sys.exit(1)

    def _console(self, requests: int) -> dict[str, Any]:
        paces, loads = list[console.Pace](), list[console.Load]()
        with self._faults_said(), _instance() as it:
            self._measure(it, paces, loads, requests=requests)
        return console.as_json(paces, loads)

    def _approvals(self, pending: int, requests: int) -> dict[str, Any]:
        found = approvals.Found(pending, requests)
        with self._faults_said(), _instance() as it:
            approvals.fill(it, pending, self._say)
            with assembled(it) as cast:
                approvals.measure(it, cast, found, self._say)
        return approvals.as_json(found)

    def _execution(self, queued: int) -> dict[str, Any]:
        found = execution.Found(queued)
        with self._faults_said(), _instance() as it:
            execution.measure(it, found, self._say)
        return execution.as_json(found)

    def _audit(self, found: audit.Found) -> dict[str, Any]:
        with self._faults_said(), database_alone() as it:
            audit.measure(it, found, self._say)
        return audit.as_json(found)

    def _grounding(self, options: dict[str, Any]) -> dict[str, Any]:
        found = grounding.Found(
            max(grounding.LEAST_CHUNKS, options["chunks"]),
            max(2, options["tenants"]),
            options["documents"],
            max(10, options["files"]),
        )
        with self._faults_said(), database_alone() as it:
            grounding.measure(it, found, self._say)
        return grounding.as_json(found)

    def _harness(self, found: harness.Found) -> dict[str, Any]:
        with self._faults_said(), database_alone() as it:
            harness.measure(it, found, self._say)
        return harness.as_json(found)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    @contextmanager
    def _faults_said(self) -> Iterator[None]:
        """What cannot be measured is said, and left out of what was found."""
        try:
            yield
        except (BootstrapError, psycopg.Error, OSError, AssertionError) as exc:
            self.stdout.write(f"  FAILED  {' '.join(str(exc).split())}")
            self.stdout.write("".join(f"\n    {line}" for line in getattr(exc, "details", [])))

    def _measure(
        self,
        running: Instance,
        paces: list[console.Pace],
        loads: list[console.Load],
        *,
        requests: int,
    ) -> None:
        with assembled(running) as cast:
            pages = console.prepare(cast)
            self.stdout.write(
                f"  {'page':<34} {'person':<10} {'p50 ms':>8} {'p95 ms':>8} {'bytes':>9}"
            )
            for found in console.paces(pages, requests=requests):
                self.stdout.write(found.line)
                self.stdout.flush()
                paces.append(found)
            self.stdout.write("  first load, nothing known before")
            for name in ("/conta/entrar/", "/"):
                loads.append(console.first_load(name, *pages[name]))
                self.stdout.write(loads[-1].line)


@contextmanager
def _instance() -> Iterator[Instance]:
    with (
        stopping_cleanly(),
        throwaway_folder("bench") as folder,
        instance(folder, environ={"OPSPILOT_CHECK_SECONDS": "0"}) as it,
    ):
        yield it
