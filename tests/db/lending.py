"""How people lend their power to decide in these tests, and proposals that an agent made."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from approvals import proposals
from approvals.actions import AgentFacts
from approvals.deciders import delegating, delegation
from approvals.models import AgenteAprovacao, Delegation
from opspilot.tenancy import clock
from opspilot.tenancy.models import Membership, Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import grant_roles
from tests import factories
from tests.conftest import Connection

REASON = "Férias de duas semanas."
DAY = dt.timedelta(days=1)


def lend(
    giver: Principal,
    receiver: Principal,
    *,
    roles: Iterable[Role] = (Role.APROVADOR,),
    starts: dt.timedelta | None = None,
    ends: dt.timedelta = DAY,
) -> Delegation:
    """From now for a day; `starts` and `ends` are counted from now."""
    with tenant_scope(giver.tenant_id):
        now = clock.now()
        return delegating.give(
            giver=giver,
            receiver=receiver.subject,
            roles=roles,
            starts_at=None if starts is None else now + starts,
            ends_at=now + ends,
            reason=REASON,
        )


def roles_of(person: Principal) -> frozenset[Role]:
    """Their own, and those lent to them that hold now."""
    with tenant_scope(person.tenant_id):
        return delegation.effective_roles(person)


def revoke(row: Delegation, by: Principal) -> None:
    with tenant_scope(row.tenant_id):
        delegating.revoke(row=row, by=by)


def let_it_end(admin: Connection, row: Delegation) -> None:
    """As if its time had passed by the database's clock."""
    admin.execute("ALTER TABLE approval_delegation DISABLE TRIGGER ends_once")
    try:
        admin.execute(
            "UPDATE approval_delegation SET starts_at = clock_timestamp() - interval '2 hours', "
            "ends_at = clock_timestamp() WHERE id = %s",
            [row.pk],
        )
    finally:
        admin.execute("ALTER TABLE approval_delegation ENABLE TRIGGER ends_once")


def set_roles(tenant: Tenant, person: Principal, *roles: Role) -> None:
    grant_roles(tenant=tenant, user=User.objects.get(pk=person.user_id), roles=roles)


def deactivate(person: Principal) -> None:
    User.objects.filter(pk=person.user_id).update(is_active=False)


def send_away(tenant: Tenant, person: Principal) -> None:
    with tenant_scope(tenant.pk):
        Membership.objects.filter(user_id=person.user_id).delete()


def agents_proposal(tenant: Tenant, *, owner: Principal, by: Principal) -> AgenteAprovacao:
    """A pending proposal that says an agent of `owner` made it."""
    with tenant_scope(tenant.pk):
        factories.a_policy(tenant)
        draft = factories.a_draft(by)
        return proposals.create(
            principal=by,
            draft=draft,
            seen_hash=draft.hash,
            justification="A fila parou e clientes esperam.",
            entity=None,
            evidence=[],
            agent=AgentFacts(slug="agente-1", owner=owner.subject),
        )
