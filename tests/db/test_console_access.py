"""The door: login, roles, foreign ids, and what a refusal leaves behind."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse
from pytest_django import Settings

from approvals.models import State
from audit import entities
from audit.models import AgenteAcao
from opspilot.errors import NotFoundError
from opspilot.harness.models import Run
from opspilot.tenancy.models import Tenant, User
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from opspilot.tenancy.services import grant_roles
from tests import factories
from tests.conftest import Connection


@dataclass(frozen=True, slots=True)
class Console:
    """A browser in which one person is logged in."""

    tenant: Tenant
    person: User
    client: Client


@pytest.fixture
def console(committed: None) -> Callable[..., Console]:
    def open_for(*roles: Role, tenant: Tenant | None = None) -> Console:
        home = tenant or factories.a_tenant()
        person = factories.a_person(home, *roles)
        client = Client()
        client.force_login(person)
        return Console(home, person, client)

    return open_for


def refusals(tenant: Tenant) -> list[AgenteAcao]:
    with tenant_scope(tenant.pk):
        return list(AgenteAcao.objects.filter(acao="acao.recusada").order_by("id"))


def test_a_stranger_is_sent_to_the_login_page(committed: None) -> None:
    response = Client().get("/aprovacoes/")
    assert response.status_code == 302
    assert response["Location"] == "/conta/entrar/?next=/aprovacoes/"


def test_a_stranger_s_fragment_is_answered_with_a_whole_page_login(committed: None) -> None:
    response = Client().get("/aprovacoes/", headers={"HX-Request": "true"})
    assert response["HX-Redirect"] == "/conta/entrar/?next=/aprovacoes/"


def test_the_login_page_opens(committed: None) -> None:
    assert Client().get("/conta/entrar/").status_code == 200


def test_the_right_password_opens_the_console(committed: None) -> None:
    person = factories.a_person(factories.a_tenant(), Role.OPERADOR)
    client = Client()
    data = {"login": person.username, "password": factories.PASSWORD}
    response = client.post("/conta/entrar/", data)
    assert (response.status_code, response["Location"]) == (302, "/")
    assert client.get("/").status_code == 200


def test_a_wrong_password_opens_nothing(committed: None) -> None:
    person = factories.a_person(factories.a_tenant(), Role.OPERADOR)
    client = Client()
    data = {"login": person.username, "password": "outra"}
    assert client.post("/conta/entrar/", data).status_code == 200
    assert client.get("/").status_code == 302


def test_an_unknown_person_and_a_wrong_password_get_the_same_page(committed: None) -> None:
    person = factories.a_person(factories.a_tenant(), Role.OPERADOR)
    pages = [
        Client().post("/conta/entrar/", {"login": name, "password": "outra"}).content.decode()
        for name in (person.username, f"p-{uuid.uuid4().hex[:10]}")
    ]
    known, unknown = (re.sub(r"p-[0-9a-f]{10}", "", without_noise(page)) for page in pages)
    assert known == unknown


def test_nobody_signs_up(committed: None) -> None:
    with pytest.raises(NoReverseMatch):
        reverse("account_signup")
    assert Client().get("/conta/signup/").status_code == 404


def test_a_person_of_no_tenant_is_told_so_and_not_sent_in_circles(committed: None) -> None:
    client = Client()
    client.force_login(factories.a_person(factories.a_tenant()))
    response = client.get("/")
    assert response.status_code == 403
    assert "papel_exigido" in response.content.decode()


def test_a_tenant_in_the_session_to_which_the_person_does_not_belong_is_ignored(
    console: Callable[..., Console],
) -> None:
    mine, other = console(Role.OPERADOR), factories.a_tenant()
    session = mine.client.session
    session["tenant"] = str(other.pk)
    session.save()
    page = mine.client.get("/").content.decode()
    assert mine.tenant.name in page
    assert other.name not in page


@pytest.mark.parametrize(
    ("role", "path", "method"),
    [
        (Role.AUDITOR, "/perguntar/", "get"),
        (Role.OPERADOR, "/trilha/entidades/", "get"),
        (Role.OPERADOR, "/conhecimento/enviar/", "post"),
        (Role.CONFORMIDADE, "/rodadas/comando/", "get"),
    ],
)
def test_a_role_that_does_not_open_a_page_gets_a_page_that_says_so(
    console: Callable[..., Console], role: Role, path: str, method: str
) -> None:
    mine = console(role)
    response = getattr(mine.client, method)(path)
    page = response.content.decode()
    assert response.status_code == 403
    assert "papel_exigido" in page
    assert response["X-Request-ID"] in page


def test_a_refused_page_leaves_a_row_that_names_who_was_refused(
    console: Callable[..., Console],
) -> None:
    mine = console(Role.AUDITOR)
    response = mine.client.get("/perguntar/")
    (row,) = refusals(mine.tenant)
    assert row.resultado == "recusado"
    assert row.saida_resumo == "papel_exigido"
    assert row.entrada_resumo == f"{mine.person} (usuario:{mine.person.pk})"
    assert row.request_id == response["X-Request-ID"]


def foreign_paths() -> dict[str, str]:
    """Addresses of things that belong to a tenant of their own."""
    tenant = factories.a_tenant()
    principal = factories.a_principal(tenant, Role.OPERADOR)
    run = factories.a_run(tenant, by=principal)
    proposal = factories.a_proposal(tenant, by=principal, run_id=run.ref)
    version = factories.a_published_document(tenant)
    with tenant_scope(tenant.pk):
        entity = entities.resolve(
            principal=principal,
            document=entities.parse_document(factories.CPF),
            correlation_id=run.ref,
        )
    return {
        "proposal": f"/aprovacoes/{proposal.ref}/",
        "run": f"/rodadas/{run.ref}/",
        "document": f"/conhecimento/documentos/{version.document.ref}/",
        "entity": f"/trilha/entidades/cliente/{entity.ref}/",
        "correlation": f"/trilha/correlacao/{run.ref}/",
    }


def without_noise(page: str) -> str:
    """The page without what differs between any two requests."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", page)
    page = re.sub(r'nonce="[^"]+"', "", page)
    page = re.sub(r'"X-CSRFToken": ?"[^"]+"', "", page)
    page = re.sub(r"\d\d:\d\d:\d\d", "", page)
    return re.sub(r"[0-9a-f]{32}", "", page)


