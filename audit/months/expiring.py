"""Let a month go: sealed, archived, told of by the ledger, and only then detached and dropped.

Each step leaves what the next run needs to go on: the archive is whole or not there, all lines of the
ledger are written in one transaction, a detached month is found by the catalogue. The database holds
the last word: it detaches nothing that is kept, held or not told of row by row.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

import structlog
from django.db import DatabaseError, connections, transaction

from audit import trail
from audit.models import TrailExpiry
from audit.months import archive, judging, ledger, proving, restoring, retention
from audit.months.archive import Archive
from audit.months.calendar import label, moved, start_of
from audit.months.creating import call
from audit.months.errors import ArchiveError, TrailClosedError
from audit.months.judging import Judged, Standing, Verdict
from audit.seal.keys import BadKeyError, NoKeyError
from audit.seal.ledger import SealedMonth, Signed, sign
from audit.seal.verify import Refusal, month_is_sealed
from audit.vocabulary import Authorization, Result
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
WORKER = "manutenção da trilha"
COMMAND = "linha de comando"
"""Who let a month go, for its line: the worker by itself, or a person who ran the command."""
_LOCK = "hashtext('expire_trail_months')"


class NotSealedError(Exception):
    """A company's rows of the month are not proved by its seals: the sentence is for operators."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one month: gone, or why it is still there."""

    month: str
    gone: bool
    why: str = ""


def expire(*, author: str = WORKER, using: str = "maintenance") -> list[Outcome]:
    """Every month that may go, oldest first. One that cannot is named with the reason, and does not
    keep the others back. Nothing while another process is at it."""
    with _alone(using) as is_ours:
        judged = judging.judge(now=clock.now(), using=using) if is_ours else []
        return [_expired(one, author, using) for one in judged if one.goes]


@contextmanager
def _alone(using: str) -> Iterator[bool]:
    """Two processes would write the same archive; the lock ends with the connection at the latest."""
    with connections[using].cursor() as cursor:
        cursor.execute(f"SELECT pg_try_advisory_lock({_LOCK})")
        is_ours = bool(cursor.fetchone()[0])
    try:
        yield is_ours
    finally:
        if is_ours:
            with connections[using].cursor() as cursor:
                cursor.execute(f"SELECT pg_advisory_unlock({_LOCK})")


def _expired(judged: Judged, author: str, using: str) -> Outcome:
    name = label(judged.month)
    try:
        if judged.verdict is not Verdict.PENDING:
            _tell(judged, author)
            call("SELECT detach_trail_month(%s)", judged.month, using=using)
        call("SELECT drop_trail_month(%s)", judged.month, using=using)
    except (ArchiveError, NotSealedError, TrailClosedError) as exc:
        log.error("a month of the trail could not go", month=name, why=str(exc))
        return Outcome(name, gone=False, why=str(exc))
    except DatabaseError as exc:
        log.exception("a month of the trail could not go", month=name)
        return Outcome(name, gone=False, why=str(exc).splitlines()[0])
    log.info("a month of the trail has gone", month=name)
    return Outcome(name, gone=True)


def _tell(judged: Judged, author: str) -> None:
    """Archive the month and write every company's line: all of them, or none."""
    sealed = {one.tenant_id: _sealed(one.tenant_id, judged.month) for one in judged.standings}
    kept = archive.ensure(judged.month, sorted(sealed))
    _compare(kept, judged)
    with transaction.atomic():
        for standing in judged.standings:
            with tenant_scope(standing.tenant_id):
                _write(judged.month, standing, sealed[standing.tenant_id], kept, author)


def _sealed(tenant_id: UUID, month: dt.date) -> SealedMonth:
    found = month_is_sealed(tenant_id, month)
    if isinstance(found, Refusal):
        raise NotSealedError(f"{label(month)}: {found.reason}; nothing was removed")
    return found


def _compare(kept: Archive, judged: Judged) -> None:
    """The archive holds each company's rows, all of them, as they were sealed, and they come back."""
    if {UUID(part.tenant): part.rows for part in kept.parts} != {
        one.tenant_id: one.rows for one in judged.standings
    }:
        raise ArchiveError(
            f"the archive of {kept.month} does not hold the rows of the month; nothing was removed. "
            "Move its folder away and run `partitions expire` again"
        )
    restoring.check(kept.folder)
    for part in kept.parts:
        with tenant_scope(UUID(part.tenant)):
            proving.check(kept, part, judged.month)


def _write(
    month: dt.date, standing: Standing, sealed: SealedMonth, kept: Archive, author: str
) -> None:
    """The company's line and its row of the trail; nothing when a run before wrote them."""
    before = ledger.line_of(month)
    if before is not None:
        if before.archive_sha256 != kept.sha256:
            raise ArchiveError(
                f"the archive of {kept.month} is not the one the ledger names; nothing was removed. "
                "Put the folder back as it was and run `partitions expire` again"
            )
        return
    line = _line(month, standing, kept, author)
    signed = _signed(line, sealed)
    line.root, line.statement = sealed.root, signed.statement
    line.key, line.signature = signed.key, signed.signature
    line.trail_row = _record(line)
    line.save(force_insert=True)


def _line(month: dt.date, standing: Standing, kept: Archive, author: str) -> TrailExpiry:
    rule = retention.in_force()
    rows, first, last = standing.rows, standing.first_row, standing.last_row
    if rule is None or rows is None or first is None or last is None:
        raise ArchiveError(f"{label(month)}: a rule of retention changed meanwhile; run again")
    return TrailExpiry(
        tenant_id=standing.tenant_id,
        month=month,
        from_at=start_of(month),
        until_at=start_of(moved(month, 1)),
        rows=rows,
        first_row=first,
        last_row=last,
        retention=rule.rule,
        basis=rule.rule.basis,
        author=author,
        archive=kept.folder.name,
        archive_sha256=kept.sha256,
    )


def _signed(line: TrailExpiry, sealed: SealedMonth) -> Signed:
    facts: dict[str, str | int | None] = {
        "first_row": line.first_row,
        "last_row": line.last_row,
        "retention": line.retention_id,
        "basis": line.basis,
        "author": line.author,
        "archive": line.archive,
        "archive_sha256": line.archive_sha256,
    }
    try:
        return sign(sealed, facts)
    except (NoKeyError, BadKeyError) as exc:
        raise NotSealedError(
            f"{label(line.month)}: there is no key to sign the ledger with "
            "(OPSPILOT_SEAL_KEY_FILE); nothing was removed"
        ) from exc


def _record(line: TrailExpiry) -> int:
    return trail.record(
        trail.Entry(
            correlacao_id=uuid.uuid4(),
            acao="trilha.expirada",
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entrada_resumo=line.author,
            saida_resumo=f"{label(line.month)}: {line.rows} linhas, regra {line.retention_id}",
            fontes=[{"archive": line.archive, "sha256": line.archive_sha256, "root": line.root}],
        )
    )
