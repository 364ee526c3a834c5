"""A page offers what the person may do, and nothing that would end in a refusal."""

from __future__ import annotations

import pytest

from approvals.models import AgenteAprovacao
from audit import entities
from audit.models import AgenteAcao
from grounding.pages import catalogue
from opspilot.connectors.errors import OutcomeUnknownError
from opspilot.tenancy import roles
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.conftest import Connection
from tests.db.browsing import a_browser, as_
from tests.db.executing import advance, unknown_outcome
from tests.fakes import FakeTracker

pytestmark = pytest.mark.usefixtures("committed")

BUTTONS = "decidir=aprovar"


def page_of(proposal: AgenteAprovacao) -> str:
    return f"/aprovacoes/{proposal.ref}/"


def about_a_customer(tenant: Tenant, admin: Connection) -> tuple[AgenteAprovacao, str]:
    """A proposal about a registered customer, and the address of the customer's history."""
    by = factories.a_principal(tenant, Role.OPERADOR)
    run = factories.a_run(tenant, by=by)
    proposal = factories.a_proposal(tenant, by=by, run_id=run.ref)
    document = entities.parse_document(factories.CPF)
    with tenant_scope(tenant.pk):
        entity = entities.resolve(principal=by, document=document, correlation_id=run.ref)
    admin.execute(
        "UPDATE agente_aprovacao SET entidade_tipo = 'cliente', entidade_id = %s WHERE id = %s",
        [str(entity.ref), proposal.pk],
    )
    return proposal, f"/trilha/entidades/cliente/{entity.ref}/"


def test_who_already_voted_sees_no_buttons_and_how_many_votes_are_missing() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant, alias="nucleo", assignees=())
    voter, other = (factories.a_principal(tenant, Role.APROVADOR) for _ in range(2))
    factories.approve(proposal, voter)
    page = as_(voter).read(page_of(proposal))
    assert "Seu voto foi gravado; falta 1." in page
    assert BUTTONS not in page
    assert BUTTONS in as_(other).read(page_of(proposal))


def test_an_expired_proposal_is_not_said_to_wait_for_a_role(admin: Connection) -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    admin.execute("UPDATE agente_aprovacao SET estado = 'expirada' WHERE id = %s", [proposal.pk])
    page = a_browser(tenant, Role.OPERADOR).read(page_of(proposal))
    assert "Esta proposta é decidida por" not in page


@pytest.mark.parametrize("role", Role)
def test_another_search_is_offered_to_those_who_may_ask_for_it(role: Role) -> None:
    approved, _ = unknown_outcome()
    advance(approved, FakeTracker())
    page = a_browser(approved.tenant, role).read(page_of(approved.proposal))
    assert ("Procurar de novo" in page) == (role in roles.RESUMERS)


@pytest.mark.parametrize("role", Role)
def test_the_history_of_the_customer_is_linked_for_those_who_may_read_it(
    admin: Connection, role: Role
) -> None:
    tenant = factories.a_tenant()
    proposal, history = about_a_customer(tenant, admin)
    browser = a_browser(tenant, role)
    linked = history in browser.read(page_of(proposal))
    assert linked == (browser.status(history) == 200)


@pytest.mark.parametrize("role", Role)
def test_the_run_is_linked_for_those_who_may_open_it(role: Role, admin: Connection) -> None:
    tenant = factories.a_tenant()
    proposal, _history = about_a_customer(tenant, admin)
    run = f"/rodadas/{proposal.correlacao_id}/"
    browser = a_browser(tenant, role)
    linked = run in browser.read(page_of(proposal))
    assert linked == (browser.status(run) == 200)


def test_the_requester_reaches_their_own_run() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    run = factories.a_run(tenant, by=by)
    proposal = factories.a_proposal(tenant, by=by, run_id=run.ref)
    assert f"/rodadas/{run.ref}/" in as_(by).read(page_of(proposal))


@pytest.mark.parametrize("role", [Role.AUDITOR, Role.CONFORMIDADE])
def test_a_run_leads_back_to_no_page_the_reader_may_not_open(role: Role) -> None:
    tenant = factories.a_tenant()
    run = factories.a_run(tenant, by=factories.a_principal(tenant, Role.OPERADOR))
    browser = a_browser(tenant, role)
    assert "/perguntar/" not in browser.read(f"/rodadas/{run.ref}/")
    with tenant_scope(tenant.pk):
        assert not AgenteAcao.objects.filter(acao="acao.recusada").exists()


def test_a_refused_late_decision_names_the_decider_without_an_id() -> None:
    tenant = factories.a_tenant()
    proposal = factories.a_proposal(tenant)
    first, late = (factories.a_principal(tenant, Role.APROVADOR) for _ in range(2))
    factories.approve(proposal, first)
    page = as_(late).send(f"{page_of(proposal)}aprovar/", acao_hash=proposal.acao_hash)
    assert f"{first.name} decidiu em" in page
    assert first.subject not in page


def test_an_unknown_queue_is_the_queue_of_the_reader() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.OPERADOR)
    proposal = factories.a_proposal(tenant, by=by)
    assert page_of(proposal) not in as_(by).read("/aprovacoes/?fila=tudo")
    assert page_of(proposal) in as_(by).read("/aprovacoes/?fila=todas")


def test_a_queue_longer_than_a_page_leads_to_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("approvals.inbox.queue.LIMIT", 2)
    tenant = factories.a_tenant()
    made = [factories.a_proposal(tenant) for _ in range(3)]
    browser = a_browser(tenant, Role.APROVADOR)
    first, second = (browser.read(f"/aprovacoes/?fila=todas&pagina={n}") for n in (1, 2))
    assert [page_of(p) in first for p in made] == [False, True, True]
    assert "1 a 2 de 3" in first
    assert "?fila=todas&amp;pagina=2" in first
    assert [page_of(p) in second for p in made] == [True, False, False]
    assert "pagina=3" not in second


@pytest.mark.parametrize("page", ["0", "-1", "²", "x", "9" * 9])
def test_an_address_with_a_strange_page_number_opens_the_queue(page: str) -> None:
    assert (
        a_browser(factories.a_tenant(), Role.APROVADOR).status(f"/aprovacoes/?pagina={page}") == 200
    )


def test_an_explicit_command_starts_with_no_project_chosen() -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    page = a_browser(tenant, Role.OPERADOR).read("/rodadas/comando/")
    assert '<option value="" selected>Escolha o projeto</option>' in page


def test_the_upload_starts_with_a_collection_that_exists() -> None:
    tenant = factories.a_tenant()
    admin = a_browser(tenant, Role.ADMIN)
    assert 'value="plataforma"' not in admin.read("/conhecimento/")
    factories.an_upload(tenant, b"# Fila\n", collection="redes")
    assert 'value="redes"' in admin.read("/conhecimento/")


def test_an_unknown_outcome_that_is_looked_for_is_offered_no_button_yet() -> None:
    approved = factories.an_approved_execution()
    advance(approved, FakeTracker(creates=[OutcomeUnknownError("lost")]))
    assert "Procurar de novo" not in as_(approved.requester).read(page_of(approved.proposal))


def test_a_list_of_documents_that_is_cut_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    factories.a_published_document(tenant, text=factories.RUNBOOK + "\nMais.\n", name="outro.md")
    browser = a_browser(tenant, Role.OPERADOR)
    assert "1 a 1 de" not in browser.read("/conhecimento/")
    monkeypatch.setattr(catalogue, "PAGE", 1)
    assert "1 a 1 de 2" in browser.read("/conhecimento/")
