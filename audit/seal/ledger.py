"""Months that went by retention: what the ledger says, believed only as far as it is signed.

The ledger is written by the months' room. A line counts when a trusted key signed it and when it
names exactly the rows and the seals of its month, which stay behind when the rows are dropped.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from audit.models import TrailExpiry, TrailSeal
from audit.seal.closing import HOUR
from audit.seal.keys import Trust, ring
from audit.seal.merkle import Tree
from audit.seal.statements import Value
from opspilot.tenancy.scope import current_tenant_id


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedMonth:
    """A month of one company of which every row was just found as it was sealed.

    `root` is the Merkle root over the month's seals, so that it can be checked when the rows are
    gone. No row, no seal and the root over nothing when the company wrote nothing then.
    """

    tenant_id: UUID
    month: dt.date
    rows: int
    first_row: int | None
    last_row: int | None
    root: str
    first_seal: int | None
    last_seal: int | None


@dataclass(frozen=True, slots=True)
class Signed:
    """For the ledger's line: the statement as it was signed, by which key, and the signature."""

    statement: dict[str, Value]
    key: str
    signature: str


def sign(sealed: SealedMonth, facts: Mapping[str, str | int | None]) -> Signed:
    """What is to stand in the ledger before the month is dropped; `facts` say who, why and by which
    rule. Raises NoKeyError or BadKeyError: an expiry that nobody signs is not lawful."""
    signer = ring()[0]
    statement = _of(sealed) | {"facts": dict(facts)}
    return Signed(statement, signer.fingerprint, signer.sign("expiry", statement))


def expired(trust: Trust, *, using: str = "default") -> dict[dt.date, bool]:
    """The scope's company: each month that the ledger says has gone, and whether that is proved."""
    lines = TrailExpiry.objects.using(using).order_by("month")
    return {line.month: _is_proved(line, trust, using) for line in lines}


def month_of(seal: TrailSeal) -> dt.date:
    """The UTC month of its rows: they lie in the window's last hour."""
    return (seal.until_at.astimezone(dt.UTC) - HOUR).date().replace(day=1)


def bounds(month: dt.date) -> tuple[dt.datetime, dt.datetime]:
    """The month's first instant and the next one's, in UTC."""
    first = dt.datetime(month.year, month.month, 1, tzinfo=dt.UTC)
    return first, (first + dt.timedelta(days=32)).replace(day=1)


def seals_of(month: dt.date, *, using: str = "default") -> list[TrailSeal]:
    """The scope's seals whose rows lie in the month, in order: an hour each, 744 at the most."""
    first, end = bounds(month)
    found = TrailSeal.objects.using(using).filter(until_at__gt=first, until_at__lte=end)
    return list(found.order_by("number"))


def sealed_month(month: dt.date, seals: list[TrailSeal]) -> SealedMonth:
    """What the seals say of the month; nothing is checked here."""
    tree = Tree()
    for seal in seals:
        tree.add(bytes.fromhex(seal.hash))
    return SealedMonth(
        tenant_id=current_tenant_id(),
        month=month,
        rows=sum(seal.rows for seal in seals),
        first_row=seals[0].first_row if seals else None,
        last_row=seals[-1].last_row if seals else None,
        root=tree.root().hex(),
        first_seal=seals[0].number if seals else None,
        last_seal=seals[-1].number if seals else None,
    )


def _of(sealed: SealedMonth) -> dict[str, Value]:
    return {
        "tenant": str(sealed.tenant_id),
        "month": f"{sealed.month:%Y-%m}",
        "rows": sealed.rows,
        "root": sealed.root,
        "first_seal": sealed.first_seal,
        "last_seal": sealed.last_seal,
    }


def _is_proved(line: TrailExpiry, trust: Trust, using: str) -> bool:
    """Signed, about this company's month, and true of the seals that stayed behind."""
    said = line.statement
    if not trust.proves("expiry", said, key=line.key, signature=line.signature):
        return False
    try:
        now = _of(sealed_month(line.month, seals_of(line.month, using=using)))
    except ValueError:  # a seal's hash was overwritten with what is no hash
        return False
    return all(said.get(name) == value for name, value in now.items())
