"""The seals over the rows of a run, with the way from each row up to the root that was signed."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.db import connection

from audit.models import TrailExpiry, TrailKey, TrailSeal
from audit.seal import sealing
from audit.trace.merkle_paths import PathTree
from audit.trace.proof_document import Seal, Step
from audit.trace.run_texts import RowText
from opspilot.tenancy.scope import current_tenant_id
from opspilot.tenancy.sql import named

_SQL = Path(__file__).parents[1] / "sql" / "window_hashes.sql"
_PAGE = 2_000  # rows in memory at a time


def over(rows: Sequence[RowText]) -> list[Seal]:
    """One of each window that holds some of the rows, oldest first; none of what is not sealed yet."""
    if not rows:
        return []
    found = TrailSeal.objects.filter(until_at__gt=rows[0].at, from_at__lte=rows[-1].at)
    keys = dict(TrailKey.objects.values_list("fingerprint", "public_key"))
    return [
        _seal(seal, inside, keys.get(seal.key, ""))
        for seal in found.order_by("number")
        if (inside := {row.id for row in rows if seal.from_at <= row.at < seal.until_at})
    ]


def sealed_until() -> dt.datetime | None:
    newest = TrailSeal.objects.order_by("-number").values_list("until_at", flat=True)
    return newest.first()


def expired_months(*, since: dt.datetime) -> list[str]:
    """As YYYY-MM, from the month of `since` on, by the ledger of what went by law."""
    months = TrailExpiry.objects.filter(until_at__gt=since).order_by("month")
    return [f"{month:%Y-%m}" for month in months.values_list("month", flat=True)]


def _seal(seal: TrailSeal, wanted: set[int], public_key: str) -> Seal:
    tree = PathTree()
    for number, leaf in _hashes(seal):
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


def _hashes(seal: TrailSeal) -> Iterator[tuple[int, bytes]]:
    """A window may hold any number of rows: a few thousand are in memory at once."""
    values = {"tenant_id": current_tenant_id(), "since": seal.from_at, "until": seal.until_at}
    connection.ensure_connection()
    with connection.connection.cursor(name=f"window_{uuid.uuid4().hex}") as cursor:
        cursor.itersize = _PAGE
        cursor.execute(named(_SQL), values)
        for number, leaf in cursor:
            yield number, bytes(leaf)
