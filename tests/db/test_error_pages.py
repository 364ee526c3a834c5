"""Every refusal is a page with what happened, what to do next, a code and the request's id."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.test import Client

from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from tests import factories


@pytest.fixture
def home(committed: None) -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def client(home: Tenant) -> Client:
    client = Client()
    client.force_login(factories.a_person(home, Role.ADMIN))
    return client


def test_a_hundred_and_one_files_are_refused_by_name(client: Client, home: Tenant) -> None:
    files = [SimpleUploadedFile(f"{n}.md", b"# x") for n in range(101)]
    answer = client.post("/conhecimento/enviar/", {"colecao": "x", "arquivos": files})
    page = answer.content.decode()
    assert answer.status_code == 413
    assert "arquivos_demais" in page
    assert "Envie em partes de até 100 arquivos." in page
    assert home.name in page  # with the frame around it


def test_more_fields_than_any_form_has_are_refused_by_name(client: Client) -> None:
    answer = client.post(
        "/rodadas/comando/",
        {f"f{n}": "" for n in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)},
    )
    assert answer.status_code == 413
    assert "campos_demais" in answer.content.decode()


def test_more_than_two_megabytes_of_text_are_refused_by_name(client: Client) -> None:
    body = "pergunta=" + "a" * (2 * 1024 * 1024 + 1)
    answer = client.post(
        "/perguntar/enviar/", body, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code == 413
    assert "texto_grande_demais" in answer.content.decode()


def test_a_broken_upload_is_said_to_be_unreadable(client: Client) -> None:
    broken = "multipart/form-data; boundary="
    answer = client.generic("POST", "/conhecimento/enviar/", b"x", content_type=broken)
    assert answer.status_code == 400
    assert "pedido_ilegivel" in answer.content.decode()


@pytest.mark.parametrize(("path", "method"), [("/", "post"), ("/conta/preferencias/", "put")])
def test_a_page_asked_for_in_the_wrong_way_says_so(client: Client, path: str, method: str) -> None:
    answer = getattr(client, method)(path)
    assert answer.status_code == 405
    assert "metodo_nao_aceito" in answer.content.decode()
    assert "GET" in answer["Allow"]


@pytest.mark.parametrize("path", ["/nada-aqui/", "/rodadas/comando/nada/"])
def test_a_refusal_names_the_request_it_was_about(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer["X-Request-ID"] in answer.content.decode()


@pytest.mark.parametrize("path", ["/", "/conta/entrar/?next=/"])
def test_a_lost_database_is_a_calm_page_with_the_request_s_id(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def lost(_store: object) -> None:
        raise OperationalError

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", lost)
    client.raise_request_exception = False
    answer = client.get(path)
    assert answer.status_code == 500
    assert "falha_interna" in answer.content.decode()
    assert answer["X-Request-ID"] in answer.content.decode()


def test_too_much_text_from_a_stranger_is_refused_on_a_page_of_its_own(committed: None) -> None:
    body = "login=" + "a" * (2 * 1024 * 1024 + 1)
    answer = Client(enforce_csrf_checks=True).post(
        "/conta/entrar/", body, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code == 413
    assert 'class="gate"' in answer.content.decode()


@pytest.mark.parametrize("path", ["/conta/entrar/", "/conhecimento/enviar/", "/nada-aqui/"])
def test_a_stranger_s_large_file_is_refused_before_it_is_received(
    committed: None, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def received(*_: object) -> None:
        raise AssertionError("the body was read")

    monkeypatch.setattr("django.core.handlers.wsgi.WSGIRequest._load_post_and_files", received)
    file = SimpleUploadedFile("a.md", b"a" * (4 * 1024 * 1024))
    answer = Client().post(path, {"arquivos": file})
    assert answer.status_code == 413
    assert "texto_grande_demais" in answer.content.decode()


def test_a_file_of_four_megabytes_is_received_from_who_is_logged_in(client: Client) -> None:
    file = SimpleUploadedFile("a.md", b"# a\n\n" + b"a " * (2 * 1024 * 1024))
    answer = client.post("/conhecimento/enviar/", {"colecao": "x", "arquivos": file})
    assert answer.status_code != 413
