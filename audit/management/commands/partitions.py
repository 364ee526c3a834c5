"""`manage.py partitions create`: the trail's months, made by the maintenance role."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from audit import partitions


class Command(BaseCommand):
    help = "Create the trail's months: this one and the next three."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("act", choices=["create"])
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        created = partitions.create()
        existing = partitions.existing()
        self.stdout.write(
            f"created {', '.join(created) or 'nothing'}; months now: {', '.join(existing)}"
        )
        if options["json"]:
            self.stdout.write(json.dumps({"created": created, "existing": existing}))
