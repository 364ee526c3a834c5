"""Checks the trail against its seals: the rows from their own fields, the roots, the chain, the
signatures, and what the ledger says of months that are gone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from audit.models import TrailKey, TrailSeal
from audit.seal import keys, ledger, walk
from audit.seal.heads import Head
from audit.seal.ledger import SealedMonth
from audit.seal.rows import BEGINNING, END, Rows, opened
from audit.seal.windows import Reason, State, Tally, Window
from audit.seal.words import sentence
from opspilot.tenancy.scope import tenant_scope

_BATCH = 500  # seals in memory at a time


@dataclass(frozen=True, slots=True)
class Report:
    """What was found of one company. `tail` are the rows that no seal covers yet; `anchored` is false
    when no key was known from outside the database."""

    tally: Tally
    tail: Window
    since: dt.datetime | None
    until: dt.datetime | None
    last: int
    anchored: bool

    @property
    def is_good(self) -> bool:
        return self.tally.is_good

    @property
    def rows(self) -> int:
        return self.tally.rows + self.tail.rows

    @property
    def first_bad(self) -> Window | None:
        return self.tally.bad[0] if self.tally.bad else None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a month may not be taken for sealed; `reason` is a sentence for who runs the command."""

    code: str
    reason: str


def verify_tenant(
    tenant_id: UUID,
    *,
    head: Head | None = None,
    known: Mapping[str, str] | None = None,
    using: str = "default",
) -> Report:
    """The whole trail of a company, in one pass and little memory.

    `head` is a seal that was written down outside: it must still be there. `known` are public keys
    trusted from outside; without them those of this process.
    """
    with tenant_scope(tenant_id, using=using):
        # In this order: every row of a seal that is read here was committed before it, so the rows'
        # one statement, which begins next, sees it; and a month that goes after that waits for us.
        last = _newest(using)
        with opened(since=BEGINNING, until=END, using=using) as rows:
            trust = _trust(known, using)
            gone = ledger.expired(trust, using=using)
            return _report(last, rows, trust, gone, head, using)


def verify_span(
    tenant_id: UUID, *, since: dt.datetime, until: dt.datetime, using: str = "default"
) -> Tally:
    """The windows that end after `since` and up to `until`, how they follow the one before, and one
    more for rows of that time that no seal covers: the caller knows that all of it is sealed."""
    with tenant_scope(tenant_id, using=using):
        seals = list(_between(since, until, using))
        start = min(since, seals[0].from_at) if seals else since
        with opened(since=start, until=until, using=using) as rows:
            trust = _trust(None, using)
            gone = ledger.expired(trust, using=using)
            before = _before(seals[0], using) if seals else None
            found = _tally(walk.windows(seals, rows, trust=trust, gone=gone, before=before))
            bare = rows.take(None)
            if bare.count:
                last = seals[-1].until_at if seals else since
                reason = Reason.NOT_SEALED
                found.add(Window(None, last, until, bare.count, State.MISSING, reason))
            return found


def month_is_sealed(tenant_id: UUID, month: dt.date) -> SealedMonth | Refusal:
    """Whether every row of the UTC month was just found under a seal, as it was sealed.

    To be asked before the month is dropped, by a process that has the key of the seal.
    """
    if not keys.known_here():
        return Refusal("sem_chave", "this process has no readable OPSPILOT_SEAL_KEY_FILE")
    first, end = ledger.bounds(month)
    with tenant_scope(tenant_id):
        seals = ledger.seals_of(month)
        with opened(since=first, until=end) as rows:
            return _month(month, seals, rows)


def _month(month: dt.date, seals: list[TrailSeal], rows: Rows) -> SealedMonth | Refusal:
    before = _before(seals[0], "default") if seals else None
    found = walk.windows(seals, rows, trust=_trust(None, "default"), gone={}, before=before)
    tally = _tally(found)
    if tally.bad:
        return Refusal(tally.bad[0].state, sentence(tally.bad[0]))
    unsealed = rows.take(None).count
    if unsealed:
        return Refusal("sem_selo", f"{unsealed} rows of {month:%Y-%m} are not sealed yet")
    return ledger.sealed_month(month, seals)


def _report(
    last: int,
    rows: Rows,
    trust: keys.Trust,
    gone: Mapping[dt.date, bool],
    head: Head | None,
    using: str,
) -> Report:
    tally, watch = Tally(), _Bounds(head)
    for window in walk.windows(watch.seen(_seals(last, using)), rows, trust=trust, gone=gone):
        tally.add(window)
    tail = walk.tail(rows, watch.until)
    if tail.state is not State.INTACT:
        tally.add(tail)
    for window in (*_unproved(gone, tally), *watch.head_faults()):
        tally.add(window)
    return Report(tally, tail, watch.since, watch.until, last, trust.anchored)


class _Bounds:
    """Notes, as the seals go by, where the chain begins and ends and whether the head is in it."""

    def __init__(self, head: Head | None) -> None:
        self.since: dt.datetime | None = None
        self.until: dt.datetime | None = None
        self._head = head
        self._found: TrailSeal | None = None

    def seen(self, seals: Iterator[TrailSeal]) -> Iterator[TrailSeal]:
        for seal in seals:
            self.since, self.until = self.since or seal.from_at, seal.until_at
            if self._head and seal.number == self._head.number:
                self._found = seal
            yield seal

    def head_faults(self) -> list[Window]:
        if self._head is None or (self._found and self._found.hash == self._head.hash):
            return []
        state = State.ALTERED if self._found else State.MISSING
        reason = Reason.HEAD_CHANGED if self._found else Reason.HEAD_GONE
        until = dt.datetime.fromisoformat(self._head.until)
        return [Window(self._head.number, self.until, until, 0, state, reason)]


def _unproved(gone: Mapping[dt.date, bool], tally: Tally) -> list[Window]:
    """Lines of the ledger that nobody signed, also while the rows they speak of are still there."""
    if tally.counts[State.FORGED]:
        return []
    return [
        Window(None, *ledger.bounds(month), 0, State.FORGED, Reason.FORGED_EXPIRY)
        for month, proved in gone.items()
        if not proved
    ]


def _tally(found: Iterator[Window]) -> Tally:
    tally = Tally()
    for window in found:
        tally.add(window)
    return tally


def _trust(known: Mapping[str, str] | None, using: str) -> keys.Trust:
    rows = TrailKey.objects.using(using).order_by("id")
    return keys.trust(rows, keys.known_here() if known is None else known)


def _newest(using: str) -> int:
    seals = TrailSeal.objects.using(using).order_by("-number")
    return seals.values_list("number", flat=True).first() or 0


def _seals(last: int, using: str) -> Iterator[TrailSeal]:
    seals = TrailSeal.objects.using(using).order_by("number").filter(number__lte=last)
    after = -(2**31)  # also those that somebody numbered below the first
    while batch := list(seals.filter(number__gt=after)[:_BATCH]):
        yield from batch
        after = batch[-1].number


def _between(since: dt.datetime, until: dt.datetime, using: str) -> Iterator[TrailSeal]:
    seals = TrailSeal.objects.using(using).filter(until_at__gt=since, until_at__lte=until)
    return iter(seals.order_by("number"))


def _before(seal: TrailSeal, using: str) -> TrailSeal | None:
    return TrailSeal.objects.using(using).filter(number__lt=seal.number).order_by("-number").first()
