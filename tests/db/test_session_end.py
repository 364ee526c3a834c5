"""A session that ends while somebody writes: a whole-page login, and the text is there afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from approvals.models import AgenteAprovacao
from opspilot.harness.models import Run
from opspilot.tenancy import kept
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import grant_roles
from tests import factories

LOGIN = "/conta/entrar/"
BACK = "O que você escrevia voltou."
MOTIVO = "O prazo combinado com o cliente ainda não venceu"
COMMAND: dict[str, Any] = {
    "alias": "infra",
    "titulo": "Um título que não se perde",
    "descricao": "Uma descrição que não se perde",
    "etiquetas": ["runbook"],
    "justificativa": "um motivo que não se perde",
    "cliente": factories.CPF,
}


@pytest.fixture
def home(committed: None) -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


@pytest.fixture
def person(home: Tenant) -> User:
    return factories.a_person(home, Role.APROVADOR, Role.ADMIN)


@pytest.fixture
def client(person: User) -> Client:
    """A browser in which the person was, and whose session has ended on the server."""
    client = Client()
    client.force_login(person)
    client.get("/")
    end_session(client)
    return client


@pytest.fixture
def proposal(home: Tenant) -> AgenteAprovacao:
    return factories.a_proposal(home)


def end_session(client: Client) -> None:
    Session.objects.filter(session_key=client.cookies["sessionid"].value).delete()


def come_back(client: Client, person: User, page: str) -> str:
    """Log in at the page the browser was sent to, and read where that leads."""
    data = {"login": person.username, "password": factories.PASSWORD, "next": page}
    answer = client.post(LOGIN, data)
    assert answer["Location"] == page
    return client.get(page).content.decode()


def refuse(client: Client, proposal: AgenteAprovacao, **headers: str) -> Any:
    data = {"acao_hash": proposal.acao_hash, "motivo": MOTIVO}
    return client.post(f"/aprovacoes/{proposal.ref}/recusar/", data, headers=headers)


def strip(proposal: AgenteAprovacao) -> str:
    return f"/aprovacoes/{proposal.ref}/?decidir=recusar"


def test_a_half_written_reason_is_on_its_page_after_the_login(
    client: Client, person: User, proposal: AgenteAprovacao
) -> None:
    refuse(client, proposal)
    page = come_back(client, person, strip(proposal))
    assert MOTIVO in page
    assert BACK in page


def test_the_way_in_says_that_the_session_ended_and_that_text_waits(
    client: Client, proposal: AgenteAprovacao
) -> None:
    page = client.get(refuse(client, proposal)["Location"]).content.decode()
    assert "Sua sessão terminou." in page
    assert "O que você escrevia está guardado" in page
    assert MOTIVO not in page


def test_the_way_in_promises_no_text_when_there_was_none(client: Client) -> None:
    page = client.get(client.get("/aprovacoes/")["Location"]).content.decode()
    assert "Sua sessão terminou." in page
    assert "guardado" not in page


def test_a_stranger_at_the_way_in_hears_of_no_session(committed: None) -> None:
    assert "Sua sessão terminou." not in Client().get(f"{LOGIN}?next=/").content.decode()


def test_nothing_is_decided_by_what_was_sent_without_a_session(
    client: Client, home: Tenant, proposal: AgenteAprovacao
) -> None:
    refuse(client, proposal)
    with tenant_scope(home.pk):
        proposal.refresh_from_db()
    assert proposal.decidida_em is None


def test_the_text_is_given_back_once(
    client: Client, person: User, proposal: AgenteAprovacao
) -> None:
    refuse(client, proposal)
    come_back(client, person, strip(proposal))
    again = client.get(strip(proposal)).content.decode()
    assert MOTIVO not in again
    assert BACK not in again


def test_another_page_opened_first_does_not_lose_the_text(
    client: Client, person: User, proposal: AgenteAprovacao
) -> None:
    refuse(client, proposal)
    come_back(client, person, "/conhecimento/")
    assert MOTIVO in client.get(strip(proposal)).content.decode()


def test_another_person_never_sees_the_text_and_drops_it(
    client: Client, person: User, home: Tenant, proposal: AgenteAprovacao
) -> None:
    refuse(client, proposal)
    other = factories.a_person(home, Role.APROVADOR)
    assert MOTIVO not in come_back(client, other, strip(proposal))
    assert MOTIVO not in str(dict(client.session))
    client.force_login(person)
    assert MOTIVO not in client.get(strip(proposal)).content.decode()


def test_the_text_of_one_company_is_not_given_back_in_another(
    client: Client, person: User, home: Tenant
) -> None:
    away = factories.a_tenant()
    grant_roles(tenant=away, user=person, roles=[Role.ADMIN])
    client.post("/perguntar/enviar/", {"pergunta": "Como reiniciar a fila de faturas?"})
    client.post(LOGIN, {"login": person.username, "password": factories.PASSWORD})
    client.post("/conta/empresa/", {"empresa": str(away.pk)})
    assert "fila de faturas" not in client.get("/perguntar/").content.decode()


def test_a_browser_nobody_was_in_keeps_nothing(proposal: AgenteAprovacao) -> None:
    stranger = Client()
    refuse(stranger, proposal)
    assert "sessionid" not in stranger.cookies


def test_a_forged_name_keeps_nothing(person: User, proposal: AgenteAprovacao) -> None:
    stranger = Client()
    stranger.cookies["opspilot_quem"] = f"{person.pk}:nobody"
    refuse(stranger, proposal)
    assert "sessionid" not in stranger.cookies


def test_a_question_comes_back_in_its_box(client: Client, person: User, home: Tenant) -> None:
    answer = client.post("/perguntar/enviar/", {"pergunta": "Como reiniciar a fila?"})
    assert answer["Location"] == f"{LOGIN}?next=/perguntar/"
    page = come_back(client, person, "/perguntar/")
    assert "Como reiniciar a fila?</textarea>" in page
    with tenant_scope(home.pk):
        assert not Run.objects.exists()


def test_a_command_comes_back_whole_but_for_the_document_number(
    client: Client, person: User
) -> None:
    client.post("/rodadas/comando/", COMMAND)
    assert factories.CPF not in str(dict(client.session))
    page = come_back(client, person, "/rodadas/comando/")
    assert COMMAND["titulo"] in page
    assert COMMAND["descricao"] in page
    assert '<option value="infra" selected>' in page
    assert 'value="runbook"' in page
    assert "checked" in page
    assert factories.CPF not in page


def test_more_text_than_is_kept_is_not_promised(client: Client) -> None:
    question = "á" * (kept.MAX_CHARACTERS + 1)
    answer = client.post("/perguntar/enviar/", {"pergunta": question})
    assert "guardado" not in client.get(answer["Location"]).content.decode()


def test_files_sent_without_a_session_are_said_not_to_be_kept(client: Client, person: User) -> None:
    data = {"colecao": "x", "arquivos": SimpleUploadedFile("fila.md", b"# Fila")}
    client.post("/conhecimento/enviar/", data)
    page = come_back(client, person, "/conhecimento/")
    assert "nenhum arquivo foi guardado. Envie de novo." in page
    assert "fila.md" not in page


def test_a_fragment_sends_the_whole_page_to_the_login_and_back_to_the_page_around(
    client: Client, proposal: AgenteAprovacao
) -> None:
    around = f"http://testserver/aprovacoes/{proposal.ref}/?fila=minhas"
    answer = client.get(
        "/aprovacoes/novas/", headers={"HX-Request": "true", "HX-Current-URL": around}
    )
    assert answer.status_code == 204
    assert answer["HX-Redirect"] == f"{LOGIN}?next=/aprovacoes/{proposal.ref}/%3Ffila%3Dminhas"
    assert answer.content == b""


@pytest.mark.parametrize(
    "around", ["https://example.com/", "//example.com/", "http://testserver//example.com/"]
)
def test_a_fragment_never_leads_to_another_site(client: Client, around: str) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": around}
    answer = client.get("/aprovacoes/", headers=headers)
    assert answer["HX-Redirect"] == f"{LOGIN}?next=/aprovacoes/"


def test_a_form_sent_by_htmx_keeps_its_text_too(
    client: Client, person: User, proposal: AgenteAprovacao
) -> None:
    answer = refuse(client, proposal, **{"HX-Request": "true"})
    assert answer.status_code == 204
    assert answer["HX-Redirect"].startswith(f"{LOGIN}?next=/aprovacoes/{proposal.ref}/")
    assert MOTIVO in come_back(client, person, strip(proposal))


@pytest.mark.parametrize(
    "headers",
    [{"HX-Request": "true", "X-OpsPilot-Tick": "1"}, {"Sec-Fetch-Dest": "empty"}],
    ids=["tick", "fetch"],
)
def test_what_the_script_asks_by_itself_takes_no_page_away(
    client: Client, headers: dict[str, str]
) -> None:
    answer = client.get("/aprovacoes/", headers=headers)
    assert (answer.status_code, answer.content) == (401, b"")
    assert "HX-Redirect" not in answer


def test_a_form_from_before_the_login_keeps_its_text(
    person: User, proposal: AgenteAprovacao
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(person)
    client.get("/")
    answer = refuse(client, proposal, **{"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 403
    assert f'href="{strip(proposal)}"' in answer.content.decode()
    assert MOTIVO in client.get(strip(proposal)).content.decode()


def test_a_refusal_in_place_leads_back_to_the_form_with_its_text(
    person: User, proposal: AgenteAprovacao
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(person)
    client.get("/")
    answer = refuse(client, proposal, **{"Sec-Fetch-Site": "same-origin", "HX-Request": "true"})
    assert f'<a href="{strip(proposal)}">Voltar ao formulário</a>' in answer.content.decode()


def test_a_form_of_another_site_leaves_no_text(person: User, proposal: AgenteAprovacao) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(person)
    client.get("/")
    refuse(client, proposal, **{"Sec-Fetch-Site": "cross-site"})
    assert MOTIVO not in client.get(strip(proposal)).content.decode()
