"""`manage.py rollback_check --handler-version N`: what an older release must not touch."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from approvals.execution import rollback
from approvals.execution.rollback import Blocker
from approvals.features import SCHEMA_VERSION


class Command(BaseCommand):
    help = "List what a release of an older schema version must not touch; changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--handler-version",
            type=int,
            required=True,
            help=f"the older release's schema version; 0.1.0 is 1, this code is {SCHEMA_VERSION}",
        )
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit 0 when the older release may start, 1 when a person is needed first."""
        handler = options["handler_version"]
        found = rollback.blockers(handler=handler)
        for blocker in found:
            self.stdout.write(_line(blocker))
        self.stdout.write(_verdict(handler, found))
        if options["json"]:
            rows = [asdict(blocker) for blocker in found]
            self.stdout.write(
                json.dumps({"handler_version": handler, "safe": not found, "rows": rows})
            )
        if found:
            raise SystemExit(1)


def _line(blocker: Blocker) -> str:
    needs = ", ".join(blocker.features) or f"schema version {blocker.version}"
    return f"{blocker.tenant}: {blocker.what} {blocker.ref}, {blocker.state}: needs {needs}"


def _verdict(handler: int, found: list[Blocker]) -> str:
    if not found:
        return f"nothing here needs more than version {handler}"
    return f"{len(found)} need a person before a handler of version {handler} starts"
