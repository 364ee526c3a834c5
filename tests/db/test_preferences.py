"""Preferences hold on every page of the person who chose them, and on nobody else's."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from audit.models import AgenteAcao
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

CHOSEN = {
    "idioma": "en",
    "fuso": "America/Noronha",
    "tema": "dark",
    "contraste": "more",
    "densidade": "compact",
}


@pytest.fixture
def home(committed: None) -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def person(home: Tenant) -> User:
    return factories.a_person(home, Role.APROVADOR)


@pytest.fixture
def client(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def first_tag(client: Client, path: str = "/") -> str:
    found = re.search(r"<html ([^>]*)>", client.get(path).content.decode())
    assert found
    return found[1].strip()


def test_a_page_says_how_it_looks_in_its_first_tag(client: Client) -> None:
    client.post("/conta/preferencias/", CHOSEN)
    assert first_tag(client) == (
        'lang="en" data-theme="dark" data-contrast="more" data-density="compact" data-keys="off"'
    )


def test_nothing_chosen_leaves_theme_and_contrast_to_the_system(client: Client) -> None:
    assert first_tag(client) == 'lang="pt-br" data-density="comfortable"'


def test_saving_says_so_in_the_language_just_chosen(client: Client) -> None:
    page = client.post("/conta/preferencias/", CHOSEN, follow=True).content.decode()
    assert "<h1" in page
    assert 'lang="en"' in page


def test_preferences_are_the_person_s_on_another_machine_too(client: Client, person: User) -> None:
    client.post("/conta/preferencias/", CHOSEN)
    elsewhere = Client()
    elsewhere.force_login(User.objects.get(pk=person.pk))
    assert 'data-theme="dark"' in first_tag(elsewhere)


def test_preferences_are_nobody_else_s(client: Client, home: Tenant) -> None:
    client.post("/conta/preferencias/", CHOSEN)
    other = Client()
    other.force_login(factories.a_person(home, Role.APROVADOR))
    assert "data-theme" not in first_tag(other)


@pytest.mark.parametrize("path", ["/", "/aprovacoes/", "/nada-aqui/", "/perguntar/enviar/nada/"])
def test_the_zone_is_named_on_every_page_errors_included(client: Client, path: str) -> None:
    client.post("/conta/preferencias/", CHOSEN)
    assert "America/Noronha, UTC−2)" in client.get(path).content.decode()


def test_an_error_speaks_the_person_s_language(client: Client) -> None:
    client.post("/conta/preferencias/", CHOSEN)
    answer = client.get("/nada-aqui/")
    assert 'lang="en"' in answer.content.decode()
    assert answer["Content-Language"] == "en"


def test_a_refused_choice_changes_nothing_and_keeps_the_form(client: Client, person: User) -> None:
    answer = client.post("/conta/preferencias/", CHOSEN | {"fuso": "America/Atlantis"})
    assert answer.status_code == 422
    person.refresh_from_db()
    assert person.theme == "system"


def test_a_refused_choice_leaves_a_row(client: Client, home: Tenant) -> None:
    client.post("/conta/preferencias/", CHOSEN | {"tema": "sepia"})
    with tenant_scope(home.pk):
        assert AgenteAcao.objects.filter(saida_resumo="entrada_invalida").count() == 1


def test_the_language_buttons_are_a_preference_of_who_is_logged_in(
    client: Client, person: User
) -> None:
    answer = client.post("/idioma/", {"language": "en", "next": "/aprovacoes/"})
    assert answer["Location"] == "/aprovacoes/"
    person.refresh_from_db()
    assert person.language == "en"


def test_the_language_of_the_way_in_is_the_last_one_chosen_at_this_browser(
    committed: None,
) -> None:
    stranger = Client()
    stranger.post("/idioma/", {"language": "en"})
    assert 'lang="en"' in stranger.get("/conta/entrar/").content.decode()


@pytest.mark.parametrize("away", ["https://example.com/", "//example.com/", "javascript:alert(1)"])
def test_a_language_button_never_leads_to_another_site(client: Client, away: str) -> None:
    answer = client.post("/idioma/", {"language": "en", "next": away})
    assert answer["Location"] == "/"


def test_an_unknown_language_is_refused(client: Client) -> None:
    assert client.post("/idioma/", {"language": "fr"}).status_code == 422


def test_shortcuts_are_switched_off_on_the_page_that_lists_them(
    client: Client, person: User
) -> None:
    page = client.post(
        "/ajuda/atalhos/trocar/", {"atalhos": "desligados"}, follow=True
    ).content.decode()
    assert 'data-keys="off"' in page
    assert "Ligar atalhos" in page
    person.refresh_from_db()
    assert person.shortcuts is False


def test_the_list_of_keys_has_only_the_pages_of_the_role(home: Tenant) -> None:
    client = Client()
    client.force_login(factories.a_person(home, Role.OPERADOR))
    page = client.get("/ajuda/atalhos/").content.decode()
    assert "<kbd>p</kbd> Perguntar" in page
    assert "<kbd>t</kbd>" not in page


def test_the_list_of_keys_comes_alone_into_a_dialog(client: Client) -> None:
    page = client.get("/ajuda/atalhos/", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in page
    assert 'id="h-dialogo"' in page
