"""Reads of one queue: its rows, its size, the place of a proposal in it, what came and what left."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, IntegerField, Max, Q, QuerySet, Value, When

from approvals.models import AgenteAprovacao, Decision, Execution, ExecutionState, State
from approvals.queue_url import NO_COVERAGE, Queue
from opspilot.tenancy.principal import Principal

LIMIT = 100
WALK = 1000  # how deep j and k reach
NEWEST = 2000  # how many rows the choices of the filters are taken from
_CALLING = ("para-mim", "andamento", "desconhecido")
# When a row entered the tab; a tab that is not here keeps no such moment.
_ENTERED = dict.fromkeys(("para-mim", "minhas", "todas"), "criada_em") | {
    "decididas": "decidida_em"
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a proposal stands; position 0 = outside, and then `following` is the first."""

    position: int
    length: int
    previous: UUID | None
    following: UUID | None


@dataclass(frozen=True, slots=True)
class Mark:
    """The state of a queue at the moment it was shown."""

    newest: dt.datetime | None
    size: int


@dataclass(frozen=True, slots=True)
class News:
    came: int
    left: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Values of one combination that occurs in a tab."""

    risco: str
    alvo: str
    solicitante: str
    solicitante_nome: str
    cobertura: str


def ordered(*, principal: Principal, queue: Queue) -> QuerySet[AgenteAprovacao]:
    """By deadline and then by risk; tabs that look back, newest first."""
    return rows(principal=principal, queue=queue).order_by(*_order(queue.tab))


def rows(*, principal: Principal, queue: Queue) -> QuerySet[AgenteAprovacao]:
    found = _tab(principal, queue.tab)
    if queue.risco:
        found = found.filter(risco=queue.risco)
    if queue.alvo:
        found = found.filter(proposta__alias=queue.alvo)
    if queue.por:
        found = found.filter(solicitante=queue.subject)
    if queue.cobertura == NO_COVERAGE:
        return found.filter(cobertura=None)
    return found.filter(cobertura=queue.cobertura) if queue.cobertura else found


def size(*, principal: Principal, queue: Queue) -> int:
    """How many lines all pages have."""
    return rows(principal=principal, queue=queue).count()


def counts(*, principal: Principal, queue: Queue) -> dict[str, int]:
    """How many wait in the tabs that call for somebody, under the same filters."""
    return {tab: size(principal=principal, queue=queue.on(tab)) for tab in _CALLING}


def hidden_by(*, principal: Principal, queue: Queue) -> dict[str, int]:
    """For each filter that is on, how many lines appear when it alone is taken away."""
    return {name: size(principal=principal, queue=queue.without(name)) for name in queue.chosen()}


def choices(*, principal: Principal, queue: Queue) -> list[Choice]:
    """What the newest rows of the tab can be narrowed by, whatever narrows them now."""
    newest = _tab(principal, queue.tab).order_by("-pk").values("pk")[:NEWEST]
    fields = ("risco", "proposta__alias", "solicitante", "solicitante_nome", "cobertura")
    found = AgenteAprovacao.objects.filter(pk__in=newest).values_list(*fields).distinct()
    return [
        Choice(risk, str(alias or ""), subject, name, coverage or NO_COVERAGE)
        for risk, alias, subject, name, coverage in found
    ]


def place(*, principal: Principal, queue: Queue, ref: UUID) -> Place:
    """A queue deeper than WALK is walked that far and no further."""
    found = ordered(principal=principal, queue=queue).values_list("ref", flat=True)
    refs = list(found[:WALK])
    length = len(refs) if len(refs) < WALK else found.count()
    if ref not in refs:
        return Place(0, length, None, refs[0] if refs else None)
    at = refs.index(ref)
    before, after = refs[at - 1 : at] if at else [], refs[at + 1 : at + 2]
    return Place(at + 1, length, *(found[0] if found else None for found in (before, after)))


def mark(*, principal: Principal, queue: Queue) -> Mark:
    """Taken before the rows are read: a row that comes in between is shown and told as new."""
    field = _ENTERED.get(queue.tab)
    newest: dict[str, Any] = {"newest": Max(field)} if field else {}
    found = rows(principal=principal, queue=queue).aggregate(size=Count("pk"), **newest)
    return Mark(found.get("newest"), found["size"])


def news(*, principal: Principal, queue: Queue, since: Mark) -> News:
    """What came and what left since the mark. In a tab that keeps no moment of entry one that
    came and one that left cancel out."""
    field, found = _ENTERED.get(queue.tab), rows(principal=principal, queue=queue)
    if field is None or since.newest is None:
        grown = found.count() - since.size
        return News(max(0, grown), max(0, -grown))
    then = Count("pk", filter=Q(**{f"{field}__lte": since.newest}))
    now = found.aggregate(all=Count("pk"), then=then)
    return News(now["all"] - now["then"], max(0, since.size - now["then"]))


def _tab(principal: Principal, tab: str) -> QuerySet[AgenteAprovacao]:
    found = AgenteAprovacao.objects.all()
    match tab:
        case "para-mim":
            roles = [str(role) for role in principal.roles]
            waiting = found.filter(estado=State.PENDENTE, papel_exigido__in=roles)
            voted = Decision.objects.filter(subject=principal.subject).values("approval_id")
            return waiting.exclude(solicitante=principal.subject).exclude(pk__in=voted)
        case "minhas":
            return found.filter(solicitante=principal.subject)
        case "andamento":
            return found.filter(pk__in=_executions(ExecutionState.RETIDA, ExecutionState.EM_ENVIO))
        case "desconhecido":
            return found.filter(
                pk__in=_executions(
                    ExecutionState.DESCONHECIDA, ExecutionState.DIVERGENTE, ExecutionState.BLOQUEADA
                )
            )
        case "decididas":
            return found.exclude(estado=State.PENDENTE)
        case _:
            return found


def _executions(*states: ExecutionState) -> QuerySet[Execution, Any]:
    return Execution.objects.filter(state__in=states).values("approval_id")


def _order(tab: str) -> tuple[str | Case, ...]:
    if tab in {"minhas", "decididas", "todas"}:
        return ("-pk",)
    by_risk = Case(
        When(risco="alto", then=Value(0)),
        When(risco="medio", then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    return ("expira_em", by_risk, "pk")
