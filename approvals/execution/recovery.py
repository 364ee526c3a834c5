"""What a person may do about an execution that waits: search again, or let it be tried again."""

from __future__ import annotations

from django.db.models.functions import Now

from approvals import entries, proposals
from approvals.errors import NothingToResumeError
from approvals.models import AgenteAprovacao, Execution, ExecutionState
from audit.vocabulary import Authorization, Result
from opspilot.tenancy import lease
from opspilot.tenancy.principal import Principal

# Blocked because nothing could be sent: trying again cannot make a second issue.
_NEVER_SENT = (
    "destino_indisponivel_esgotado",
    "destino_ocupado_esgotado",
    "destino_sem_acesso",
)


def resume(*, proposal: AgenteAprovacao, person: Principal) -> None:
    """Look up an unknown outcome now, or queue again what was never sent.

    Never resends something that may have happened, nor what another proposal asks again. Raises
    NothingToResumeError otherwise.
    """
    proposals.hold(proposal)
    if AgenteAprovacao.objects.filter(anterior=proposal).exists():
        raise NothingToResumeError(**proposal.facts)
    mine = Execution.objects.filter(approval=proposal)
    # Not before the first look-up: that one waits for the client's own deadline (I4).
    looked_for = mine.filter(lease.free(), state=ExecutionState.DESCONHECIDA, lookups__gt=0).update(
        next_lookup_at=Now()
    )
    tried_again = mine.filter(state=ExecutionState.BLOQUEADA, reason__in=_NEVER_SENT).update(
        state=ExecutionState.RETIDA, attempts=0, reason="", not_before=Now()
    )
    if not (looked_for or tried_again):
        raise NothingToResumeError(**proposal.facts)
    entries.record(
        proposal,
        action="execucao.retomada",
        result=Result.OK,
        authorization=Authorization.REGRA,
        entrada_resumo=person.signature,
        saida_resumo="procurar de novo" if looked_for else "enviar de novo",
    )


def can_resume(execution: Execution | None) -> bool:
    """Whether the page offers the button."""
    if execution is None:
        return False
    waits = execution.state == ExecutionState.DESCONHECIDA and execution.lookups > 0
    return waits or execution.reason in _NEVER_SENT
