"""Walks seals and rows side by side, oldest first, and says of each window what became of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping

from audit.models import TrailSeal
from audit.seal import ledger, sealing, statements
from audit.seal.keys import Trust
from audit.seal.rows import Rows, Taken
from audit.seal.windows import Reason, State, Window

_EXPIRY: dict[bool | None, tuple[State, Reason | None]] = {
    True: (State.EXPIRED, None),
    False: (State.FORGED, Reason.FORGED_EXPIRY),
    None: (State.MISSING, Reason.WINDOW_EMPTIED),
}
"""What an emptied window is, by what the ledger says of its month: proved, not proved, nothing."""


def windows(
    seals: Iterable[TrailSeal],
    rows: Rows,
    *,
    trust: Trust,
    gone: Mapping[dt.date, bool],
    before: TrailSeal | None = None,
) -> Iterator[Window]:
    """One window for each seal, and one more for each hole before it. The rows that are left in
    `rows` at the end are those that no seal covers yet."""
    for seal in seals:
        hole = _hole(seal, before, rows)
        if hole:
            yield hole
        follows = hole is not None or _follows(seal, before)
        yield _window(seal, rows.take(seal.until_at), trust, gone, follows=follows)
        before = seal


def tail(rows: Rows, since: dt.datetime | None) -> Window:
    """The rows that no seal covers yet: only their own hashes can be checked."""
    taken = rows.take(None)
    if taken.wrong is None:
        return Window(None, since, None, taken.count, State.INTACT)
    return Window(
        None, since, None, taken.count, State.ALTERED, Reason.ROW_CHANGED, row=taken.wrong
    )


def _hole(seal: TrailSeal, before: TrailSeal | None, rows: Rows) -> Window | None:
    """Seals that should stand before this one, or rows from before the first of all."""
    expected = before.number + 1 if before else 1
    since = before.until_at if before else None
    if seal.number > expected:
        taken = rows.take(seal.from_at)
        return Window(expected, since, seal.from_at, taken.count, State.MISSING, Reason.SEAL_GONE)
    if before is None and (taken := rows.take(seal.from_at)).count:
        return Window(
            None, None, seal.from_at, taken.count, State.ALTERED, Reason.ROWS_ADDED, row=taken.first
        )
    return None


def _follows(seal: TrailSeal, before: TrailSeal | None) -> bool:
    if before is None:
        return seal.number == 1 and seal.previous == sealing.GENESIS
    return seal.previous == before.hash and seal.from_at == before.until_at


def _window(
    seal: TrailSeal, taken: Taken, trust: Trust, gone: Mapping[dt.date, bool], *, follows: bool
) -> Window:
    fault = _of_seal(seal, trust, follows=follows)
    state, reason = (State.ALTERED, fault) if fault else _of_rows(seal, taken, gone)
    return Window(
        seal.number,
        seal.from_at,
        seal.until_at,
        taken.count,
        state,
        reason,
        row=taken.wrong if reason is Reason.ROW_CHANGED else None,
        sealed_rows=seal.rows,
    )


def _of_seal(seal: TrailSeal, trust: Trust, *, follows: bool) -> Reason | None:
    statement = sealing.statement(seal)
    if seal.key not in trust.public:
        return Reason.SEAL_UNPROVED
    signed = trust.proves("seal", statement, key=seal.key, signature=seal.signature)
    if not signed or statements.digest("seal", statement) != seal.hash:
        return Reason.SEAL_CHANGED
    return None if follows else Reason.SEAL_OFF_CHAIN


def _of_rows(
    seal: TrailSeal, taken: Taken, gone: Mapping[dt.date, bool]
) -> tuple[State, Reason | None]:
    if taken.count == 0 and seal.rows:
        return _EXPIRY[gone.get(ledger.month_of(seal))]
    if taken.wrong is not None:
        return State.ALTERED, Reason.ROW_CHANGED
    if taken.count != seal.rows:
        fewer = taken.count < seal.rows
        return State.ALTERED, Reason.ROWS_GONE if fewer else Reason.ROWS_ADDED
    if taken.root != seal.root:
        return State.ALTERED, Reason.ROWS_REWRITTEN
    return State.INTACT, None
