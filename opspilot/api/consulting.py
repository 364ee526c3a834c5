"""An agent's consult: the same function as the console's own, under the agent's grants."""

from __future__ import annotations

from dataclasses import asdict

from grounding.access import askers
from grounding.consulting import consultar_grounding
from grounding.contract import Contexto, Resultado
from grounding.retrieval.filters import Filters
from opspilot.api.entry import Visitor
from opspilot.api.errors import EmbedderSilentError, OtherAgentError
from opspilot.api.grounding_contract import (
    ChunkOut,
    ContextIn,
    FiltersIn,
    GroundingIn,
    GroundingOut,
)
from opspilot.connectors.errors import UnavailableError
from opspilot.presentation.normal_form import nfc
from opspilot.resilience import shedding
from opspilot.resilience.shedding import Work


def consult(*, visitor: Visitor, data: GroundingIn) -> GroundingOut:
    """Opens its own scopes: nothing may be open while the question is translated and embedded."""
    if data.contexto.agente_id != visitor.principal.slug:
        raise OtherAgentError
    shedding.admit(Work.CONSULT)
    asker = askers.asker(visitor.principal)
    try:
        found = consultar_grounding(_text(data.query), _context(data.contexto), asker=asker)
    except UnavailableError as exc:
        raise EmbedderSilentError from exc
    return _shown(found)


def _text(query: str) -> str:
    """As a person's question is written down."""
    return nfc(query.replace("\r\n", "\n")).strip()


def _context(given: ContextIn) -> Contexto:
    asked = given.escopos_permitidos
    return Contexto(
        agente_id=given.agente_id,
        escopos_permitidos=None if asked is None else tuple(asked),
        top_k=given.top_k,
        filtros=_filters(given.filtros or FiltersIn()),
    )


def _filters(given: FiltersIn) -> Filters:
    period = given.data
    return Filters(
        since=period.de if period else None,
        until=period.ate if period else None,
        kind=given.tipo or "",
        owner=given.dono or "",
    )


def _shown(found: Resultado) -> GroundingOut:
    return GroundingOut(
        chunks=[ChunkOut(**asdict(chunk)) for chunk in found.chunks],
        cobertura=found.cobertura,
        indices_consultados=list(found.indices_consultados),
        recibo=found.recibo,
        cobertura_probabilidade=found.probabilidade,
        cobertura_motivos=list(found.motivos),
        calibracao=found.calibracao,
        nao_concedidos=found.nao_concedidos,
    )
