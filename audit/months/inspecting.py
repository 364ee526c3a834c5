"""What is wrong with the months of the trail, by the catalogue: nothing is changed."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db import connections

from audit.months import catalogue
from audit.months.calendar import AHEAD, first_of, label, months

LEAST_AHEAD = 2
"""Below so many months ahead the trail's health is red."""

# What each month must have of its own; the parent's copies come with the attaching.
_LAW = """
SELECT m.name,
       c.relrowsecurity AND c.relforcerowsecurity,
       (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = m.oid AND t.tgenabled = 'O'
           AND t.tgname IN ('linha_hash', 'append_only', 'append_only_truncate')) = 3,
       NOT EXISTS (SELECT FROM aclexplode(c.relacl) a WHERE a.grantee <> c.relowner),
       EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = m.oid AND k.conname = 'month')
  FROM trail_month m JOIN pg_class c ON c.oid = m.oid
 WHERE NOT m.pending ORDER BY m.from_at
"""
_FAULTS = (
    "no forced row security",
    "a trigger is missing or off",
    "a grant of its own",
    "no CHECK",
)


@dataclass(frozen=True, slots=True)
class Inspection:
    """`faults` are sentences for operators; none when the trail is well."""

    months: list[str]
    ahead: int
    faults: list[str]


def inspect(*, today: dt.date, using: str = "maintenance") -> Inspection:
    found = catalogue.attached(using=using)
    there = [one.month for one in found if one.month is not None and not one.pending]
    ahead = catalogue.ahead(there, today)
    faults = [
        *_room(ahead),
        *_bounds(found),
        *_gaps(there, today, using),
        *_strays(using),
        *_law(using),
    ]
    return Inspection([label(month) for month in there], ahead, faults)


def _room(ahead: int) -> list[str]:
    if ahead < 0:
        return ["this month is missing: nothing can be recorded; run `partitions create`"]
    if ahead < LEAST_AHEAD:
        return [f"{ahead} months ahead, {AHEAD} are wanted; run `partitions create`"]
    return []


def _bounds(found: list[catalogue.Month]) -> list[str]:
    pending = [f"{one.name}: its detach was interrupted" for one in found if one.pending]
    odd = [f"{one.name}: its bounds are no UTC month" for one in found if one.month is None]
    return pending + odd


def _gaps(there: list[dt.date], today: dt.date, using: str) -> list[str]:
    """Months between the first and the last that are neither there nor in the ledger."""
    if not there:
        return []
    missing = [month for month in months(there[0], max(there)) if month not in set(there)]
    past = [month for month in missing if month < first_of(today)]
    lawful = {month for month in past if catalogue.is_expired(month, using=using)}
    return [
        f"{label(month)}: missing, and the ledger does not say that it went"
        for month in missing
        if month not in lawful
    ]


def _strays(using: str) -> list[str]:
    return [
        f"{one.name}: built as a month and attached to nothing; "
        + ("`partitions expire`" if _left(one, using) else "`partitions create`")
        + " takes it up"
        for one in catalogue.apart(using=using)
    ]


def _left(one: catalogue.Month, using: str) -> bool:
    return one.month is not None and catalogue.is_expired(one.month, using=using)


def _law(using: str) -> list[str]:
    with connections[using].cursor() as cursor:
        cursor.execute(_LAW)
        rows = cursor.fetchall()
    return [
        f"{name}: {fault}"
        for name, *held in rows
        for fault, is_held in zip(_FAULTS, held, strict=True)
        if not is_held
    ]
