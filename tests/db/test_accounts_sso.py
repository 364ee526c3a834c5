"""Entering by the company's provider, and what the provider may do wrong."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from opspilot.tenancy.models import Membership, Tenant, User, tenant_id_of
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.oidc_provider import CLIENT, SECRET, Provider, new_key

START, BACK = "/conta/oidc/entrar/", "/conta/oidc/empresa/retorno/"


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    provider = Provider()
    yield provider
    provider.stop()


@pytest.fixture
def provider(running: Provider, committed: None, settings: Settings) -> Provider:
    """A person nobody knows yet, of a company of its own."""
    running.signing_key, running.algorithm = running.key, "RS256"
    running.userinfo, running.issuer_said, running.token_requests = None, "", 0
    running.claims = {"sub": uuid.uuid4().hex, "groups": ["ops"]}
    settings.OPSPILOT_OIDC_ISSUER = running.url
    settings.OPSPILOT_OIDC_CLIENT_ID = CLIENT
    settings.OPSPILOT_OIDC_CLIENT_SECRET = SECRET
    settings.OPSPILOT_OIDC_GROUPS_CLAIM = "groups"
    settings.OPSPILOT_OIDC_ROLE_MAP = {"ops": "operador", "approvers": ["aprovador"]}
    settings.OPSPILOT_OIDC_TENANT = factories.a_tenant().slug
    return running


def enter(
    provider: Provider, client: Client | None = None, *, start: str = START, **changes: str
) -> tuple[Client, HttpResponse]:
    """One login; `changes` are what the browser carries back otherwise than it should."""
    client = client or Client()
    sent = client.get(start)
    back = provider.authorize(sent["Location"]) | changes
    return client, client.get(BACK, back)  # type: ignore[return-value]


def tenant(settings: Settings) -> Tenant:
    with tenant_scope(tenant_id_of(settings.OPSPILOT_OIDC_TENANT)):
        return Tenant.objects.get()


def roles(settings: Settings) -> list[str]:
    with tenant_scope(tenant(settings).pk):
        return [role for found in Membership.objects.all() for role in found.roles]


def is_in(client: Client) -> bool:
    return client.get("/").status_code == 200


def test_who_has_a_mapped_group_comes_in_with_its_role(
    provider: Provider, settings: Settings
) -> None:
    client, response = enter(provider)
    assert (response.status_code, response["Location"]) == (302, "/")
    assert is_in(client)
    assert roles(settings) == [Role.OPERADOR]


def test_the_page_that_was_asked_for_comes_after(provider: Provider) -> None:
    _client, response = enter(provider, start=f"{START}?next=/aprovacoes/%3Ffila%3Dtodas")
    assert response["Location"] == "/aprovacoes/?fila=todas"


def test_another_site_never_comes_after(provider: Provider) -> None:
    _client, response = enter(provider, start=f"{START}?next=https://example.com/")
    assert response["Location"] == "/"


def test_the_login_page_offers_it_only_when_it_is_set_up(
    provider: Provider, settings: Settings
) -> None:
    assert f'href="{START}"' in Client().get("/conta/entrar/").content.decode()
    settings.OPSPILOT_OIDC_ISSUER = ""
    assert START not in Client().get("/conta/entrar/").content.decode()
    assert Client().get(START).status_code == 404


def test_a_group_as_a_string_is_one_group(provider: Provider, settings: Settings) -> None:
    provider.claims["groups"] = "approvers"
    client, _response = enter(provider)
    assert is_in(client)
    assert roles(settings) == [Role.APROVADOR]


def test_roles_are_those_of_the_last_login(provider: Provider, settings: Settings) -> None:
    enter(provider)
    provider.claims["groups"] = ["approvers"]
    enter(provider)
    assert roles(settings) == [Role.APROVADOR]


def test_a_second_login_makes_no_second_account(provider: Provider) -> None:
    before = User.objects.count()
    enter(provider)
    enter(provider)
    assert User.objects.count() == before + 1


@pytest.mark.parametrize("groups", [[], ["outsiders"], ""])
def test_nobody_without_a_mapped_group_gets_an_account(provider: Provider, groups: Any) -> None:
    provider.claims["groups"] = groups
    before = User.objects.count()
    client, response = enter(provider)
    assert response.status_code == 403
    assert "sem_papel" in response.content.decode()
    assert not is_in(client)
    assert User.objects.count() == before


def test_a_leaver_loses_the_roles_and_every_session_at_once(
    provider: Provider, settings: Settings
) -> None:
    inside, _response = enter(provider)
    assert is_in(inside)
    provider.claims["groups"] = []
    _client, response = enter(provider)
    assert response.status_code == 403
    assert roles(settings) == []
    assert not is_in(inside)


@pytest.mark.parametrize("groups", [None, {"ops": True}, ["ops", 7]])
def test_an_absent_claim_refuses_and_takes_nothing_away(
    provider: Provider, settings: Settings, groups: Any
) -> None:
    inside, _response = enter(provider)
    provider.claims["groups"] = groups
    _client, response = enter(provider)
    page = response.content.decode()
    assert response.status_code == 403
    assert "grupos_ausentes" in page
    assert roles(settings) == [Role.OPERADOR]
    assert is_in(inside)


def test_groups_may_come_from_the_user_information(provider: Provider, settings: Settings) -> None:
    provider.userinfo = {"sub": provider.claims["sub"], "groups": ["approvers"]}
    provider.claims["groups"] = None
    client, _response = enter(provider)
    assert is_in(client)
    assert roles(settings) == [Role.APROVADOR]


def test_the_user_information_of_somebody_else_is_refused(provider: Provider) -> None:
    provider.userinfo = {"sub": "somebody-else", "groups": ["ops"]}
    provider.claims["groups"] = None
    client, response = enter(provider)
    assert (response.status_code, is_in(client)) == (401, False)


def wrong_signature(provider: Provider) -> None:
    provider.signing_key = new_key()


def no_signature(provider: Provider) -> None:
    provider.signing_key, provider.algorithm = None, "none"


def shared_secret(provider: Provider) -> None:
    provider.signing_key, provider.algorithm = SECRET * 3, "HS256"


def claims(**changed: Any) -> Callable[[Provider], None]:
    def change(provider: Provider) -> None:
        provider.claims |= changed

    return change


@pytest.mark.parametrize(
    "trap",
    [
        wrong_signature,
        no_signature,
        shared_secret,
        claims(aud="another-client"),
        claims(aud=[CLIENT, "another-client"]),
        claims(aud=[CLIENT, "another-client"], azp="another-client"),
        claims(iss="https://another.example"),
        claims(nonce="of-another-login"),
        claims(nonce=None),
        claims(exp=int(time.time()) - 3600),
        claims(exp=None),
        claims(sub=None),
        claims(sub=""),
    ],
)
def test_a_token_that_is_not_for_this_login_lets_nobody_in(
    provider: Provider, trap: Callable[[Provider], None]
) -> None:
    trap(provider)
    client, response = enter(provider)
    assert response.status_code == 401
    assert "identidade_recusada" in response.content.decode()
    assert not is_in(client)


def test_a_provider_that_says_it_is_another_is_refused(provider: Provider) -> None:
    provider.issuer_said = "https://another.example"
    client, response = enter(provider)
    assert (response.status_code, is_in(client)) == (401, False)


def test_a_login_begun_in_another_browser_is_not_finished_here(provider: Provider) -> None:
    elsewhere = Client().get(START)
    client = Client()
    client.get(START)
    response = client.get(BACK, provider.authorize(elsewhere["Location"]))
    assert (response.status_code, is_in(client)) == (401, False)
    assert provider.token_requests == 0


def test_a_state_serves_once(provider: Provider) -> None:
    client = Client()
    back = provider.authorize(client.get(START)["Location"])
    client.get(BACK, back)
    client.post("/conta/sair/")
    assert client.get(BACK, back).status_code == 401


def test_who_gives_up_at_the_provider_is_told_so(provider: Provider) -> None:
    client = Client()
    back = provider.authorize(client.get(START)["Location"])
    response = client.get(BACK, {"state": back["state"], "error": "access_denied"}, follow=True)
    assert "Entrada cancelada" in response.content.decode()


def test_a_silent_provider_is_a_page_that_says_so(provider: Provider, settings: Settings) -> None:
    settings.OPSPILOT_OIDC_ISSUER = "http://127.0.0.1:1"
    response = Client().get(START)
    assert response.status_code == 503
    assert "provedor_indisponivel" in response.content.decode()


def test_an_equal_name_or_mail_takes_over_no_local_account(provider: Provider) -> None:
    local = factories.a_person(factories.a_tenant(), Role.ADMIN)
    User.objects.filter(pk=local.pk).update(email=f"{local.username}@aurora.example")
    provider.claims |= {
        "preferred_username": local.username,
        "email": f"{local.username}@aurora.example",
        "email_verified": True,
    }
    client, _response = enter(provider)
    assert is_in(client)
    assert client.session["_auth_user_id"] != str(local.pk)


def test_nothing_but_who_they_are_is_kept_of_the_token(provider: Provider) -> None:
    enter(provider)
    account = SocialAccount.objects.latest("pk")
    assert account.extra_data == {}
    assert provider.claims["sub"] not in account.uid
    assert not account.user.has_usable_password()


def test_the_browser_chooses_neither_scope_nor_parameters(provider: Provider) -> None:
    sent = Client().get(f"{START}?scope=admin&process=connect&auth_params=prompt%3Dnone")
    assert "admin" not in sent["Location"]
    assert "prompt" not in sent["Location"]
    assert "code_challenge=" in sent["Location"]


def test_who_is_logged_in_is_not_sent_to_the_provider(provider: Provider) -> None:
    client, _response = enter(provider)
    calls = provider.token_requests
    assert client.get(START)["Location"] == "/"
    assert client.get(BACK, {"code": "x", "state": "y"})["Location"] == "/"
    assert provider.token_requests == calls


def test_the_session_is_on_the_person_s_list(provider: Provider) -> None:
    client, _response = enter(provider)
    assert UserSession.objects.filter(session_key=client.session.session_key).exists()
