"""One document or two, a new version or none: what the same, and nearly the same, file becomes."""

from __future__ import annotations

import datetime as dt
import threading
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from audit.models import AgenteAcao
from grounding.intake import holding, ingest, publishing
from grounding.life import keeping, retiring, standing
from grounding.life.errors import NotRetiredError, UnknownOwnerError
from grounding.models import Chunk, Collection, Document, DocumentKind, Upload, Version
from grounding.reading.analysis import terms
from grounding.retrieval import search
from opspilot.tenancy.models import Tenant
from opspilot.tenancy.principal import Role
from opspilot.tenancy.scope import tenant_scope
from tests import factories

RUNBOOK = factories.RUNBOOK
TERMS = list(terms("the payments consumer", languages=("en",)))
OTHER_HOST = RUNBOOK.replace("pag-01", "pag-02")


def send(tenant: Tenant, content: bytes, *, name: str = "fila.md") -> Upload:
    return factories.read_upload(factories.an_upload(tenant, content, name=name))


def documents(tenant: Tenant) -> list[tuple[str, int]]:
    """(name, active version's number)."""
    with tenant_scope(tenant.pk):
        found = Version.objects.filter(active=True).order_by("document__name")
        return list(found.values_list("document__name", "number"))


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["fila.md", "renomeado.md"])
@pytest.mark.parametrize(
    "content",
    [
        RUNBOOK.encode(),
        RUNBOOK.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + RUNBOOK.encode(),
        RUNBOOK.rstrip("\n").encode(),
        RUNBOOK.encode("utf-16"),
    ],
    ids=["bytes", "crlf", "bom", "last line end", "utf-16"],
)
def test_the_same_text_is_the_same_document_and_says_which(content: bytes, name: str) -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    row = send(tenant, content, name=name)
    assert (row.state, row.detail) == ("same", {"version": 1, "document": "fila.md"})
    assert documents(tenant) == [("fila.md", 1)]


@pytest.mark.django_db
def test_one_host_name_changed_is_another_version_of_the_same_name() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    assert send(tenant, OTHER_HOST.encode()).state == "approved"
    assert documents(tenant) == [("fila.md", 2)]


@pytest.mark.django_db
def test_one_host_name_changed_under_another_name_is_another_document_and_both_are_found() -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    assert send(tenant, OTHER_HOST.encode(), name="fila-02.md").state == "approved"
    assert documents(tenant) == [("fila-02.md", 1), ("fila.md", 1)]
    with tenant_scope(tenant.pk):
        ids = list(Collection.objects.values_list("pk", flat=True))
        found = search.lexical(terms=TERMS, collections=ids)
    assert len({hit.document_id for hit in found}) == 2


@pytest.mark.django_db
def test_a_retired_document_is_not_found_and_its_text_stays_readable() -> None:
    tenant = factories.a_tenant()
    version = factories.a_published_document(tenant)
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        retiring.retire(admin=admin, document=version.document, reason="o host saiu de uso")
        assert documents(tenant) == []
        chunks = list(Chunk.objects.values_list("pk", flat=True))
        assert set(search.sources(chunks)) == set(chunks)
        assert AgenteAcao.objects.filter(acao="conhecimento.retirado").count() == 1
        with pytest.raises(NotRetiredError):
            retiring.retire(admin=admin, document=version.document, reason="o host saiu de uso")


@pytest.mark.django_db
def test_a_retired_document_answers_again_when_its_file_is_sent_again() -> None:
    tenant = factories.a_tenant()
    version = factories.a_published_document(tenant)
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        retiring.retire(admin=admin, document=version.document, reason="o host saiu de uso")
    assert send(tenant, RUNBOOK.encode()).state == "approved"
    assert documents(tenant) == [("fila.md", 2)]
    with tenant_scope(tenant.pk):
        assert Document.objects.get().retired_at is None


@pytest.mark.django_db
@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n" + bytes(range(256)), b" \n"])
def test_a_refused_successor_is_told_beside_the_version_that_still_holds(content: bytes) -> None:
    tenant = factories.a_tenant()
    version = factories.a_published_document(tenant)
    refused = send(tenant, content)
    assert documents(tenant) == [("fila.md", 1)]
    with tenant_scope(tenant.pk):
        found = standing.refused_successor(version.document, version)
    assert found is not None
    assert (found.pk, found.code) == (refused.pk, refused.code)
    send(tenant, OTHER_HOST.encode())
    with tenant_scope(tenant.pk):
        newest = Version.objects.get(active=True)
        assert standing.refused_successor(version.document, newest) is None


