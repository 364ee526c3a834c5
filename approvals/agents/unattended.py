"""Approvals no person presses: by a rule of the policy, or by a standing permission that counts.

Only for what an agent carries out itself. What reaches GitLab or Semaphore always has a person (I1),
and the database refuses anything else under these two names.
"""

from __future__ import annotations

from django.db import DatabaseError, transaction
from django.db.models.functions import Now

from approvals import entries, rules
from approvals.agents import grounds
from approvals.models import (
    AgenteAprovacao,
    Decision,
    StandingPermission,
    StandingUse,
    Verdict,
)
from audit.vocabulary import Authorization, Result

_REFUSED = "OP001"  # the database's law


def decide(proposal: AgenteAprovacao) -> AgenteAprovacao:
    """Approve it where the policy's rule or a standing permission does; else it waits for people."""
    if proposal.proposta["authorization"] == "regra":
        _approve(proposal, subject=grounds.RULE, name="regra da política")
        _record(proposal, Authorization.REGRA, None, f"política {proposal.politica_versao}")
        return proposal
    for permission in _candidates(proposal):
        if _use(permission, proposal):
            by = grounds.givers(permission)
            _record(proposal, Authorization.PREVIA, by, f"permissão {permission.ref}")
            break
    return proposal


def _candidates(proposal: AgenteAprovacao) -> list[StandingPermission]:
    """Those that may cover it, the first to end first. Never one given by somebody who stands behind
    its agent, or by one who is no admin any more."""
    if rules.moved(proposal):
        return []
    found = StandingPermission.objects.filter(
        agent=proposal.agente, kind=proposal.acao, revoked_by="", ends_at__gt=Now()
    ).exclude(confirmed_by="")
    able = grounds.admins() - {proposal.agente_dono, *proposal.agente_barrados}
    given = found.filter(proposed_by__in=able, confirmed_by__in=able)
    return list(given.order_by("ends_at", "pk"))


def _use(permission: StandingPermission, proposal: AgenteAprovacao) -> bool:
    """Count one use and approve with it, or do neither. The database counts, under a lock."""
    use = StandingUse(tenant_id=proposal.tenant_id, permission=permission, approval=proposal)
    try:
        with transaction.atomic():
            use.save(force_insert=True)
            _approve(
                proposal,
                subject=f"{grounds.PERMISSION}{permission.ref}",
                name="permissão permanente",
                reason=f"dada por {permission.proposed_name} e {permission.confirmed_name}",
            )
    except DatabaseError as exc:
        if getattr(exc.__cause__, "sqlstate", "") != _REFUSED:
            raise
        return False
    return True


def _approve(proposal: AgenteAprovacao, *, subject: str, name: str, reason: str = "") -> None:
    row = Decision(
        tenant_id=proposal.tenant_id, approval=proposal, subject=subject, subject_name=name,
        verdict=Verdict.APROVAR, reason=reason, seen_hash=proposal.acao_hash,
    )  # fmt: skip
    row.save(force_insert=True)
    proposal.refresh_from_db()


def _record(
    proposal: AgenteAprovacao, authorization: Authorization, by: str | None, why: str
) -> None:
    entries.record(
        proposal,
        action="aprovacao.concedida",
        result=Result.OK,
        authorization=authorization,
        aprovado_por=by,
        saida_resumo=why,
    )
