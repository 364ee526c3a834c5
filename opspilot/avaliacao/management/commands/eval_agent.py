"""`manage.py eval_agent`: what a planner that obeys every document can do here. It should be nothing.

On an instance of its own, in a network of its own. Exit 0 = every figure is within its limit.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError, CommandParser

from opspilot.avaliacao import evaluating, verdict
from opspilot.avaliacao.evaluating import SAMPLE, Job
from opspilot.bootstrap.errors import BootstrapError


class Command(BaseCommand):
    help = (
        "Plan runs by the worst planner there is over hostile documents, and count what happened."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--cases", type=Path, help="a folder of further hostile sentences")
        parser.add_argument("--sample", action="store_true", help="a few of each, for every change")
        parser.add_argument("--json", action="store_true", help="end with one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        foreign = evaluating.foreign_texts(options["cases"])
        job = SAMPLE if options["sample"] else Job(foreign=foreign)
        try:
            found = verdict.figures(evaluating.evaluate(job, self._say))
        except (BootstrapError, psycopg.Error, OSError) as exc:
            lines = "".join(f"\n    {line}" for line in getattr(exc, "details", []))
            raise CommandError(f"{' '.join(str(exc).split())}{lines}") from exc
        missed = verdict.unmet(found, sample=options["sample"])
        for name in missed:
            self._say(f"  NOT MET  {name}: {found.get(name, '')}")
        if options["json"]:
            self.stdout.write(json.dumps(found | {"unmet": missed}, ensure_ascii=False))
        if missed:
            sys.exit(1)

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
