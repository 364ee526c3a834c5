"""Reads about proposals, their decisions and executions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Case, IntegerField, QuerySet, Value, When

from approvals.models import (
    AgenteAprovacao,
    Decision,
    Execution,
    ExecutionAttempt,
    ExecutionState,
    State,
    Verdict,
)
from opspilot.errors import NotFoundError
from opspilot.tenancy.principal import Principal

TABS = ("para-mim", "minhas", "andamento", "desconhecido", "decididas", "todas")
LIMIT = 100


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the inbox."""

    proposal: AgenteAprovacao
    votes: int
    execution: Execution | None


def proposal(*, ref: UUID) -> AgenteAprovacao:
    """The proposal, or the same NotFoundError for an unknown and a foreign id."""
    found = AgenteAprovacao.objects.filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def proposal_of_run(*, run_id: UUID) -> AgenteAprovacao | None:
    return AgenteAprovacao.objects.filter(correlacao_id=run_id).first()


def inbox(*, principal: Principal, tab: str, page: int = 1) -> list[Row]:
    """One tab, by deadline and then by risk, LIMIT lines a page; one of TABS."""
    start = (page - 1) * LIMIT
    rows = list(_tab(principal, tab).order_by(*_order(tab))[start : start + LIMIT])
    return with_progress(rows)


def size(*, principal: Principal, tab: str) -> int:
    """How many lines all pages of the tab have."""
    return _tab(principal, tab).count()


def counts(*, principal: Principal) -> dict[str, int]:
    """How many wait in the tabs that call for somebody."""
    wanted = ("para-mim", "andamento", "desconhecido")
    return {tab: size(principal=principal, tab=tab) for tab in wanted}


def to_decide(*, principal: Principal) -> int:
    return size(principal=principal, tab="para-mim")


def with_progress(rows: Sequence[AgenteAprovacao]) -> list[Row]:
    """The proposals with their votes and executions, in two queries for all of them."""
    approvals = Decision.objects.filter(approval__in=rows, verdict=Verdict.APROVAR)
    voted = list(approvals.values_list("approval_id", flat=True))
    executions = {e.approval_id: e for e in Execution.objects.filter(approval__in=rows)}
    return [Row(row, voted.count(row.pk), executions.get(row.pk)) for row in rows]


def decisions(*, proposal: AgenteAprovacao) -> list[Decision]:
    return list(Decision.objects.filter(approval=proposal).order_by("pk"))


def execution(*, proposal: AgenteAprovacao) -> Execution | None:
    return Execution.objects.filter(approval=proposal).first()


def attempts(*, execution: Execution) -> list[ExecutionAttempt]:
    return list(ExecutionAttempt.objects.filter(execution=execution).order_by("pk"))


def neighbours(*, principal: Principal, current: AgenteAprovacao) -> tuple[int, int, UUID | None]:
    """(position, length, next ref) of a proposal inside its decider's queue; position 0 = outside."""
    refs = list(
        _tab(principal, "para-mim")
        .order_by(*_order("para-mim"))
        .values_list("ref", flat=True)[:LIMIT]
    )
    if current.ref not in refs:
        return 0, len(refs), refs[0] if refs else None
    place = refs.index(current.ref)
    return place + 1, len(refs), refs[place + 1] if place + 1 < len(refs) else None


def _tab(principal: Principal, tab: str) -> QuerySet[AgenteAprovacao]:
    rows = AgenteAprovacao.objects.all()
    match tab:
        case "para-mim":
            roles = [str(role) for role in principal.roles]
            waiting = rows.filter(estado=State.PENDENTE, papel_exigido__in=roles)
            voted = Decision.objects.filter(subject=principal.subject).values("approval_id")
            return waiting.exclude(solicitante=principal.subject).exclude(pk__in=voted)
        case "minhas":
            return rows.filter(solicitante=principal.subject)
        case "andamento":
            return rows.filter(pk__in=_executions(ExecutionState.RETIDA, ExecutionState.EM_ENVIO))
        case "desconhecido":
            return rows.filter(
                pk__in=_executions(
                    ExecutionState.DESCONHECIDA, ExecutionState.DIVERGENTE, ExecutionState.BLOQUEADA
                )
            )
        case "decididas":
            return rows.exclude(estado=State.PENDENTE)
        case _:
            return rows


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
