"""What about one proposal is to be told now, and what still is when it is about to be told.

The worker's look over all tenants (`worker/migrations/0003_due_notices.py`) says the same in SQL.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

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


def due(
    *, proposals: Sequence[AgenteAprovacao], now: dt.datetime
) -> list[tuple[AgenteAprovacao, Event]]:
    """Everything of them that holds now and was not told yet: of many with as few questions as of one."""
    told, facts = _told(proposals), _facts(proposals, now)
    return [
        (proposal, event)
        for proposal in proposals
        for event in _happened(proposal, now, facts)
        if (proposal.pk, event) not in told
    ]


def waits(*, proposal: AgenteAprovacao, now: dt.datetime) -> bool:
    return proposal.estado == State.PENDENTE and now < proposal.expira_em


def is_unclear(*, proposal: AgenteAprovacao) -> bool:
    """Whether the effect waits for a person: unknown and no longer looked up, or another one."""
    return bool(_unclear([proposal]))


@dataclass(frozen=True, slots=True)
class _Facts:
    """Of these proposals: the roles each was given to, and those whose effect is unclear."""

    given: Mapping[int, list[str]]
    unclear: frozenset[int]


def _facts(proposals: Sequence[AgenteAprovacao], now: dt.datetime) -> _Facts:
    waiting = [proposal for proposal in proposals if waits(proposal=proposal, now=now)]
    given: dict[int, list[str]] = {}
    for row in escalation.of_all(proposals=waiting):
        given.setdefault(row.approval_id, []).append(row.to_role)
    return _Facts(given, _unclear(proposals))


def _unclear(proposals: Sequence[AgenteAprovacao]) -> frozenset[int]:
    unknown = Q(state=ExecutionState.DESCONHECIDA, next_lookup_at=None)
    other = Q(state=ExecutionState.DIVERGENTE)
    found = Execution.objects.filter(unknown | other, approval__in=[p.pk for p in proposals])
    return frozenset(found.values_list("approval_id", flat=True))


def _told(proposals: Sequence[AgenteAprovacao]) -> frozenset[tuple[int, Event]]:
    rows = Telling.objects.filter(approval__in=[proposal.pk for proposal in proposals])
    return frozenset(
        (number, Event(Kind(kind), about))
        for number, kind, about in rows.values_list("approval_id", "kind", "about")
        if number is not None
    )


def _happened(proposal: AgenteAprovacao, now: dt.datetime, facts: _Facts) -> Iterator[Event]:
    if waits(proposal=proposal, now=now):
        yield Event(Kind.PENDENTE)
        if now >= warn_at(created=proposal.criada_em, expires=proposal.expira_em):
            yield Event(Kind.ALERTA)
        for role in facts.given.get(proposal.pk, ()):
            yield Event(Kind.ESCALADA, role)
    decided = proposal.decidida_em
    if proposal.estado in TOLD_STATES and decided is not None and now < decided + LATE:
        yield Event(Kind.DECISAO)
    if proposal.pk in facts.unclear:
        yield Event(Kind.RESULTADO)
