"""Reads about proposals, their decisions and executions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from approvals import queue
from approvals.models import AgenteAprovacao, Decision, Execution, ExecutionAttempt, Verdict
from approvals.queue_url import Queue
from opspilot.errors import NotFoundError
from opspilot.tenancy.principal import Principal


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


def following(*, proposal: AgenteAprovacao) -> AgenteAprovacao | None:
    """The newest proposal that asks this one again."""
    return AgenteAprovacao.objects.filter(anterior=proposal).order_by("-pk").first()


def inbox(*, principal: Principal, tab: str, page: int = 1) -> list[Row]:
    """One tab without filters; see `page_of`."""
    return page_of(principal=principal, asked=Queue(tab), page=page)


def page_of(*, principal: Principal, asked: Queue, page: int = 1) -> list[Row]:
    """A queue in its order, queue.LIMIT lines a page."""
    start = (page - 1) * queue.LIMIT
    found = queue.ordered(principal=principal, queue=asked)
    return with_progress(list(found[start : start + queue.LIMIT]))


def to_decide(*, principal: Principal) -> int:
    return queue.size(principal=principal, queue=Queue())


def with_progress(rows: Sequence[AgenteAprovacao]) -> list[Row]:
    """The proposals with their votes and executions, in two queries for all of them."""
    approvals = Decision.objects.filter(approval__in=rows, verdict=Verdict.APROVAR)
    voted = list(approvals.values_list("approval_id", flat=True))
    executions = {e.approval_id: e for e in Execution.objects.filter(approval__in=rows)}
    return [Row(row, voted.count(row.pk), executions.get(row.pk)) for row in rows]


def decisions(*, proposal: AgenteAprovacao) -> list[Decision]:
    return list(Decision.objects.filter(approval=proposal).order_by("pk"))


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


def attempts(*, execution: Execution) -> list[ExecutionAttempt]:
    return list(ExecutionAttempt.objects.filter(execution=execution).order_by("pk"))
