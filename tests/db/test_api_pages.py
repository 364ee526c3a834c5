"""/agentes/: who may open it, what it shows, and the token that is shown once."""

from __future__ import annotations

import re
import uuid

import pytest
from django.test import Client

from audit.models import AgenteAcao
from opspilot.api import tokens
from opspilot.api.models import Agent, AgentToken
from opspilot.api.scopes import Scope
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import PURPOSE, a_token, an_agent
from tests.db.browsing import Browser, a_browser

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def home(committed: None) -> Tenant:
    return factories.a_tenant()


@pytest.fixture
def mine(home: Tenant) -> Browser:
    """An admin who has just logged in."""
    person = factories.a_person(home, Role.ADMIN)
    found = Browser(person)
    found.client.post("/conta/sair/")
    found.client.post("/conta/entrar/", {"login": person.username, "password": factories.PASSWORD})
    return found


def the_form(home: Tenant, **changes: object) -> dict[str, object]:
    owner = factories.a_principal(home, Role.OPERADOR)
    return {
        "nome_curto": "coletor-noturno",
        "nome": "Coletor noturno",
        "finalidade": PURPOSE,
        "responsavel": owner.user_id,
        "versao": "",
        "modelo": "",
        "instrucao_hash": "",
        "retorno": "",
    } | changes


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]+)"', page)
    assert found, name
    return found[1]


def agents(home: Tenant) -> list[Agent]:
    with tenant_scope(home.pk):
        return list(Agent.objects.all())


def all_tokens(home: Tenant) -> list[AgentToken]:
    with tenant_scope(home.pk):
        return list(AgentToken.objects.order_by("pk"))


@pytest.mark.parametrize("role", list(Role))
def test_admins_write_auditors_read_and_nobody_else_opens_it(home: Tenant, role: Role) -> None:
    agent, mine = an_agent(home), a_browser(home, role)
    readable = {"/agentes/", f"/agentes/{agent.ref}/"}
    writable = {"/agentes/novo/", f"/agentes/{agent.ref}/alterar/"}
    expected = {Role.ADMIN: readable | writable, Role.AUDITOR: readable}.get(role, set())
    assert {p for p in readable | writable if mine.status(p) == 200} == expected


def test_an_auditor_s_page_offers_nothing_to_press(home: Tenant) -> None:
    agent = an_agent(home)
    a_token(agent)
    page = a_browser(home, Role.AUDITOR).read(
        f"/agentes/{agent.ref}/?revogar=sim&pausar=sim&encerrar=sim"
    )
    main = page.partition("<main")[2]
    assert "<form" not in main
    assert "Revogar" not in main
    assert "Pausar" not in main


@pytest.mark.parametrize(
    "act", ["pausar", "retomar", "encerrar", "segredo", "trocar", "revogar", "token"]
)
def test_only_an_admin_acts(home: Tenant, act: str) -> None:
    agent = an_agent(home)
    answer = a_browser(home, Role.AUDITOR).client.post(f"/agentes/{agent.ref}/{act}/")
    assert answer.status_code == 403


def test_without_agents_the_page_says_so_and_offers_the_first(home: Tenant) -> None:
    page = a_browser(home, Role.ADMIN).read("/agentes/")
    assert "Nenhum agente" in page
    assert page.count('href="/agentes/novo/"') == 2
    assert "/agentes/novo/" not in a_browser(home, Role.AUDITOR).read("/agentes/")


def test_the_list_says_who_answers_and_when_a_token_was_used(home: Tenant) -> None:
    agent = an_agent(home, name="Coletor")
    page = a_browser(home, Role.ADMIN).read("/agentes/")
    assert PURPOSE in page
    assert str(agent.owner) in page
    assert "sem token válido" in page
    assert "nunca" in page


def test_each_standing_of_an_agent_has_its_word(home: Tenant) -> None:
    agent = an_agent(home)
    mine = a_browser(home, Role.AUDITOR)
    a_token(agent)
    assert "ativo" in mine.read("/agentes/").partition("<tbody")[2]
    with tenant_scope(home.pk):
        Agent.objects.update(active=False)
    assert "pausado" in mine.read("/agentes/")
    with tenant_scope(home.pk):
        Agent.objects.update(active=True)
    agent.owner.is_active = False
    agent.owner.save()
    assert "sem responsável" in mine.read("/agentes/")


def test_an_admin_creates_an_agent(home: Tenant, mine: Browser) -> None:
    page = mine.send("/agentes/novo/", **the_form(home))
    assert "Agente criado" in page
    assert [agent.slug for agent in agents(home)] == ["coletor-noturno"]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("nome_curto", "Coletor Noturno", "Letras minúsculas"),
        ("nome_curto", "console", "a trilha já usa"),
        ("instrucao_hash", "abc", "64 algarismos"),
        ("responsavel", "999999", "Quem responde por ele"),
        ("retorno", "https://fora.example/x", "retorno_nao_permitido"),
    ],
)
def test_a_field_that_cannot_be_accepted_is_shown_with_what_was_typed(
    home: Tenant, mine: Browser, field: str, value: str, words: str
) -> None:
    answer = mine.client.post("/agentes/novo/", the_form(home, **{field: value}))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert words in page
    assert PURPOSE in page
    assert agents(home) == []


