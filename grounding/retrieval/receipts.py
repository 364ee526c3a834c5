"""Writes and reads the receipts of consults: what was seen, never what was asked."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings

from grounding.access import readable
from grounding.access.askers import Asker
from grounding.access.readable import Who
from grounding.models import Receipt
from grounding.retrieval.consult import Query
from grounding.retrieval.coverage import Coverage
from grounding.retrieval.filters import Filters
from grounding.retrieval.search import Source
from opspilot import request_id
from opspilot.errors import NotFoundError
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import RECEIPT_READERS

USABLE = dt.timedelta(hours=24)
"""How long after a consult something may be proposed on it."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Everything about one consult but who asked."""

    text: str
    collections: Sequence[int]
    not_granted: int
    top_k: int
    filters: Filters
    query: Query | None
    coverage: Coverage
    passages: Sequence[Source]
    scores: Mapping[int, float]
    latency_ms: Mapping[str, int]


def keep(asker: Asker, seen: Seen) -> Receipt:
    level = seen.coverage
    return Receipt.objects.create(
        tenant_id=asker.tenant_id,
        run=asker.run,
        asker=asker.subject,
        asker_name=asker.name,
        query_hmac=fingerprint(asker.tenant_id, seen.text),
        grants=readable.state(),
        collections=list(seen.collections),
        not_granted=seen.not_granted,
        filters=seen.filters.as_json(),
        top_k=seen.top_k,
        passages=[_passage(source, seen.scores) for source in seen.passages],
        space=seen.query.space if seen.query else "",
        chunkers=sorted({source.chunker for source in seen.passages}),
        calibration=level.calibration,
        coverage=level.level,
        probability=level.probability,
        reasons=list(level.reasons),
        latency_ms=dict(seen.latency_ms),
        request_id=request_id.current()[:64],
    )


def fingerprint(tenant_id: UUID, text: str) -> str:
    """Tells the same question of the same company again, and says nothing of its words."""
    key = settings.OPSPILOT_HMAC_KEY.encode()
    return hmac.new(key, f"consulta:{tenant_id}:{text}".encode(), hashlib.sha256).hexdigest()


def receipt(*, principal: Principal, ref: UUID) -> Receipt:
    """For who asked and for those who audit; for anybody else there is none."""
    found = Receipt.objects.filter(ref=ref).first()
    if found is None or not may_read(principal, found):
        raise NotFoundError
    return found


def own(*, who: Who, ref: UUID) -> Receipt:
    """One's own and lately: what a proposal may rest on. Raises NotFoundError for any other."""
    since = clock.now() - USABLE
    found = Receipt.objects.filter(ref=ref, asker=who.subject, at__gte=since).first()
    if found is None:
        raise NotFoundError
    return found


def evidence(receipt: Receipt) -> list[dict[str, Any]]:
    """Its passages as a proposal keeps them."""
    names = ("trecho", "versao", "sha256", "inicio", "fim")
    return [{name: item[name] for name in names} for item in receipt.passages]


def of_run(*, principal: Principal, run: UUID) -> Receipt | None:
    """The newest of a run that they may read: a worker that died may have left an earlier one."""
    found = Receipt.objects.filter(run=run).order_by("-pk").first()
    return found if found is not None and may_read(principal, found) else None


def may_read(principal: Principal, found: Receipt) -> bool:
    return found.asker == principal.subject or principal.has(*RECEIPT_READERS)


def _passage(source: Source, scores: Mapping[int, float]) -> dict[str, Any]:
    score = scores.get(source.chunk_id)
    return {
        "trecho": source.chunk_id,
        "versao": source.version_id,
        "sha256": source.sha256,
        "inicio": source.start,
        "fim": source.end,
        "pontos": None if score is None else round(score, 4),
    }
