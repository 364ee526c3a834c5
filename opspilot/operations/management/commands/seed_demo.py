"""`manage.py seed_demo`: the two demo tenants. The password comes from the environment only."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from opspilot.operations import demonstration


class Command(BaseCommand):
    help = "Make the demo tenants, people, policies and runbooks (OPSPILOT_DEMO_PASSWORD)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        password = os.environ.get("OPSPILOT_DEMO_PASSWORD", "")
        if not password:
            raise CommandError("OPSPILOT_DEMO_PASSWORD is not set")
        people = demonstration.seed(password=password)
        self.stdout.write(f"{len(people)} people in {len(demonstration.TENANTS)} tenants")
        if options["json"]:
            self.stdout.write(json.dumps({"users": [asdict(person) for person in people]}))
