"""Standing permissions: an agent's action approved beforehand, by two admins, within limits.

Only for kinds that an agent carries out itself: what reaches GitLab or Semaphore always needs a
person (I1). The database holds the two distinct people, the end, the ceiling and the counts.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.db import DatabaseError, transaction
from django.db.models import Count, Q
from django.db.models.functions import Now

from approvals import rules
from approvals.agents import grounds
from approvals.agents.standing_errors import (
    GiverGoneError,
    InvalidPermissionError,
    OtherAdminConfirmsError,
    OwnerGivesError,
    PermissionEndedError,
)
from approvals.errors import ReasonRequiredError
from approvals.models import PERIOD_DAYS, Period, StandingPermission, StandingUse
from approvals.policy.policy_document import ExternalRule
from audit import trail
from audit.vocabulary import Authorization, Result
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.tenancy import clock
from opspilot.tenancy.principal import Principal, Role

MAX_DAYS = 90
MAX_USES = 10_000
MIN_REASON = 10
SHOWN = 200
_LAW = {"OP001", "23514"}  # the database's law, or one of its checks


@dataclass(frozen=True, slots=True)
class Terms:
    """What is permitted. `ceiling_centavos` is of each use; None where the kind has no money."""

    agent: str
    kind: str
    ceiling_centavos: int | None
    max_uses: int
    period: Period
    period_uses: int
    days: int
    reason: str


@dataclass(frozen=True, slots=True)
class Counted:
    """A permission with its uses: in all, and in the window that ends now."""

    permission: StandingPermission
    uses: int
    recent: int


def propose(
    *, admin: Principal, owner: str, terms: Terms, behind: frozenset[str] = frozenset()
) -> StandingPermission:
    """Write down what another admin may confirm; nothing is permitted yet.

    `owner` is the subject of who answers for the agent now, `behind` are those who issued a token
    it uses or had it lately. Raises OwnerGivesError for any of them, InvalidPermissionError naming
    the fields, or ReasonRequiredError.
    """
    _check_giver(admin, {owner, *behind})
    _check(terms)
    row = StandingPermission(
        tenant_id=admin.tenant_id, agent=terms.agent, agent_owner=owner, kind=terms.kind,
        ceiling_centavos=terms.ceiling_centavos, max_uses=terms.max_uses, period=terms.period,
        period_uses=terms.period_uses, ends_at=clock.now() + dt.timedelta(days=terms.days),
        reason=terms.reason.strip(), proposed_by=admin.subject, proposed_name=admin.name,
    )  # fmt: skip
    row.save(force_insert=True)
    row.refresh_from_db()
    _record("permissao.proposta", row, Authorization.REGRA, by=admin.signature, approved=None)
    return row


def confirm(
    *,
    permission: StandingPermission,
    admin: Principal,
    owner: str,
    behind: frozenset[str] = frozenset(),
) -> None:
    """The second admin's act: it is in force from now on.

    Raises OtherAdminConfirmsError, OwnerGivesError (also when whoever proposed it stands behind the
    agent by now), GiverGoneError when who proposed it is no admin any more, or
    PermissionEndedError.
    """
    _check_giver(admin, {owner, *behind})
    if admin.subject == permission.proposed_by:
        raise OtherAdminConfirmsError
    if permission.proposed_by in {owner, *behind}:
        raise OwnerGivesError
    if permission.proposed_by not in grounds.admins():
        raise GiverGoneError
    _check_against_policy(permission)
    _move(permission, Q(confirmed_by=""), confirmed_by=admin.subject, confirmed_name=admin.name)
    by = grounds.givers(permission)
    _record("permissao.confirmada", permission, Authorization.HUMANA, by=by, approved=by)


def revoke(*, permission: StandingPermission, admin: Principal, reason: str) -> None:
    """End it at once, for what was approved and not consumed yet as well. Any admin may."""
    _check_admin(admin)
    if len(reason.strip()) < MIN_REASON:
        raise ReasonRequiredError
    _move(
        permission,
        Q(),
        revoked_by=admin.subject,
        revoked_name=admin.name,
        revoked_reason=reason.strip(),
    )
    _record(
        "permissao.revogada",
        permission,
        Authorization.REGRA,
        by=admin.signature,
        approved=None,
    )


def permission(*, ref: UUID) -> StandingPermission:
    found = StandingPermission.objects.filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def counted() -> list[Counted]:
    """The newest SHOWN, ended ones among them."""
    rows = list(StandingPermission.objects.order_by("-pk")[:SHOWN])
    totals = _totals(rows)
    return [Counted(row, *totals.get(row.pk, (0, 0))) for row in rows]


def one(*, ref: UUID) -> Counted:
    row = permission(ref=ref)
    return Counted(row, *_totals([row]).get(row.pk, (0, 0)))


def waits(permission: StandingPermission, *, at: dt.datetime) -> bool:
    """Whether another admin can still confirm it."""
    still = permission.confirmed_by == "" and permission.revoked_by == ""
    return still and at < permission.ends_at


def open_ones() -> list[StandingPermission]:
    """Those that wait for another admin, the newest first."""
    rows = StandingPermission.objects.filter(confirmed_by="", revoked_by="", ends_at__gt=Now())
    return list(rows.order_by("-pk")[:SHOWN])


def waiting_for(
    *, admin: Principal, behind: Callable[[str], frozenset[str]]
) -> list[StandingPermission]:
    """Those this admin can confirm: not their own, of no agent they stand behind, as `behind` says
    of an agent's slug."""
    found = [row for row in open_ones() if row.proposed_by != admin.subject]
    barred = {slug: admin.subject in behind(slug) for slug in {row.agent for row in found}}
    return [row for row in found if not barred[row.agent]]


