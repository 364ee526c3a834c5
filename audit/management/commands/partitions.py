"""`manage.py partitions`: the trail's months, by the maintenance role."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from audit.months import catalogue, creating, expiring, inspecting, judging, restoring
from audit.months.calendar import label
from audit.months.errors import ArchiveError
from audit.months.judging import Judged, Verdict
from opspilot.tenancy import clock

Answer = tuple[str, dict[str, Any], bool]
"""What is printed, what `--json` adds, and whether all is well."""

WORDS = {
    Verdict.GOES: "may go",
    Verdict.EMPTY: "stays: it has no rows",
    Verdict.RUNNING: "stays: it is not over",
    Verdict.NO_RULE: "stays: a company with rows in it has no retention in force",
    Verdict.KEPT: "stays: a company keeps it until {until}",
    Verdict.HELD: "stays: a legal hold covers rows of it",
    Verdict.PENDING: "is detached and in the ledger: will be dropped",
}


class Command(BaseCommand):
    help = "Create, judge, verify and let go the trail's months; check an archive of one."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = ["plan", "create", "expire", "verify", "restore-check"]
        parser.add_argument("act", choices=acts)
        parser.add_argument("folder", nargs="?", help="restore-check: the folder of one archive")
        parser.add_argument("--json", action="store_true", help="one JSON object as the last line")

    def handle(self, *args: Any, **options: Any) -> None:
        act = {"plan": _plan, "create": _create, "expire": _expire, "verify": _verify}
        if options["act"] == "restore-check":
            text, body, good = _restore_check(options["folder"])
        else:
            text, body, good = act[options["act"]]()
        self.stdout.write(text)
        if options["json"]:
            self.stdout.write(json.dumps(body))
        if not good:
            raise CommandError(f"partitions {options['act']}: not all is well", returncode=1)


def _plan() -> Answer:
    now = clock.now()
    missing = creating.planned(using="maintenance", today=now)
    judged = judging.judge(now=now)
    lines = [f"create: {', '.join(map(label, missing)) or 'nothing'}"]
    lines += [f"{label(one.month)}: {_words(one)}" for one in judged]
    body = {
        "create": [label(month) for month in missing],
        "months": [_as_json(one) for one in judged],
    }
    return "\n".join(lines), body, True


def _create() -> Answer:
    made, existing = creating.make(), catalogue.existing(using="maintenance")
    text = f"created {', '.join(made.months) or 'nothing'}; months now: {', '.join(existing)}"
    text += "".join(f"\nmended {one}" for one in made.mended)
    return text, {"created": made.months, "mended": made.mended, "existing": existing}, True


def _expire() -> Answer:
    found = expiring.expire(author=expiring.COMMAND)
    lines = [f"{one.month}: {'gone' if one.gone else one.why}" for one in found]
    body = {"months": [asdict(one) for one in found]}
    return "\n".join(lines) or "nothing may go", body, all(one.gone for one in found)


def _verify() -> Answer:
    found = inspecting.inspect(today=dt.datetime.now(dt.UTC).date())
    text = f"{len(found.months)} months, {found.ahead} ahead"
    text += "".join(f"\n{fault}" for fault in found.faults) or "; all is well"
    return text, asdict(found), not found.faults


def _restore_check(folder: str | None) -> Answer:
    if not folder:
        raise CommandError("restore-check needs the folder of an archive", returncode=2)
    try:
        found = restoring.check(Path(folder))
    except ArchiveError as exc:
        return str(exc), {"error": str(exc)}, False
    text = f"{found.month}: {found.rows} rows can be restored; manifest sha256 {found.sha256}"
    return text, asdict(found), True


def _words(one: Judged) -> str:
    return WORDS[one.verdict].format(until=f"{one.until:%Y-%m-%d}" if one.until else "")


def _as_json(one: Judged) -> dict[str, Any]:
    return {
        "month": label(one.month),
        "verdict": one.verdict.value,
        "keep_until": one.until.isoformat() if one.until else None,
        "rows": sum(standing.rows or 0 for standing in one.standings),
    }
