"""Seals what is closed: one signed line for each hour that has rows, chained to the one before."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

import structlog

from audit.models import TrailKey, TrailSeal
from audit.seal import statements
from audit.seal.closing import HOUR, hour_of
from audit.seal.keys import Signer, presentation, trust
from audit.seal.rows import BEGINNING, Rows, Taken, opened
from opspilot.tenancy import clock
from opspilot.tenancy.scope import current_tenant_id

log = structlog.get_logger(__name__)
GENESIS = "0" * 64
"""What the first seal carries in place of a seal before it."""
MOST_ROWS = 20_000
"""A transaction seals up to the window in which so many rows are reached: some seconds of work."""


@dataclass(frozen=True, slots=True)
class _Closed:
    from_at: dt.datetime
    until_at: dt.datetime
    taken: Taken


class BadSealError(Exception):
    """The newest seal is by no known key: what follows it would vouch for a forgery."""


def statement(seal: TrailSeal) -> dict[str, statements.Value]:
    """What the signature covers: all of the seal but its hash and the signature itself."""
    return {
        "tenant": str(seal.tenant_id),
        "number": seal.number,
        "from": statements.moment(seal.from_at),
        "until": statements.moment(seal.until_at),
        "rows": seal.rows,
        "first": seal.first_row,
        "last": seal.last_row,
        "root": seal.root,
        "previous": seal.previous,
        "sealed_at": statements.moment(seal.sealed_at),
        "key": seal.key,
    }


def seal_closed(*, until: dt.datetime, ring: tuple[Signer, ...]) -> list[TrailSeal]:
    """Seal the oldest hours of the scope's company that have unsealed rows and end by `until`, as many
    as one transaction takes; none when all is sealed.

    The caller knows that no row can still come in before `until` (see `closing`). Of two workers at
    the same window one is refused by the number's unique key. Raises BadSealError.
    """
    before = TrailSeal.objects.order_by("-number").first()
    if before is not None and not _is_ours(before, ring):
        raise BadSealError
    since = before.until_at if before else None
    with opened(since=since or BEGINNING, until=until) as rows:
        closed = list(_closed(rows, since, until))
    if not closed:
        return []
    _present(ring)
    seals = _chained(before, closed, ring[0])
    TrailSeal.objects.bulk_create(seals)
    for seal in seals:
        # The log goes elsewhere: a witness of the chain that who rewrites the database does not reach.
        tenant, until_at = str(seal.tenant_id), seal.until_at.isoformat()
        log.info("trail sealed", tenant=tenant, number=seal.number, until=until_at, hash=seal.hash)
    return seals


def _is_ours(seal: TrailSeal, ring: tuple[Signer, ...]) -> bool:
    """Signed by a key of this process, by the company's first one, or by one that these presented."""
    listed = list(TrailKey.objects.order_by("id"))
    known = {row.fingerprint: row.public_key for row in listed[:1]}
    known |= {signer.fingerprint: signer.public_key for signer in ring}
    body = statement(seal)
    is_signed = trust(listed, known).proves("seal", body, key=seal.key, signature=seal.signature)
    return is_signed and statements.digest("seal", body) == seal.hash


def _closed(rows: Rows, since: dt.datetime | None, until: dt.datetime) -> Iterator[_Closed]:
    """The hours that have rows, each from the end of the one before it."""
    left = MOST_ROWS
    while (oldest := rows.next_at) is not None and left > 0:
        hour = hour_of(oldest)
        end = min(hour + HOUR, until)
        taken = rows.take(end, stored=True)
        yield _Closed(since or hour, end, taken)
        since, left = end, left - taken.count


def _chained(before: TrailSeal | None, closed: list[_Closed], signer: Signer) -> list[TrailSeal]:
    now, seals = clock.now(), list[TrailSeal]()
    for window in closed:
        before = _seal(before, window, now, signer)
        seals.append(before)
    return seals


def _seal(
    before: TrailSeal | None, window: _Closed, sealed_at: dt.datetime, signer: Signer
) -> TrailSeal:
    seal = TrailSeal(
        tenant_id=current_tenant_id(),
        number=before.number + 1 if before else 1,
        from_at=window.from_at,
        until_at=window.until_at,
        rows=window.taken.count,
        first_row=window.taken.first,
        last_row=window.taken.last,
        root=window.taken.root,
        previous=before.hash if before else GENESIS,
        sealed_at=sealed_at,
        key=signer.fingerprint,
    )
    body = statement(seal)
    seal.hash = statements.digest("seal", body)
    seal.signature = signer.sign("seal", body)
    return seal


def _present(ring: tuple[Signer, ...]) -> None:
    """The sealing key's own line, before its first seal: signed by a key that sealed before, when
    this process has that one too, also where somebody wrote the key down without that."""
    new, listed = ring[0], list(TrailKey.objects.order_by("id"))
    there = {row.fingerprint for row in listed}
    presenter = next((one for one in ring[1:] if one.fingerprint in there), None)
    known = {presenter.fingerprint: presenter.public_key} if presenter else {}
    if new.fingerprint in (trust(listed, known).public if presenter else there):
        return
    row = TrailKey(
        tenant_id=current_tenant_id(), fingerprint=new.fingerprint, public_key=new.public_key
    )
    if presenter is not None:
        row.endorsed_by = presenter.fingerprint
        row.endorsement = presenter.sign("key", presentation(row.tenant_id, new.public_key))
    row.save(force_insert=True)
