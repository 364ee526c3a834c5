"""How people decide in these tests, each act on the proposal as the database has it now."""

from __future__ import annotations

from typing import Any

from approvals import decisions
from approvals.models import AgenteAprovacao, Decision, Execution, State
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection

REASON = "Falta a janela de manutenção."


def approver(tenant: Tenant, *roles: Role) -> Principal:
    return factories.a_principal(tenant, *(roles or (Role.APROVADOR,)))


def refuse(proposal: AgenteAprovacao, by: Principal, reason: str = REASON) -> AgenteAprovacao:
    with tenant_scope(by.tenant_id):
        fresh = AgenteAprovacao.objects.get(pk=proposal.pk)
        return decisions.refuse(
            proposal=fresh, approver=by, seen_hash=fresh.acao_hash, reason=reason
        )


def ask_for_changes(
    proposal: AgenteAprovacao, by: Principal, reason: str = REASON
) -> AgenteAprovacao:
    with tenant_scope(by.tenant_id):
        fresh = AgenteAprovacao.objects.get(pk=proposal.pk)
        return decisions.ask_for_changes(
            proposal=fresh, approver=by, seen_hash=fresh.acao_hash, reason=reason
        )


def cancel(proposal: AgenteAprovacao, by: Principal) -> AgenteAprovacao:
    with tenant_scope(by.tenant_id):
        fresh = AgenteAprovacao.objects.get(pk=proposal.pk)
        return decisions.cancel(proposal=fresh, requester=by)


def nothing_happened(proposal: AgenteAprovacao) -> bool:
    """Still pending, nobody's verdict stored, nothing queued."""
    with tenant_scope(proposal.tenant_id):
        return (
            AgenteAprovacao.objects.get(pk=proposal.pk).estado == State.PENDENTE
            and not Decision.objects.filter(approval=proposal).exists()
            and not Execution.objects.filter(approval=proposal).exists()
        )


def insert_verdict(proposal: AgenteAprovacao, *, subject: str, verdict: str, **values: Any) -> None:
    """The row as SQL alone would write it, past every check of the code."""
    with tenant_scope(proposal.tenant_id):
        Decision(
            tenant_id=proposal.tenant_id,
            approval=proposal,
            subject=subject,
            subject_name=subject,
            verdict=verdict,
            **({"seen_hash": proposal.acao_hash} | values),
        ).save(force_insert=True)


def set_deadline(admin: Connection, proposal: AgenteAprovacao, interval: str) -> None:
    admin.execute(
        "UPDATE agente_aprovacao SET expira_em = clock_timestamp() + %s::interval WHERE id = %s",
        [interval, proposal.pk],
    )
