"""Seals what is closed: one signed line for each hour that has rows, chained to the one before."""

from __future__ import annotations

import datetime as dt

import structlog
from django.db.models import Min

from audit.models import AgenteAcao, TrailKey, TrailSeal
from audit.seal import statements
from audit.seal.closing import HOUR, hour_of
from audit.seal.keys import Signer, presentation
from audit.seal.rows import Taken, opened
from opspilot.tenancy import clock
from opspilot.tenancy.scope import current_tenant_id

log = structlog.get_logger(__name__)
GENESIS = "0" * 64
"""What the first seal carries in place of a seal before it."""


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


def seal_next(*, until: dt.datetime, ring: tuple[Signer, ...]) -> TrailSeal | None:
    """Seal the oldest hour of the scope's company that has unsealed rows and ends by `until`.

    The caller knows that no row can still come in before `until` (see `closing`). Of two workers at
    the same window one is refused by the number's unique key.
    """
    before = TrailSeal.objects.order_by("-number").first()
    oldest = _oldest(before.until_at if before else None, until)
    if oldest is None:
        return None
    from_at = before.until_at if before else hour_of(oldest)
    end = hour_of(oldest) + HOUR
    with opened(since=from_at, until=end) as rows:
        taken = rows.take(None, stored=True)
    _present(ring)
    seal = _seal(before, from_at, end, taken, ring[0])
    # The log goes elsewhere: a witness of the chain that who rewrites the database does not reach.
    tenant, until_at = str(seal.tenant_id), seal.until_at.isoformat()
    log.info("trail sealed", tenant=tenant, number=seal.number, until=until_at, hash=seal.hash)
    return seal


def _oldest(since: dt.datetime | None, until: dt.datetime) -> dt.datetime | None:
    rows = AgenteAcao.objects.filter(ocorrido_em__lt=until)
    if since is not None:
        rows = rows.filter(ocorrido_em__gte=since)
    oldest: dt.datetime | None = rows.aggregate(at=Min("ocorrido_em"))["at"]
    return oldest


def _seal(
    before: TrailSeal | None, from_at: dt.datetime, end: dt.datetime, taken: Taken, signer: Signer
) -> TrailSeal:
    seal = TrailSeal(
        tenant_id=current_tenant_id(),
        number=before.number + 1 if before else 1,
        from_at=from_at,
        until_at=end,
        rows=taken.count,
        first_row=taken.first,
        last_row=taken.last,
        root=taken.root,
        previous=before.hash if before else GENESIS,
        sealed_at=clock.now(),
        key=signer.fingerprint,
    )
    body = statement(seal)
    seal.hash = statements.digest("seal", body)
    seal.signature = signer.sign("seal", body)
    seal.save(force_insert=True)
    return seal


def _present(ring: tuple[Signer, ...]) -> None:
    """The sealing key's own line, before its first seal: signed by a key that sealed before, when
    this process has that one too."""
    new = ring[0]
    before = set(TrailKey.objects.values_list("fingerprint", flat=True))
    if new.fingerprint in before:
        return
    row = TrailKey(
        tenant_id=current_tenant_id(), fingerprint=new.fingerprint, public_key=new.public_key
    )
    for presenter in ring[1:]:
        if presenter.fingerprint in before:
            row.endorsed_by = presenter.fingerprint
            row.endorsement = presenter.sign("key", presentation(row.tenant_id, new.public_key))
            break
    row.save(force_insert=True)
