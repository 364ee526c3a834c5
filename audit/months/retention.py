"""How long a company keeps its rows of the trail: written by one admin, put in force by another.

A month goes only when its last instant is past the rule of every company with rows in it. Without a
rule in force nothing of a company ever goes.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db import DatabaseError, transaction
from django.utils.translation import gettext_lazy as _

from audit import trail
from audit.masking import mask_whole
from audit.models import (
    RetentionEnd,
    TrailRetention,
    TrailRetentionActivation,
    TrailRetentionEnd,
)
from audit.models.months import MAX_MONTHS
from audit.months.errors import (
    OtherAdminActivatesError,
    RetentionClosedError,
    RetentionError,
    RetentionReasonError,
)
from audit.vocabulary import Authorization, Result
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.tenancy.principal import Principal
from opspilot.tenancy.roles import POLICY_WRITERS

MIN_TEXT = 10
_LAW = {"OP001", "23505"}  # the second admin is the first one, or somebody was quicker


@dataclass(frozen=True, slots=True)
class InForce:
    rule: TrailRetention
    activation: TrailRetentionActivation


def propose(*, admin: Principal, months: int, basis: str, reason: str) -> TrailRetention:
    """Write a rule that another admin may put in force; nothing changes yet.

    Raises RetentionError for months outside 1 to MAX_MONTHS or a basis or reason too short.
    """
    _check_admin(admin)
    basis, reason = mask_whole(basis.strip()), mask_whole(reason.strip())
    if not 1 <= months <= MAX_MONTHS or min(len(basis), len(reason)) < MIN_TEXT:
        raise RetentionError(_("A regra pede meses, uma base e um motivo bem escritos."))
    rule = TrailRetention(
        tenant_id=admin.tenant_id, months=months, basis=basis, reason=reason,
        author=admin.subject, author_name=admin.name,
    )  # fmt: skip
    rule.save(force_insert=True)
    rule.refresh_from_db()
    _record("retencao.proposta", rule, by=admin.signature, approved=None)
    return rule


def activate(*, rule: TrailRetention, admin: Principal) -> TrailRetentionActivation:
    """The second admin's act: it is in force from now on, for months that end it and for past ones.

    Raises OtherAdminActivatesError for its author, RetentionClosedError when a newer one was written
    or it is in force already.
    """
    _check_admin(admin)
    if admin.subject == rule.author:
        raise OtherAdminActivatesError
    made = TrailRetentionActivation(
        tenant_id=admin.tenant_id, retention=rule, admin=admin.subject, admin_name=admin.name
    )
    _settle(rule, made)
    by = f"{rule.author_name} ({rule.author}), {admin.signature}"
    _record("retencao.ativada", rule, by=admin.signature, approved=by)
    return made


def end(*, rule: TrailRetention, admin: Principal, reason: str) -> TrailRetentionEnd:
    """It will not be in force: its author takes it back, any other admin refuses it.

    Raises RetentionReasonError, or RetentionClosedError when it does not wait any more.
    """
    _check_admin(admin)
    words = mask_whole(reason.strip())
    if len(words) < MIN_TEXT:
        raise RetentionReasonError
    is_author = admin.subject == rule.author
    made = TrailRetentionEnd(
        tenant_id=admin.tenant_id, retention=rule, reason=words, admin=admin.subject,
        admin_name=admin.name, kind=RetentionEnd.WITHDRAWN if is_author else RetentionEnd.REFUSED,
    )  # fmt: skip
    _settle(rule, made)
    action = "retencao.retirada" if is_author else "retencao.recusada"
    _record(action, rule, by=admin.signature, approved=None, why=words)
    return made


def in_force() -> InForce | None:
    """The rule of the scope's company that counts now."""
    last = TrailRetentionActivation.objects.select_related("retention").order_by("-pk").first()
    return InForce(last.retention, last) if last else None


def waiting() -> TrailRetention | None:
    """The newest rule, when it is not in force yet and nobody ended it: an older one that waited is
    out of date."""
    newest = TrailRetention.objects.order_by("-pk").first()
    if newest is None or TrailRetentionActivation.objects.filter(retention=newest).exists():
        return None
    return None if TrailRetentionEnd.objects.filter(retention=newest).exists() else newest


def ended() -> TrailRetentionEnd | None:
    """How the newest rule ended, where it was taken back or refused."""
    newest = TrailRetention.objects.order_by("-pk").first()
    found = TrailRetentionEnd.objects.select_related("retention").filter(retention=newest)
    return found.first() if newest else None


def waiting_for(*, admin: Principal) -> TrailRetention | None:
    """The same, where this admin may activate it."""
    rule = waiting()
    return rule if rule is not None and rule.author != admin.subject else None


def one(*, ref: uuid.UUID) -> TrailRetention:
    found = TrailRetention.objects.filter(ref=ref).first()
    if found is None:
        raise NotFoundError
    return found


def _check_admin(principal: Principal) -> None:
    if not principal.has(*POLICY_WRITERS):
        raise RoleRequiredError


def _settle(rule: TrailRetention, made: TrailRetentionActivation | TrailRetentionEnd) -> None:
    """Write what becomes of the rule that waits. The database has the last word on whose act it is
    and who was first."""
    waits = waiting()
    if waits is None or waits.pk != rule.pk:
        raise RetentionClosedError
    try:
        with transaction.atomic():
            made.save(force_insert=True)
    except DatabaseError as exc:
        if getattr(exc.__cause__, "sqlstate", None) in _LAW:
            raise RetentionClosedError from exc
        raise
    made.refresh_from_db()


def _record(
    action: str, rule: TrailRetention, *, by: str, approved: str | None, why: str = ""
) -> None:
    trail.record(
        trail.Entry(
            correlacao_id=rule.ref,
            acao=action,
            resultado=Result.OK,
            autorizacao=Authorization.HUMANA if approved else Authorization.REGRA,
            aprovado_por=approved,
            entrada_resumo=by,
            saida_resumo=f"{rule.months} meses: {why}" if why else f"{rule.months} meses",
        )
    )
