"""Seals what is closed: one signed line for each hour that has rows, chained to the one before."""

from __future__ import annotations

import datetime as dt

import structlog
from django.db.models import Min

from audit.models import AgenteAcao, TrailKey, TrailSeal
from audit.seal import statements
from audit.seal.closing import HOUR, hour_of
from audit.seal.keys import Signer, presentation, trust
from audit.seal.rows import Taken, opened
from opspilot.tenancy import clock
from opspilot.tenancy.scope import current_tenant_id

log = structlog.get_logger(__name__)
GENESIS = "0" * 64
"""What the first seal carries in place of a seal before it."""


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


def seal_next(*, until: dt.datetime, ring: tuple[Signer, ...]) -> TrailSeal | None:
    """Seal the oldest hour of the scope's company that has unsealed rows and ends by `until`.

    The caller knows that no row can still come in before `until` (see `closing`). Of two workers at
    the same window one is refused by the number's unique key. Raises BadSealError.
    """
    before = TrailSeal.objects.order_by("-number").first()
    if before is not None and not _is_ours(before, ring):
        raise BadSealError
    oldest = _oldest(before.until_at if before else None, until)
    if oldest is None:
        return None
    from_at = before.until_at if before else hour_of(oldest)
    end = min(hour_of(oldest) + HOUR, until)
    with opened(since=from_at, until=end) as rows:
        taken = rows.take(None, stored=True)
    _present(ring)
    seal = _seal(before, from_at, end, taken, ring[0])
    # The log goes elsewhere: a witness of the chain that who rewrites the database does not reach.
    tenant, until_at = str(seal.tenant_id), seal.until_at.isoformat()
    log.info("trail sealed", tenant=tenant, number=seal.number, until=until_at, hash=seal.hash)
    return seal


def _is_ours(seal: TrailSeal, ring: tuple[Signer, ...]) -> bool:
    """Signed by a key of this process, by the company's first one, or by one that these presented."""
    listed = list(TrailKey.objects.order_by("id"))
    known = {row.fingerprint: row.public_key for row in listed[:1]}
    known |= {signer.fingerprint: signer.public_key for signer in ring}
    body = statement(seal)
    is_signed = trust(listed, known).proves("seal", body, key=seal.key, signature=seal.signature)
    return is_signed and statements.digest("seal", body) == seal.hash


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
