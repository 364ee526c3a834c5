"""The grounding contract: only what is granted is consulted, and every consult leaves a receipt."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from audit.models import AgenteAcao
from grounding.models import Document, Receipt
from grounding.retrieval import consult, receipts
from grounding.retrieval.filters import Filters
from opspilot.errors import NotFoundError
from opspilot.harness import loop, services
from opspilot.harness.models import Run, RunState
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories
from tests.db import browsing, consults

pytestmark = pytest.mark.django_db


@pytest.fixture
def home() -> Tenant:
    """Two collections: `plataforma` with the runbook, `pessoal` with something else about payments."""
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    factories.a_published_document(tenant, text=consults.OTHER, name="f.md", collection="pessoal")
    return tenant


def operador(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


def receipt_of(tenant: Tenant, ref: uuid.UUID) -> Receipt:
    with tenant_scope(tenant.pk):
        return Receipt.objects.get(ref=ref)


def rows_of(tenant: Tenant) -> list[AgenteAcao]:
    with tenant_scope(tenant.pk):
        return list(AgenteAcao.objects.filter(acao="conhecimento.consultado"))


def not_called(_text: str, **_known: Any) -> consult.Query:
    raise AssertionError("nothing may be searched")


def test_the_answer_has_the_contract_s_fields(home: Tenant) -> None:
    found = consults.ask(operador(home), "plataforma")
    assert found.indices_consultados == ("plataforma",)
    assert found.cobertura in {"alta", "media", "baixa"}
    best = found.chunks[0]
    assert "systemctl restart payments-consumer" in "".join(c.texto for c in found.chunks)
    assert best.fonte == "plataforma/fila.md"
    assert best.metadados["titulo"] == "Payments queue is stuck"
    assert list(found.chunks) == sorted(found.chunks, key=lambda chunk: -chunk.score)


def test_a_greedy_agent_gets_what_is_granted_and_a_count_of_the_rest(home: Tenant) -> None:
    agent = consults.an_agent(home)
    consults.give(home, agent.subject)
    found = consults.ask(agent, "plataforma", "pessoal", "nao-existe", "x' OR 1=1")
    assert found.indices_consultados == ("plataforma",)
    assert found.nao_concedidos == 3
    assert {chunk.metadados["colecao"] for chunk in found.chunks} == {"plataforma"}


def test_an_agent_reads_nothing_until_it_is_granted(home: Tenant) -> None:
    assert consults.ask(consults.an_agent(home)).indices_consultados == ()


def test_where_nothing_is_granted_nothing_is_searched_and_one_row_says_so(
    home: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consult, "prepare", not_called)
    found = consults.ask(consults.an_agent(home), "plataforma", "pessoal")
    assert (found.cobertura, found.chunks, found.nao_concedidos) == ("nenhuma", (), 2)
    (row,) = rows_of(home)
    assert (row.agente, row.resultado) == ("coletor", "recusado")
    assert row.fontes == [{"recibo": str(found.recibo)}]


def test_a_person_reads_what_any_of_their_roles_reads(home: Tenant) -> None:
    consults.take_from(home, Role.OPERADOR)
    both = factories.a_principal(home, Role.OPERADOR, Role.AUDITOR)
    assert "plataforma" in consults.ask(both).indices_consultados
    assert consults.ask(operador(home)).indices_consultados == ("pessoal",)


def test_a_question_waits_and_is_answered_by_what_its_asker_may_read_then(home: Tenant) -> None:
    by = operador(home)
    with tenant_scope(home.pk):
        run = services.ask(principal=by, question=consults.QUESTION)
    consults.take_from(home, Role.OPERADOR)
    consults.take_from(home, Role.OPERADOR, "pessoal")
    loop.advance(tenant_id=home.pk, run_id=run.pk)
    with tenant_scope(home.pk):
        assert Run.objects.get(pk=run.pk).state == RunState.ABSTAINED
        assert Receipt.objects.get(run=run.ref).not_granted == 2


@pytest.mark.parametrize("top_k", [1, 2])
def test_no_more_passages_come_than_were_asked_for(home: Tenant, top_k: int) -> None:
    assert len(consults.ask(operador(home), top_k=top_k).chunks) == top_k


def test_coverage_does_not_depend_on_how_many_passages_are_asked_for(home: Tenant) -> None:
    by = operador(home)
    one, many = consults.ask(by, top_k=1), consults.ask(by, top_k=8)
    assert one.probabilidade == many.probabilidade


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filters(kind="politica"), {"pessoal"}),
        (Filters(owner="papel:admin"), {"plataforma"}),
        (Filters(until=dt.date(2020, 1, 1)), {"pessoal"}),
        (Filters(since=dt.date(2020, 1, 2)), {"plataforma"}),
        (Filters(kind="contato"), set()),
    ],
)
def test_filters_apply_before_anything_is_ranked(
    home: Tenant, filters: Filters, found: set[str]
) -> None:
    with tenant_scope(home.pk):
        other = Document.objects.filter(name="f.md")
        other.update(tipo="politica", data=dt.date(2020, 1, 1))
        Document.objects.exclude(name="f.md").update(dono="papel:admin")
    answer = consults.ask(operador(home), filtros=filters)
    assert {chunk.metadados["colecao"] for chunk in answer.chunks} == found


def test_a_receipt_says_what_was_seen_and_not_what_was_asked(home: Tenant) -> None:
    found = consults.ask(operador(home), "plataforma", "segredo", top_k=2)
    kept = receipt_of(home, found.recibo)
    assert kept.not_granted == 1
    assert kept.collections == [consults.collection(home).pk]
    assert [p["sha256"] for p in kept.passages] == [c.metadados["sha256"] for c in found.chunks]
    assert (kept.coverage, kept.reasons) == (found.cobertura, list(found.motivos))
    assert kept.grants == 10  # five roles, two collections
    assert set(kept.latency_ms) == {"acesso", "preparo", "busca"}
    words = [word for word in consults.QUESTION.lower().split() if len(word) > 3]
    stored = str({f.attname: getattr(kept, f.attname) for f in kept._meta.concrete_fields}).lower()
    assert not [word for word in words if word in stored]


def test_the_same_question_has_the_same_fingerprint_in_its_company_only() -> None:
    one, other = uuid.uuid4(), uuid.uuid4()
    assert receipts.fingerprint(one, "a") == receipts.fingerprint(one, "a")
    assert receipts.fingerprint(one, "a") != receipts.fingerprint(other, "a")


def test_a_change_of_the_grants_changes_their_number(home: Tenant) -> None:
    by = operador(home)
    before = receipt_of(home, consults.ask(by).recibo).grants
    consults.take_from(home, Role.AUDITOR)
    assert receipt_of(home, consults.ask(by).recibo).grants == before + 1


@pytest.mark.parametrize(
    "statement", ["UPDATE consult_receipt SET top_k = 1", "DELETE FROM consult_receipt"]
)
def test_a_receipt_cannot_be_changed(home: Tenant, statement: str) -> None:
    consults.ask(operador(home))
    with tenant_scope(home.pk), pytest.raises(DatabaseError), transaction.atomic():
        connection.cursor().execute(statement)


def test_who_asked_and_who_audits_read_a_receipt_and_nobody_else(home: Tenant) -> None:
    by = operador(home)
    ref = consults.ask(by).recibo
    auditor = factories.a_principal(home, Role.AUDITOR)
    with tenant_scope(home.pk):
        assert receipts.receipt(principal=by, ref=ref).ref == ref
        assert receipts.receipt(principal=auditor, ref=ref).ref == ref
        with pytest.raises(NotFoundError):
            receipts.receipt(principal=operador(home), ref=ref)


def page_of(person: Principal, ref: uuid.UUID) -> str:
    return browsing.as_(person).read(f"/conhecimento/consultas/{ref}/")


def test_the_page_of_a_receipt_shows_the_passages_as_they_were(home: Tenant) -> None:
    by = operador(home)
    ref = consults.ask(by, "plataforma").recibo
    changed = factories.RUNBOOK.replace("payments-consumer", "other-consumer")
    factories.a_published_document(home, text=changed)
    page = page_of(by, ref)
    assert "systemctl restart payments-consumer" in page
    assert "other-consumer" not in page


def test_the_page_of_a_receipt_counts_what_its_reader_may_not_read(home: Tenant) -> None:
    ref = consults.ask(operador(home)).recibo
    auditor = factories.a_principal(home, Role.AUDITOR)
    consults.take_from(home, Role.AUDITOR, "pessoal")
    page = page_of(auditor, ref)
    assert "The payroll" not in page
    assert "1 trecho é de uma coleção que você não lê." in page


def test_a_run_leads_to_its_receipt(home: Tenant) -> None:
    by = operador(home)
    with tenant_scope(home.pk):
        run = services.ask(principal=by, question=consults.QUESTION)
    loop.advance(tenant_id=home.pk, run_id=run.pk)
    with tenant_scope(home.pk):
        ref = Receipt.objects.get(run=run.ref).ref
    assert f"/conhecimento/consultas/{ref}/" in browsing.as_(by).read(f"/rodadas/{run.ref}/")


def test_an_answer_is_not_shown_to_who_lost_the_collection(home: Tenant) -> None:
    by = operador(home)
    with tenant_scope(home.pk):
        run = services.ask(principal=by, question=consults.QUESTION, collections=["plataforma"])
    loop.advance(tenant_id=home.pk, run_id=run.pk)
    read: Any = browsing.as_(by)
    assert "systemctl restart" in read.read(f"/rodadas/{run.ref}/")
    consults.take_from(home, Role.OPERADOR)
    assert "systemctl restart" not in read.read(f"/rodadas/{run.ref}/")
