"""Who may read the proof of an effect: who reads others' runs, and whoever asked for it."""

from __future__ import annotations

from approvals.models import AgenteAprovacao, State
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import RUN_READERS


def may_read(principal: Principal, proposal: AgenteAprovacao) -> bool:
    return proposal.solicitante == principal.subject or principal.has(*RUN_READERS)


def is_offered(principal: Principal, proposal: AgenteAprovacao) -> bool:
    """While it waits for a decision there is nothing to prove yet."""
    return proposal.estado != State.PENDENTE and may_read(principal, proposal)
