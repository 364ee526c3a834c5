"""Who could decide what at a moment: people, policy and delegations as they were then."""

from __future__ import annotations

import datetime as dt

import pytest

from approvals.deciders import access
from opspilot.api.models import Agent
from opspilot.tenancy import clock
from opspilot.tenancy import selectors as people
from opspilot.tenancy.models import MembershipChange, Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db import lending
from tests.db.accessing import line_of, now, picture


@pytest.fixture
def tenant() -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


def roles_at(tenant: Tenant, person: Principal, at: dt.datetime | None) -> tuple[str, ...] | None:
    line = line_of(picture(tenant, at), person)
    return line.roles if line else None


@pytest.mark.django_db
def test_a_past_moment_shows_the_roles_of_then_with_changes_on_both_sides(tenant: Tenant) -> None:
    person = factories.a_principal(tenant, Role.OPERADOR)
    moments = [now(tenant)]
    for roles in ([Role.APROVADOR], [Role.APROVADOR, Role.ADMIN], [Role.AUDITOR]):
        lending.set_roles(tenant, person, *roles)
        moments.append(now(tenant))
    found = [roles_at(tenant, person, at) for at in moments]
    assert found == [("operador",), ("aprovador",), ("admin", "aprovador"), ("auditor",)]


@pytest.mark.django_db
def test_somebody_who_came_later_or_had_left_is_not_in_the_past(tenant: Tenant) -> None:
    before = now(tenant)
    person = factories.a_principal(tenant, Role.APROVADOR)
    inside = now(tenant)
    lending.send_away(tenant, person)
    after = now(tenant)
    found = [roles_at(tenant, person, at) for at in (before, inside, after)]
    assert found == [None, ("aprovador",), None]


@pytest.mark.django_db
def test_a_deactivated_person_is_in_the_list_until_the_deactivation(tenant: Tenant) -> None:
    person = factories.a_principal(tenant, Role.APROVADOR)
    active = now(tenant)
    lending.deactivate(person)
    gone = now(tenant)
    User.objects.filter(pk=person.user_id).update(is_active=True)
    found = [roles_at(tenant, person, at) for at in (active, gone, now(tenant))]
    assert found == [("aprovador",), None, ("aprovador",)]


@pytest.mark.django_db
def test_a_person_is_named_as_they_were_called_then(tenant: Tenant) -> None:
    person = factories.a_principal(tenant, Role.APROVADOR)
    before = now(tenant)
    User.objects.filter(pk=person.user_id).update(display_name="aprovador renomeado")
    past, today = (line_of(picture(tenant, at), person) for at in (before, None))
    assert past is not None
    assert today is not None
    assert (past.name, today.name) == (person.name, "aprovador renomeado")


@pytest.mark.django_db
def test_the_list_of_now_and_the_past_list_of_this_moment_say_the_same(tenant: Tenant) -> None:
    giver, receiver = (factories.a_principal(tenant, r) for r in (Role.APROVADOR, Role.OPERADOR))
    lending.lend(giver, receiver)
    today = picture(tenant)
    assert picture(tenant, now(tenant)).content == today.content


@pytest.mark.django_db
def test_the_policy_of_then_decides_who_decided(tenant: Tenant) -> None:
    person = factories.a_principal(tenant, Role.ADMIN)
    before = now(tenant)
    factories.a_policy(tenant, approver_role="admin")
    past, today = (picture(tenant, at) for at in (before, None))
    assert (past.policy, today.policy) == (1, 2)
    then, after = line_of(past, person), line_of(today, person)
    assert then is not None
    assert after is not None
    assert then.decides == ()
    assert after.decides == tuple(("issue.criada", risk) for risk in ("baixo", "medio", "alto"))


@pytest.mark.django_db
def test_a_delegation_is_in_the_list_while_it_held(tenant: Tenant) -> None:
    giver, receiver = (factories.a_principal(tenant, r) for r in (Role.APROVADOR, Role.OPERADOR))
    before = now(tenant)
    row = lending.lend(giver, receiver)
    during = now(tenant)
    lending.revoke(row, giver)
    found = [line_of(picture(tenant, at), receiver) for at in (before, during, None)]
    lent = [[loan.giver for loan in line.lent] for line in found if line]
    assert lent == [[], [giver.subject], []]


@pytest.mark.django_db
def test_two_companies_remember_only_their_own(tenant: Tenant) -> None:
    other = factories.a_tenant()
    stranger = factories.a_principal(other, Role.APROVADOR)
    assert line_of(picture(tenant), stranger) is None
    assert line_of(picture(tenant, now(tenant)), stranger) is None
    with tenant_scope(tenant.pk):
        subjects = set(MembershipChange.objects.values_list("subject", flat=True))
    assert stranger.subject not in subjects


