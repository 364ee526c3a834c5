"""Reads about proposals, their decisions and executions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from approvals.agents import uses
from approvals.inbox import queue
from approvals.inbox.queue_url import Queue
from approvals.models import (
    AgenteAprovacao,
    Decision,
    Execution,
    State,
    Verdict,
)
from opspilot.errors import NotFoundError
from opspilot.presentation.shapes import State as Drawn
from opspilot.tenancy.principal import Principal


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the inbox."""

    proposal: AgenteAprovacao
    votes: int
    execution: Execution | None
    effect: tuple[Drawn, str] | None = None  # of an action an agent carries out, in words


def proposal(*, ref: UUID) -> AgenteAprovacao:
    """The proposal, or the same NotFoundError for an unknown and a foreign id."""
    found = AgenteAprovacao.objects.filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def proposal_of_run(*, run_id: UUID) -> AgenteAprovacao | None:
    return AgenteAprovacao.objects.filter(correlacao_id=run_id).first()


def following(*, proposal: AgenteAprovacao) -> AgenteAprovacao | None:
    """The newest proposal that asks this one again."""
    return AgenteAprovacao.objects.filter(anterior=proposal).order_by("-pk").first()


def inbox(*, principal: Principal, tab: str, count: int) -> list[Row]:
    """The first lines of a tab without filters."""
    return as_lines(queue.first(principal=principal, queue=Queue(tab), count=count))


def to_decide(*, principal: Principal) -> int:
    """As far as queue_rows.BOUND."""
    return queue.size(principal=principal, queue=Queue())


def as_lines(rows: Sequence[AgenteAprovacao]) -> list[Row]:
    """Rows of `queue.page`; their executions in one query, or none when all of them wait."""
    decided = [row for row in rows if row.estado != State.PENDENTE]
    found = Execution.objects.filter(approval__in=decided) if decided else ()
    executions = {execution.approval_id: execution for execution in found}
    for row in rows:
        row.proposta = vars(row)["slim"]
    effects = uses.states(rows)
    return [
        Row(row, vars(row)["votes"], executions.get(row.pk), effects.get(row.pk)) for row in rows
    ]


def with_progress(rows: Sequence[AgenteAprovacao]) -> list[Row]:
    """The proposals with their votes and executions, in two queries for all of them."""
    approvals = Decision.objects.filter(approval__in=rows, verdict=Verdict.APROVAR)
    voted = list(approvals.values_list("approval_id", flat=True))
    executions = {e.approval_id: e for e in Execution.objects.filter(approval__in=rows)}
    effects = uses.states(rows)
    return [
        Row(row, voted.count(row.pk), executions.get(row.pk), effects.get(row.pk)) for row in rows
    ]


def own_decision(*, principal: Principal, ref: UUID) -> Decision | None:
    """What this person decided; nothing for a proposal they may not know of."""
    mine = Decision.objects.filter(
        subject=principal.subject,
        approval__ref=ref,
        verdict__in=[Verdict.APROVAR, Verdict.RECUSAR, Verdict.DEVOLVER],
    )
    return mine.select_related("approval").first()


def execution(*, proposal: AgenteAprovacao) -> Execution | None:
    return Execution.objects.filter(approval=proposal).first()
