"""An admin gives and takes roles: never their own, never `admin`, with a reason and a row each."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from approvals.errors import ReasonRequiredError
from audit.models import AgenteAcao
from opspilot.acessos import roles
from opspilot.acessos.role_errors import (
    AdminGivenError,
    OwnRolesError,
    ProviderRolesError,
    RolesMovedError,
    SameRolesError,
)
from opspilot.errors import NotFoundError, RoleRequiredError
from opspilot.tenancy import selectors as people
from opspilot.tenancy.models import MembershipChange, Tenant, User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import lending
from tests.db.browsing import Browser, as_
from tests.db.races import at_once

pytestmark = pytest.mark.usefixtures("committed")
REASON = "Passa a cobrir o plantão de sábado."


@pytest.fixture
def tenant() -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


@pytest.fixture
def boss(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.ADMIN)


@pytest.fixture
def operator(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def change(by: Principal, person: Principal, *wanted: Role, **said: Any) -> None:
    with tenant_scope(by.tenant_id):
        roles.change(
            admin=by,
            user_id=person.user_id,
            wanted=frozenset(wanted),
            **{"seen": person.roles, "reason": REASON} | said,
        )


def now(person: Principal) -> frozenset[Role]:
    with tenant_scope(person.tenant_id):
        return people.roles_now(user_id=person.user_id)


def test_a_role_is_given_with_a_row_of_the_trail_and_one_of_the_history(
    tenant: Tenant, boss: Principal, operator: Principal
) -> None:
    change(boss, operator, Role.OPERADOR, Role.APROVADOR)
    assert now(operator) == {Role.OPERADOR, Role.APROVADOR}
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(acao="papeis.alterados")
        remembered = MembershipChange.objects.filter(subject=operator.subject).order_by("-pk")[0]
    assert row.entrada_resumo == boss.signature
    said = f"{operator.signature}: de operador para aprovador, operador. Motivo: {REASON}"
    assert row.saida_resumo == said
    assert remembered.roles == ["aprovador", "operador"]


def test_taking_the_last_one_leaves_a_person_who_opens_nothing_and_can_be_given_one_again(
    tenant: Tenant, boss: Principal, operator: Principal
) -> None:
    change(boss, operator)
    assert as_(operator).status("/") == 403
    assert f'/acessos/pessoas/{operator.user_id}/"' in as_(boss).read("/acessos/")
    change(boss, operator, Role.AUDITOR, seen=frozenset())
    assert now(operator) == {Role.AUDITOR}


def test_nobody_changes_their_own(boss: Principal) -> None:
    with pytest.raises(OwnRolesError):
        change(boss, boss, Role.ADMIN, Role.APROVADOR)


def test_an_admin_alone_makes_no_other(boss: Principal, operator: Principal) -> None:
    with pytest.raises(AdminGivenError):
        change(boss, operator, Role.ADMIN)
    assert now(operator) == {Role.OPERADOR}


def test_an_admin_is_taken_the_role_by_another(tenant: Tenant, boss: Principal) -> None:
    other = factories.a_principal(tenant, Role.ADMIN)
    change(boss, other, Role.OPERADOR)
    assert now(other) == {Role.OPERADOR}


def test_of_two_admins_who_take_it_from_each_other_one_stays(
    tenant: Tenant, boss: Principal
) -> None:
    other = factories.a_principal(tenant, Role.ADMIN)
    outcomes = at_once(
        [
            partial(change, boss, other, Role.OPERADOR),
            partial(change, other, boss, Role.OPERADOR),
        ]
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == [
        "NoneType", "RoleRequiredError",
    ]  # fmt: skip
    assert [Role.ADMIN in now(person) for person in (boss, other)].count(True) == 1


@pytest.mark.parametrize(
    ("wanted", "said", "refusal"),
    [
        ((Role.APROVADOR,), {"reason": "curto"}, ReasonRequiredError),
        ((Role.OPERADOR,), {}, SameRolesError),
        ((Role.APROVADOR,), {"seen": frozenset({Role.AUDITOR})}, RolesMovedError),
    ],
)
def test_without_a_reason_a_change_or_the_list_of_now_nothing_changes(
    boss: Principal, operator: Principal, wanted: tuple[Role, ...], said: Any, refusal: Any
) -> None:
    with pytest.raises(refusal):
        change(boss, operator, *wanted, **said)
    assert now(operator) == {Role.OPERADOR}


def test_who_has_lost_the_role_since_the_page_opened_changes_nothing(
    tenant: Tenant, boss: Principal, operator: Principal
) -> None:
    lending.set_roles(tenant, boss, Role.OPERADOR)
    with pytest.raises(RoleRequiredError):
        change(boss, operator, Role.APROVADOR)


def test_somebody_of_another_company_is_unknown(boss: Principal) -> None:
    stranger = factories.a_principal(factories.a_tenant(), Role.OPERADOR)
    with pytest.raises(NotFoundError):
        change(boss, stranger, Role.APROVADOR)
    assert as_(boss).status(f"/acessos/pessoas/{stranger.user_id}/") == 404


def test_whose_roles_the_company_s_groups_give_is_not_changed_here(
    boss: Principal, operator: Principal
) -> None:
    with tenant_scope(boss.tenant_id):
        found = roles.Person(operator.user_id, operator.name, operator.roles, by_provider=True)
        with pytest.raises(ProviderRolesError):
            roles.check(
                admin=boss,
                person=found,
                wanted=frozenset({Role.APROVADOR}),
                seen=operator.roles,
                reason=REASON,
            )


def typed(person: Principal, *wanted: Role, **more: str) -> dict[str, Any]:
    names = " ".join(sorted(person.roles))
    return {"papeis": [str(role) for role in wanted], "motivo": REASON, "antes": names} | more


def proven(person: Principal) -> Browser:
    return as_(person).just_proved()


def test_the_first_press_shows_what_follows_and_the_second_does_it(
    boss: Principal, operator: Principal
) -> None:
    browser, path = proven(boss), f"/acessos/pessoas/{operator.user_id}/mudar/"
    page = browser.send(path, **typed(operator, Role.APROVADOR))
    assert "Nada mudou ainda." in page
    assert "única pessoa do papel" in page
    assert now(operator) == {Role.OPERADOR}
    page = browser.send(path, **typed(operator, Role.APROVADOR, certo="sim"))
    assert f"Papéis de {operator.name} gravados." in page
    assert now(operator) == {Role.APROVADOR}


def test_admin_and_approver_in_one_person_is_named_before_it_is_so(
    tenant: Tenant, boss: Principal
) -> None:
    other = factories.a_principal(tenant, Role.ADMIN)
    path = f"/acessos/pessoas/{other.user_id}/mudar/"
    page = proven(boss).send(path, **typed(other, Role.ADMIN, Role.APROVADOR))
    assert "admin e aprovador na mesma pessoa" in page


def test_a_short_reason_keeps_what_was_marked(boss: Principal, operator: Principal) -> None:
    path = f"/acessos/pessoas/{operator.user_id}/mudar/"
    answer = proven(boss).client.post(path, typed(operator, Role.AUDITOR, motivo="curto"))
    assert answer.status_code == 422
    assert 'value="auditor"' in answer.content.decode()
    assert "curto" in answer.content.decode()


def test_roles_that_are_there_already_lead_back_to_the_person(
    boss: Principal, operator: Principal
) -> None:
    path = f"/acessos/pessoas/{operator.user_id}/"
    answer = proven(boss).client.post(f"{path}mudar/", typed(operator, Role.OPERADOR))
    assert answer.status_code == 422
    assert f'href="{path}"' in answer.content.decode()


def test_an_old_login_proves_itself_first(boss: Principal, operator: Principal) -> None:
    path = f"/acessos/pessoas/{operator.user_id}/mudar/"
    answer = as_(boss).client.post(path, typed(operator, Role.AUDITOR))
    assert answer["Location"].startswith("/conta/confirmar/")


def test_only_an_admin_is_offered_it_and_never_for_themselves(
    tenant: Tenant, boss: Principal, operator: Principal
) -> None:
    auditor = factories.a_principal(tenant, Role.AUDITOR)
    page, theirs = (as_(person).read("/acessos/") for person in (boss, auditor))
    assert f'href="/acessos/pessoas/{operator.user_id}/"' in page
    assert f'href="/acessos/pessoas/{boss.user_id}/"' not in page
    assert "/acessos/pessoas/" not in theirs
    assert as_(auditor).status(f"/acessos/pessoas/{operator.user_id}/") == 403
    assert "Ninguém dá nem tira os próprios papéis." in as_(boss).read(
        f"/acessos/pessoas/{boss.user_id}/"
    )


def test_the_page_offers_admin_only_to_be_taken_away(
    tenant: Tenant, boss: Principal, operator: Principal
) -> None:
    other = factories.a_principal(tenant, Role.ADMIN)
    pages = [as_(boss).read(f"/acessos/pessoas/{p.user_id}/") for p in (operator, other)]
    assert ['value="admin"' in page for page in pages] == [False, True]


def test_who_operates_the_installation_makes_an_admin_and_the_trail_says_so(
    tenant: Tenant, operator: Principal
) -> None:
    user = User.objects.get(pk=operator.user_id)
    said = {"company": tenant.slug, "person": user.username}
    with pytest.raises(CommandError):
        call_command("give_admin", **said, reason="curto")
    call_command("give_admin", **said, reason=REASON)
    assert now(operator) == {Role.OPERADOR, Role.ADMIN}
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(acao="papeis.alterados")
    assert row.entrada_resumo == "operação da instalação"
