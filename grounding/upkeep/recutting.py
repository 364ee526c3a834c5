"""Documents cut by other rules than their collection's are cut again, one at a time.

A passage may be cited, so nothing is changed in place: the same text becomes the next version, cut
and embedded aside, and takes over in one transaction.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import structlog
from django.db.models import Max

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding.errors import UnreadableFileError
from grounding.intake import indexing, parsing, policies, publishing
from grounding.models import KnowledgeIndex, Version
from grounding.reading.analysis import Language, stored
from grounding.reading.chunking import STANDARD, Piece, Policy
from grounding.retrieval import embedding, spaces
from grounding.upkeep import standing
from opspilot.connectors.errors import ConnectorError
from opspilot.connectors.ports import Embedder
from opspilot.tenancy.scope import tenant_scope

log = structlog.get_logger(__name__)
SYSTEM = "sistema"
BATCH = 16


def drifted(*, after: int = 0, limit: int = 1) -> list[int]:
    """Ids of versions in use that were cut by other rules than their collection's; in the scope."""
    chosen = policies.of_all()
    return [
        found[0]
        for found in standing.rows(
            "drifted",
            collections=list(chosen),
            chunkers=[policy.chunker for policy in chosen.values()],
            standard=STANDARD.chunker,
            after=after,
            limit=limit,
        )
    ]


def step(row: KnowledgeIndex, *, after: int) -> int | None:
    """Cut the next document again and return its version's id; None when none is left. One that
    cannot be read any more, or embedded now, stays as it was and is passed over."""
    with tenant_scope(row.tenant_id):
        found = drifted(after=after)
        if not found:
            return None
        version = Version.objects.select_related("document").get(pk=found[0])
        policy = policies.in_force(version.document.collection_id)
    try:
        _cut(row, version, policy)
    except (UnreadableFileError, ConnectorError) as exc:
        log.warning("a document could not be cut again", version=version.pk, reason=str(exc))
    return version.pk


def _cut(row: KnowledgeIndex, version: Version, policy: Policy) -> None:
    title, pieces = parsing.parse(
        version.text, version.document.name, markdown=_is_markdown(version), policy=policy
    )
    writer = spaces.writer(row.space)
    vectors = _vectors(row, pieces, stored(version.language), writer)
    with tenant_scope(row.tenant_id):
        standing.write(row)
        publishing.one_at_a_time(version.document)
        # Somebody sent a newer text, or deleted the document, while this one was being cut.
        if Version.objects.filter(pk=version.pk, active=True).exists() and pieces:
            _publish(version, _Cut(policy, title, pieces, vectors, writer.space))


def _vectors(
    row: KnowledgeIndex, pieces: list[Piece], language: Language, writer: Embedder
) -> list[list[float]]:
    vectors: list[list[float]] = []
    for first in range(0, len(pieces), BATCH):
        texts = [piece.searched for piece in pieces[first : first + BATCH]]
        vectors += embedding.embed_passages(texts, language, using=writer)
        with tenant_scope(row.tenant_id):
            standing.write(row)
    return vectors


@dataclass(frozen=True, slots=True)
class _Cut:
    """One text by other rules, with its vectors of one space."""

    policy: Policy
    title: str
    pieces: list[Piece]
    vectors: list[list[float]]
    space: str


def _publish(old: Version, cut: _Cut) -> None:
    last = Version.objects.filter(document_id=old.document_id).aggregate(last=Max("number"))["last"]
    new = Version.objects.create(
        tenant_id=old.tenant_id,
        document_id=old.document_id,
        number=last + 1,
        title=cut.title[:255],
        text=old.text,
        sha256=old.sha256,
        text_sha256=old.text_sha256,
        kind=old.kind,
        language=old.language,
        chunker=cut.policy.chunker,
        space=cut.space,
        findings=old.findings,
        published_by=SYSTEM,
    )
    chunks = indexing.write(new, cut.pieces, cut.vectors, stored(old.language))
    indexing.switch(new)
    trail.record(
        trail.Entry(
            correlacao_id=uuid.uuid4(),
            acao="conhecimento.publicado",
            resultado=Result.OK,
            autorizacao=Authorization.REGRA,
            entrada_resumo=SYSTEM,
            saida_resumo=f"{new.title}, versão {new.number}, trechos: {chunks}",
            fontes=[{"arquivo": old.document.name, "sha256": old.sha256}],
            reversivel=True,
        )
    )


def _is_markdown(version: Version) -> bool:
    """What the reader said of it when it came. A PDF's lines mark nothing; a text by its name."""
    named = version.document.name.lower().endswith((".md", ".markdown", ".mkd"))
    return version.kind not in ("text", "pdf") or (version.kind == "text" and named)