def test_a_short_name_that_is_taken_says_so(home: Tenant, mine: Browser) -> None:
    an_agent(home, slug="coletor-noturno")
    answer = mine.client.post("/agentes/novo/", the_form(home))
    assert "nome_curto_em_uso" in answer.content.decode()


def test_a_field_nobody_asked_for_is_refused(home: Tenant, mine: Browser) -> None:
    answer = mine.client.post("/agentes/novo/", the_form(home, active="1"))
    assert "campo_desconhecido" in answer.content.decode()


def test_an_admin_changes_an_agent_but_not_its_short_name(home: Tenant, mine: Browser) -> None:
    agent = an_agent(home)
    form = the_form(home, nome="Outro nome")
    form.pop("nome_curto")
    mine.send(f"/agentes/{agent.ref}/alterar/", **form)
    (now,) = agents(home)
    assert (now.name, now.slug) == ("Outro nome", agent.slug)


def test_a_foreign_agent_is_a_404(home: Tenant, mine: Browser) -> None:
    theirs = an_agent(factories.a_tenant())
    for path in ("", "alterar/", "token/"):
        assert mine.status(f"/agentes/{theirs.ref}/{path}") == 404
    for act in ("pausar", "encerrar", "segredo", "token"):
        assert mine.client.post(f"/agentes/{theirs.ref}/{act}/").status_code == 404


def issue(home: Tenant, mine: Browser, agent: Agent) -> tuple[dict[str, object], str]:
    page = mine.read(f"/agentes/{agent.ref}/token/")
    data = {"pedido": hidden(page, "pedido"), "escopos": ["aprovacoes:propor"], "dias": 90}
    return data, mine.send(f"/agentes/{agent.ref}/token/", **data)


def test_a_token_is_shown_once(home: Tenant, mine: Browser) -> None:
    agent = an_agent(home)
    data, page = issue(home, mine, agent)
    (token,) = all_tokens(home)
    shown = re.search(r'<code id="token">(opsk_[^<]+)</code>', page)
    assert shown
    assert tokens.hash_of(shown[1]) == token.hash
    again = mine.send(f"/agentes/{agent.ref}/token/", **data)
    assert "token_ja_emitido" in again
    for path in (f"/agentes/{agent.ref}/", "/agentes/"):
        assert shown[1] not in mine.read(path)
    assert len(all_tokens(home)) == 1


def test_a_page_with_a_token_stays_in_no_cache(home: Tenant, mine: Browser) -> None:
    agent = an_agent(home)
    page = mine.read(f"/agentes/{agent.ref}/token/")
    data = {"pedido": hidden(page, "pedido"), "escopos": ["aprovacoes:ler"], "dias": 30}
    answer = mine.client.post(f"/agentes/{agent.ref}/token/", data)
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("act", ["token", "trocar", "segredo"])
def test_what_shows_a_secret_asks_first_who_is_there(home: Tenant, act: str) -> None:
    issued = a_token(an_agent(home))
    mine = a_browser(home, Role.ADMIN)  # a session without a recent proof
    data = {"token": str(issued.token.ref), "pedido": str(uuid.uuid4())}
    answer = mine.client.post(f"/agentes/{issued.token.agent.ref}/{act}/", data)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/conta/confirmar/")
    assert len(all_tokens(home)) == 1


def test_another_owner_asks_first_who_is_there_and_another_name_does_not(home: Tenant) -> None:
    agent = an_agent(home)
    mine = a_browser(home, Role.ADMIN)  # a session without a recent proof
    form = the_form(home) | {"responsavel": agent.owner_id}
    form.pop("nome_curto")
    other = form | {"responsavel": factories.a_principal(home, Role.OPERADOR).user_id}
    answer = mine.client.post(f"/agentes/{agent.ref}/alterar/", other)
    assert answer["Location"].startswith("/conta/confirmar/")
    answer = mine.client.post(f"/agentes/{agent.ref}/alterar/", form | {"nome": "Outro nome"})
    assert answer["Location"] == f"/agentes/{agent.ref}/"
    (now,) = agents(home)
    assert (now.name, now.owner_id) == ("Outro nome", agent.owner_id)


def test_rotating_shows_the_new_one_and_says_how_long_the_old_one_lives(
    home: Tenant, mine: Browser
) -> None:
    issued = a_token(an_agent(home))
    here = f"/agentes/{issued.token.agent.ref}/"
    page = mine.read(f"{here}?trocar={issued.token.ref}")
    assert f"Trocar {issued.token.prefix}?" in page
    data = {"token": hidden(page, "token"), "pedido": hidden(page, "pedido")}
    shown = mine.send(f"{here}trocar/", **data)
    assert "opsk_" in shown
    assert f"O anterior, {issued.token.prefix}," in shown
    assert len(all_tokens(home)) == 2


