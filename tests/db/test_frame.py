"""The frame around each page: which company, which pages, how many things wait."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client

from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Role
from opspilot.tenancy.services import grant_roles
from tests import factories


@pytest.fixture
def home(committed: None) -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def away(committed: None) -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def both(home: Tenant, away: Tenant) -> User:
    """Somebody who approves at home and audits in another company."""
    person = factories.a_person(home, Role.APROVADOR)
    grant_roles(tenant=away, user=person, roles=[Role.AUDITOR])
    return person


@pytest.fixture
def client(both: User) -> Client:
    client = Client()
    client.force_login(both)
    return client


def title(page: str) -> str:
    found = re.search(r"<title>(.*?)</title>", page)
    assert found
    return found[1]


def test_a_switch_leads_to_the_other_company_s_first_page_and_says_its_name(
    client: Client, away: Tenant
) -> None:
    answer = client.post("/conta/empresa/", {"empresa": str(away.pk)}, follow=True)
    page = answer.content.decode()
    assert answer.redirect_chain == [("/", 302)]
    assert f"Agora você está em {away.name}." in page
    assert title(page).endswith(f"· {away.name}")


def test_after_a_switch_only_the_roles_of_that_company_count(client: Client, away: Tenant) -> None:
    client.post("/conta/empresa/", {"empresa": str(away.pk)})
    assert client.get("/perguntar/").status_code == 403
    assert client.get("/trilha/entidades/").status_code == 200


def test_a_company_the_person_does_not_belong_to_looks_like_none(client: Client) -> None:
    foreign = factories.a_tenant()
    answers = [
        client.post("/conta/empresa/", {"empresa": str(wanted)})
        for wanted in (foreign.pk, uuid.uuid4())
    ]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert foreign.name not in answers[0].content.decode()


def test_no_address_changes_the_company(client: Client, home: Tenant, away: Tenant) -> None:
    page = client.get(f"/?empresa={away.pk}&tenant={away.pk}").content.decode()
    assert title(page).endswith(f"· {home.name}")
    client.get(f"/conta/empresa/?empresa={away.pk}")
    assert title(client.get("/").content.decode()).endswith(f"· {home.name}")


def test_the_menu_offers_the_other_company_and_not_this_one(
    client: Client, home: Tenant, away: Tenant
) -> None:
    page = client.get("/").content.decode()
    assert f'name="empresa" value="{away.pk}"' in page
    assert f'value="{home.pk}"' not in page


def test_somebody_of_one_company_is_offered_no_other(home: Tenant) -> None:
    client = Client()
    client.force_login(factories.a_person(home, Role.APROVADOR))
    assert 'name="empresa"' not in client.get("/").content.decode()


def test_coming_back_after_a_session_ended_leads_to_the_company_one_was_in(
    client: Client, both: User, away: Tenant
) -> None:
    client.post("/conta/empresa/", {"empresa": str(away.pk)}, follow=True)
    del client.cookies["sessionid"]
    client.force_login(both)
    assert title(client.get("/").content.decode()).endswith(f"· {away.name}")


def test_after_logging_out_the_first_company_is_the_one_again(
    client: Client, both: User, home: Tenant, away: Tenant
) -> None:
    client.post("/conta/empresa/", {"empresa": str(away.pk)}, follow=True)
    client.post("/conta/sair/")
    client.force_login(both)
    assert title(client.get("/").content.decode()).endswith(f"· {home.name}")


def test_the_title_counts_what_waits_for_the_person(home: Tenant) -> None:
    for _number in range(2):
        factories.a_proposal(home)
    client = Client()
    client.force_login(factories.a_person(home, Role.APROVADOR))
    assert title(client.get("/aprovacoes/").content.decode()) == f"(2) Aprovações · {home.name}"


def test_the_title_of_somebody_nothing_waits_for_has_no_count(home: Tenant) -> None:
    factories.a_proposal(home)
    client = Client()
    client.force_login(factories.a_person(home, Role.AUDITOR))
    page = client.get("/aprovacoes/", follow=True).content.decode()
    assert title(page) == f"Aprovações · {home.name}"
