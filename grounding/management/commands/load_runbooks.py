"""`manage.py load_runbooks DIR --tenant T --collection C`: a folder through the upload door.

Every file ends published, the same as before, in quarantine for an admin to look at, or refused with
its reason; exit 0 says that all of them ended, not that all were accepted. A zip is taken apart.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from grounding.intake import loading, quarantine
from grounding.intake.loading import Loading
from grounding.management.progress import Progress
from grounding.models import Upload
from opspilot.tenancy.models import Tenant, tenant_id_of
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope

# The page's words, in the commands' language.
_WORDS = {
    "approved": "published",
    "same": "same as before",
    "needs_review": "in quarantine",
    "unpacked": "zips taken apart",
    "rejected": "refused",
}
_INTERRUPTED = 130  # as a shell says it


@dataclass(slots=True)
class _Result:
    """What the run did, for people and, with --json, for programs."""

    rows: list[Upload]
    unreadable: dict[str, str]
    seconds: float
    states: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.states = dict(sorted(Counter(row.state for row in self.rows).items()))

    @property
    def rate(self) -> float:
        return round(len(self.rows) / max(self.seconds, 0.001), 2)

    def lines(self) -> Iterator[str]:
        for row in self.rows:
            if row.code:
                yield f"{row.name}: refused ({row.code})"
            elif row.state == "needs_review":
                yield f"{row.name}: in quarantine ({_signs(row)})"
        for name, why in self.unreadable.items():
            yield f"{name}: not read ({why})"
        words = [f"{count} {_WORDS.get(state, state)}" for state, count in self.states.items()]
        words += [f"{len(self.unreadable)} not read"] if self.unreadable else []
        total = len(self.rows) + len(self.unreadable)
        rate = f"{self.rate:.1f} documents a second"
        yield f"{total} files: {', '.join(words)} in {self.seconds:.1f} s, {rate}"

    def json(self) -> str:
        return json.dumps(
            {
                "files": len(self.rows) + len(self.unreadable),
                "states": self.states,
                "refused": {row.name: row.code for row in self.rows if row.code},
                "quarantine": [row.name for row in self.rows if row.state == "needs_review"],
                "unreadable": self.unreadable,
                "seconds": round(self.seconds, 2),
                "docs_per_s": self.rate,
            }
        )


class Command(BaseCommand):
    help = "Publish every file below a folder into a tenant's collection."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path)
        parser.add_argument("--tenant", required=True)
        parser.add_argument("--collection", required=True)
        parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        directory: Path = options["directory"]
        paths = _files_below(directory)
        started = time.monotonic()
        mine = Loading(_principal(options["tenant"]), options["collection"])
        progress, are_kept = Progress(self.stdout), False
        try:
            loading.keep(mine, directory, paths)
            are_kept = True
            self.stdout.write(f"{len(mine.ids)} files kept: safe to stop from here on")
            rows = loading.read_all(mine, threads=max(1, options["threads"]), watch=progress.show)
        except KeyboardInterrupt:
            progress.end()
            raise CommandError(_stopped(mine, are_kept), returncode=_INTERRUPTED) from None
        progress.end()
        result = _Result(rows, mine.unreadable, time.monotonic() - started)
        for line in result.lines():
            self.stdout.write(line)
        if options["json"]:
            self.stdout.write(result.json())
        if mine.unreadable:
            raise CommandError(f"{len(mine.unreadable)} files could not be read from the disk")


def _files_below(directory: Path) -> list[Path]:
    """Without links and names that begin with a dot: neither is a runbook somebody meant."""
    if not directory.is_dir():
        raise CommandError(f"not a folder: {directory}")
    found = [
        path
        for path in sorted(directory.rglob("*"))
        if path.is_file() and not path.is_symlink() and not _is_hidden(path, directory)
    ]
    if not found:
        raise CommandError(f"no files below {directory}")
    return found


def _is_hidden(path: Path, directory: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(directory).parts)


def _principal(slug: str) -> Principal:
    tenant_id = tenant_id_of(slug)
    with tenant_scope(tenant_id):
        tenant = Tenant.objects.filter(pk=tenant_id).first()
    if tenant is None:
        raise CommandError(f"no tenant {slug!r}")
    return Principal(tenant_id, tenant.name, 0, "load_runbooks", frozenset({Role.ADMIN}))


def _signs(row: Upload) -> str:
    return ", ".join(sign.code for sign in quarantine.signs_of(row))


def _stopped(mine: Loading, are_kept: bool) -> str:
    """The files in hand were finished after the last line of progress."""
    if not are_kept:
        return "stopped while the files were being kept: run the same command again"
    last = loading.glance(mine)
    return (
        f"stopped: {last.ended} of {last.total} files have ended and stay as they are; "
        f"{last.total - last.ended} are kept: a worker goes on with them, or this command again"
    )