@pytest.mark.django_db
def test_a_new_document_starts_with_what_its_collection_gives() -> None:
    tenant = factories.a_tenant()
    first = factories.a_published_document(tenant).document
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        count = keeping.set_defaults(
            admin=admin,
            collection=first.collection,
            dono="papel:operador",
            tipo=DocumentKind.PROCEDURE,
            review_days=90,
            existing=True,
        )
    send(tenant, OTHER_HOST.encode(), name="fila-02.md")
    due = timezone.localdate() + dt.timedelta(days=90)
    with tenant_scope(tenant.pk):
        rows = set(Document.objects.values_list("dono", "tipo", "review_by"))
    assert (count, rows) == (1, {("papel:operador", "procedimento", due)})


@pytest.mark.django_db
def test_a_document_is_given_to_nobody_outside_the_company() -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    admin = factories.a_principal(tenant, Role.ADMIN)
    stranger = factories.a_principal(factories.a_tenant(), Role.ADMIN)
    with tenant_scope(tenant.pk):
        assert keeping.owner_words(stranger.subject) == ""
        with pytest.raises(UnknownOwnerError):
            keeping.describe(
                admin=admin,
                document=document,
                dono=stranger.subject,
                tipo=DocumentKind.RUNBOOK,
                review_by=None,
            )


@pytest.mark.django_db
@pytest.mark.parametrize(("days", "late"), [(-1, True), (0, False), (1, False)])
def test_a_review_is_overdue_from_the_day_after_its_date(days: int, late: bool) -> None:
    tenant = factories.a_tenant()
    document = factories.a_published_document(tenant).document
    admin = factories.a_principal(tenant, Role.ADMIN)
    with tenant_scope(tenant.pk):
        keeping.describe(
            admin=admin,
            document=document,
            dono=admin.subject,
            tipo=DocumentKind.RUNBOOK,
            review_by=timezone.localdate() + dt.timedelta(days=days),
        )
        assert (document.pk in standing.overdue([document.pk])) is late


def replace(tenant: Tenant, times: int) -> None:
    for number in range(times):
        text = f"{RUNBOOK}\nRevision {number} of the payments queue.\n"
        send(tenant, text.encode())


def ask_until(tenant: Tenant, ended: threading.Event, seen: list[set[int]]) -> None:
    """Each look is one statement pair in one scope, as an answer's is."""
    try:
        while not ended.is_set():
            with tenant_scope(tenant.pk):
                ids = list(Collection.objects.values_list("pk", flat=True))
                hits = search.lexical(terms=TERMS, collections=ids)
                found = search.sources([hit.chunk_id for hit in hits])
                seen.append({source.version_id for source in found.values()})
    finally:
        connections.close_all()


def replaced_under_load(tenant: Tenant, *, times: int, clients: int) -> list[set[int]]:
    """What every look saw while the document was replaced."""
    factories.a_published_document(tenant)
    ended, seen = threading.Event(), list[set[int]]()
    threads = [
        threading.Thread(target=ask_until, args=(tenant, ended, seen)) for _ in range(clients)
    ]
    for thread in threads:
        thread.start()
    try:
        replace(tenant, times)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    return seen


def test_every_answer_rests_on_one_version_while_the_document_is_replaced(committed: None) -> None:
    seen = replaced_under_load(factories.a_tenant(), times=3, clients=2)
    assert seen
    assert {len(versions) for versions in seen} == {1}


@pytest.mark.machine
def test_every_answer_rests_on_one_version_while_it_is_replaced_fifty_times(
    committed: None,
) -> None:
    seen = replaced_under_load(factories.a_tenant(), times=50, clients=4)
    print(f"{len(seen)} looks, {len(set.union(*seen))} versions seen")
    assert {len(versions) for versions in seen} == {1}


def test_a_worker_killed_between_reading_and_publishing_leaves_the_old_version_and_no_orphan(
    committed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = factories.a_tenant()
    factories.a_published_document(tenant)
    upload = factories.an_upload(tenant, OTHER_HOST.encode())

    def killed(*_given: Any, **_values: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(holding, "finish", killed)  # the last statement but one of the switch
    with pytest.raises(KeyboardInterrupt):
        ingest.advance(tenant_id=tenant.pk, upload_id=upload.pk)
    assert documents(tenant) == [("fila.md", 1)]
    with tenant_scope(tenant.pk):
        assert Version.objects.count() == 1
        assert not Chunk.objects.exclude(version__active=True).exists()


@pytest.mark.django_db
def test_the_hash_of_a_text_ignores_line_ends_at_its_end_and_nothing_else() -> None:
    assert publishing.text_hash("a\n") == publishing.text_hash("a\n\n")
    assert publishing.text_hash("a \n") != publishing.text_hash("a\n")
