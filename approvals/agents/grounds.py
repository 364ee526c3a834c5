"""On whose word an approved proposal stands: people, a rule, or a standing permission."""

from __future__ import annotations

from dataclasses import dataclass

from approvals.models import AgenteAprovacao, Decision, StandingPermission, StandingUse, Verdict
from audit.vocabulary import Authorization
from opspilot.tenancy import clock
from opspilot.tenancy import selectors as people
from opspilot.tenancy.principal import Role, signature

RULE = "regra"
PERMISSION = "permissao:"


@dataclass(frozen=True, slots=True)
class Grounds:
    """`by` names the people, for the trail; a rule names nobody."""

    authorization: Authorization
    by: str | None


def of(proposal: AgenteAprovacao) -> Grounds:
    """For a proposal that was approved."""
    permission = permission_of(proposal)
    if permission is not None:
        return Grounds(Authorization.PREVIA, givers(permission))
    by_rule = Decision.objects.filter(approval=proposal, subject=RULE, verdict=Verdict.APROVAR)
    if by_rule.exists():
        return Grounds(Authorization.REGRA, None)
    return Grounds(Authorization.HUMANA, proposal.decidida_por)


def stand(proposal: AgenteAprovacao) -> bool:
    """Whether the standing permission it was approved by is still in force; true without one."""
    permission = permission_of(proposal)
    if permission is None:
        return True
    in_time = permission.revoked_by == "" and clock.now() < permission.ends_at
    return in_time and hold(permission, admins=admins())


def hold(permission: StandingPermission, *, admins: frozenset[str]) -> bool:
    """Whether both who gave it still could: of one who left, or lost the role, the word is gone."""
    return {permission.proposed_by, permission.confirmed_by} <= admins


def admins() -> frozenset[str]:
    """The subjects of the company's active admins, now."""
    held = people.roles_by_subject()
    return frozenset(subject for subject, roles in held.items() if Role.ADMIN in roles)


def permission_of(proposal: AgenteAprovacao) -> StandingPermission | None:
    use = StandingUse.objects.filter(approval=proposal).select_related("permission").first()
    return use.permission if use else None


def givers(permission: StandingPermission) -> str:
    """The two admins, as the trail names them."""
    return ", ".join(
        signature(name, subject)
        for name, subject in (
            (permission.proposed_name, permission.proposed_by),
            (permission.confirmed_name, permission.confirmed_by),
        )
    )
