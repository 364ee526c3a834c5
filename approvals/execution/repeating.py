"""The effect of an approved `envio.repetido`: one more attempt of the execution it is about.

It speaks to no remote. The execution goes back to the queue, where everything about it is asked
again, its own approval included; what is sent is what was approved at first, marker and all.
"""

from __future__ import annotations

from django.conf import settings
from django.db.models.functions import Now

from approvals import features
from approvals.execution import attempts, claims, settlement
from approvals.execution.claims import Claim
from approvals.models import Execution, ExecutionState
from audit.vocabulary import Result
from opspilot.tenancy import lease

CHANGED = "execucao_mudou"


def carry_out(claim: Claim) -> None:
    """Let exactly the request be sent that the approver was shown, if nothing happened meanwhile."""
    if not _released(claim):
        settlement.blocked(claim, reason=CHANGED)
        return
    claims.release(claim, state=ExecutionState.CONCLUIDA, reason="")
    settlement.record(claim, claim.proposal.acao, Result.OK)


def _released(claim: Claim) -> bool:
    about, action = claim.proposal.sobre, claim.proposal.proposta
    if about is None or about.acao_hash != action["original"]["hash"]:
        return False
    execution = Execution.objects.get(approval=about)
    if attempts.count(execution, attempts.SENT) != action["sends"]:
        return False
    waiting = Execution.objects.filter(
        lease.free(), pk=execution.pk, state=ExecutionState.DESCONHECIDA, proof={}
    )
    newest = features.FEATURES[features.RESEND]
    # Beyond the budget, or short of it: so that this one may leave and, by itself, no other.
    extra = attempts.uncertain(execution) + 1 - settings.OPSPILOT_MAX_SENDS
    released = waiting.update(
        state=ExecutionState.RETIDA,
        reason="reenvio_autorizado",
        extra_sends=extra,
        resend_until=claim.proposal.executar_ate,
        attempts=0,
        not_before=Now(),
        next_lookup_at=None,
        versao_esquema=max(execution.versao_esquema, newest),
        updated_at=Now(),
    )
    return bool(released)
