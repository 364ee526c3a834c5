"""`manage.py live_smoke gitlab|semaphore|model`: a real remote, asked once for what the console asks of
it. At the first two one effect is made and proved. Opt-in."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
from django.core.management.base import BaseCommand, CommandError, CommandParser

from opspilot.bootstrap.errors import BootstrapError
from opspilot.bootstrap.instance import Instance, instance
from opspilot.connectors import readers
from opspilot.smoke import live, live_model, live_task
from opspilot.smoke.cast import Cast, assembled
from opspilot.smoke.live import Live
from opspilot.smoke.live_model import LiveModel
from opspilot.smoke.live_task import LiveTask, Wanted
from opspilot.smoke.report import Outcome
from opspilot.smoke.throwaway import stopping_cleanly, throwaway_folder
from opspilot.smoke.witness import Witness, witness

Options = dict[str, Any]
Stepped = tuple[Iterator[Outcome], Callable[[list[Outcome]], dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Remote:
    """`url` and `token` are names of their own: those of the settings are an instance's, and `up`
    gives them its sandbox. They are taken out of the environment, so that no process of the run
    inherits the real token."""

    url: str
    token: str
    settings: str  # the start of the settings' names
    word: str  # what must be said, without its dashes
    why: str
    needed: tuple[str, ...]
    stepped: Callable[[Instance, Cast, Witness, Options], Stepped]


def _issue(console: Instance, cast: Cast, between: Witness, options: Options) -> Stepped:
    run = Live(console=console, cast=cast, witness=between, project=options["project"])
    return live.outcomes(run), lambda found: live.record(run, found)


def _task(console: Instance, cast: Cast, between: Witness, options: Options) -> Stepped:
    wanted = Wanted(
        options["project"], options["template"], options["host"], _variables(options["variable"])
    )
    run = LiveTask(console=console, cast=cast, witness=between, wanted=wanted)
    return live_task.outcomes(run), lambda found: live_task.record(run, found)


REMOTES = {
    "gitlab": Remote(
        "LIVE_GITLAB_URL",
        "LIVE_GITLAB_TOKEN",
        "OPSPILOT_GITLAB",
        "i-know-this-creates-an-issue",
        "it stays in the project, closed",
        (),
        _issue,
    ),
    "semaphore": Remote(
        "LIVE_SEMAPHORE_URL",
        "LIVE_SEMAPHORE_TOKEN",
        "OPSPILOT_SEMAPHORE",
        "i-know-this-runs-a-task",
        "the template really runs on that host, and nothing takes it back",
        ("template", "host"),
        _task,
    ),
}

MODEL, MODEL_WORD = "model", "i-know-this-sends-text"
_OF_THE_MODEL = ("LIVE_MODEL_URL", "LIVE_MODEL_TOKEN", "LIVE_MODEL_NAME")


class Command(BaseCommand):
    help = "Make one issue, or run one task, at a real remote, and write down what went by."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("connector", choices=[*REMOTES, MODEL])
        parser.add_argument("--project", type=int, help="its number, not its path")
        parser.add_argument("--template", type=int, help="its number (semaphore)")
        parser.add_argument("--host", help="the one host it runs on (semaphore)")
        parser.add_argument(
            "--variable", action="append", default=[], metavar="NAME=VALUE", help="(semaphore)"
        )
        for remote in REMOTES.values():
            parser.add_argument(
                f"--{remote.word}", action="append_const", const=remote, dest="known"
            )
        parser.add_argument(f"--{MODEL_WORD}", action="store_true", dest="text_known")
        parser.add_argument("--record", type=Path, required=True, help="the file to be written")
        parser.add_argument("--json", action="store_true", help="end with one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit 0 only if every step held."""
        name = options["connector"]
        found = {"connector": name, "at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds")}
        if name == MODEL:
            found |= self._of_the_model(options)
        else:
            real = _allowed(REMOTES[name], options)
            found |= self._recorded(REMOTES[name], real, options)
        text = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
        options["record"].write_text(text, encoding="utf-8")
        self.stdout.write(f"  record  {options['record']}")
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
        if not found["ok"]:
            raise SystemExit(1)

    def _of_the_model(self, options: Options) -> dict[str, Any]:
        """No instance: the adapter alone, against the endpoint itself."""
        if not options["text_known"]:
            raise CommandError(f"say --{MODEL_WORD}: three made-up sentences leave the machine")
        url, token, model = (os.environ.pop(name, "") for name in _OF_THE_MODEL)
        if not (url and token and model):
            raise CommandError(f"{', '.join(_OF_THE_MODEL)} must be set")
        run = LiveModel(readers.embedder("openai", base_url=url, api_key=token, model=model))
        found = live_model.outcomes(run)
        for outcome in found:
            self.stdout.write(outcome.line)
        return live_model.record(run, found)

    def _recorded(self, remote: Remote, real: dict[str, str], options: Options) -> dict[str, Any]:
        try:
            with (
                stopping_cleanly(),
                throwaway_folder("live") as folder,
                witness(upstream=real[remote.url], token=real[remote.token]) as between,
            ):
                return self._run(remote, folder, between, options)
        except (BootstrapError, psycopg.Error, httpx.HTTPError, AssertionError) as exc:
            fault = " ".join(str(exc).split())
            self.stdout.write(f"  FAILED  {fault}")
            return {"ok": False, "steps": {}, "faults": {"start": fault}}

    def _run(
        self, remote: Remote, folder: Path, between: Witness, options: Options
    ) -> dict[str, Any]:
        environ = {
            f"{remote.settings}_URL": between.url,
            f"{remote.settings}_TOKEN": between.token,
            "OPSPILOT_CHECK_SECONDS": "0",
        }
        found: list[Outcome] = []
        with instance(folder, environ=environ) as console, assembled(console) as cast:
            outcomes, record = remote.stepped(console, cast, between, options)
            for outcome in outcomes:
                self.stdout.write(outcome.line)
                self.stdout.flush()
                found.append(outcome)
            return record(found)


def _allowed(remote: Remote, options: Options) -> dict[str, str]:
    """The real address and token, out of the environment. Raises CommandError for what is unsaid."""
    if remote not in (options["known"] or []):
        raise CommandError(f"say --{remote.word}: {remote.why}")
    needed = ("project", *remote.needed)
    unsaid = [f"--{name}" for name in needed if options[name] is None]
    if unsaid:
        raise CommandError(f"{' and '.join(unsaid)} must be said")
    _variables(options["variable"])
    real = {name: os.environ.pop(name, "") for name in (remote.url, remote.token)}
    if not all(real.values()):
        raise CommandError(f"{remote.url} and {remote.token} must be set")
    return real


def _variables(given: list[str]) -> dict[str, str]:
    pairs = [each.partition("=") for each in given]
    if not all(name and sign for name, sign, _ in pairs):
        raise CommandError("--variable is NAME=VALUE")
    return {name: value for name, _, value in pairs}