def test_a_foreign_id_gets_the_same_404_as_an_unknown_one(
    console: Callable[..., Console],
) -> None:
    mine = console(*Role)
    for kind, path in foreign_paths().items():
        unknown = re.sub(r"[0-9a-f-]{36}", lambda _m: str(uuid.uuid4()), path)
        answers = [mine.client.get(p) for p in (path, unknown)]
        assert [a.status_code for a in answers] == [404, 404], kind
        pages = zip(answers, (path, unknown), strict=True)
        # The language switch comes back to the address that was asked for.
        foreign, none = (without_noise(a.content.decode().replace(p, "")) for a, p in pages)
        assert foreign == none, kind
        names = [set(a.headers) for a in answers]
        assert names[0] == names[1], kind


def test_a_foreign_id_leaves_a_row_in_the_actor_s_tenant_without_the_id(
    console: Callable[..., Console], admin: Connection
) -> None:
    mine = console(*Role)
    paths = foreign_paths()
    for path in paths.values():
        mine.client.get(path)
    found = refusals(mine.tenant)
    assert [row.saida_resumo for row in found] == ["nao_encontrado"] * len(paths)
    refs = re.findall(r"[0-9a-f-]{36}", " ".join(paths.values()))
    texts = admin.execute(
        "SELECT a::text FROM agente_acao a WHERE tenant_id = %s", [mine.tenant.pk]
    ).fetchall()
    assert not [ref for ref in refs for (text,) in texts if ref in text]


