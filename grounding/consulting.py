"""`consultar_grounding`: the one way from a question to passages, for the page, the harness and the
API. Whoever asks gets only what is granted to them, and every consult leaves a receipt."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from audit import trail
from audit.vocabulary import Authorization, Result
from grounding.access.askers import Asker
from grounding.access.readable import Readable
from grounding.contract import MAX_TOP_K, Contexto, Resultado, Trecho
from grounding.models import Receipt
from grounding.retrieval import consult, coverage, receipts
from grounding.retrieval.consult import Grounded, Query
from grounding.retrieval.coverage import Coverage
from grounding.retrieval.receipts import Seen
from grounding.retrieval.search import Source
from opspilot.tenancy.principal import signature
from opspilot.tenancy.scope import tenant_scope

RULE = "consulta-1"
PARTS = ("acesso", "preparo", "busca")  # what is timed, in this order
# As people read it in the trail; the code stays in the receipt.
LEVELS = {"alta": "alta", "media": "média", "baixa": "baixa", "nenhuma": "nenhuma"}


@dataclass(slots=True)
class _Clock:
    """Milliseconds by part, from one mark to the next."""

    parts: dict[str, int] = field(default_factory=dict)
    last: float = field(default_factory=time.monotonic)

    def mark(self, part: str) -> None:
        now = time.monotonic()
        self.parts[part] = int((now - self.last) * 1000)
        self.last = now


def consultar_grounding(query: str, contexto: Contexto, *, asker: Asker) -> Resultado:
    """Holds no transaction while it translates and embeds; opens its own scopes, and must not be
    called inside one. Where nothing that was asked for is granted, nothing is searched.

    Raises UnavailableError when the embedder does not answer: then nothing was consulted.
    """
    clock = _Clock()
    with tenant_scope(asker.tenant_id):
        granted, refused = _scopes(asker, contexto)
        clock.mark("acesso")
        if not granted:
            return _kept(asker, contexto, granted, refused, _Looked(query, None, _nothing(), clock))
    prepared = consult.prepare(query, tenant_id=asker.tenant_id)
    clock.mark("preparo")
    with tenant_scope(asker.tenant_id):
        granted, refused = _scopes(asker, contexto)
        found = _search(prepared, contexto, granted)
        clock.mark("busca")
        return _kept(asker, contexto, granted, refused, _Looked(query, prepared, found, clock))


@dataclass(frozen=True, slots=True)
class _Looked:
    text: str
    query: Query | None
    grounded: Grounded
    clock: _Clock


def _scopes(asker: Asker, contexto: Contexto) -> tuple[list[Readable], int]:
    """What is granted and asked for, and how much was asked for and is not granted."""
    mine, asked = asker.reads(), contexto.escopos_permitidos
    if asked is None:
        return mine, 0
    granted = [one for one in mine if one.slug in asked]
    return granted, len(set(asked)) - len(granted)


def _search(query: Query, contexto: Contexto, granted: Sequence[Readable]) -> Grounded:
    if not granted:
        return _nothing()
    return consult.consult(
        query=query,
        collections=[one.id for one in granted],
        filters=contexto.filtros,
        limit=_limit(contexto),
    )


def _limit(contexto: Contexto) -> int:
    """Coverage is judged on the first few, however few were asked for."""
    return max(coverage.BEST, min(contexto.top_k, MAX_TOP_K))


def _nothing() -> Grounded:
    return Grounded(
        sources=[],
        coverage=Coverage("nenhuma", 0.0, ("nothing_found",), coverage.CALIBRATION),
        idf={},
    )


def _kept(
    asker: Asker, contexto: Contexto, granted: Sequence[Readable], refused: int, looked: _Looked
) -> Resultado:
    """The receipt, the trail's row where the consult is the act itself, and the answer."""
    found = looked.grounded
    ranked = found.ranked[: contexto.top_k]
    seen = Seen(
        text=looked.text,
        collections=[one.id for one in granted],
        not_granted=refused,
        top_k=contexto.top_k,
        filters=contexto.filtros,
        query=looked.query,
        coverage=found.coverage,
        passages=ranked if asker.run is None else _all(found),
        scores=found.scores,
        latency_ms=looked.clock.parts,
    )
    kept = receipts.keep(asker, seen)
    if asker.run is None:
        _record(asker, kept)
    return Resultado(
        chunks=tuple(_passage(source, found.scores) for source in ranked),
        cobertura=found.coverage.level,
        indices_consultados=tuple(one.slug for one in granted),
        recibo=kept.ref,
        probabilidade=found.coverage.probability,
        motivos=found.coverage.reasons,
        calibracao=found.coverage.calibration,
        nao_concedidos=refused,
        query=looked.query,
        grounded=found,
    )


def _all(found: Grounded) -> list[Source]:
    """What was found and what an answerer may read beside it, once each."""
    return list({source.chunk_id: source for source in (*found.ranked, *found.sources)}.values())


def _passage(source: Source, scores: dict[int, float]) -> Trecho:
    return Trecho(
        texto=source.text,
        score=round(scores[source.chunk_id], 4),
        fonte=f"{source.collection_slug}/{source.document_name}",
        metadados={
            "documento": str(source.document_ref),
            "titulo": source.title,
            "versao": source.version_number,
            "trecho": source.ordinal + 1,
            "inicio": source.start,
            "fim": source.end,
            "sha256": source.sha256,
            "secao": list(source.heading_path),
            "colecao": source.collection_slug,
            "idioma": source.language,
            "tipo": source.kind,
            "dono": source.owner,
            "data": source.day.isoformat(),
        },
    )


def _record(asker: Asker, kept: Receipt) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=kept.ref,
            acao="conhecimento.consultado",
            agente=asker.agent or trail.CONSOLE,
            resultado=Result.OK if kept.coverage != "nenhuma" else Result.RECUSADO,
            autorizacao=Authorization.REGRA,
            instrucao_hash=trail.rule_hash(RULE),
            fontes=[*receipts.evidence(kept), receipt_source(kept.ref)],
            entrada_resumo=signature(asker.name, asker.subject),
            saida_resumo=f"cobertura: {LEVELS[kept.coverage]}; trechos: {len(kept.passages)}",
            duracao_ms=sum(kept.latency_ms.values()),
        )
    )


def receipt_source(ref: UUID) -> dict[str, str]:
    """How a row of the trail points at its receipt, among its sources."""
    return {"recibo": str(ref)}
