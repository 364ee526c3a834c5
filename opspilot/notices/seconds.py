"""What one admin has written and another has to give: a policy's draft, a standing permission. It is
told to those who can give it, and never to who made it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.urls import reverse

from approvals import policies
from approvals.agents import standing
from approvals.models import PolicyDraft, StandingPermission
from opspilot.api import behind
from opspilot.notices import recipients
from opspilot.notices.models import Kind, Notice, Telling, Urgency
from opspilot.queue import wake
from opspilot.tenancy import clock
from opspilot.tenancy import selectors as people
from opspilot.tenancy.models import User
from opspilot.tenancy.principal import Role, subject_of
from opspilot.tenancy.scope import tenant_scope

KINDS = frozenset({Kind.RASCUNHO, Kind.PERMISSAO})


@dataclass(frozen=True, slots=True)
class Waiting:
    """`barred` are the subjects that cannot give it; `path` is where it is given."""

    tenant_id: UUID
    kind: Kind
    ref: UUID
    path: str
    barred: frozenset[str]


def spread_draft(*, tenant_id: UUID, draft_id: int) -> None:
    """Tell it to whom it waits for, once. Safe to call at any time, by anybody."""
    with tenant_scope(tenant_id):
        row = PolicyDraft.objects.get(pk=draft_id)
        if policies.waits(row):
            _spread(_of_draft(row))


def spread_permission(*, tenant_id: UUID, permission_id: int) -> None:
    with tenant_scope(tenant_id):
        row = StandingPermission.objects.get(pk=permission_id)
        if standing.waits(row, at=clock.now()):
            _spread(_of_permission(row))


def of(notice: Notice) -> Waiting | None:
    """What the notice is about, while it still waits."""
    if notice.kind == Kind.RASCUNHO:
        draft = PolicyDraft.objects.filter(ref=notice.about).first()
        return _of_draft(draft) if draft and policies.waits(draft) else None
    row = StandingPermission.objects.filter(ref=notice.about).first()
    return _of_permission(row) if row and standing.waits(row, at=clock.now()) else None


def path_of(notice: Notice) -> str:
    name = "policies:draft" if notice.kind == Kind.RASCUNHO else "permissoes:permission"
    return reverse(name, args=[notice.about])


def may_give(*, user: User, waiting: Waiting) -> bool:
    subject = subject_of(user.pk)
    held = people.roles_by_subject().get(subject, frozenset())
    return Role.ADMIN in held and subject not in waiting.barred


def _of_draft(row: PolicyDraft) -> Waiting:
    path = reverse("policies:draft", args=[row.ref])
    return Waiting(row.tenant_id, Kind.RASCUNHO, row.ref, path, frozenset({row.author}))


def _of_permission(row: StandingPermission) -> Waiting:
    path = reverse("permissoes:permission", args=[row.ref])
    barred = frozenset({row.proposed_by}) | behind.of(row.agent)
    return Waiting(row.tenant_id, Kind.PERMISSAO, row.ref, path, barred)


def _spread(waiting: Waiting) -> None:
    try:
        with transaction.atomic():
            Telling.objects.create(
                tenant_id=waiting.tenant_id, kind=waiting.kind, about=str(waiting.ref)
            )
    except IntegrityError:  # another worker was first
        return
    admins = recipients.holding(frozenset({Role.ADMIN}))
    rows = [_notice(waiting, user) for user in admins if _is_told(user, waiting)]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    wake("notice")


def _is_told(user: User, waiting: Waiting) -> bool:
    reachable = bool(user.email) and recipients.wants(user, waiting.kind)
    return reachable and may_give(user=user, waiting=waiting)


def _notice(waiting: Waiting, user: User) -> Notice:
    return Notice(
        tenant_id=waiting.tenant_id,
        kind=waiting.kind,
        about=str(waiting.ref),
        recipient=subject_of(user.pk),
        urgency=Urgency.AGORA,
        next_at=clock.now(),
    )
