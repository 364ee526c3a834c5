"""The editor of a kind that agents carry out, and where the policy pages show it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from approvals import rules
from approvals.models import PolicyDraft
from approvals.policy import policy_kind_forms
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import agents_asking as agents
from tests.db import entering
from tests.db.agents_asking import CHANGED, REFUND, Scene

pytestmark = pytest.mark.usefixtures("committed")
PAGE = f"/politicas/rascunho/acoes/{REFUND}/"


@pytest.fixture
def scene(committed: None) -> Scene:
    return agents.a_scene()


def browser(scene: Scene, role: Role = Role.ADMIN) -> Client:
    return entering.logged_in(factories.a_person(scene.tenant, role))


def typed(scene: Scene, **changes: Any) -> dict[str, Any]:
    with tenant_scope(scene.tenant.pk):
        policy = rules.in_force()
    values = policy_kind_forms.initial(policy.document, REFUND)
    filled = {name: value for name, value in values.items() if value != ""}
    return filled | {"base": policy.number, "motivo": "O agente mudou de nome."} | changes


def test_the_policy_shows_every_kind_and_the_way_to_change_it(scene: Scene) -> None:
    page = browser(scene).get("/politicas/").content.decode()
    for text in ("Estorno emitido", "agente-a", "1.000,00", f'href="{PAGE}"'):
        assert text in page
    read = browser(scene, Role.AUDITOR).get("/politicas/").content.decode()
    assert "Estorno emitido" in read
    assert PAGE not in read
    assert "Estorno emitido" in browser(scene).get("/politicas/versoes/1/").content.decode()


@pytest.mark.parametrize("role", [role for role in Role if role != Role.ADMIN])
def test_only_an_admin_opens_the_editor(scene: Scene, role: Role) -> None:
    assert browser(scene, role).get(PAGE).status_code == 403


def test_a_kind_that_does_not_exist_is_not_found(scene: Scene) -> None:
    for kind in ("issue.criada", "nada.feito"):
        path = f"/politicas/rascunho/acoes/{kind}/"
        assert browser(scene).get(path).status_code == 404


def test_the_page_shows_what_the_policy_has(scene: Scene) -> None:
    page = browser(scene).get(PAGE).content.decode()
    assert "motivo* = escolha; Motivo; dobro | erro" in page
    assert 'value="1000"' in page


def test_a_change_becomes_a_draft_of_that_kind_and_leaves_the_others(scene: Scene) -> None:
    client = browser(scene)
    done = client.post(PAGE, typed(scene, agentes="agente-b", teto="2000"))
    assert done.status_code == 302, done.content.decode()
    with tenant_scope(scene.tenant.pk):
        kinds = PolicyDraft.objects.get().document["acoes_externas"]
    assert (kinds[REFUND]["agents"], kinds[REFUND]["ceiling_centavos"]) == (["agente-b"], 200_000)
    assert kinds[CHANGED] == agents.EXTERNAL[CHANGED]
    shown = client.get(done["Location"]).content.decode()
    assert "agente-b" in shown
    assert "afrouxa" in shown


def test_a_field_that_cannot_be_keeps_the_page_and_what_was_typed(scene: Scene) -> None:
    answer = browser(scene).post(PAGE, typed(scene, campos="valor = fração; Valor"))
    assert answer.status_code == 422
    assert "valor = fração; Valor" in answer.content.decode()
    with tenant_scope(scene.tenant.pk):
        assert not PolicyDraft.objects.exists()


def test_a_draft_that_changes_nothing_is_refused(scene: Scene) -> None:
    answer = browser(scene).post(PAGE, typed(scene))
    assert "politica_igual" in answer.content.decode()
