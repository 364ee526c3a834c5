"""Taking an approved effect back while it is still held: it can only stop, never cause.

The decision stands; what ends is the execution. To have it done after all needs a new proposal.
"""

from __future__ import annotations

from django.db.models.functions import Now

from approvals import entries
from approvals.errors import NotDeciderError, NothingToWithdrawError
from approvals.models import AgenteAprovacao, Decision, Execution, ExecutionState, Verdict
from audit.vocabulary import Authorization, Result
from opspilot.tenancy.principal import Principal


def withdraw(*, proposal: AgenteAprovacao, decider: Principal) -> None:
    """Close the held execution as `retirada`, before any worker claims it.

    Against a claim exactly one wins: both are one conditional UPDATE of the same row. Raises
    NotDeciderError or NothingToWithdrawError, and then nothing changed.
    """
    if not has_approved(principal=decider, proposal=proposal):
        raise NotDeciderError(**proposal.facts)
    held = Execution.objects.filter(approval=proposal, state=ExecutionState.RETIDA)
    if not held.update(state=ExecutionState.RETIRADA, reason="", updated_at=Now()):
        raise NothingToWithdrawError(**proposal.facts)
    entries.record(
        proposal,
        action="execucao.retirada",
        result=Result.RECUSADO,
        authorization=Authorization.HUMANA,
        aprovado_por=decider.signature,
    )


def can_withdraw(
    *, principal: Principal, proposal: AgenteAprovacao, execution: Execution | None
) -> bool:
    """Whether the page offers it."""
    held = execution is not None and execution.state == ExecutionState.RETIDA
    return held and has_approved(principal=principal, proposal=proposal)


def has_approved(*, principal: Principal, proposal: AgenteAprovacao) -> bool:
    return Decision.objects.filter(
        approval=proposal, subject=principal.subject, verdict=Verdict.APROVAR
    ).exists()
