"""`manage.py verify_trail`: is the trail as it was sealed? Reads every row; changes nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from audit.seal import heads as heads_file
from audit.seal import keys, verify
from audit.seal.heads import BadHeadsError, Head, Heads
from audit.seal.verify import Report
from audit.seal.windows import State, Window
from audit.seal.words import sentence
from opspilot.tenancy.models import Tenant, tenant_id_of
from opspilot.tenancy.scope import tenant_scope


class Command(BaseCommand):
    help = "Check the trail against its seals, from the rows' own fields; changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", help="a company's short name; all companies without it")
        parser.add_argument(
            "--heads", type=Path, help="seals that must still be there, from a file"
        )
        parser.add_argument("--export-heads", type=Path, help="write the newest seals to a file")
        parser.add_argument("--json", action="store_true", help="end with one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit 0 only when every window is intact or lawfully expired."""
        started = time.monotonic()
        kept = _read(options["heads"])
        known = {**keys.known_here(), **kept.keys}
        chosen = _chosen(options["tenant"], kept)
        reports = {
            tenant_id: self._verified(tenant_id, kept, known) for tenant_id in sorted(chosen)
        }
        ok = all(report.is_good for _, report in reports.values())
        if options["export_heads"]:
            self._export(options["export_heads"], reports, ok=ok)
        if options["json"]:
            found = _summary(reports.values(), ok, time.monotonic() - started)
            self.stdout.write(json.dumps(found, ensure_ascii=False))
        if not ok:
            raise SystemExit(1)

    def _verified(self, tenant_id: UUID, kept: Heads, known: dict[str, str]) -> tuple[str, Report]:
        head = kept.heads.get(tenant_id)
        slug = _slug(tenant_id, head)
        report = verify.verify_tenant(tenant_id, head=head, known=known)
        self.stdout.write(f"{slug}: {_line(report)}")
        for window in report.tally.bad[:20]:
            self.stdout.write(f"  {sentence(window)}")
        if report.last and not report.anchored:
            self.stdout.write(
                "  the key was not known from outside the database: give --heads, or the key file"
            )
        return slug, report

    def _export(self, path: Path, reports: dict[UUID, tuple[str, Report]], *, ok: bool) -> None:
        """Only of what was just found good: a head is believed later."""
        if not ok:
            self.stdout.write(f"{path} was not written: something is not as it was sealed")
            return
        heads, public = _heads(reports)
        path.write_text(heads_file.document(heads, public), encoding="utf-8")
        self.stdout.write(f"{len(heads)} heads written to {path}; keep it away from this database")


def _read(path: Path | None) -> Heads:
    if path is None:
        return Heads({}, {})
    try:
        return heads_file.parse(path.read_text(encoding="utf-8"))
    except OSError as exc:
        raise CommandError(f"{path} cannot be read ({exc.strerror})") from exc
    except BadHeadsError as exc:
        raise CommandError(f"{path} is no file that --export-heads wrote") from exc


def _chosen(slug: str | None, kept: Heads) -> set[UUID]:
    """With a heads file also the companies that are only known from there."""
    if slug is None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT tenant_id FROM trail_tenants()")
            return {row[0] for row in cursor.fetchall()} | set(kept.heads)
    tenant_id = tenant_id_of(slug)
    with tenant_scope(tenant_id):
        if not Tenant.objects.filter(pk=tenant_id).exists() and tenant_id not in kept.heads:
            raise CommandError(f"no company is called {slug}")
    return {tenant_id}


def _slug(tenant_id: UUID, head: Head | None) -> str:
    with tenant_scope(tenant_id):
        found = Tenant.objects.filter(pk=tenant_id).values_list("slug", flat=True).first()
    return found or (head.slug if head else str(tenant_id))


def _line(report: Report) -> str:
    counts = report.tally.counts
    told = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    return f"{told or 'no window sealed yet'}; {report.tail.rows} rows not sealed yet"


def _heads(reports: dict[UUID, tuple[str, Report]]) -> tuple[list[Head], dict[str, str]]:
    heads: list[Head] = []
    public: dict[str, str] = {}
    for tenant_id, (_, report) in reports.items():
        with tenant_scope(tenant_id):
            head = heads_file.at(report.last)
            if head:
                heads.append(head)
                public |= heads_file.public_keys()
    return heads, public


def _summary(reports: Iterable[tuple[str, Report]], ok: bool, seconds: float) -> dict[str, Any]:
    tenants = {slug: _as_json(report) for slug, report in reports}
    rows = sum(tenant["rows"] for tenant in tenants.values())
    return {
        "ok": ok,
        "rows": rows,
        "seconds": round(seconds, 3),
        "verify_rows_s": round(rows / seconds) if seconds else 0,
        "tenants": tenants,
    }


def _as_json(report: Report) -> dict[str, Any]:
    return {
        "ok": report.is_good,
        "windows": {state.value: report.tally.counts[state] for state in State},
        "rows": report.rows,
        "unsealed_rows": report.tail.rows,
        "since": report.since.isoformat() if report.since else None,
        "until": report.until.isoformat() if report.until else None,
        "last_seal": report.last,
        "key_known_from_outside": report.anchored,
        "bad": [_bad(window) for window in report.tally.bad],
    }


def _bad(window: Window) -> dict[str, Any]:
    return {
        "window": window.number,
        "from": window.from_at.isoformat() if window.from_at else None,
        "until": window.until_at.isoformat() if window.until_at else None,
        "state": window.state.value,
        "reason": window.reason.value if window.reason else None,
        "sentence": sentence(window),
    }
