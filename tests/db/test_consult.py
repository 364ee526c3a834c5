"""Search inside the tenant and the allowed collections; a question's way to an answer or none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from django.db.models.functions import Now

from approvals.errors import NoBasisError
from audit.models import AgenteAcao
from grounding import evidence
from grounding.models import Chunk, Collection, Receipt, Version
from grounding.reading import analysis
from grounding.reading.analysis import Language
from grounding.retrieval import consult, coverage, search
from grounding.retrieval.filters import Filters
from opspilot.harness import evidence as cited
from opspilot.harness import loop, services
from opspilot.harness.models import Run, RunState
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

QUESTION = "How do I restart the consumer of the payments queue?"
QUESTION_PT = "Como reinicio o consumidor da fila de pagamentos?"
LONG_LIST = "# Payments queue\n\n## Steps\n\n" + "\n".join(
    f"{number}. Look at the panel of host pag-{number:02} and note it. {'Then wait. ' * 20}".rstrip()
    for number in range(1, 10)
)
UNRELATED = "What is the recipe for a carrot cake with chocolate icing?"


def collection_ids(tenant: Tenant, *slugs: str) -> list[int]:
    with tenant_scope(tenant.pk):
        return list(Collection.objects.filter(slug__in=slugs).values_list("pk", flat=True))


def found(tenant: Tenant, collections: list[int]) -> list[search.Source]:
    query = consult.prepare(QUESTION, tenant_id=tenant.pk)
    with tenant_scope(tenant.pk):
        return consult.consult(query=query, collections=collections).sources


def ask(by: Principal, question: str = QUESTION, *collections: str) -> Run:
    with tenant_scope(by.tenant_id):
        return services.ask(principal=by, question=question, collections=collections)


def finished(run: Run) -> Run:
    loop.advance(tenant_id=run.tenant_id, run_id=run.pk)
    with tenant_scope(run.tenant_id):
        return Run.objects.get(pk=run.pk)


def an_asker(tenant: Tenant) -> Principal:
    return factories.a_principal(tenant, Role.OPERADOR)


@pytest.mark.django_db
def test_a_search_never_returns_another_tenant_s_chunk_of_the_same_text() -> None:
    mine, other = factories.a_tenant(), factories.a_tenant()
    own = factories.a_published_document(mine)
    theirs = factories.a_published_document(other)
    everywhere = collection_ids(mine, "plataforma") + collection_ids(other, "plataforma")
    sources = found(mine, everywhere)
    assert {source.version_id for source in sources} == {own.pk}
    assert theirs.pk != own.pk


@pytest.mark.django_db
def test_another_tenant_s_chunk_cannot_be_read_by_its_id() -> None:
    mine, other = factories.a_tenant(), factories.a_tenant()
    factories.a_published_document(other)
    with tenant_scope(other.pk):
        ids = list(Chunk.objects.values_list("pk", flat=True))
    with tenant_scope(mine.pk):
        assert search.sources(ids) == {}


@pytest.mark.django_db
def test_a_search_stays_inside_the_allowed_collections() -> None:
    tenant = factories.a_tenant()
    allowed = factories.a_published_document(tenant, collection="pagamentos")
    factories.a_published_document(tenant, collection="segredos")
    sources = found(tenant, collection_ids(tenant, "pagamentos"))
    assert {source.version_id for source in sources} == {allowed.pk}


@pytest.mark.django_db
def test_coverage_reads_three_passages_and_asks_for_each_term_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tenant = factories.a_tenant()
    for number in range(5):
        text = f"{factories.RUNBOOK}\nHost pag-{number}.\n"
        factories.a_published_document(tenant, text=text, name=f"fila-{number}.md")
    read: list[str] = []
    asked: list[str] = []
    terms, weights = analysis.terms, search.weights

    def reading(text: str, *, languages: Iterable[Language]) -> list[str]:
        read.append(text)
        return terms(text, languages=languages)

    def weighing(
        *, terms: Sequence[str], collections: Sequence[int], filters: Filters
    ) -> search.Weights:
        asked.extend(terms)
        return weights(terms=terms, collections=collections, filters=filters)

    logged = f"{QUESTION}\n2026-11-30 10:00:00 ERROR queue stuck on pag-01"
    query = consult.prepare(logged, tenant_id=tenant.pk)
    assert query.terms.log
    monkeypatch.setattr(consult, "terms", reading)
    monkeypatch.setattr(search, "weights", weighing)
    collections = collection_ids(tenant, "plataforma")
    with tenant_scope(tenant.pk):
        assert len(consult.consult(query=query, collections=collections).sources) > coverage.BEST
    assert len(read) == coverage.BEST
    assert len(asked) == len(set(asked))


@pytest.mark.django_db
def test_a_search_over_no_collection_finds_nothing() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    assert found(tenant, []) == []


@pytest.mark.django_db
def test_a_retired_version_is_not_found_and_stays_readable_by_its_citation() -> None:
    tenant = factories.a_tenant()
    old = factories.a_published_document(tenant)
    new = factories.a_published_document(tenant, text=factories.RUNBOOK + "\nRevisado.\n")
    sources = found(tenant, collection_ids(tenant, "plataforma"))
    assert {source.version_id for source in sources} == {new.pk}
    with tenant_scope(tenant.pk):
        ids = list(Chunk.objects.filter(version=old).values_list("pk", flat=True))
        assert set(search.sources(ids)) == set(ids)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "text", "command"),
    [
        (QUESTION, factories.RUNBOOK, "systemctl restart payments-consumer"),
        (QUESTION_PT, factories.RUNBOOK_PT, "systemctl restart pagamentos-consumer"),
    ],
)
def test_a_question_is_answered_with_quotes_that_stand_in_the_stored_text(
    question: str, text: str, command: str
) -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant, text=text)
    run = finished(ask(an_asker(tenant), question))
    assert run.state == RunState.ANSWERED
    sentences = run.answer["sentences"]
    assert any(command in s["text"] for s in sentences)
    with tenant_scope(tenant.pk):
        stored = Version.objects.get().text
        chunks = {chunk.pk: chunk for chunk in Chunk.objects.all()}
        quotes = evidence.quotes(cited.of(run))
    assert [quote["text"] for quote in quotes] == [stored[s["start"] : s["end"]] for s in sentences]
    for sentence, quote in zip(sentences, quotes, strict=True):
        assert quote["text"] in chunks[sentence["chunk_id"]].text
        assert chunks[sentence["chunk_id"]].sha256 == sentence["sha256"]


@pytest.mark.django_db
def test_a_step_of_another_passage_comes_with_the_ones_before_it_and_its_own_citation() -> None:
    tenant = factories.a_tenant()
    version = factories.a_published_document(tenant, text=LONG_LIST)
    run = finished(ask(an_asker(tenant), "What should I do at the panel of host pag-09?"))
    numbered = [s for s in run.answer["sentences"] if s["text"][:1].isdigit()]
    assert [s["text"].partition(".")[0] for s in numbered] == [
        str(n) for n in range(1, len(numbered) + 1)
    ]
    assert len({s["chunk_id"] for s in numbered}) > 1
    assert numbered[-1].get("rest", [len(numbered) + 1, 9]) == [len(numbered) + 1, 9]
    for sentence in numbered:
        assert version.text[sentence["start"] : sentence["end"]].startswith(sentence["text"][:20])


@pytest.mark.django_db
def test_an_answered_question_leaves_its_row_without_the_question() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    run = finished(ask(an_asker(tenant)))
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(acao="conhecimento.consultado")
    assert (row.correlacao_id, row.resultado) == (run.ref, "ok")
    *passages, receipt = row.fontes
    assert [f["trecho"] for f in passages] == [s["chunk_id"] for s in run.answer["sentences"]]
    with tenant_scope(tenant.pk):
        assert receipt == {"recibo": str(Receipt.objects.get(run=run.ref).ref)}
    assert QUESTION not in f"{row.entrada_resumo} {row.saida_resumo} {row.fontes}"


@pytest.mark.django_db
def test_an_unrelated_question_gets_an_abstention_and_no_sentence() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    run = finished(ask(an_asker(tenant), UNRELATED))
    assert (run.state, run.coverage) == (RunState.ABSTAINED, "nenhuma")
    assert run.answer["sentences"] == []


@pytest.mark.django_db
def test_a_tenant_without_runbooks_gets_an_abstention() -> None:
    run = finished(ask(an_asker(factories.a_tenant())))
    assert (run.state, run.coverage) == (RunState.ABSTAINED, "nenhuma")


@pytest.mark.django_db
def test_an_unknown_collection_is_never_a_wider_search() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    run = finished(ask(an_asker(tenant), QUESTION, "nao-existe"))
    assert (run.collections, run.state) == ([], RunState.ABSTAINED)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "error"),
    [
        ("", services.EmptyQuestionError),
        (" \n\x00 ", services.EmptyQuestionError),
        ("a" * 50_000, services.QuestionTooLongError),
    ],
)
def test_a_question_of_no_length_or_too_much_is_refused_and_not_queued(
    question: str, error: type[Exception]
) -> None:
    by = an_asker(factories.a_tenant())
    with pytest.raises(error):
        ask(by, question)
    with tenant_scope(by.tenant_id):
        assert not Run.objects.exists()


@pytest.mark.django_db
def test_the_longest_question_is_answered_or_not_but_never_fails() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    question = (QUESTION + " ") * (services.MAX_QUESTION // (len(QUESTION) + 1))
    assert finished(ask(an_asker(tenant), question)).state in {"answered", "abstained"}


@pytest.mark.django_db
def test_no_proposal_comes_from_an_answer_that_found_nothing() -> None:
    tenant = factories.a_tenant()
    factories.a_policy(tenant)
    by = an_asker(tenant)
    run = finished(ask(by, UNRELATED))
    with tenant_scope(tenant.pk), pytest.raises(NoBasisError):
        services.fill_in(
            principal=by,
            run=run,
            data=factories.a_command(),
            justification="A fila parou.",
            document="",
        )


def let_the_lease_end(run: Run) -> None:
    with tenant_scope(run.tenant_id):
        Run.objects.filter(pk=run.pk).update(lease_until=Now() - dt.timedelta(seconds=1))


def killed(_question: str, **_known: Any) -> None:
    raise KeyboardInterrupt


def test_a_run_whose_worker_died_is_taken_again(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    run = ask(an_asker(tenant))
    with monkeypatch.context() as patched:
        patched.setattr(consult, "prepare", killed)
        with pytest.raises(KeyboardInterrupt):
            finished(run)
    assert finished(run).state == RunState.RUNNING  # its lease still runs
    let_the_lease_end(run)
    row = finished(run)
    assert (row.state, row.attempts) == (RunState.ANSWERED, 2)


def test_a_run_whose_worker_died_three_times_ends_as_failed(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    run = ask(an_asker(tenant))
    monkeypatch.setattr(consult, "prepare", killed)
    for _ in range(loop.MAX_ATTEMPTS):
        with pytest.raises(KeyboardInterrupt):
            finished(run)
        let_the_lease_end(run)
    row = finished(run)
    assert (row.state, row.code) == (RunState.FAILED, "interrompida")
    assert row.finished_at is not None
    with tenant_scope(row.tenant_id):
        line = AgenteAcao.objects.get(correlacao_id=row.ref)
    assert (line.resultado, line.erro) == ("erro", "interrompida")


def test_an_answer_that_comes_after_another_worker_s_changes_nothing(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    run = ask(an_asker(tenant))
    prepare = consult.prepare

    def overtaken(text: str, **known: Any) -> consult.Query:
        monkeypatch.setattr(consult, "prepare", prepare)
        let_the_lease_end(run)
        assert finished(run).state == RunState.ANSWERED
        return prepare(text, **known)

    monkeypatch.setattr(consult, "prepare", overtaken)
    finished(run)
    with tenant_scope(tenant.pk):
        assert AgenteAcao.objects.filter(acao="conhecimento.consultado").count() == 1


@pytest.mark.django_db
def test_a_passage_that_is_not_the_one_cited_is_a_tombstone() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    with tenant_scope(tenant.pk):
        chunk = Chunk.objects.all()[0]
        item = {"trecho": chunk.pk, "versao": chunk.version_id, "inicio": 0, "fim": 9}
        (altered,) = evidence.quotes([item | {"sha256": "0" * 64}])
        (deleted,) = evidence.quotes([item | {"trecho": 2**40, "sha256": chunk.sha256}])
    assert altered["gone"]
    assert deleted["gone"]
    assert altered["text"] == ""


@pytest.mark.django_db
def test_another_tenant_s_run_is_not_advanced() -> None:
    run = ask(an_asker(factories.a_tenant()))
    loop.advance(tenant_id=factories.a_tenant().pk, run_id=run.pk)
    with tenant_scope(run.tenant_id):
        assert Run.objects.get(pk=run.pk).state == RunState.QUEUED
