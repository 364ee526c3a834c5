"""The pages of stops: who reads, who presses, who lifts, and what every other page says meanwhile."""

from __future__ import annotations

import pytest
from django.test import Client

from approvals.stops import stopping
from opspilot.api import agents as registry
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import entering
from tests.db import stopping as stops
from tests.db.browsing import a_browser, as_

pytestmark = pytest.mark.usefixtures("committed")
INDEX, PRESS = "/paradas/", "/paradas/parar/"
TYPED = {"alvo": "empresa:", "motivo": stops.REASON}
STRIP = "Parada de emergência em vigor."


@pytest.fixture
def tenant() -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


def logged_in(tenant: Tenant, role: Role) -> Client:
    return entering.logged_in(factories.a_person(tenant, role))


def text(client: Client, path: str) -> str:
    return client.get(path, follow=True).content.decode()


@pytest.mark.parametrize("role", list(Role))
def test_everybody_reads_and_only_approvers_and_admins_press(tenant: Tenant, role: Role) -> None:
    client, presses = logged_in(tenant, role), role in stopping.PRESSERS
    page = text(client, INDEX)
    assert "Nunca foi preciso parar" in page
    assert ("Não espera por outra pessoa" in page) == presses
    response = client.post(PRESS, TYPED)
    assert response.status_code == (302 if presses else 403)
    with tenant_scope(tenant.pk):
        assert bool(stopping.in_force()) == presses


@pytest.mark.parametrize("role", list(Role))
def test_only_an_admin_lifts(tenant: Tenant, role: Role) -> None:
    client, stop = logged_in(tenant, role), stops.press(tenant)
    page = text(client, f"{INDEX}{stop.ref}/")
    assert ("Levantar a parada" in page) == (role == Role.ADMIN)
    response = client.post(f"{INDEX}{stop.ref}/levantar/", {"motivo": "O reenvio foi corrigido."})
    assert response.status_code == (302 if role == Role.ADMIN else 403)
    with tenant_scope(tenant.pk):
        assert (stopping.in_force() == []) == (role == Role.ADMIN)


def test_a_short_reason_stops_nothing_and_what_was_typed_stays(tenant: Tenant) -> None:
    client = logged_in(tenant, Role.ADMIN)
    response = client.post(PRESS, TYPED | {"motivo": "já"})
    assert response.status_code == 422
    assert "já</textarea>" in response.content.decode()
    with tenant_scope(tenant.pk):
        assert stopping.in_force() == []


def test_agents_and_connectors_are_offered_and_nothing_else_is_taken(tenant: Tenant) -> None:
    admin = factories.a_principal(tenant, Role.ADMIN)
    details = registry.Details("Agente A", "Filas", admin.user_id)
    with tenant_scope(tenant.pk):
        registry.create(principal=admin, slug="agente-a", details=details)
    client = logged_in(tenant, Role.APROVADOR)
    page = text(client, INDEX)
    for value in ("empresa:", "conector:gitlab", "conector:semaphore", "agente:agente-a"):
        assert f'value="{value}"' in page, value
    for value in ("agente:agente-b", "conector:smtp", "empresa:x", ""):
        assert client.post(PRESS, TYPED | {"alvo": value}).status_code == 422, value
    assert client.post(PRESS, TYPED | {"alvo": "agente:agente-a"}).status_code == 302


def test_every_page_of_the_company_says_so_until_it_is_lifted(tenant: Tenant) -> None:
    client = logged_in(tenant, Role.ADMIN)
    other = logged_in(factories.a_tenant(), Role.ADMIN)
    paths = ("/", "/aprovacoes/", "/politicas/", INDEX, "/perguntar/")
    assert not any(STRIP in text(client, path) for path in paths)
    stop = stops.press(tenant)
    for path in paths:
        page = text(client, path)
        assert STRIP in page, path
        assert stops.REASON.rstrip(".") in page, path
        assert STRIP not in text(other, path), path
    stops.lift(stop)
    assert not any(STRIP in text(client, path) for path in paths)


def test_another_company_s_stop_is_not_found(tenant: Tenant) -> None:
    stop = stops.press(factories.a_tenant())
    client = logged_in(tenant, Role.ADMIN)
    assert client.get(f"{INDEX}{stop.ref}/").status_code == 404
    response = client.post(f"{INDEX}{stop.ref}/levantar/", {"motivo": "O reenvio foi corrigido."})
    assert response.status_code == 404


def test_a_proposal_waiting_for_a_decision_says_that_it_would_not_start(tenant: Tenant) -> None:
    proposal = factories.a_proposal(tenant)
    stops.press(tenant)
    page = a_browser(tenant, Role.APROVADOR).read(f"/aprovacoes/{proposal.ref}/")
    assert "Pode ser decidida; não começa enquanto a parada estiver em vigor." in page
    assert "Aprovar" in page


def test_a_held_effect_says_since_when_by_whom_and_why(tenant: Tenant) -> None:
    approver = factories.a_principal(tenant, Role.APROVADOR)
    proposal = factories.approve(factories.a_proposal(tenant), approver)
    stops.press(tenant, by=approver)
    page = a_browser(tenant, Role.OPERADOR).read(f"/aprovacoes/{proposal.ref}/")
    assert "Parada de emergência desde" in page
    assert f"por {approver.name}: {stops.REASON}".rstrip(".") in page


def test_the_dashboard_leads_to_the_stops(tenant: Tenant) -> None:
    for role in Role:
        assert f'href="{INDEX}"' in a_browser(tenant, role).read("/"), role


def test_who_just_approved_is_told_what_holds_it_and_not_when_it_would_run(tenant: Tenant) -> None:
    approver = factories.a_principal(tenant, Role.APROVADOR)
    proposal = factories.approve(factories.a_proposal(tenant), approver)
    page = as_(approver).read(f"/aprovacoes/?decidida={proposal.ref}")
    assert "A execução começa agora." in page
    stops.press(tenant, by=approver)
    page = as_(approver).read(f"/aprovacoes/?decidida={proposal.ref}")
    assert "A execução começa agora." not in page
    assert page.count(f"por {approver.name}: {stops.REASON}".rstrip(".")) == 2


def test_while_a_stop_holds_it_the_page_names_no_moment_of_a_start(tenant: Tenant) -> None:
    approver = factories.a_principal(tenant, Role.APROVADOR)
    proposal = factories.approve(factories.a_proposal(tenant), approver)
    path, sends = f"/aprovacoes/{proposal.ref}/", "O sistema envia a partir de"
    assert sends in as_(approver).read(path)
    stops.press(tenant, by=approver)
    assert sends not in as_(approver).read(path)


def test_pressing_warns_and_lifting_promises_no_more_than_a_place_in_the_queue(
    tenant: Tenant,
) -> None:
    admin = a_browser(tenant, Role.ADMIN)
    page = admin.send(PRESS, **TYPED)
    assert "Parado. Nada disso começa" in toast(page, "attention")
    with tenant_scope(tenant.pk):
        ref = stopping.in_force()[0].ref
    page = admin.send(f"{INDEX}{ref}/levantar/", motivo="O reenvio foi corrigido.")
    assert "volta à fila; o que passou do prazo não será executado." in toast(page, "done")


def toast(page: str, state: str) -> str:
    return page.partition(f'<dialog class="note" open data-state="{state}"')[2].partition(
        "</dialog>"
    )[0]
