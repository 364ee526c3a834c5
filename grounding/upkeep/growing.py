"""A large company's vectors: a partition of their own with an approximate index, and every night the
question whether that index still finds what an exact search finds (ADR 0016)."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from typing import Any

import structlog
from django.conf import settings
from django.db import OperationalError, connections
from django.db.models.functions import Now

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding.models import KnowledgeIndex, Search
from grounding.retrieval import search
from grounding.upkeep import standing
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
FLOOR = 0.95  # of what an exact search finds among its first ten
QUESTIONS = 40
_DEPTH = 10
LONGEST = dt.timedelta(minutes=30)  # a build may take, and nobody else takes the row meanwhile


def is_large(vectors: int) -> bool:
    return 0 < settings.OPSPILOT_APPROXIMATE_FROM <= vectors


def grow(row: KnowledgeIndex, vectors: int) -> None:
    """Begin to search approximately, or check that it still may. Without a maintenance connection
    there is nobody to build, and the search stays exact."""
    if row.search == Search.APPROXIMATE or (
        row.search == Search.EXACT and is_large(vectors) and _built(row)
    ):
        _judge(row, measure(row))


def measure(row: KnowledgeIndex) -> float:
    """The share of the exact search's first ten that the approximate one finds too."""
    found = wanted = 0
    with tenant_scope(row.tenant_id):
        for question in _questions(row):
            exact = {one.chunk_id for one in search.vector(embedding=question, **_asked(row))}
            near = search.vector(embedding=question, approximate=True, **_asked(row))
            found += len(exact & {one.chunk_id for one in near})
            wanted += len(exact)
    return found / wanted if wanted else 1.0


def _questions(row: KnowledgeIndex) -> list[list[float]]:
    seed = clock.now().date().isoformat()
    drawn = standing.rows("samples", space=row.space, seed=seed, limit=QUESTIONS)
    return [json.loads(vector) for (vector,) in drawn]


def _asked(row: KnowledgeIndex) -> dict[str, Any]:
    return {"space": row.space, "collections": standing.everywhere(), "limit": _DEPTH}


def _judge(row: KnowledgeIndex, recall: float) -> None:
    """Below the floor it is turned off at once, and the trail says so."""
    good = recall >= FLOOR
    state = Search.APPROXIMATE if good else Search.TURNED_OFF
    changed = state != row.search
    with tenant_scope(row.tenant_id):
        standing.write(row, search=state, recall=recall, recalled_at=Now())
        if changed:
            _record(good=good, recall=recall)
    if not good:
        log.error("the approximate search is turned off", recall=round(recall, 3), floor=FLOOR)
        _maintained("SELECT drop_vector_index(%s, %s)", row.tenant_id, row.space)


def _record(*, good: bool, recall: float) -> None:
    share = f"acha {recall:.1%} do que a busca exata acha; o mínimo é {FLOOR:.0%}"
    trail.record(
        trail.Entry(
            correlacao_id=uuid.uuid4(),
            acao="indice.acelerado" if good else "indice.desligado",
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            saida_resumo=f"Busca aproximada {'ligada' if good else 'desligada'}: {share}",
            reversivel=True,
        )
    )


def _built(row: KnowledgeIndex) -> bool:
    with tenant_scope(row.tenant_id):
        standing.hold_for(row, LONGEST)
    if not _maintained("SELECT part_vectors(%s)", row.tenant_id):
        return False
    return _maintained("SELECT build_vector_index(%s, %s)", row.tenant_id, row.space)


def _maintained(statement: str, *values: Any) -> bool:
    """By the maintenance role. False: there is none here, or readers kept the table too long; the
    next night tries again."""
    if "maintenance" not in connections.settings:
        log.warning("no DATABASE_URL_MAINTENANCE: a large company stays with the exact search")
        return False
    try:
        with connections["maintenance"].cursor() as cursor:
            cursor.execute(statement, values)
    except OperationalError as exc:
        log.warning("the vectors are in use, another night", reason=str(exc))
        return False
    return True
