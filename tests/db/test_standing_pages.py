"""The page of standing permissions: who reads, who gives, and what each sees of it."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client

from approvals.models import StandingPermission
from opspilot.api import agents as registry
from opspilot.api import tokens
from opspilot.api.models import Agent
from opspilot.tenancy.models import User
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.roles import POLICY_READERS
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import agents_asking as agents
from tests.db import entering, lending
from tests.db.agents_asking import Scene

pytestmark = pytest.mark.usefixtures("committed")
INDEX = "/politicas/permissoes/"


@pytest.fixture
def scene(committed: None) -> Scene:
    scene = agents.a_scene()
    details = registry.Details("Agente A", "Estornos", scene.owner.user_id)
    with tenant_scope(scene.tenant.pk):
        registry.create(principal=scene.admins[0], slug="agente-a", details=details)
    return scene


def browser(person: Principal) -> Client:
    return entering.logged_in(User.objects.get(pk=person.user_id))


def typed(**changes: Any) -> dict[str, Any]:
    return {
        "acao": "agente-a:estorno.emitido",
        "teto": "500,00",
        "usos": 10,
        "periodo": "dia",
        "usos_periodo": 3,
        "dias": 30,
        "motivo": "Estornos pequenos do mesmo tipo.",
    } | changes


def text(client: Client, path: str) -> str:
    return client.get(path, follow=True).content.decode()


def propose(scene: Scene, **changes: Any) -> StandingPermission:
    done = browser(scene.admins[0]).post(f"{INDEX}propor/", typed(**changes))
    assert done.status_code == 302, done.content.decode()
    with tenant_scope(scene.tenant.pk):
        return StandingPermission.objects.get()


@pytest.mark.parametrize("role", list(Role))
def test_the_list_is_read_by_those_who_read_policies_and_written_by_admins(
    scene: Scene, role: Role
) -> None:
    client = entering.logged_in(factories.a_person(scene.tenant, role))
    assert client.get(INDEX).status_code == (200 if role in POLICY_READERS else 403)
    assert ("Propor uma permissão" in text(client, INDEX)) == (role == Role.ADMIN)
    if role != Role.ADMIN:
        assert client.post(f"{INDEX}propor/", typed()).status_code == 403


def test_the_page_of_policies_leads_to_it(scene: Scene) -> None:
    assert f'href="{INDEX}"' in text(browser(scene.admins[0]), "/politicas/")


def test_without_any_it_says_that_a_person_decides_everything(scene: Scene) -> None:
    assert "espera por uma pessoa" in text(browser(scene.admins[0]), INDEX)


def test_what_one_admin_proposes_another_confirms_and_its_uses_are_listed(scene: Scene) -> None:
    permission = propose(scene)
    assert (permission.ceiling_centavos, permission.agent_owner) == (50_000, scene.owner.subject)
    page = f"{INDEX}{permission.ref}/"
    assert "não confirmam" in text(browser(scene.admins[0]), page)
    second = browser(scene.admins[1])
    assert second.post(f"{page}confirmar/").status_code == 302
    proposal = agents.a_proposal(scene)
    shown = text(second, page)
    assert f"/aprovacoes/{proposal.ref}/" in shown
    assert "1 de 3 em 24 horas" in shown
    assert "em vigor" in shown


def test_the_owner_of_the_agent_is_told_that_others_give_it(scene: Scene) -> None:
    owner = browser(scene.owner)
    refused = owner.post(f"{INDEX}propor/", typed())
    assert (refused.status_code, "dono_nao_permite" in refused.content.decode()) == (403, True)
    page = f"{INDEX}{propose(scene).ref}/"
    assert "Confirmar esta permissão" not in text(owner, page)
    assert owner.post(f"{page}confirmar/").status_code == 403


def test_ending_it_asks_why_and_stays_on_the_page(scene: Scene) -> None:
    permission = propose(scene)
    admin = browser(scene.admins[0])
    page = f"{INDEX}{permission.ref}/"
    assert admin.post(f"{page}revogar/", {"motivo": "não"}).status_code == 422
    assert admin.post(f"{page}revogar/", {"motivo": "Não é mais preciso."}).status_code == 302
    shown = text(admin, page)
    assert "descartada" in shown
    assert "Não é mais preciso." in shown
    assert "descartada" in text(admin, INDEX)


@pytest.mark.parametrize(
    "changes",
    [
        {"teto": "1.000,00"},
        {"teto": "quinhentos"},
        {"teto": "1001"},
        {"teto": ""},
        {"dias": 91},
        {"usos_periodo": 11},
        {"acao": "agente-a:issue.criada"},
        {"acao": "agente-z:estorno.emitido"},
        {"motivo": "curto"},
        {"dono": "usuario:1"},
    ],
)
def test_what_is_outside_the_limits_comes_back_with_what_was_typed(
    scene: Scene, changes: dict[str, Any]
) -> None:
    answer = browser(scene.admins[0]).post(f"{INDEX}propor/", typed(**changes))
    assert answer.status_code == 422
    assert changes.get("motivo", "Estornos pequenos do mesmo tipo.") in answer.content.decode()
    with tenant_scope(scene.tenant.pk):
        assert not StandingPermission.objects.exists()


def test_an_agent_that_is_not_registered_is_not_offered(scene: Scene) -> None:
    agents.a_policy(scene.tenant, estorno__emitido={"agents": ["agente-a", "agente-c"]})
    shown = text(browser(scene.admins[0]), INDEX)
    assert "agente-a:estorno.emitido" in shown
    assert "agente-c:estorno.emitido" not in shown


def test_another_company_s_permission_is_not_found(scene: Scene) -> None:
    elsewhere = agents.a_scene()
    permission = agents.proposed(elsewhere)
    admin = browser(scene.admins[0])
    assert admin.get(f"{INDEX}{permission.ref}/").status_code == 404
    assert admin.post(f"{INDEX}{permission.ref}/confirmar/").status_code == 404


def test_an_old_login_proves_itself_before_it_permits(scene: Scene) -> None:
    admin = browser(scene.admins[0])
    entering.grow_old(admin)
    answer = admin.post(f"{INDEX}propor/", typed())
    assert (answer.status_code, "/conta/confirmar/" in answer["Location"]) == (302, True)
    with tenant_scope(scene.tenant.pk):
        assert not StandingPermission.objects.exists()


def test_who_issued_a_token_of_the_agent_is_told_that_others_give_it(scene: Scene) -> None:
    with tenant_scope(scene.tenant.pk):
        agent = Agent.objects.get(slug="agente-a")
        tokens.issue(
            principal=scene.admins[0],
            agent=agent,
            ref=uuid.uuid4(),
            scopes=["aprovacoes:propor"],
            days=30,
        )
    refused = browser(scene.admins[0]).post(f"{INDEX}propor/", typed())
    assert (refused.status_code, "emitiu um token dele" in refused.content.decode()) == (403, True)


def test_one_whose_giver_is_no_admin_any_more_says_why_it_rests(scene: Scene) -> None:
    page = f"{INDEX}{propose(scene).ref}/"
    browser(scene.admins[1]).post(f"{page}confirmar/")
    lending.set_roles(scene.tenant, scene.admins[0], Role.OPERADOR)
    second = browser(scene.admins[1])
    shown = text(second, page)
    assert f"{scene.admins[0].name} não é mais admin." in shown
    assert "Não aprova nada agora." in shown
    assert "suspensa" in text(second, INDEX)
