"""`manage.py bench console`: figures from an instance of its own. Exit 0 = everything was measured."""

from __future__ import annotations

import json
import sys
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandParser

from opspilot.bench import console
from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.instance import Instance, instance
from opspilot.smoke.cast import assembled
from opspilot.smoke.throwaway import stopping_cleanly, throwaway_folder


class Command(BaseCommand):
    help = "Start a throw-away instance and measure it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", choices=["console"])
        parser.add_argument("--requests", type=int, default=40, help="of each page (default 40)")
        parser.add_argument("--json", action="store_true", help="end with one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        paces, loads = list[console.Pace](), list[console.Load]()
        try:
            with stopping_cleanly(), throwaway_folder("bench") as folder, instance(folder) as it:
                self._measure(it, paces, loads, requests=max(1, options["requests"]))
        except (BootstrapError, psycopg.Error, OSError, AssertionError) as exc:
            self.stdout.write(f"  FAILED  {' '.join(str(exc).split())}")
        found = console.as_json(paces, loads)
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
        if not found["ok"]:
            sys.exit(1)

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
