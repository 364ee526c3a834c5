"""What becomes of a file: published, the same as before, or refused with its reason."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db.models.functions import Now
from structlog.testing import CapturingLogger

from audit.models import AgenteAcao
from grounding.errors import UnreadableFileError
from grounding.intake import holding, ingest, publishing, uploads
from grounding.intake.decoding import MAX_BYTES
from grounding.models import Chunk, Document, Upload, Version
from grounding.retrieval import search
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def versions(tenant: Tenant) -> list[tuple[int, bool]]:
    with tenant_scope(tenant.pk):
        return list(Version.objects.order_by("number").values_list("number", "active"))


def let_the_lease_end(upload: Upload) -> None:
    with tenant_scope(upload.tenant_id):
        Upload.objects.filter(pk=upload.pk).update(lease_until=Now() - dt.timedelta(seconds=1))


@pytest.mark.django_db
def test_a_file_is_published_with_its_row() -> None:
    tenant = factories.a_tenant()
    row = factories.read_upload(factories.an_upload(tenant, factories.RUNBOOK.encode()))
    assert (row.state, row.code, row.content) == ("approved", "", None)
    with tenant_scope(tenant.pk):
        assert row.detail == {"chunks": Chunk.objects.count()}
        written = AgenteAcao.objects.get(acao="conhecimento.publicado")
    assert written.fontes == [{"arquivo": "fila.md", "sha256": row.sha256}]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "size", "code"),
    [
        (b"", None, "empty"),
        (b" \n\t\n", None, "empty"),
        (PNG, None, "unsupported"),
        (b"texto\x00com nulos", None, "binary"),
        (None, MAX_BYTES + 1, "too_large"),
        (b"pouco", MAX_BYTES + 1, "too_large"),
        (bytes(range(128, 256)) * 8, None, "not_text"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_reason(
    content: bytes | None, size: int | None, code: str
) -> None:
    tenant = factories.a_tenant()
    row = factories.read_upload(factories.an_upload(tenant, content, size=size))
    assert (row.state, row.code, row.content) == ("rejected", code, None)
    assert row.finished_at is not None
    assert versions(tenant) == []
    with tenant_scope(tenant.pk):
        assert AgenteAcao.objects.get(acao="conhecimento.recusado").erro == code


@pytest.mark.django_db
def test_the_log_says_why_a_file_was_refused_and_not_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = CapturingLogger()
    monkeypatch.setattr(ingest, "log", log)
    factories.read_upload(factories.an_upload(factories.a_tenant(), PNG, name="da-maria.md"))
    (line,) = log.calls
    assert (line.kwargs["code"], line.kwargs["detail"]) == ("unsupported", "png")
    assert "maria" not in repr(line)


@pytest.mark.django_db
def test_a_latin_1_file_is_read_and_says_so() -> None:
    tenant = factories.a_tenant()
    text = "# Manutenção\n\nA aplicação não responde: reinicie o serviço e avise a equipe de plantão.\n"
    upload = factories.an_upload(tenant, text.encode("latin-1"))
    assert factories.read_upload(upload).state == "approved"
    with tenant_scope(tenant.pk):
        version = Version.objects.get()
    assert (version.text, version.findings) == (text, ["encoding:windows-1252"])


@pytest.mark.django_db
def test_the_same_bytes_again_change_nothing() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    again = factories.an_upload(tenant, factories.RUNBOOK.encode(), name="copia.md")
    row = factories.read_upload(again)
    assert (row.state, row.detail) == ("same", {"version": 1, "document": "fila.md"})
    assert versions(tenant) == [(1, True)]


@pytest.mark.django_db
def test_the_same_bytes_in_another_collection_are_published_there() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant, collection="plataforma")
    factories.a_published_document(tenant, collection="pagamentos")
    with tenant_scope(tenant.pk):
        assert Document.objects.count() == 2


@pytest.mark.django_db
def test_new_bytes_under_the_same_name_retire_the_first_version_in_one_switch() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    factories.a_published_document(tenant, text=factories.RUNBOOK + "\nRevisado.\n")
    assert versions(tenant) == [(1, False), (2, True)]
    with tenant_scope(tenant.pk):
        assert Document.objects.count() == 1
        assert Version.objects.get(number=1).replaced_at is not None


@pytest.mark.django_db
def test_a_successor_that_cannot_be_read_leaves_the_old_version_active() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    assert factories.read_upload(factories.an_upload(tenant, PNG)).state == "rejected"
    assert versions(tenant) == [(1, True)]


def test_a_successor_that_fails_while_it_is_published_leaves_the_old_version_active(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    upload = factories.an_upload(tenant, b"# Outro\n\nOutro texto do runbook, mais novo.\n")

    def broken(*_arguments: object, **_values: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(holding, "finish", broken)
    with pytest.raises(ZeroDivisionError):
        factories.read_upload(upload)
    assert versions(tenant) == [(1, True)]
    monkeypatch.undo()
    let_the_lease_end(upload)
    assert factories.read_upload(upload).state == "approved"
    assert versions(tenant) == [(1, False), (2, True)]


def test_a_file_whose_worker_died_three_times_is_refused(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = factories.a_tenant()
    upload = factories.an_upload(tenant, factories.RUNBOOK.encode())

    def killed(_upload: Upload) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ingest, "_parse", killed)
    for _ in range(ingest.MAX_ATTEMPTS):
        with pytest.raises(KeyboardInterrupt):
            factories.read_upload(upload)
        let_the_lease_end(upload)
    row = factories.read_upload(upload)
    assert (row.state, row.code) == ("rejected", "interrupted")
    assert bytes(row.content or b"") == factories.RUNBOOK.encode()  # to be tried again


def test_a_file_under_another_worker_s_lease_is_left_alone(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = factories.a_tenant()
    upload = factories.an_upload(tenant, factories.RUNBOOK.encode())

    def meanwhile(_upload: Upload) -> None:
        row = factories.read_upload(upload)
        assert (row.state, row.attempts) == ("uploaded", 1)
        raise KeyboardInterrupt

    monkeypatch.setattr(ingest, "_parse", meanwhile)
    with pytest.raises(KeyboardInterrupt):
        factories.read_upload(upload)


def test_a_worker_that_lost_its_lease_publishes_nothing(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = factories.a_tenant()
    upload = factories.an_upload(tenant, factories.RUNBOOK.encode())
    parse = ingest._parse

    def overtaken(taken: Upload) -> publishing.Parsed | None:
        monkeypatch.setattr(ingest, "_parse", parse)
        let_the_lease_end(upload)
        assert factories.read_upload(upload).state == "approved"
        return parse(taken)

    monkeypatch.setattr(ingest, "_parse", overtaken)
    with pytest.raises(holding.LateIngestError):
        ingest.advance(tenant_id=tenant.pk, upload_id=upload.pk)
    assert versions(tenant) == [(1, True)]


def test_a_worker_that_lost_its_lease_refuses_nothing(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = factories.a_tenant()
    upload = factories.an_upload(tenant, factories.RUNBOOK.encode())
    parse = ingest._parse

    def overtaken(_taken: Upload) -> publishing.Parsed:
        monkeypatch.setattr(ingest, "_parse", parse)
        let_the_lease_end(upload)
        assert factories.read_upload(upload).state == "approved"
        raise UnreadableFileError("binary")

    monkeypatch.setattr(ingest, "_parse", overtaken)
    ingest.advance(tenant_id=tenant.pk, upload_id=upload.pk)
    with tenant_scope(tenant.pk):
        assert Upload.objects.get(pk=upload.pk).state == "approved"
        assert not AgenteAcao.objects.filter(acao="conhecimento.recusado").exists()


@pytest.mark.django_db
def test_a_batch_without_files_is_refused() -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        target = uploads.collection(principal=by, slug="plataforma")
        with pytest.raises(uploads.NoFilesError):
            uploads.accept(principal=by, collection=target, files=[])


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["", "Plataforma", "a b", "../x", "-x", "x" * 61])
def test_a_collection_s_name_is_short_and_plain(slug: str) -> None:
    tenant = factories.a_tenant()
    by = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk), pytest.raises(uploads.UnknownCollectionError):
        uploads.collection(principal=by, slug=slug)


@pytest.mark.django_db
def test_every_chunk_is_exactly_its_span_of_the_version_s_text() -> None:
    tenant = factories.a_tenant()
    version = factories.a_published_document(tenant)
    with tenant_scope(tenant.pk):
        chunks = list(Chunk.objects.all())
        found = search.sources([chunk.pk for chunk in chunks])
    assert chunks
    assert all(version.text[c.start : c.end] == c.text for c in chunks)
    assert {s.version_id for s in found.values()} == {version.pk}