def uses_of(permission: StandingPermission) -> list[StandingUse]:
    """The newest SHOWN, with the proposal each approved."""
    found = StandingUse.objects.filter(permission=permission).select_related("approval")
    return list(found.order_by("-pk")[:SHOWN])


def permittable() -> dict[str, ExternalRule]:
    """The kinds that may be permitted: those the policy in force gives to people to approve."""
    kinds = rules.in_force().document.acoes_externas
    return {kind: rule for kind, rule in kinds.items() if rule.autorizacao == "humana"}


def _totals(rows: list[StandingPermission]) -> dict[int, tuple[int, int]]:
    recent = Q()
    for period, days in PERIOD_DAYS.items():
        since = Now() - dt.timedelta(days=days)
        recent |= Q(permission__period=period, at__gt=since)
    found = (
        StandingUse.objects.filter(permission__in=rows)
        .values("permission_id")
        .annotate(total=Count("pk"), recent=Count("pk", filter=recent))
    )
    return {row["permission_id"]: (row["total"], row["recent"]) for row in found}


def _check_admin(person: Principal) -> None:
    if not person.has(Role.ADMIN):
        raise RoleRequiredError(roles=[Role.ADMIN])


def _check_giver(admin: Principal, barred: set[str]) -> None:
    _check_admin(admin)
    if admin.subject in barred:
        raise OwnerGivesError


def _check(terms: Terms) -> None:
    if len(terms.reason.strip()) < MIN_REASON:
        raise ReasonRequiredError
    limits = {
        "max_uses": 1 <= terms.max_uses <= MAX_USES,
        "period_uses": 1 <= terms.period_uses <= terms.max_uses,
        "days": 1 <= terms.days <= MAX_DAYS,
    }
    wrong = [name for name, is_within in limits.items() if not is_within]
    wrong += _outside_policy(terms.agent, terms.kind, terms.ceiling_centavos)
    if wrong:
        raise InvalidPermissionError(fields=wrong)


def _check_against_policy(row: StandingPermission) -> None:
    wrong = _outside_policy(row.agent, row.kind, row.ceiling_centavos)
    if wrong:
        raise InvalidPermissionError(fields=wrong)


def _outside_policy(agent: str, kind: str, ceiling: int | None) -> list[str]:
    """The fields by which this is more than the policy in force allows."""
    rule = permittable().get(kind)
    if rule is None:
        return ["kind"]
    if agent not in rule.agents:
        return ["agent"]
    if (ceiling is None) == bool(rule.money):
        return ["ceiling_centavos"]
    most = rule.ceiling_centavos
    too_much = ceiling is not None and (ceiling < 1 or (most is not None and ceiling > most))
    return ["ceiling_centavos"] if too_much else []


def _move(permission: StandingPermission, still: Q, **values: str) -> None:
    """One conditional UPDATE: of two people at the same instant, one wins."""
    rows = StandingPermission.objects.filter(still, pk=permission.pk, revoked_by="")
    try:
        with transaction.atomic():
            moved = rows.update(**values)
    except DatabaseError as exc:
        if getattr(exc.__cause__, "sqlstate", "") not in _LAW:
            raise
        raise PermissionEndedError from exc
    if not moved:
        raise PermissionEndedError
    permission.refresh_from_db()


def _record(
    action: str,
    row: StandingPermission,
    authorization: Authorization,
    *,
    by: str,
    approved: str | None,
) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=uuid.uuid4(),
            acao=action,
            resultado=Result.OK,
            autorizacao=authorization,
            aprovado_por=approved,
            entrada_resumo=by,
            saida_resumo=f"permissão {row.ref}: agente {row.agent}, {row.kind}",
        )
    )