@pytest.mark.django_db
def test_a_deactivation_is_remembered_in_every_company_of_the_person(tenant: Tenant) -> None:
    person = factories.a_principal(tenant, Role.APROVADOR)
    other = factories.a_tenant()
    lending.set_roles(other, person, Role.AUDITOR)
    lending.deactivate(person)
    for company in (tenant, other):
        with tenant_scope(company.pk):
            last = MembershipChange.objects.filter(subject=person.subject).latest("pk")
        assert not last.active


@pytest.mark.django_db
def test_a_change_that_changes_nothing_is_not_remembered(tenant: Tenant) -> None:
    person = factories.a_principal(tenant, Role.APROVADOR)
    lending.set_roles(tenant, person, Role.APROVADOR)
    User.objects.filter(pk=person.user_id).update(theme="dark")
    with tenant_scope(tenant.pk):
        assert MembershipChange.objects.filter(subject=person.subject).count() == 1


def test_the_memory_cannot_be_rewritten_not_even_by_its_owner(
    committed: None, tenant: Tenant, owner: Connection
) -> None:
    factories.a_principal(tenant, Role.APROVADOR)
    for statement in (
        "UPDATE membership_change SET active = false",
        "DELETE FROM membership_change",
    ):
        with owner.transaction(force_rollback=True):
            owner.execute("SELECT set_config('opspilot.tenant_id', %s, true)", [str(tenant.pk)])
            with pytest.raises(Exception, match="append-only"):
                owner.execute(statement)


@pytest.mark.django_db
def test_the_subjects_of_the_memory_are_those_of_the_decisions(tenant: Tenant) -> None:
    person = factories.a_principal(tenant, Role.APROVADOR)
    with tenant_scope(tenant.pk):
        assert people.members_at(clock.now())[0].subject == person.subject


@pytest.mark.django_db
def test_admin_and_approver_in_one_person_is_a_conflict(tenant: Tenant) -> None:
    person = factories.a_principal(tenant, Role.ADMIN, Role.APROVADOR)
    factories.a_principal(tenant, Role.APROVADOR)
    line = line_of(picture(tenant), person)
    assert line is not None
    assert line.conflicts == (access.ADMIN_DECIDES,)


@pytest.mark.django_db
def test_being_alone_in_a_deciding_role_is_a_conflict(tenant: Tenant) -> None:
    person = factories.a_principal(tenant, Role.APROVADOR)
    assert line_of(picture(tenant), person).conflicts == (access.ALONE,)  # type: ignore[union-attr]
    factories.a_principal(tenant, Role.APROVADOR)
    assert line_of(picture(tenant), person).conflicts == ()  # type: ignore[union-attr]


@pytest.mark.django_db
def test_owning_an_agent_and_deciding_is_a_conflict_also_before_it_proposed(
    tenant: Tenant,
) -> None:
    owner, other = (factories.a_principal(tenant, Role.APROVADOR) for _ in range(2))
    with tenant_scope(tenant.pk):
        Agent.objects.create(
            tenant=tenant, slug="agente-1", name="Agente 1", purpose="testes",
            owner_id=owner.user_id, created_by="admin 1",
        )  # fmt: skip
    found = picture(tenant)
    assert line_of(found, owner).conflicts == (access.OWNER_DECIDES,)  # type: ignore[union-attr]
    assert line_of(found, owner).agents == ("agente-1",)  # type: ignore[union-attr]
    assert line_of(found, other).conflicts == ()  # type: ignore[union-attr]


@pytest.mark.django_db
def test_of_the_past_an_owner_is_known_by_what_the_agent_had_proposed(tenant: Tenant) -> None:
    owner = factories.a_principal(tenant, Role.APROVADOR)
    before = now(tenant)
    lending.agents_proposal(tenant, owner=owner, by=factories.a_principal(tenant))
    assert line_of(picture(tenant, before), owner).agents == ()  # type: ignore[union-attr]
    assert line_of(picture(tenant, now(tenant)), owner).agents == ("agente-1",)  # type: ignore[union-attr]


@pytest.mark.django_db
def test_a_rule_with_fewer_people_than_votes_is_marked(tenant: Tenant) -> None:
    factories.a_principal(tenant, Role.APROVADOR)
    found = {rule.risk: rule.short for rule in picture(tenant).rules}
    assert found == {"baixo": False, "medio": False, "alto": True}


@pytest.mark.django_db
def test_without_a_policy_nobody_decides_anything() -> None:
    bare = factories.a_tenant()
    person = factories.a_principal(bare, Role.APROVADOR)
    found = picture(bare)
    assert (found.policy, found.rules) == (None, ())
    assert line_of(found, person).decides == ()  # type: ignore[union-attr]
