"""Asked again right before an effect, in the claim's own transaction: what no longer holds fails
closed (I1, I2, I3)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import cache
from typing import Any

from approvals import canonical, rules
from approvals.actions import ISSUE_CLOSED, SENT_AGAIN
from approvals.deciders import eligibility
from approvals.execution.claims import Claim
from approvals.execution.effects import Effect
from approvals.models import AgenteAprovacao, Execution, ExecutionState, State
from opspilot.tenancy import clock


def fault(claim: Claim, effect: Effect | None) -> str:
    """The first reason why this must not be done after all; "" when there is none. Without an
    effect only what every kind is asked is asked."""
    proposal, action = claim.proposal, claim.proposal.proposta
    policy = cache(rules.reread)  # once, for all that ask for it
    checks: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("aprovacao_ausente", lambda: not _approved(proposal)),
        # First among those that read the content: an altered one may have lost any of its fields.
        ("conteudo_mudou", lambda: not canonical.is_hash_of(action, proposal.acao_hash)),
        # The kinds that agents carry out themselves have no executor here.
        ("acao_sem_executor", lambda: effect is None and action["kind"] != SENT_AGAIN),
        ("politica_alterada", lambda: not policy().is_intact),
        ("politica_mudou", lambda: rules.moved(proposal, version=policy().version)),
        ("prazo_de_execucao_passou", lambda: clock.now() > until(claim)),
        ("aprovacao_ausente", lambda: not _repeatable(claim)),
        ("ja_revertida", lambda: not _undoable(action)),
    )
    found = next((name for name, is_present in checks if is_present()), "")
    return found or (effect.faults(proposal, version=policy().version) if effect else "")


def until(claim: Claim) -> dt.datetime:
    """Later than the proposal's own time only where a second approval let it be sent once more."""
    return claim.execution.resend_until or claim.proposal.executar_ate


def _approved(proposal: AgenteAprovacao) -> bool:
    """Enough people approved exactly this hash, other than who asked and the agent's owner, and
    could still approve it."""
    enough = eligibility.standing_votes(proposal=proposal) >= proposal.aprovacoes_exigidas
    return proposal.estado == State.APROVADA and enough


def _repeatable(claim: Claim) -> bool:
    """Where a second approval lets it leave once more, that one holds too, as the first does."""
    if claim.execution.resend_until is None:
        return True
    about = AgenteAprovacao.objects.filter(sobre=claim.proposal, acao=SENT_AGAIN)
    again = about.filter(estado=State.APROVADA).order_by("-pk").first()
    return (
        again is not None
        and canonical.is_hash_of(again.proposta, again.acao_hash)
        and _approved(again)
        and not rules.moved(again)
    )


def _undoable(action: dict[str, Any]) -> bool:
    """What this undoes, if it undoes anything, is still done as approved."""
    about = action.get("original" if action["kind"] == ISSUE_CLOSED else "undoes")
    if about is None:
        return bool(action["kind"] != ISSUE_CLOSED)
    done = Execution.objects.filter(approval__ref=about["ref"])
    return done.filter(state=ExecutionState.CONCLUIDA).exists()
