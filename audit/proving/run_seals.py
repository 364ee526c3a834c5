"""The seals over the rows of a run, with the way from each row up to the root that was signed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from time import monotonic

from audit.models import TrailKey, TrailSeal
from audit.months import ledger
from audit.proving.errors import SealsTooSlowError
from audit.proving.merkle_paths import PathTree
from audit.proving.proof_document import PresentedKey, Seal, Step
from audit.proving.run_texts import RowText
from audit.seal import sealing
from audit.time_limit import limited
from opspilot.tenancy.scope import current_tenant_id
from opspilot.tenancy.sql import named, server_side

_SQL = Path(__file__).parents[1] / "sql" / "window_hashes.sql"
_PAGE = 2_000  # rows in memory at a time


def over(rows: Sequence[RowText], *, seconds: float | None = None) -> list[Seal]:
    """One of each window that holds some of the rows, oldest first; none of what is not sealed yet.

    Raises SealsTooSlowError when it takes longer than `seconds` (one page more, at worst).
    """
    if not rows:
        return []
    found = TrailSeal.objects.filter(until_at__gt=rows[0].at, from_at__lte=rows[-1].at)
    keys = dict(TrailKey.objects.values_list("fingerprint", "public_key"))
    end = None if seconds is None else monotonic() + seconds
    with nullcontext() if seconds is None else limited(SealsTooSlowError, seconds=seconds):
        return [
            _seal(seal, inside, keys.get(seal.key, ""), end)
            for seal in found.order_by("number")
            if (inside := {row.id for row in rows if seal.from_at <= row.at < seal.until_at})
        ]


def presented() -> list[PresentedKey]:
    """The keys of the scope's company that an earlier one presented, in their order."""
    rows = TrailKey.objects.exclude(endorsed_by="").order_by("pk")
    return [
        PresentedKey(
            chave_publica=row.public_key,
            apresentada_por=row.endorsed_by,
            assinatura=row.endorsement,
        )
        for row in rows
    ]


def sealed_until() -> dt.datetime | None:
    newest = TrailSeal.objects.order_by("-number").values_list("until_at", flat=True)
    return newest.first()


def expired_months(*, since: dt.datetime) -> list[str]:
    """As YYYY-MM, from the month of `since` on, by the ledger of what went by law. A month that it
    has a line of and that is still there is not gone."""
    return [f"{line.month:%Y-%m}" for line in ledger.gone() if line.until_at > since]


def _seal(seal: TrailSeal, wanted: set[int], public_key: str, end: float | None) -> Seal:
    tree = PathTree()
    for number, leaf in _hashes(seal, end):
        tree.add(leaf, wanted=number if number in wanted else None)
    return Seal(
        declaracao=sealing.statement(seal),
        assinatura=seal.signature,
        chave_publica=public_key,
        caminhos={
            str(number): [Step(lado=side, hash=other) for side, other in path]
            for number, path in tree.close().items()
        },
    )


def _hashes(seal: TrailSeal, end: float | None) -> Iterator[tuple[int, bytes]]:
    """A window may hold any number of rows: a few thousand are in memory at once."""
    values = {"tenant_id": current_tenant_id(), "since": seal.from_at, "until": seal.until_at}
    with server_side(page=_PAGE) as cursor:
        cursor.execute(named(_SQL), values)
        while page := cursor.fetchmany(_PAGE):
            yield from ((number, bytes(leaf)) for number, leaf in page)
            if end is not None and monotonic() > end:
                raise SealsTooSlowError
