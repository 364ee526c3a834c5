"""A company's index row: made when it is first needed, held by one claim at a time."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Now

from grounding.models import Collection, KnowledgeIndex, Version
from grounding.retrieval import embedding
from opspilot.queue import wake
from opspilot.tenancy import lease, sql
from opspilot.tenancy.scope import current_tenant_id

_SQL = Path(__file__).parent / "sql"


class LateUpkeepError(RuntimeError):
    """Another worker has the index in hand now; nothing is written."""


def made() -> KnowledgeIndex:
    """The row of the scope's company. Its space is that of what is published already."""
    published = Version.objects.filter(active=True).order_by("-pk").values_list("space", flat=True)
    row, _ = KnowledgeIndex.objects.get_or_create(
        tenant_id=current_tenant_id(),
        defaults={"space": published.first() or embedding.embedder().space},
    )
    return row


def hurry(*, whole: bool = False) -> None:
    """The worker looks at the index now; `whole` makes it measure everything again."""
    row = made()
    again: dict[str, Any] = {"looked_at": None} if whole else {}
    KnowledgeIndex.objects.filter(pk=row.pk).update(next_at=Now(), **again)
    wake("index")


def claim(index_id: int) -> KnowledgeIndex | None:
    return lease.claim(KnowledgeIndex.objects.filter(lease.free(), pk=index_id, next_at__lte=Now()))


def mine(row: KnowledgeIndex) -> QuerySet[KnowledgeIndex, KnowledgeIndex]:
    return KnowledgeIndex.objects.filter(pk=row.pk, claim_token=row.claim_token)


def write(row: KnowledgeIndex, **values: Any) -> None:
    """What the holder found, here and in the database; the claim goes on."""
    if not lease.renew(mine(row), **values):
        raise LateUpkeepError(row.pk)
    for name, value in values.items():
        setattr(row, name, value)


def hold_for(row: KnowledgeIndex, time: dt.timedelta) -> None:
    """For work of one long statement, which cannot renew meanwhile."""
    if not mine(row).filter(lease_until__gt=Now()).update(lease_until=Now() + time):
        raise LateUpkeepError(row.pk)


def rows(name: str, **parameters: Any) -> list[tuple[Any, ...]]:
    return sql.rows(_SQL / f"{name}.sql", **parameters)


def everywhere() -> list[int]:
    """Ids of all collections of the scope's company."""
    return list(Collection.objects.values_list("pk", flat=True))
