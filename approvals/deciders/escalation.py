"""Gives a proposal to one more role to decide, when nobody of its own did or can.

The proposal is frozen, so `papel_exigido` never changes: whoever has it stays able to decide, and
what another role was given stands in a table of its own. Only the policy in force names that role.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from approvals import entries, rules
from approvals.models import AgenteAprovacao, Escalation, EscalationReason, State
from approvals.policy.policy_document import EscalationRule
from approvals.rules import NoPolicyError, UnreadablePolicyError
from audit.vocabulary import Authorization, Result
from opspilot.queue import wake
from opspilot.tenancy import clock
from opspilot.tenancy.scope import tenant_scope


def deciding_roles(proposal: AgenteAprovacao) -> frozenset[str]:
    """Every role that may decide it now: its own, and those it was given to, while the policy in
    force still names them."""
    given = [row.to_role for row in of(proposal=proposal)]
    return frozenset({proposal.papel_exigido, *rules.still_given(kind=proposal.acao, roles=given)})


def of(*, proposal: AgenteAprovacao) -> list[Escalation]:
    return of_all(proposals=[proposal])


def of_all(*, proposals: Sequence[AgenteAprovacao]) -> list[Escalation]:
    """In the order they were given on; asks nothing of none."""
    rows = Escalation.objects.filter(approval__in=[proposal.pk for proposal in proposals])
    return list(rows.order_by("pk"))


def given_to(*roles: str) -> QuerySet[Escalation, int]:
    """The ids of the proposals that one of these roles was given, for a queue to look in."""
    found = Escalation.objects.filter(to_role__in=roles)
    return found.values_list("approval_id", flat=True)


def escalate_due(*, tenant_id: UUID, approval_id: int) -> None:
    """Give one waiting proposal on when its share of the time has passed, by the database's clock.
    Safe to call at any time, by anybody."""
    with tenant_scope(tenant_id):
        proposal = AgenteAprovacao.objects.get(pk=approval_id)
        rule = rule_of(proposal)
        if rule is not None and clock.now() >= due_at(proposal, rule):
            _give(proposal, to_role=rule.para_papel, reason=EscalationReason.PRAZO)


def route_on(*, proposal: AgenteAprovacao) -> Escalation | None:
    """Give it on at once, because nobody who has the role it asks for can decide it.

    None where the policy names no other role: then it waits, and its page says why.
    """
    rule = rule_of(proposal)
    if rule is None:
        return None
    return _give(proposal, to_role=rule.para_papel, reason=EscalationReason.SEM_ELEGIVEL)


def due_at(proposal: AgenteAprovacao, rule: EscalationRule) -> dt.datetime:
    whole = proposal.expira_em - proposal.criada_em
    return proposal.criada_em + whole * rule.depois_de_percentual / 100


def rule_of(proposal: AgenteAprovacao) -> EscalationRule | None:
    """What the policy in force says about giving this kind of action on. A policy that is missing
    or of rules this code does not know gives nothing to anybody."""
    try:
        kind = rules.in_force().document.rule_of(proposal.acao)
    except (NoPolicyError, UnreadablePolicyError):
        return None
    return kind.escalonamento if kind else None


def _give(
    proposal: AgenteAprovacao, *, to_role: str, reason: EscalationReason
) -> Escalation | None:
    """Once per role, whoever comes first; nothing for a proposal that no longer waits."""
    if proposal.estado != State.PENDENTE or clock.now() >= proposal.expira_em:
        return None
    if to_role in {proposal.papel_exigido, *(row.to_role for row in of(proposal=proposal))}:
        return None
    try:
        with transaction.atomic():
            row = Escalation.objects.create(
                tenant_id=proposal.tenant_id,
                approval=proposal,
                from_role=proposal.papel_exigido,
                to_role=to_role,
                reason=reason,
            )
    except IntegrityError:  # another worker was first
        return None
    entries.record(
        proposal,
        action="aprovacao.escalonada",
        result=Result.OK,
        authorization=Authorization.REGRA,
        saida_resumo=f"{row.from_role} → {row.to_role}: {reason.value}",
    )
    wake("telling")
    return row