def test_a_foreign_proposal_cannot_be_decided(console: Callable[..., Console]) -> None:
    other = factories.a_tenant()
    proposal = factories.a_proposal(other)
    mine = console(Role.APROVADOR)
    data = {"acao_hash": proposal.acao_hash}
    assert mine.client.post(f"/aprovacoes/{proposal.ref}/aprovar/", data).status_code == 404
    with tenant_scope(other.pk):
        proposal.refresh_from_db()
    assert proposal.estado == State.PENDENTE


def test_a_page_rendered_after_its_view_still_sees_the_tenant_s_rows(
    console: Callable[..., Console], settings: Settings
) -> None:
    settings.ROOT_URLCONF = "tests.db.rendering_urls"
    mine = console(Role.OPERADOR)
    assert mine.client.get("/late/").content == b"rows: 1"


def test_a_form_without_its_token_is_refused_and_nothing_is_written(
    console: Callable[..., Console],
) -> None:
    mine = console(Role.OPERADOR)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(mine.person)
    response = strict.post("/perguntar/enviar/", {"pergunta": "Como reiniciar a fila?"})
    assert response.status_code == 403
    assert "formulario_vencido" in response.content.decode()


def test_only_a_post_decides(console: Callable[..., Console]) -> None:
    mine = console(Role.APROVADOR)
    proposal = factories.a_proposal(mine.tenant)
    for act in ("aprovar", "recusar", "cancelar", "retomar"):
        path = f"/aprovacoes/{proposal.ref}/{act}/"
        assert mine.client.get(path, {"acao_hash": proposal.acao_hash}).status_code == 302
        assert mine.client.head(path).status_code == 302
        assert mine.client.put(path, {"acao_hash": proposal.acao_hash}).status_code in {403, 405}
    with tenant_scope(mine.tenant.pk):
        proposal.refresh_from_db()
    assert proposal.estado == State.PENDENTE


def test_a_field_nobody_asked_for_is_refused(console: Callable[..., Console]) -> None:
    mine = console(Role.APROVADOR)
    proposal = factories.a_proposal(mine.tenant)
    data = {"acao_hash": proposal.acao_hash, "tenant": str(mine.tenant.pk)}
    response = mine.client.post(f"/aprovacoes/{proposal.ref}/aprovar/", data)
    assert response.status_code == 422
    assert "campo_desconhecido" in response.content.decode()


def test_a_refusal_is_kept_though_what_the_view_wrote_is_rolled_back(
    console: Callable[..., Console], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = console(Role.OPERADOR)

    def too_late(*_arguments: object) -> None:
        raise NotFoundError

    monkeypatch.setattr("opspilot.harness.views.redirect", too_late)
    response = mine.client.post("/perguntar/enviar/", {"pergunta": "Como reiniciar a fila?"})
    assert response.status_code == 404
    with tenant_scope(mine.tenant.pk):
        assert not Run.objects.exists()
    assert [row.saida_resumo for row in refusals(mine.tenant)] == ["nao_encontrado"]


def test_a_fault_in_a_view_is_a_calm_page_and_rolls_back(
    console: Callable[..., Console], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = console(Role.OPERADOR)

    def broken(**_arguments: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("opspilot.painel.views.knowledge.document_count", broken)
    response = mine.client.get("/")
    page = response.content.decode()
    assert response.status_code == 500
    assert "falha_interna" in page
    assert "ZeroDivisionError" not in page


@pytest.mark.parametrize("path", ["/", "/aprovacoes/", "/conhecimento/", "/nada-aqui/"])
def test_a_tenant_s_page_stays_in_no_cache(console: Callable[..., Console], path: str) -> None:
    assert console(Role.ADMIN).client.get(path)["Cache-Control"] == "no-store"


def test_a_member_whose_roles_were_all_taken_opens_no_page_of_the_company(committed: None) -> None:
    tenant = factories.a_tenant()
    person = factories.a_person(tenant, Role.AUDITOR)
    grant_roles(tenant=tenant, user=person, roles=[])
    client = Client()
    client.force_login(person)
    for path in ("/", "/aprovacoes/", "/conhecimento/", "/trilha/entidades/", "/politicas/"):
        assert client.get(path).status_code == 403, path
