"""How these tests let notices be made and delivered, for one company, as the worker's look says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.mail import EmailMessage
from django.db import connection

from approvals.deciders import escalation
from approvals.models import AgenteAprovacao
from opspilot.notices import delivery, telling
from opspilot.notices.models import Destination, Notice, NoticeState
from opspilot.tenancy import selectors
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import races

HIGH: dict[str, Any] = {"alias": "nucleo", "assignees": ()}
"""What to ask for so that the risk is high (the policy of `factories`)."""


def a_reachable(tenant: Tenant, *roles: Role) -> User:
    """Somebody with an address."""
    person = factories.a_person(tenant, *(roles or (Role.APROVADOR,)))
    person.email = f"{person.username}@aurora.example"
    person.save(update_fields=["email"])
    return person


def principal(tenant: Tenant, user: User) -> Principal:
    with tenant_scope(tenant.pk):
        found = selectors.principal(user)
    assert found is not None
    return found


def due(kind: str, tenant: Tenant) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tenant_id, id FROM due_work(%s, 100000)", [kind])
        return [row for owner, row in cursor.fetchall() if owner == tenant.pk]


def escalate(tenant: Tenant) -> None:
    for row in due("escalation", tenant):
        escalation.escalate_due(tenant_id=tenant.pk, approval_id=row)


def spread(tenant: Tenant) -> None:
    for row in due("telling", tenant):
        telling.spread_due(tenant_id=tenant.pk, approval_id=row)


def deliver(tenant: Tenant) -> None:
    for row in due("notice", tenant):
        delivery.advance(tenant_id=tenant.pk, notice_id=row)


def work(tenant: Tenant) -> None:
    escalate(tenant)
    spread(tenant)
    deliver(tenant)


def time_comes(admin: Connection, tenant: Tenant) -> None:
    """Whatever waits for its moment is due now: the hour has struck, the pause is over."""
    admin.execute(
        "UPDATE notice SET next_at = clock_timestamp() - interval '1 second' "
        "WHERE tenant_id = %s AND state = 'pendente'",
        [tenant.pk],
    )


def grow_old(admin: Connection, proposal: AgenteAprovacao, share: float) -> None:
    """As if this share of the time to decide had passed."""
    admin.execute(
        "UPDATE agente_aprovacao SET "
        "criada_em = clock_timestamp() - (expira_em - criada_em) * %(share)s::float8, "
        "expira_em = clock_timestamp() + (expira_em - criada_em) * (1 - %(share)s::float8) "
        "WHERE id = %(id)s",
        {"share": share, "id": proposal.pk},
    )


def notices(tenant: Tenant, **values: object) -> list[Notice]:
    with tenant_scope(tenant.pk):
        found = Notice.objects.filter(**values).select_related("approval")
        return list(found.order_by("pk"))


def failed(tenant: Tenant) -> list[Notice]:
    return notices(tenant, state=NoticeState.FALHOU)


def a_destination(tenant: Tenant, url: str, **values: str) -> Destination:
    with tenant_scope(tenant.pk):
        return Destination.objects.create(
            **{"tenant": tenant, "name": "Plantão", "url": url, "created_by": "admin 1"} | values
        )


def subjects_to(person: User, box: list[EmailMessage]) -> list[str]:
    return [str(letter.subject) for letter in box if letter.to == [person.email]]


def together(tenant: Tenant, act: Callable[[Tenant], None]) -> None:
    """Two workers at the same instant, both with everything before them."""
    outcomes = races.at_once([lambda: act(tenant), lambda: act(tenant)])
    assert outcomes == [None, None]


def updatable(table: str) -> set[str]:
    """The columns the runtime role may change."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname::text FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 "
            "AND has_column_privilege('opspilot_app', attrelid, attnum, 'UPDATE')",
            [table],
        )
        return {name for (name,) in cursor.fetchall()}
