"""/agentes/<ref>/testar/: what an agent would be answered, and nothing is left of the question."""

from __future__ import annotations

import re

import pytest

from approvals.models import AgenteAprovacao
from audit.models import AgenteAcao
from grounding.models import Receipt
from opspilot.api.models import Agent
from opspilot.api.scopes import Scope
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role, agent_subject
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.agents import a_token, an_agent
from tests.db import consults
from tests.db.browsing import Browser, a_browser

pytestmark = pytest.mark.usefixtures("committed")
COVERED = re.compile(r"cobertura (alta|média|baixa|nenhuma)")
ISSUE = {"alias": "infra", "etiquetas": "incidente", "responsaveis": "", "cobertura": ""}


@pytest.fixture
def home(committed: None) -> Tenant:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    return tenant


@pytest.fixture
def auditor(home: Tenant) -> Browser:
    return a_browser(home, Role.AUDITOR)


def an_agent_that_may(home: Tenant, *scopes: Scope) -> Agent:
    agent = an_agent(home)
    a_token(agent, scopes=scopes)
    return agent


def rows(home: Tenant) -> int:
    with tenant_scope(home.pk):
        kept = AgenteAcao, AgenteAprovacao, Receipt
        return sum(model.objects.count() for model in kept)


def test_an_action_the_policy_allows_would_be_proposed(home: Tenant, auditor: Browser) -> None:
    agent = an_agent_that_may(home, Scope.PROPOSE)
    page = auditor.send(f"/agentes/{agent.ref}/testar/?acao=issue", **ISSUE)
    assert "Seria proposta" in page


def test_what_the_door_and_what_the_policy_refuse_are_both_said(
    home: Tenant, auditor: Browser
) -> None:
    agent = an_agent_that_may(home, Scope.READ)
    page = auditor.send(
        f"/agentes/{agent.ref}/testar/?acao=issue", **(ISSUE | {"etiquetas": "outra"})
    )
    assert "Seria recusada" in page
    assert "escopo_exigido" in page
    assert "etiqueta_desconhecida" in page


def test_a_paused_agent_would_not_get_in(home: Tenant, auditor: Browser) -> None:
    agent = an_agent_that_may(home, Scope.PROPOSE)
    with tenant_scope(home.pk):
        Agent.objects.filter(pk=agent.pk).update(active=False)
    page = auditor.send(f"/agentes/{agent.ref}/testar/?acao=issue", **ISSUE)
    assert "agente_inativo" in page


def test_without_a_grant_nothing_would_be_found(home: Tenant, auditor: Browser) -> None:
    agent = an_agent_that_may(home, Scope.GROUND)
    page = auditor.send(f"/agentes/{agent.ref}/testar/consulta/", pergunta="payments queue")
    assert "Nenhuma coleção está concedida a ele" in page


def test_trying_leaves_nothing_behind(home: Tenant, auditor: Browser) -> None:
    agent = an_agent_that_may(home, Scope.GROUND, Scope.PROPOSE)
    before = rows(home)
    auditor.send(f"/agentes/{agent.ref}/testar/?acao=issue", **ISSUE)
    auditor.send(f"/agentes/{agent.ref}/testar/consulta/", pergunta="payments queue")
    assert rows(home) == before


@pytest.mark.parametrize("path", ["", "?acao=tarefa", "?acao=agente", "consulta/"])
def test_only_who_reads_agents_tries_them(home: Tenant, path: str) -> None:
    agent = an_agent(home)
    address = f"/agentes/{agent.ref}/testar/{path}"
    opens = {role for role in Role if a_browser(home, role).status(address) == 200}
    assert opens == {Role.ADMIN, Role.AUDITOR}


def test_another_companys_agent_is_a_404(auditor: Browser) -> None:
    theirs = an_agent(factories.a_tenant())
    for path in ("", "consulta/"):
        assert auditor.status(f"/agentes/{theirs.ref}/testar/{path}") == 404


def test_it_shows_what_is_granted_and_counts_what_the_person_does_not_read(home: Tenant) -> None:
    agent = an_agent_that_may(home, Scope.GROUND)
    factories.a_published_document(home)
    consults.give(home, agent_subject(agent.slug))
    asked = f"/agentes/{agent.ref}/testar/consulta/"
    page = a_browser(home, Role.AUDITOR).send(asked, pergunta=consults.QUESTION)
    assert "Payments queue is stuck" in page
    consults.take_from(home, Role.AUDITOR)
    page = a_browser(home, Role.AUDITOR).send(asked, pergunta=consults.QUESTION)
    assert "Payments queue is stuck" not in page
    assert "coleções que você não lê" in page or "coleção que você não lê" in page


def test_coverage_is_not_shown_where_it_would_tell_of_what_the_person_does_not_read(
    home: Tenant,
) -> None:
    agent = an_agent_that_may(home, Scope.GROUND)
    factories.a_published_document(home)
    consults.give(home, agent_subject(agent.slug))
    asked = f"/agentes/{agent.ref}/testar/consulta/"
    page = a_browser(home, Role.AUDITOR).send(asked, pergunta=consults.QUESTION)
    assert COVERED.search(page)
    assert "Cobertura não mostrada" not in page
    consults.take_from(home, Role.AUDITOR)
    page = a_browser(home, Role.AUDITOR).send(asked, pergunta=consults.QUESTION)
    assert not COVERED.search(page)
    assert "Cobertura não mostrada: há trechos de coleções que você não lê." in page
