"""`manage.py live_smoke gitlab`: one issue in a real project, made, proved and closed. Opt-in."""

from __future__ import annotations

import datetime as dt
import json
import os
from pathlib import Path
from typing import Any

import httpx
import psycopg
from django.core.management.base import BaseCommand, CommandError, CommandParser

from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.instance import instance
from opspilot.smoke import live
from opspilot.smoke.cast import assembled
from opspilot.smoke.live import Live
from opspilot.smoke.report import Outcome
from opspilot.smoke.throwaway import stopping_cleanly, throwaway_folder
from opspilot.smoke.witness import Witness, witness

# Names of their own: those of the settings are an instance's, and `up` gives them its sandbox. They
# are taken out of the environment, so that no process of the run inherits the real token.
URL, TOKEN = "LIVE_GITLAB_URL", "LIVE_GITLAB_TOKEN"


class Command(BaseCommand):
    help = "Create and close one issue in a real GitLab project, and write down what went by."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("connector", choices=["gitlab"])
        parser.add_argument("--project", type=int, required=True, help="its number, not its path")
        parser.add_argument("--i-know-this-creates-an-issue", action="store_true", dest="known")
        parser.add_argument("--record", type=Path, required=True, help="the file to be written")
        parser.add_argument("--json", action="store_true", help="end with one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit 0 only if every step held."""
        if not options["known"]:
            raise CommandError(
                "say --i-know-this-creates-an-issue: it stays in the project, closed"
            )
        real = {name: os.environ.pop(name, "") for name in (URL, TOKEN)}
        if not all(real.values()):
            raise CommandError(f"{URL} and {TOKEN} must be set")
        found = {"connector": "gitlab", "at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds")}
        found |= self._recorded(real, options["project"])
        text = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
        options["record"].write_text(text, encoding="utf-8")
        self.stdout.write(f"  record  {options['record']}")
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
        if not found["ok"]:
            raise SystemExit(1)

    def _recorded(self, real: dict[str, str], project: int) -> dict[str, Any]:
        try:
            with (
                stopping_cleanly(),
                throwaway_folder("live") as folder,
                witness(upstream=real[URL], token=real[TOKEN]) as between,
            ):
                return self._run(folder, between, project)
        except (BootstrapError, psycopg.Error, httpx.HTTPError, AssertionError) as exc:
            fault = " ".join(str(exc).split())
            self.stdout.write(f"  FAILED  {fault}")
            return {"ok": False, "steps": {}, "faults": {"start": fault}}

    def _run(self, folder: Path, between: Witness, project: int) -> dict[str, Any]:
        environ = {
            "OPSPILOT_GITLAB_URL": between.url,
            "OPSPILOT_GITLAB_TOKEN": between.token,
            "OPSPILOT_CHECK_SECONDS": "0",
        }
        found: list[Outcome] = []
        with instance(folder, environ=environ) as console, assembled(console) as cast:
            run = Live(console=console, cast=cast, witness=between, project=project)
            for outcome in live.outcomes(run):
                self.stdout.write(outcome.line)
                self.stdout.flush()
                found.append(outcome)
            return live.record(run, found)
