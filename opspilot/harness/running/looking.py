"""A run's search: by the requester's roles of now, over what they asked for, with a receipt."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from grounding import recalling
from grounding.access import askers, readable
from grounding.access.askers import Asker
from grounding.answers import modelled
from grounding.consulting import consultar_grounding
from grounding.contract import Contexto
from grounding.retrieval.consult import Grounded, Query
from grounding.retrieval.coverage import Level
from opspilot.connectors.errors import RefusedByRemoteError
from opspilot.harness.models import Run
from opspilot.harness.planning.port import MAX_QUERY, Passage
from opspilot.harness.running import claims
from opspilot.tenancy.scope import tenant_scope


@dataclass(frozen=True, slots=True)
class Found:
    """What one search found, and its receipt."""

    query: Query | None
    grounded: Grounded
    receipt: UUID

    @property
    def level(self) -> Level:
        return self.grounded.coverage.level


def look(run: Run, query: str) -> Found:
    """By the worker that holds the run, with no transaction open. Raises LateRunError where it holds
    it no longer, UnavailableError where the embedder does not answer, RefusedByRemoteError where it
    refuses the text."""
    with tenant_scope(run.tenant_id):
        claims.hold(run)
        asked = readable.slugs_of(run.collections)
    context = Contexto(agente_id=run.requester, escopos_permitidos=asked)
    found = consultar_grounding(whole(run, query), context, asker=_asker(run))
    return Found(found.query, found.grounded, found.recibo)


def again(run: Run, query: str, receipt: UUID) -> Found | None:
    """What the search of this receipt found, as far as the requester may read it now; None where it
    was not kept, or where the embedder refuses the text by now. As `look`."""
    with tenant_scope(run.tenant_id):
        claims.hold(run)
    try:
        kept = recalling.recall(whole(run, query), receipt=receipt, asker=_asker(run))
    except RefusedByRemoteError:
        return None
    return Found(kept.query, kept.grounded, receipt) if kept else None


def whole(run: Run, query: str) -> str:
    """A planner that looks for the request itself can say no more than MAX_QUERY characters of it; a
    pasted log is searched as it came."""
    is_whole = query.strip() == run.question[:MAX_QUERY].strip()
    return run.question if is_whole else query


def passages(found: Found) -> tuple[Passage, ...]:
    """As many as an answerer reads, numbered from 1."""
    return tuple(
        Passage(number, source.title, tuple(source.heading_path), source.text)
        for number, source in enumerate(found.grounded.sources[: modelled.SHOWN], 1)
    )


def _asker(run: Run) -> Asker:
    return askers.of_run(
        tenant_id=run.tenant_id, subject=run.requester, name=run.requester_name, run=run.ref
    )
