"""Taking an approved effect back while it is still held: it can only stop, never cause.

The decision stands; what ends is the execution. To have it done after all needs a new proposal.
"""

from __future__ import annotations

from django.db.models import QuerySet
from django.db.models.functions import Now

from approvals import entries
from approvals.actions import SENT_AGAIN
from approvals.agents import consumption, uses
from approvals.errors import NotDeciderError, NothingToWithdrawError
from approvals.execution import attempts
from approvals.inbox.around import Around
from approvals.models import AgenteAprovacao, Decision, Execution, ExecutionState, Verdict
from approvals.policy import stored
from audit.vocabulary import Authorization, Result
from opspilot.tenancy.principal import Principal


def withdraw(*, proposal: AgenteAprovacao, decider: Principal) -> None:
    """Close the held execution as `retirada`, before any worker claims it or the agent consumes it.

    Exactly one of the two wins: both are one conditional UPDATE of the same row, or the one row an
    approval's use may have. Raises NotDeciderError or NothingToWithdrawError, and then nothing
    changed.
    """
    if not has_approved(principal=decider, proposal=proposal):
        raise NotDeciderError(**proposal.facts)
    if stored.is_external(proposal.proposta):
        consumption.withdraw(proposal=proposal, decider=decider)
    else:
        _close_held(proposal)
    entries.record(
        proposal,
        action="execucao.retirada",
        result=Result.RECUSADO,
        authorization=Authorization.HUMANA,
        aprovado_por=decider.signature,
    )


def _close_held(proposal: AgenteAprovacao) -> None:
    held = Execution.objects.filter(approval=proposal, state=ExecutionState.RETIDA)
    # Nothing is taken back where an earlier request may have done it: that outcome is unknown.
    held = held.exclude(attempts.may_have_happened())
    if not held.update(state=ExecutionState.RETIRADA, reason="", updated_at=Now()):
        _stop_resend(proposal)


def _stop_resend(proposal: AgenteAprovacao) -> None:
    """What an approved resend let leave again is as unknown as before, and nobody looks by itself."""
    stopped = _let_go(proposal).update(
        state=ExecutionState.DESCONHECIDA,
        reason="reenvio_retirado",
        extra_sends=0,
        resend_until=None,
        next_lookup_at=None,
        updated_at=Now(),
    )
    if not stopped:
        raise NothingToWithdrawError(**proposal.facts)
    # What it was approved for did not come about: it says so itself, too.
    Execution.objects.filter(approval=proposal, state=ExecutionState.CONCLUIDA).update(
        state=ExecutionState.RETIRADA, reason="", updated_at=Now()
    )


def _let_go(proposal: AgenteAprovacao) -> QuerySet[Execution]:
    """The execution that waits to be sent once more by this approval; none for another kind."""
    if proposal.acao != SENT_AGAIN or proposal.sobre_id is None:
        return Execution.objects.none()
    return Execution.objects.filter(
        approval=proposal.sobre_id,
        state=ExecutionState.RETIDA,
        resend_until=proposal.executar_ate,
    )


def can_withdraw(*, principal: Principal, proposal: AgenteAprovacao, read: Around) -> bool:
    """Whether the page offers it, by what it has read."""
    if stored.is_external(proposal.proposta):
        held = read.use is None and uses.in_time(proposal, read.now)
    else:
        waits = read.execution is not None and read.execution.state == ExecutionState.RETIDA
        held = (waits and not attempts.left_in(read.attempts)) or _let_go(proposal).exists()
    votes = {row.subject for row in read.decisions if row.verdict == Verdict.APROVAR}
    return held and principal.subject in votes


def has_approved(*, principal: Principal, proposal: AgenteAprovacao) -> bool:
    return Decision.objects.filter(
        approval=proposal, subject=principal.subject, verdict=Verdict.APROVAR
    ).exists()
