"""Reading the trail is a row of the trail."""

from __future__ import annotations

from audit import entities, trail
from audit.models import Entity
from opspilot.tenancy.principal import Principal


def record(
    principal: Principal,
    *,
    entity_type: str | None = None,
    entity_id: str | None = None,
    what: str | None = None,
) -> None:
    """A row of its own, outside the run that was read: the story read does not grow by reading."""
    trail.record_act(
        principal,
        "historico.lido",
        entidade_tipo=entity_type,
        entidade_id=entity_id,
        saida_resumo=what,
    )


def record_lookup(principal: Principal, found: Entity | None) -> None:
    """Somebody asked for a document number: found or not, and never which number (I9)."""
    record(
        principal,
        entity_type=entities.CUSTOMER,
        entity_id=str(found.ref) if found else None,
        what="procurado pelo documento",
    )
