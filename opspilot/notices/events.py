"""What about one proposal is to be told now, and what still is when it is about to be told.

The worker's look over all tenants (`worker/migrations/0003_due_notices.py`) says the same in SQL.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from approvals.deciders import escalation
from approvals.models import AgenteAprovacao, Execution, ExecutionState, State
from opspilot.notices.models import Kind, Telling
from opspilot.notices.timing import warn_at

LATE = dt.timedelta(days=1)  # a decision nobody was told of for so long is no news any more
TOLD_STATES = frozenset({State.APROVADA, State.RECUSADA, State.DEVOLVIDA, State.EXPIRADA})
WAITING = frozenset({Kind.PENDENTE, Kind.ALERTA, Kind.ESCALADA})
"""Kinds that speak of a decision still to be made."""


@dataclass(frozen=True, slots=True)
class Event:
    """`about` is the role a decision was given to; nothing for the other kinds."""

    kind: Kind
    about: str = ""


def due(*, proposal: AgenteAprovacao, now: dt.datetime) -> list[Event]:
    """Everything that holds now and was not told yet."""
    rows = Telling.objects.filter(approval=proposal).values_list("kind", "about")
    told = {Event(Kind(kind), about) for kind, about in rows}
    return [event for event in _happened(proposal, now) if event not in told]


def waits(*, proposal: AgenteAprovacao, now: dt.datetime) -> bool:
    return proposal.estado == State.PENDENTE and now < proposal.expira_em


def is_unclear(*, proposal: AgenteAprovacao) -> bool:
    """Whether the effect waits for a person: unknown and no longer looked up, or another one."""
    unknown = Execution.objects.filter(
        approval=proposal, state=ExecutionState.DESCONHECIDA, next_lookup_at=None
    )
    other = Execution.objects.filter(approval=proposal, state=ExecutionState.DIVERGENTE)
    return (unknown | other).exists()


def _happened(proposal: AgenteAprovacao, now: dt.datetime) -> Iterator[Event]:
    if waits(proposal=proposal, now=now):
        yield Event(Kind.PENDENTE)
        if now >= warn_at(created=proposal.criada_em, expires=proposal.expira_em):
            yield Event(Kind.ALERTA)
        for row in escalation.of(proposal=proposal):
            yield Event(Kind.ESCALADA, row.to_role)
    decided = proposal.decidida_em
    if proposal.estado in TOLD_STATES and decided is not None and now < decided + LATE:
        yield Event(Kind.DECISAO)
    if is_unclear(proposal=proposal):
        yield Event(Kind.RESULTADO)