def test_revoking_asks_once_more_and_then_ends_it(home: Tenant) -> None:
    issued = a_token(an_agent(home))
    mine, here = a_browser(home, Role.ADMIN), f"/agentes/{issued.token.agent.ref}/"
    page = mine.read(f"{here}?revogar={issued.token.ref}")
    assert f"Revogar {issued.token.prefix}?" in page
    assert "revogado" in mine.send(f"{here}revogar/", token=hidden(page, "token"))
    assert all_tokens(home)[0].revoked_at is not None


@pytest.mark.parametrize("asked", ["revogar=abc", "trocar=" + str(uuid.uuid4()), "outro=1"])
def test_a_confirmation_of_nothing_is_not_drawn(home: Tenant, asked: str) -> None:
    agent = an_agent(home)
    page = a_browser(home, Role.ADMIN).read(f"/agentes/{agent.ref}/?{asked}")
    assert 'id="h-confirmar"' not in page


def test_an_agent_is_paused_with_a_reason_and_resumed(home: Tenant) -> None:
    agent, mine = an_agent(home), a_browser(home, Role.ADMIN)
    here, reason = f"/agentes/{agent.ref}/", "Propõe o mesmo estorno duas vezes."
    assert "Pausar este agente?" in mine.read(f"{here}?pausar=sim")
    assert reason in mine.send(f"{here}pausar/", motivo=reason)
    assert [a.active for a in agents(home)] == [False]
    assert reason not in mine.send(f"{here}retomar/")
    assert [a.active for a in agents(home)] == [True]
    with tenant_scope(home.pk):
        rows = AgenteAcao.objects.filter(acao__startswith="agente.", acao__endswith="ativado")
        said = {row.acao: row.saida_resumo for row in rows}
    assert said["agente.desativado"] == f"{agent.slug}: {reason}"


def test_a_pause_without_a_reason_is_asked_for_one(home: Tenant) -> None:
    agent, mine = an_agent(home), a_browser(home, Role.ADMIN)
    answer = mine.client.post(f"/agentes/{agent.ref}/pausar/", {"motivo": "curto"})
    assert answer.status_code == 422
    assert "Pausar este agente?" in answer.content.decode()
    assert [a.active for a in agents(home)] == [True]


def test_all_tokens_end_at_once_for_who_types_the_name(home: Tenant) -> None:
    agent, mine = an_agent(home), a_browser(home, Role.ADMIN)
    for _ in range(2):
        a_token(agent)
    wrong = mine.client.post(f"/agentes/{agent.ref}/encerrar/", {"nome": "outro"})
    assert wrong.status_code == 422
    assert "sem token válido" in mine.send(f"/agentes/{agent.ref}/encerrar/", nome=agent.slug)
    assert all(token.revoked_at for token in all_tokens(home))


def test_the_page_says_what_an_agent_reaches(home: Tenant) -> None:
    agent = an_agent(home, version="atendimento 2.1")
    a_token(agent, scopes=[Scope.PROPOSE, Scope.GROUND])
    page = a_browser(home, Role.AUDITOR).read(f"/agentes/{agent.ref}/")
    reach = page.partition('id="h-alcance"')[2]
    assert "atendimento 2.1" in page
    assert "aprovacoes:propor, grounding:consultar" in reach
    assert "consultar_grounding, propor" in reach


def test_a_callback_secret_is_shown_once(home: Tenant, mine: Browser) -> None:
    agent = an_agent(home)
    page = mine.send(f"/agentes/{agent.ref}/segredo/")
    assert "whsec_" in page
    assert "whsec_" not in mine.read(f"/agentes/{agent.ref}/")


def test_an_act_opened_as_a_page_leads_back_to_the_agent(home: Tenant) -> None:
    agent, mine = an_agent(home), a_browser(home, Role.ADMIN)
    for act in ("pausar", "retomar", "encerrar", "segredo", "trocar", "revogar"):
        answer = mine.client.get(f"/agentes/{agent.ref}/{act}/")
        assert answer["Location"] == f"/agentes/{agent.ref}/"


def test_hidden_signs_in_a_name_are_shown(home: Tenant) -> None:
    agent = an_agent(home, name="Coletor\u202egnp")
    page = a_browser(home, Role.AUDITOR).read(f"/agentes/{agent.ref}/")
    assert "U+202E" in page


def test_the_description_of_the_api_is_drawn_for_whoever_is_logged_in(home: Tenant) -> None:
    page = a_browser(home, Role.OPERADOR).read("/api/v1/docs")
    assert "POST /api/v1/aprovacoes/{ref}/consumir" in page
    assert "token_vencido" in page
    assert Client().get("/api/v1/docs").status_code == 302
