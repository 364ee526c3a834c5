"""Views of the queue that people keep: theirs alone, in the company they kept them in."""

from __future__ import annotations

import pytest

from approvals.inbox import saved_views
from approvals.inbox.queue_url import Queue
from approvals.models import SavedView
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import as_

pytestmark = pytest.mark.usefixtures("committed")
SAVE = "/aprovacoes/visoes/guardar/"


@pytest.fixture
def tenant() -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def person(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.APROVADOR)


def keep(person: Principal, name: str, queue: Queue) -> SavedView:
    with tenant_scope(person.tenant_id):
        return saved_views.save(principal=person, name=name, queue=queue)


def names(person: Principal) -> list[str]:
    with tenant_scope(person.tenant_id):
        return [view.name for view in saved_views.of(principal=person)]


def test_a_view_is_made_from_the_address_and_leads_back_to_it(
    tenant: Tenant, person: Principal
) -> None:
    factories.a_proposal(tenant)
    browser = as_(person)
    page = browser.read("/aprovacoes/?fila=todas&risco=baixo")
    assert 'href="/aprovacoes/visoes/?fila=todas&amp;risco=baixo"' in page
    form = browser.read("/aprovacoes/visoes/?fila=todas&risco=baixo")
    assert 'name="endereco" value="fila=todas&amp;risco=baixo"' in form
    page = browser.send(SAVE, nome="Rotina da manhã", endereco="fila=todas&risco=baixo")
    assert (
        'href="/aprovacoes/?fila=todas&amp;risco=baixo" aria-current="true">Rotina da manhã' in page
    )


def test_another_person_and_another_company_never_see_it(tenant: Tenant, person: Principal) -> None:
    keep(person, "Só minha", Queue(risco="alto"))
    colleague = factories.a_principal(tenant, Role.APROVADOR)
    stranger = factories.a_principal(factories.a_tenant(), Role.APROVADOR)
    assert (names(person), names(colleague), names(stranger)) == (["Só minha"], [], [])


@pytest.mark.parametrize("act", ["renomear", "apagar", "primeira"])
def test_somebody_else_s_view_is_as_unknown_as_one_that_never_was(
    tenant: Tenant, person: Principal, act: str
) -> None:
    view = keep(person, "Minha", Queue())
    data = {"visao": view.ref, "nome": "X", "abre": "sim"}
    wanted = {"renomear": ("visao", "nome"), "apagar": ("visao",), "primeira": ("visao", "abre")}
    for other in (factories.a_tenant(), tenant):
        browser = as_(factories.a_principal(other, Role.APROVADOR))
        sent = {name: data[name] for name in wanted[act]}
        assert browser.client.post(f"/aprovacoes/visoes/{act}/", sent).status_code == 404
    with tenant_scope(tenant.pk):
        fresh = SavedView.objects.get(pk=view.pk)
    assert (fresh.name, fresh.opens_first) == ("Minha", False)


def test_a_view_is_renamed_and_deleted(person: Principal) -> None:
    view, browser = keep(person, "Antes", Queue("todas")), as_(person)
    browser.send("/aprovacoes/visoes/renomear/", visao=view.ref, nome="Depois")
    assert names(person) == ["Depois"]
    browser.send("/aprovacoes/visoes/apagar/", visao=view.ref)
    assert names(person) == []


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "Igual"])
def test_a_name_that_cannot_be_one_keeps_what_was_typed(person: Principal, name: str) -> None:
    keep(person, "Igual", Queue())
    answer = as_(person).client.post(SAVE, {"nome": name, "endereco": "risco=alto"})
    assert answer.status_code == 422
    assert 'value="risco=alto"' in answer.content.decode()
    assert names(person) == ["Igual"]


def test_two_people_may_use_the_same_name(tenant: Tenant, person: Principal) -> None:
    colleague = factories.a_principal(tenant, Role.APROVADOR)
    for somebody in (person, colleague):
        keep(somebody, "Manhã", Queue())
    assert names(colleague) == ["Manhã"]


def test_a_twenty_first_view_is_refused(person: Principal) -> None:
    for number in range(saved_views.MOST):
        keep(person, f"Visão {number}", Queue())
    answer = as_(person).client.post(SAVE, {"nome": "Mais uma", "endereco": ""})
    assert (answer.status_code, len(names(person))) == (409, saved_views.MOST)


def test_the_bare_address_opens_the_view_chosen_to_be_first_and_only_that(
    person: Principal,
) -> None:
    view, other = keep(person, "Alto", Queue(risco="alto")), keep(person, "Todas", Queue("todas"))
    browser = as_(person)
    for chosen in (other, view):
        browser.send("/aprovacoes/visoes/primeira/", visao=chosen.ref, abre="sim")
    assert browser.client.get("/aprovacoes/")["Location"] == "/aprovacoes/?risco=alto"
    assert browser.status("/aprovacoes/?fila=para-mim") == 200
    browser.send("/aprovacoes/visoes/primeira/", visao=view.ref, abre="nao")
    assert browser.status("/aprovacoes/") == 200


def test_with_a_first_view_the_plain_queue_stays_within_reach(
    tenant: Tenant, person: Principal
) -> None:
    factories.a_proposal(tenant)
    view, browser = keep(person, "Baixo", Queue(risco="baixo")), as_(person)
    browser.send("/aprovacoes/visoes/primeira/", visao=view.ref, abre="sim")
    page = browser.read("/aprovacoes/?risco=baixo")
    assert 'href="/aprovacoes/?fila=para-mim"' in page
    assert 'href="/aprovacoes/"' not in page.partition("<main")[2]


def test_a_view_whose_filter_cannot_be_one_any_more_opens_without_it(person: Principal) -> None:
    view = keep(person, "Velha", Queue(risco="alto"))
    with tenant_scope(person.tenant_id):
        SavedView.objects.filter(pk=view.pk).update(query="fila=nada&risco=extremo&alvo=infra")
        (fresh,) = saved_views.of(principal=person)
    assert saved_views.queue_of(fresh) == Queue(alvo="infra")


def test_somebody_without_views_is_told_how_to_make_one(person: Principal) -> None:
    assert "Nenhuma visão guardada" in as_(person).read("/aprovacoes/visoes/")


def test_a_filter_too_long_to_be_kept_is_refused_in_words_and_nothing_is_stored(
    person: Principal,
) -> None:
    """A letter beyond ASCII takes six signs of an address."""
    page = as_(person).client.post(SAVE, {"nome": "Longa", "endereco": f"alvo={'ç' * 120}"})
    assert page.status_code == 422
    assert "O nome do projeto do filtro é longo demais" in page.content.decode()
    assert names(person) == []
