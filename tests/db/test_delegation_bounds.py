"""What can be lent, to whom and for how long; in the code and in the database itself."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError

from approvals.deciders.access_errors import (
    InvalidDelegationError,
    NothingToLendError,
)
from approvals.models import Delegation
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import lending
from tests.db.lending import DAY

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def giver(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.APROVADOR)


@pytest.fixture
def delegate(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


@pytest.mark.django_db
def test_a_delegate_cannot_pass_it_on(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    lending.lend(giver, delegate)
    with pytest.raises(NothingToLendError):
        lending.lend(delegate, factories.a_principal(tenant, Role.OPERADOR))


@pytest.mark.django_db
def test_a_delegate_who_lends_their_own_role_does_not_lend_the_lent_one(
    tenant: Tenant, giver: Principal
) -> None:
    middle = factories.a_principal(tenant, Role.ADMIN)
    last = factories.a_principal(tenant, Role.OPERADOR)
    lending.lend(giver, middle)
    lending.lend(middle, last, roles=[Role.ADMIN])
    assert lending.roles_of(last) == {Role.OPERADOR, Role.ADMIN}


@pytest.mark.django_db
def test_nobody_lends_a_role_they_do_not_have_or_that_decides_nothing(
    tenant: Tenant, giver: Principal, delegate: Principal
) -> None:
    operator = factories.a_principal(tenant, Role.OPERADOR)
    for person, roles in ((giver, [Role.ADMIN]), (operator, [Role.OPERADOR]), (giver, [])):
        with pytest.raises(NothingToLendError):
            lending.lend(person, delegate, roles=roles)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("starts", "ends", "field"),
    [
        (None, 30 * DAY + HOUR, "ate"),
        (None, -HOUR, "ate"),
        (2 * DAY, DAY, "ate"),
        (91 * DAY, 92 * DAY, "de"),
        (-40 * DAY, DAY, "ate"),
    ],
)
def test_times_out_of_bounds_are_refused_and_name_the_field(
    giver: Principal,
    delegate: Principal,
    starts: dt.timedelta | None,
    ends: dt.timedelta,
    field: str,
) -> None:
    with pytest.raises(InvalidDelegationError) as refusal:
        lending.lend(giver, delegate, starts=starts, ends=ends)
    assert refusal.value.facts["fields"] == [field]


@pytest.mark.django_db
def test_thirty_days_are_allowed(giver: Principal, delegate: Principal) -> None:
    lending.lend(giver, delegate, starts=HOUR, ends=30 * DAY + HOUR)
    assert lending.roles_of(delegate) == {Role.OPERADOR}


@pytest.mark.django_db
@pytest.mark.parametrize("who", ["oneself", "an auditor", "somebody of another company", "nobody"])
def test_it_goes_only_to_another_active_person_who_audits_nobody(
    tenant: Tenant, giver: Principal, who: str
) -> None:
    match who:
        case "oneself":
            receiver = giver
        case "an auditor":
            receiver = factories.a_principal(tenant, Role.AUDITOR, Role.OPERADOR)
        case "nobody":
            receiver = factories.a_principal(tenant, Role.OPERADOR)
            lending.deactivate(receiver)
        case _:
            receiver = factories.a_principal(factories.a_tenant(), Role.OPERADOR)
    with pytest.raises(InvalidDelegationError):
        lending.lend(giver, receiver)


@pytest.mark.django_db
def test_the_same_delegation_again_is_refused(giver: Principal, delegate: Principal) -> None:
    lending.lend(giver, delegate)
    with pytest.raises(InvalidDelegationError, match="Já existe"):
        lending.lend(giver, delegate, ends=HOUR)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"ends_at": dt.timedelta(days=31)}, IntegrityError),
        ({"roles": ["auditor"]}, DatabaseError),
        ({"roles": ["admin"]}, DatabaseError),
        ({"roles": []}, DatabaseError),
        ({"receiver": None}, DatabaseError),
    ],
)
def test_the_database_itself_holds_the_bounds(
    committed: None,
    giver: Principal,
    delegate: Principal,
    change: dict[str, Any],
    error: type[Exception],
) -> None:
    with tenant_scope(giver.tenant_id):
        now = clock.now()
        values: dict[str, Any] = {
            "roles": ["aprovador"],
            "receiver": delegate.subject,
            "ends_at": DAY,
        } | change
        row = Delegation(
            tenant_id=giver.tenant_id,
            giver=giver.subject,
            giver_name=giver.name,
            receiver=values["receiver"] or giver.subject,
            receiver_name=delegate.name,
            roles=values["roles"],
            starts_at=now,
            ends_at=now + values["ends_at"],
            reason=lending.REASON,
        )
        with pytest.raises(error):
            row.save(force_insert=True)
