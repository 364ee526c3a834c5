"""A deleted document: its text is gone at commit, from everything that showed it; the row stays."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections
from django.db.utils import DatabaseError, IntegrityError

from audit.models import AgenteAcao
from grounding import evidence
from grounding.answers import composing
from grounding.intake import holding, ingest, uploads
from grounding.life import deleting
from grounding.life.errors import ConsequencesMovedError, DocumentGoneError
from grounding.models import Chunk, Document, Posting, Upload, Vector, Version
from grounding.reasons import ReasonMissingError
from opspilot.harness import loop
from opspilot.harness.models import Run, RunKind, RunState
from opspilot.harness.running import answered
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Principal, Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

REASON = "o cliente pediu que este texto saia"
WORDS = "payments-consumer"


def delete(tenant: Tenant, document: Document, *, by: Principal | None = None) -> None:
    admin = by or factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        seen = deleting.consequences(document).seal
        deleting.delete(admin=admin, document=document, reason=REASON, seen=seen)


def an_answer(tenant: Tenant) -> Run:
    """A question the published runbook answers, asked and answered."""
    by = factories.a_principal(tenant, Role.OPERADOR)
    with tenant_scope(tenant.pk):
        ids = list(Version.objects.values_list("document__collection_id", flat=True).distinct())
    run = factories.a_run(
        tenant,
        by=by,
        kind=RunKind.QUESTION,
        state=RunState.QUEUED,
        question="How do I restart the payments consumer?",
        collections=ids,
    )
    loop.advance(tenant_id=tenant.pk, run_id=run.pk)
    return read(run)


def read(run: Run) -> Run:
    with tenant_scope(run.tenant_id):
        return Run.objects.get(pk=run.pk)


def rows_left(tenant: Tenant) -> dict[str, int]:
    with tenant_scope(tenant.pk):
        return {model.__name__: model.objects.count() for model in (Chunk, Posting, Vector)}


@pytest.mark.django_db
def test_of_a_deleted_document_stays_a_row_that_says_who_when_and_why() -> None:
    tenant = factories.a_tenant()
    version = factories.a_published_document(tenant)
    admin = factories.a_principal(tenant, Role.ADMIN)
    delete(tenant, version.document, by=admin)
    with tenant_scope(tenant.pk):
        row = Document.objects.get()
        left = Version.objects.get()
    assert (row.deleted_by, row.deleted_reason) == (admin.subject, REASON)
    assert row.deleted_at is not None
    assert (left.text, left.findings, left.active) == ("", [], False)
    assert (left.title, left.sha256) == (version.title, version.sha256)
    assert rows_left(tenant) == {"Chunk": 0, "Posting": 0, "Vector": 0}


@pytest.mark.django_db
def test_the_deletion_is_a_row_of_the_trail_with_its_counts_and_reason() -> None:
    tenant = factories.a_tenant()
    delete(tenant, factories.a_published_document(tenant).document)
    with tenant_scope(tenant.pk):
        row = AgenteAcao.objects.get(acao="conhecimento.apagado")
    assert "versões: 1" in (row.saida_resumo or "")
    assert REASON in (row.saida_resumo or "")


@pytest.mark.django_db
def test_answers_and_evidence_that_cite_it_show_a_tombstone_without_its_text() -> None:
    tenant = factories.a_tenant()
    version = factories.a_published_document(tenant)
    run = an_answer(tenant)
    assert WORDS in str(run.answer)
    cited = [
        {"trecho": s["chunk_id"], "versao": s["version_id"], "sha256": s["sha256"],
         "inicio": s["start"], "fim": s["end"]}
        for s in run.answer["sentences"]
    ]  # fmt: skip
    with tenant_scope(tenant.pk):
        found = deleting.consequences(version.document)
    assert (found.answers, found.versions) == (1, 1)
    delete(tenant, version.document)
    assert WORDS not in str(read(run).answer)
    with tenant_scope(tenant.pk):
        quotes = evidence.quotes(cited)
    assert {(q["gone"], q["text"]) for q in quotes} == {(True, "")}
    assert quotes[0]["title"].startswith("Documento apagado em ")


@pytest.mark.django_db
def test_nobody_deletes_more_than_they_were_shown() -> None:
    tenant = factories.a_tenant()
    version = factories.a_published_document(tenant)
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        seen = deleting.consequences(version.document).seal
    factories.a_published_document(tenant, text=factories.RUNBOOK + "\nRevised.\n")
    with tenant_scope(tenant.pk), pytest.raises(ConsequencesMovedError):
        deleting.delete(admin=admin, document=version.document, reason=REASON, seen=seen)
    with tenant_scope(tenant.pk):
        assert Document.objects.filter(deleted_at=None).exists()


@pytest.mark.django_db
def test_a_reason_is_asked_for_and_a_second_deletion_is_refused() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk), pytest.raises(ReasonMissingError):
        deleting.delete(admin=admin, document=document, reason="  curto ", seen="")
    delete(tenant, document)
    with tenant_scope(tenant.pk), pytest.raises(DocumentGoneError):
        deleting.delete(admin=admin, document=document, reason=REASON, seen="")


@pytest.mark.django_db
def test_the_same_file_sent_after_the_deletion_is_another_document() -> None:
    tenant = factories.a_tenant()
    first = factories.a_published_document(tenant).document
    delete(tenant, first)
    second = factories.a_published_document(tenant)
    assert (second.document.ref != first.ref, second.number) == (True, 1)


@pytest.mark.django_db
def test_a_file_given_up_before_the_deletion_cannot_be_tried_again() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    waiting = factories.an_upload(tenant, b"# Queue\n\nAnother text of it.\n")
    by = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        Upload.objects.filter(pk=waiting.pk).update(state="rejected", code=uploads.INTERRUPTED)
    delete(tenant, document)
    with tenant_scope(tenant.pk):
        left = Upload.objects.get(pk=waiting.pk)
        with pytest.raises(uploads.NothingToRetryError):
            uploads.retry(principal=by, ref=waiting.ref)
    assert (left.code, left.content) == (deleting.DELETED, None)


@pytest.mark.parametrize("moment", ["_parse", "_vectors"])
def test_a_worker_that_reads_its_file_while_it_is_deleted_writes_nothing(
    committed: None, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    late = factories.an_upload(tenant, b"# Queue\n\nA newer text of the runbook.\n")
    real: Callable[..., object] = getattr(ingest, moment)

    def meanwhile(*given: object) -> object:
        monkeypatch.setattr(ingest, moment, real)
        delete(tenant, document)
        return real(*given)

    monkeypatch.setattr(ingest, moment, meanwhile)
    with pytest.raises(holding.LateIngestError):
        ingest.advance(tenant_id=tenant.pk, upload_id=late.pk)
    assert rows_left(tenant) == {"Chunk": 0, "Posting": 0, "Vector": 0}
    with tenant_scope(tenant.pk):
        assert Version.objects.exclude(text="").count() == 0


def test_an_answer_being_checked_while_its_document_is_deleted_keeps_no_text(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deletion comes second here: it waits for the answer, and takes its text with it."""
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    deleted = threading.Thread(target=_delete_apart, args=(tenant, document))
    finish = answered.finish

    def meanwhile(*given: object) -> None:
        deleted.start()
        deleted.join(0.3)
        assert deleted.is_alive()  # waits for this transaction
        finish(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(answered, "finish", meanwhile)
    run = an_answer(tenant)
    deleted.join(10)
    assert not deleted.is_alive()
    assert read(run).state == RunState.ANSWERED
    assert WORDS not in str(read(run).answer)


def _delete_apart(tenant: Tenant, document: Document) -> None:
    try:
        delete(tenant, document)
    finally:
        connections.close_all()


def test_a_document_deleted_while_its_answer_is_drafted_is_not_in_it(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    drafted = composing.draft

    def meanwhile(**given: Any) -> object:
        delete(tenant, document)
        return drafted(**given)

    monkeypatch.setattr(composing, "draft", meanwhile)
    run = an_answer(tenant)
    assert run.state == RunState.ABSTAINED
    assert WORDS not in str(run.answer)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE document_version SET text = 'outro texto'",
        "UPDATE document_version SET text = ''",
        "DELETE FROM posting; DELETE FROM chunk_vector; DELETE FROM chunk",
        "UPDATE document_version SET sha256 = 'x'",
        "DELETE FROM document",
    ],
)
def test_the_text_of_a_living_document_cannot_be_changed_or_taken(statement: str) -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    with (
        pytest.raises(DatabaseError),
        tenant_scope(tenant.pk),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


@pytest.mark.django_db
def test_a_deleted_document_cannot_be_brought_back() -> None:
    tenant = factories.a_tenant()
    delete(tenant, factories.a_published_document(tenant).document)
    with pytest.raises(IntegrityError, match="stays so"), tenant_scope(tenant.pk):
        Document.objects.update(deleted_at=None)


@pytest.mark.django_db
def test_another_company_s_documents_stay() -> None:
    tenant, other = factories.a_tenant(), factories.a_tenant()
    factories.a_published_document(other)
    before = rows_left(other)
    delete(tenant, factories.a_published_document(tenant).document)
    assert rows_left(other) == before
    assert before["Chunk"] > 0
