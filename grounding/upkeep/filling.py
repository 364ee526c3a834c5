"""Vectors of another space beside those in use, a few passages at a time, then the switch.

Questions stay in the old space until the last passage has its vector. An embedder that does not
answer leaves everything as it is; what was filled stays and the rest follows.
"""

from __future__ import annotations

import uuid
from itertools import groupby

from django.db.models.functions import Now

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding.intake import indexing
from grounding.models import Chunk, KnowledgeIndex
from grounding.reading.analysis import stored
from grounding.retrieval import embedding, spaces
from grounding.upkeep import standing
from opspilot.connectors.errors import RefusedByRemoteError, UnavailableError
from opspilot.tenancy.scope import tenant_scope

BATCH = 16  # passages: on a busy machine one batch takes ten seconds
_FORGOTTEN = 2_000  # vectors removed in one transaction
SILENT, REFUSED, NOBODY = "sem_resposta", "texto_recusado", "sem_modelo"


def aim(row: KnowledgeIndex) -> None:
    """Fill what the settings want, or give up a space that they want no longer; in the scope."""
    wanted = embedding.embedder().space
    target = "" if wanted == row.space else wanted
    if target != row.target:
        started = Now() if target else None
        standing.write(row, target=target, done=0, total=0, fault="", started_at=started)


def step(row: KnowledgeIndex) -> bool:
    """One batch of the space that fills, or of what was published beside it. False: nothing is left,
    or nobody answers."""
    space = row.target or row.space
    with tenant_scope(row.tenant_id):
        missing = standing.rows("missing", space=space, limit=BATCH)
    if not missing:
        return bool(row.target) and _switched(row)
    fault = _fill(row, space, missing)
    with tenant_scope(row.tenant_id):
        done, total = standing.rows("filled", space=space)[0]
        standing.write(row, done=done, total=total, fault=fault)
    return not fault


def forget(row: KnowledgeIndex) -> bool:
    """Remove some vectors of spaces that are out of use. False: none is left."""
    with tenant_scope(row.tenant_id):
        kept = [space for space in (row.space, row.target) if space]
        gone = standing.rows("forget", kept=kept, limit=_FORGOTTEN)
        if not gone and row.previous:
            standing.write(row, previous="")
    return bool(gone)


def _fill(row: KnowledgeIndex, space: str, missing: list[tuple[int, str, str]]) -> str:
    """The code of what kept it from being done, or nothing."""
    embedder = spaces.embedder_of(space)
    if embedder is None:
        return NOBODY
    try:
        for language, group in groupby(sorted(missing, key=lambda one: one[2]), lambda one: one[2]):
            passages = list(group)
            texts = [one[1] for one in passages]
            vectors = embedding.embed_passages(texts, stored(language), using=embedder)
            with tenant_scope(row.tenant_id):
                _write(row, space, dict(zip([one[0] for one in passages], vectors, strict=True)))
    except UnavailableError:
        return SILENT
    except RefusedByRemoteError:
        return REFUSED
    return ""


def _write(row: KnowledgeIndex, space: str, vectors: dict[int, list[float]]) -> None:
    """A document that was deleted meanwhile takes nothing back."""
    chunks = list(Chunk.objects.filter(pk__in=vectors).only("pk", "tenant_id"))
    indexing.write_vectors(chunks, [vectors[chunk.pk] for chunk in chunks], space=space)


def _switched(row: KnowledgeIndex) -> bool:
    with tenant_scope(row.tenant_id):
        target = row.target
        if not standing.rows("switch", space=target):
            return True  # something was published meanwhile: another batch
        trail.record(
            trail.Entry(
                correlacao_id=uuid.uuid4(),
                acao="indice.trocado",
                resultado=Result.OK,
                autorizacao=Authorization.REGRA,
                saida_resumo=f"{row.space} → {target}",
                reversivel=True,
            )
        )
        row.refresh_from_db()
    return True
