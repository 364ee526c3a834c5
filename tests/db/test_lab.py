"""The laboratory: what it shows of a search, its labelled questions, and a change of the fusion."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from audit.models import AgenteAcao
from grounding.access import readable
from grounding.lab import looking, questions, trying
from grounding.lab.errors import LabelMissingError, ReasonForFloorError, UnknownDocumentError
from grounding.lab.trying import Figures, Measured
from grounding.models import Document, Fusion, LabQuestion, LabState, Version
from grounding.retrieval import choice, consult
from opspilot.errors import NotFoundError
from opspilot.harness.models import Run, RunState
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db.browsing import Browser, a_browser

pytestmark = pytest.mark.django_db
QUESTION = "How do I restart the consumer of the payments queue?"
NOTHING_SAID = Measured(Fusion.Z_SCORES, Fusion.RANKS, {}, {})
SPOKEN_FOR = Measured(
    Fusion.Z_SCORES,
    Fusion.RANKS,
    {"": {Fusion.RANKS: Figures(12, 0.9, (0.8, 0.95), 0.9)}},
    {"difference": 0.01, "low": -0.01, "high": 0.03},
)


@pytest.fixture
def tenant() -> Tenant:
    found = factories.a_tenant()
    factories.a_published_document(found)
    return found


@pytest.fixture
def admin(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.ADMIN)


def looked(admin: Principal, about: str = "") -> looking.Look:
    query = consult.prepare(QUESTION, tenant_id=admin.tenant_id)
    with tenant_scope(admin.tenant_id):
        return looking.look(query=query, readable=readable.by(admin), about=about)


def test_the_laboratory_shows_what_production_returns(admin: Principal) -> None:
    query = consult.prepare(QUESTION, tenant_id=admin.tenant_id)
    shown = [hit.source.chunk_id for hit in looked(admin).hits]
    with tenant_scope(admin.tenant_id):
        found = consult.consult(query=query, collections=readable.ids(admin))
    assert shown == [source.chunk_id for source in found.ranked]


def test_a_passage_has_its_place_in_each_leg(admin: Principal) -> None:
    first = looked(admin).hits[0]
    assert first.lexical is not None
    assert first.vector is not None
    assert first.vector.rank >= 1


def test_a_document_among_the_shown_ones_is_said_to_be(admin: Principal) -> None:
    name = looked(admin).hits[0].source.document_name
    missing = looked(admin, name).missing
    assert missing is not None
    assert (missing.why, missing.rank) == ("found", 1)


def test_a_name_that_no_document_has_is_said_to_be_unknown(admin: Principal) -> None:
    missing = looked(admin, "nao-existe.md").missing
    assert missing is not None
    assert missing.why == "unknown"


def test_a_document_that_the_role_tried_does_not_read_is_said_to_be_elsewhere(
    admin: Principal,
) -> None:
    query = consult.prepare(QUESTION, tenant_id=admin.tenant_id)
    with tenant_scope(admin.tenant_id):
        name, known = Document.objects.get().name, readable.by(admin)
        missing = looking.look(query=query, readable=[], about=name[:4], known=known).missing
    assert missing is not None
    assert (missing.why, missing.name) == ("not_granted", name[:4])


def test_only_so_many_questions_are_kept_as_history(admin: Principal) -> None:
    with tenant_scope(admin.tenant_id):
        for number in range(questions.HISTORY + 3):
            questions.ask(principal=admin, text=f"Pergunta {number}?")
        kept = questions.listed(LabState.ASKED)
    assert len(kept) == questions.HISTORY
    assert kept[0].text == f"Pergunta {questions.HISTORY + 2}?"


def test_a_label_needs_a_document_or_the_word_that_none_answers(admin: Principal) -> None:
    with tenant_scope(admin.tenant_id):
        asked = questions.ask(principal=admin, text=QUESTION)
        with pytest.raises(LabelMissingError):
            questions.label(admin=admin, question=asked, documents=[], none=False)
        with pytest.raises(UnknownDocumentError):
            questions.label(admin=admin, question=asked, documents=[0], none=False)


def test_another_company_s_question_does_not_exist(admin: Principal) -> None:
    other = factories.a_principal(factories.a_tenant(), Role.ADMIN)
    with tenant_scope(admin.tenant_id):
        ref = questions.ask(principal=admin, text=QUESTION).ref
    with tenant_scope(other.tenant_id), pytest.raises(NotFoundError):
        questions.one(ref=ref)


def test_saved_questions_are_measured_with_both_fusions(admin: Principal) -> None:
    with tenant_scope(admin.tenant_id):
        asked = questions.ask(principal=admin, text=QUESTION)
        document = Document.objects.get().pk
        questions.label(admin=admin, question=asked, documents=[document], none=False)
        collections = readable.ids(admin)
    found = trying.measure(tenant_id=admin.tenant_id, collections=collections)
    assert {fusion: each.ndcg for fusion, each in found.slices[""].items()} == {
        Fusion.Z_SCORES: 1.0,
        Fusion.RANKS: 1.0,
    }
    assert not found.speaks_for_the_other  # one question says nothing


def test_a_change_that_the_figures_do_not_support_needs_a_reason(admin: Principal) -> None:
    with tenant_scope(admin.tenant_id):
        with pytest.raises(ReasonForFloorError):
            trying.publish(admin=admin, fusion=Fusion.RANKS, measured=NOTHING_SAID, reason="porque")
        assert choice.in_force() == Fusion.Z_SCORES


def test_a_supported_change_holds_at_once_and_stands_in_the_trail(admin: Principal) -> None:
    with tenant_scope(admin.tenant_id):
        trying.publish(admin=admin, fusion=Fusion.RANKS, measured=SPOKEN_FOR, reason="")
        assert choice.in_force() == Fusion.RANKS
        row = AgenteAcao.objects.get(acao="busca.alterada")
    assert "nDCG@10 +0.010" in (row.saida_resumo or "")


def test_an_answer_is_marked_once_however_often_it_is_pressed(admin: Principal) -> None:
    run = factories.a_run(Tenant(pk=admin.tenant_id), by=admin).ref
    with tenant_scope(admin.tenant_id):
        first = questions.did_not_help(principal=admin, text=QUESTION, run=run, note="faltou")
        again = questions.did_not_help(principal=admin, text=QUESTION, run=run, note="")
        assert (first.pk, LabQuestion.objects.count()) == (again.pk, 1)


LAB = "/conhecimento/bancada/"


def asked_on_the_page(tenant: Tenant) -> tuple[Browser, str]:
    browser = a_browser(tenant, Role.ADMIN)
    answer = browser.client.post(f"{LAB}perguntar/", {"pergunta": QUESTION})
    return browser, str(answer.headers["Location"])


def test_a_question_leads_to_a_page_whose_address_does_not_hold_it(tenant: Tenant) -> None:
    browser, place = asked_on_the_page(tenant)
    assert "restart" not in place
    page = browser.client.get(place).content.decode()
    with tenant_scope(tenant.pk):
        title = Version.objects.get().title
    assert title in page
    assert "ops-2" in page


def test_a_labelled_question_is_listed_and_measured(tenant: Tenant) -> None:
    browser, place = asked_on_the_page(tenant)
    with tenant_scope(tenant.pk):
        document = Document.objects.get().pk
    answer = browser.client.post(f"{place}rotular/", {"documentos": [document]})
    assert answer.status_code == 302
    assert "Medir a busca" in browser.client.get(LAB).content.decode()
    assert "nDCG@10" in browser.client.get(f"{LAB}medidas/").content.decode()


def test_with_a_reason_it_is_published(tenant: Tenant) -> None:
    browser = a_browser(tenant, Role.ADMIN)
    sent = {"fusao": "rrf60", "motivo": "Comparação pedida pela equipe."}
    assert browser.client.post(f"{LAB}medidas/fusao/", sent).status_code == 302
    with tenant_scope(tenant.pk):
        assert choice.in_force() == Fusion.RANKS


def test_no_transaction_is_open_while_the_question_is_embedded(
    tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, place = asked_on_the_page(tenant)
    depth: list[int] = []
    prepare = consult.prepare

    def looking_around(text: str, **given: Any) -> consult.Query:
        depth.append(len(connection.savepoint_ids))
        return prepare(text, **given)

    monkeypatch.setattr(consult, "prepare", looking_around)
    browser.client.get(place)
    assert depth == [0]  # the test's own transaction, and nothing inside it


def test_an_answer_that_did_not_help_waits_in_the_laboratory(tenant: Tenant) -> None:
    admin = factories.a_principal(tenant, Role.ADMIN)
    run = factories.a_run(tenant, by=admin)
    with tenant_scope(tenant.pk):
        Run.objects.filter(pk=run.pk).update(state=RunState.ABSTAINED, question=QUESTION)
    browser = a_browser(tenant, Role.ADMIN)
    answer = browser.client.post(f"/rodadas/{run.ref}/nao-ajudou/", {"motivo": "faltou o comando"})
    assert answer.status_code == 302
    assert "faltou o comando" in browser.client.get(LAB).content.decode()


def test_a_run_without_an_answer_cannot_be_marked(tenant: Tenant) -> None:
    run = factories.a_run(tenant, by=factories.a_principal(tenant, Role.ADMIN))
    with tenant_scope(tenant.pk):
        Run.objects.filter(pk=run.pk).update(state=RunState.RUNNING)
    client = a_browser(tenant, Role.ADMIN).client
    assert client.post(f"/rodadas/{run.ref}/nao-ajudou/", {"motivo": ""}).status_code >= 400
